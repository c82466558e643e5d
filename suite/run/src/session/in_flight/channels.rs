//! HTTP exchanges, over or not.

use verdict::Transport;
use wire::IdKey;

use super::{InFlight, Waiter};

/// One HTTP exchange.
#[derive(Debug, Default)]
pub(in crate::session) struct Channel {
    pub(in crate::session) key: Option<IdKey>,
    pub(in crate::session) waiter: Option<Waiter>,
    pub(in crate::session) status: Option<u16>,
    pub(in crate::session) closed: bool,
    /// It was given its time: it is not waited for again.
    pub(in crate::session) overdue: bool,
    /// Sent without this session's headers: what comes back is not about this session.
    pub(in crate::session) outsider: bool,
}

impl Channel {
    /// Whether the response has begun, or never will.
    pub(in crate::session) fn has_begun(&self) -> bool {
        self.closed || self.status.is_some()
    }
}

impl InFlight {
    /// Returns the number of a new exchange: 0 on stdio, where all messages share one.
    pub(in crate::session) fn take_channel(&mut self, transport: Transport) -> u32 {
        let channel = self.next_channel(transport);
        self.next_channel += u32::from(transport != Transport::Stdio);
        channel
    }

    /// Returns the number that [`Self::take_channel`] gives next.
    pub(in crate::session) fn next_channel(&self, transport: Transport) -> u32 {
        if transport == Transport::Stdio { 0 } else { self.next_channel }
    }

    /// Adds an HTTP exchange.
    pub(in crate::session) fn add_channel(&mut self, number: u32, channel: Channel) {
        self.channels.insert(number, channel);
    }

    pub(in crate::session) fn channel(&self, number: u32) -> Option<&Channel> {
        self.channels.get(&number)
    }

    pub(in crate::session) fn channel_mut(&mut self, number: u32) -> Option<&mut Channel> {
        self.channels.get_mut(&number)
    }

    pub(in crate::session) fn remove_channel(&mut self, number: u32) {
        self.channels.remove(&number);
    }

    /// The HTTP exchanges of requests whose response has not ended, in the order they were sent.
    pub(in crate::session) fn open_requests(&self) -> Vec<u32> {
        let open = self.channels.iter().filter(|(_, channel)| channel.key.is_some() && !channel.closed);
        let mut open: Vec<u32> = open.map(|(number, _)| *number).collect();
        open.sort_unstable();
        open
    }

    /// Whether an exchange is over, or unknown.
    pub(in crate::session) fn is_closed(&self, number: u32) -> bool {
        self.channel(number).is_none_or(|channel| channel.closed)
    }

    /// Whether the response of an exchange has begun, or never will.
    pub(in crate::session) fn has_begun(&self, number: u32) -> bool {
        self.channel(number).is_none_or(Channel::has_begun)
    }

    /// Notes that an exchange was given its time.
    pub(in crate::session) fn give_up(&mut self, number: u32) {
        if let Some(channel) = self.channel_mut(number) {
            channel.overdue = true;
        }
    }

    /// Notes that the exchanges before this one were given their time.
    pub(in crate::session) fn note_overdue(&mut self, before: u32) {
        let earlier = self.channels.iter_mut().filter(|(number, _)| **number < before);
        earlier.for_each(|(_, channel)| channel.overdue = true);
    }

    /// Whether any exchange before this one satisfies a condition.
    pub(in crate::session) fn any_channel(&self, before: u32, condition: impl Fn(&Channel) -> bool) -> bool {
        self.channels.iter().any(|(number, channel)| *number < before && condition(channel))
    }

    /// How many HTTP exchanges are waited for.
    pub(in crate::session) fn under_way(&self) -> usize {
        self.channels.values().filter(|channel| channel.waiter.is_some()).count()
    }
}
