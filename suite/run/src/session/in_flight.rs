//! Requests and HTTP exchanges under way: their ids, and who waits for their outcome.

use std::collections::HashMap;
use std::time::{Duration, Instant};

use serde_json::Value;
use tokio::sync::oneshot;
use verdict::Transport;
use wire::{IdKey, Message};

/// The outcome of a request.
#[derive(Clone, Debug)]
pub enum RequestOutcome {
    /// A response or an error.
    Answer(Message),
    /// An HTTP response without a JSON-RPC message.
    Status(u16),
    /// Nothing within the time limit.
    Silent,
    /// The server ended or broke the connection.
    Gone,
}

impl RequestOutcome {
    /// The result, if that is what came.
    #[must_use]
    pub fn result(&self) -> Option<&Value> {
        match self {
            Self::Answer(message) => message.result(),
            _ => None,
        }
    }

    /// The error code, if an error came.
    #[must_use]
    pub fn error_code(&self) -> Option<i64> {
        match self {
            Self::Answer(message) => message.error_code(),
            _ => None,
        }
    }

    /// Whether the server gave any sign of life.
    #[must_use]
    pub fn is_sign_of_life(&self) -> bool {
        matches!(self, Self::Answer(_) | Self::Status(_))
    }
}

/// Time limits after which even a server that works through earlier requests must have answered.
const BACKLOG: u32 = 4;

/// The end of a channel on which the outcome of a request is awaited.
pub(super) type Waiter = oneshot::Sender<RequestOutcome>;

/// Everything under way in one session.
#[derive(Debug)]
pub(super) struct InFlight {
    next_id: i64,
    next_channel: u32,
    /// Requests on stdio or over HTTP+SSE without an answer.
    pending: HashMap<IdKey, Pending>,
    /// HTTP exchanges, over or not.
    channels: HashMap<u32, Channel>,
    /// The id of the request that was answered last, and when.
    last_answer: Option<(i64, Instant)>,
    /// Messages sent.
    sent: u64,
    /// Of these, how many are known to have all the answers they will get.
    settled: u64,
}

/// A request that is matched with its answer by id.
#[derive(Debug)]
struct Pending {
    waiter: Waiter,
    /// Its envelope is valid, so an answer may be expected.
    owed: bool,
}

/// One HTTP exchange.
#[derive(Debug, Default)]
pub(super) struct Channel {
    pub(super) key: Option<IdKey>,
    pub(super) waiter: Option<Waiter>,
    pub(super) status: Option<u16>,
    pub(super) closed: bool,
    /// Sent without this session's headers: what comes back is not about this session.
    pub(super) outsider: bool,
}

impl Channel {
    /// Whether the response has begun, or never will.
    pub(super) fn has_begun(&self) -> bool {
        self.closed || self.status.is_some()
    }
}

impl Default for InFlight {
    fn default() -> Self {
        Self {
            next_id: 1,
            next_channel: 1,
            pending: HashMap::new(),
            channels: HashMap::new(),
            last_answer: None,
            sent: 0,
            settled: 0,
        }
    }
}

impl InFlight {
    /// Returns an id that was not used yet.
    pub(super) fn take_id(&mut self) -> i64 {
        self.next_id += 1;
        self.next_id - 1
    }

    /// Returns the id that [`Self::take_id`] gives next.
    pub(super) fn next_id(&self) -> i64 {
        self.next_id
    }

    /// Returns the number of a new exchange: 0 on stdio, where all messages share one.
    pub(super) fn take_channel(&mut self, transport: Transport) -> u32 {
        let channel = self.next_channel(transport);
        self.next_channel += u32::from(transport != Transport::Stdio);
        channel
    }

    /// Returns the number that [`Self::take_channel`] gives next.
    pub(super) fn next_channel(&self, transport: Transport) -> u32 {
        if transport == Transport::Stdio { 0 } else { self.next_channel }
    }

    /// Adds a request that is answered by id.
    pub(super) fn add_pending(&mut self, key: IdKey, waiter: Waiter, owed: bool) {
        self.pending.insert(key, Pending { waiter, owed });
    }

    /// Adds an HTTP exchange.
    pub(super) fn add_channel(&mut self, number: u32, channel: Channel) {
        self.channels.insert(number, channel);
    }

    pub(super) fn channel(&self, number: u32) -> Option<&Channel> {
        self.channels.get(&number)
    }

    pub(super) fn channel_mut(&mut self, number: u32) -> Option<&mut Channel> {
        self.channels.get_mut(&number)
    }

    pub(super) fn remove_channel(&mut self, number: u32) {
        self.channels.remove(&number);
    }

    /// Whether an exchange is over, or unknown.
    pub(super) fn is_closed(&self, number: u32) -> bool {
        self.channel(number).is_none_or(|channel| channel.closed)
    }

    /// Whether the response of an exchange has begun, or never will.
    pub(super) fn has_begun(&self, number: u32) -> bool {
        self.channel(number).is_none_or(Channel::has_begun)
    }

    /// Whether any exchange satisfies a condition.
    pub(super) fn any_channel(&self, condition: impl Fn(&Channel) -> bool) -> bool {
        self.channels.values().any(condition)
    }

    /// Removes and returns who waits for the answer with this id.
    pub(super) fn take_pending(&mut self, key: &IdKey) -> Option<Waiter> {
        self.pending.remove(key).map(|pending| pending.waiter)
    }

    /// Removes and returns who waits for the outcome of the POST on this channel.
    pub(super) fn take_posted(&mut self, number: u32) -> Option<Waiter> {
        let channel = self.channels.get_mut(&number)?;
        if let Some(waiter) = channel.waiter.take() {
            return Some(waiter);
        }
        let key = channel.key.clone()?;
        self.take_pending(&key)
    }

    /// Removes and returns who waits for an answer that came with this id on this channel.
    pub(super) fn take_waiter(&mut self, transport: Transport, number: u32, key: Option<&IdKey>) -> Option<Waiter> {
        match key {
            Some(key) if transport != Transport::Http => self.take_pending(key),
            // Over HTTP+SSE a refusal without id comes in the response to the POST.
            None if transport != Transport::Http => self.take_posted(number),
            key => {
                // On a stream opened by GET, or with a wrong id, nobody waits: rules see it in the transcript.
                let fits = |channel: &&mut Channel| key.is_none() || channel.key.as_ref() == key;
                self.channel_mut(number).filter(fits).and_then(|channel| channel.waiter.take())
            }
        }
    }

    /// Ends all waiting for answers by id: none will come.
    pub(super) fn drop_pending(&mut self) {
        self.pending.clear();
    }

    /// Forgets requests whose answer is no longer awaited.
    pub(super) fn drop_abandoned(&mut self) {
        self.pending.retain(|_, pending| !pending.waiter.is_closed());
    }

    /// Whether the answer to a valid request is outstanding.
    pub(super) fn is_owed(&self) -> bool {
        self.pending.values().any(|pending| pending.owed)
    }

    /// Notes that the request with this id was answered.
    pub(super) fn note_answer(&mut self, id: i64) {
        self.last_answer = Some((id, Instant::now()));
    }

    /// Returns how long a request may wait that was sent at `began`, before the one with the id `next`, given that the server
    /// still answers earlier ones: a server that works through them one by one is slow, not silent.
    pub(super) fn backlog(&self, next: i64, began: Instant, limit: Duration) -> Duration {
        match self.last_answer {
            Some((id, at)) if id < next => (at.saturating_duration_since(began) + limit).min(limit * BACKLOG),
            _ => Duration::ZERO,
        }
    }

    /// Notes that a message was sent.
    pub(super) fn note_sent(&mut self) {
        self.sent += 1;
    }

    /// Returns how many messages were sent.
    pub(super) fn sent(&self) -> u64 {
        self.sent
    }

    /// Whether everything sent, if anything, has all the answers it will get.
    pub(super) fn is_settled(&self) -> bool {
        self.sent == self.settled && self.sent > 0
    }

    /// Notes that everything is settled, if no more than `sent` messages were sent.
    pub(super) fn note_settled(&mut self, sent: u64) {
        if self.sent == sent {
            self.settled = sent;
        }
    }
}
