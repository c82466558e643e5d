//! Streams whose connection ended before they did: a client comes back for the rest, with the id of the last event.

use std::collections::HashMap;
use std::rc::Rc;
use std::time::Duration;

use serde_json::json;
use tokio::task::spawn_local;
use verdict::transcript::{Event, Kind, Via};
use verdict::{Intent, Transport};

use super::{Health, Inner, Session};

/// How often a client comes back to a listening stream that brings nothing, and to one request.
const PATIENCE: u32 = 3;
const HOPS: u32 = 20;
/// How often at all: a server that closes every connection must not keep us busy for ever.
const OFTEN: u32 = 5_000;
/// The longest that a server may have us wait before we come back.
const LONGEST: Duration = Duration::from_secs(2);

/// Where a client left a stream.
#[derive(Debug, Default)]
struct Mark {
    /// The id of the last event that had one.
    id: Option<String>,
    /// Milliseconds to wait before coming back.
    retry: Option<u64>,
    /// How often the client has come back to it.
    hops: u32,
}

/// The resumable streams of a session.
#[derive(Debug, Default)]
pub(super) struct Streams {
    /// The channel of the GET that listens for the server's own messages.
    listening: Option<u32>,
    marks: HashMap<u32, Mark>,
    /// How often the client has come back to the listening stream since the last event.
    in_vain: u32,
    /// How often it has come back to any stream.
    often: u32,
}

impl Streams {
    /// Notes what an event says for those who come back.
    pub(super) fn note(&mut self, channel: u32, via: &Via) {
        let Via::Sse { id, retry, .. } = via else { return };
        let mark = self.marks.entry(channel).or_default();
        if id.is_some() {
            mark.id.clone_from(id);
        }
        mark.retry = retry.or(mark.retry);
        self.in_vain = 0;
    }

    /// Counts one more return, and says whether it may be made.
    fn may_come_back(&mut self, listening: bool) -> bool {
        self.in_vain += u32::from(listening);
        self.often += 1;
        self.in_vain <= PATIENCE && self.often <= OFTEN
    }
}

impl Session {
    /// Opens the stream on which a server may send by itself; what comes is recorded and answered.
    pub fn listen(&self) -> u32 {
        let channel = self.http("GET").start();
        self.0.streams.borrow_mut().listening = Some(channel);
        channel
    }

    /// The channel of that stream, as long as it was asked for and not refused.
    #[must_use]
    pub fn listening(&self) -> Option<u32> {
        self.0.streams.borrow().listening
    }

    /// Does not open that stream again when it ends.
    pub fn stop_listening(&self) {
        self.0.streams.borrow_mut().listening = None;
    }

    /// Waits until a response has begun; false when the time is over.
    pub async fn heads(&self, channel: u32, limit: Duration) -> bool {
        let coming = async {
            while !self.0.in_flight.borrow().has_begun(channel) {
                self.0.heard.notified().await;
            }
        };
        tokio::time::timeout(limit, coming).await.is_ok()
    }

    /// Waits until a response has ended; false when the time is over.
    pub async fn ends(&self, channel: u32, limit: Duration) -> bool {
        let coming = async {
            while !self.0.in_flight.borrow().is_closed(channel) {
                self.0.heard.notified().await;
            }
        };
        tokio::time::timeout(limit, coming).await.is_ok()
    }
}

impl Inner {
    /// Comes back for what a stream still owes, if it can be: true if whoever waits is to go on waiting.
    pub(super) fn comes_back(self: &Rc<Self>, channel: u32) -> bool {
        if self.is_stateless() || self.settings.transport != Transport::Http || self.health() == Health::Ended {
            return false;
        }
        let listening = self.streams.borrow().listening == Some(channel);
        let streamed = self.in_flight.borrow().channel(channel).is_some_and(|known| known.status == Some(200));
        let Mark { id, retry, hops } = self.streams.borrow_mut().marks.remove(&channel).unwrap_or_default();
        let awaited = |known: &super::Channel| known.waiter.is_some() && known.key.is_some();
        let owes = self.in_flight.borrow().channel(channel).is_some_and(awaited);
        let owed = owes && hops < HOPS && id.as_ref().is_some_and(|id| !id.is_empty());
        if !streamed || !(listening || owed) || !self.streams.borrow_mut().may_come_back(listening) {
            return false;
        }
        let owner = self.owner(channel);
        let (key, waiter) = match self.in_flight.borrow_mut().channel_mut(channel) {
            Some(known) if !listening => (known.key.take(), known.waiter.take()),
            _ => (None, None),
        };
        let wait = Duration::from_millis(retry.unwrap_or(0)).min(LONGEST);
        let session = Session(Rc::clone(self));
        spawn_local(async move {
            tokio::time::sleep(wait).await;
            if session.0.is_closing() || session.is_down() {
                return;
            }
            let get = session.http("GET").probe("session", Intent::Reconnect, json!({"of": channel}));
            let get = get.header("Mcp-Session-Id", owner.as_deref());
            let again = if let Some(id) = &id { get.header("Last-Event-ID", Some(id)).start() } else { get.start() };
            if listening {
                session.0.streams.borrow_mut().listening = Some(again);
            } else {
                session.0.streams.borrow_mut().marks.entry(again).or_default().hops = hops + 1;
            }
            if let Some(known) = session.0.in_flight.borrow_mut().channel_mut(again) {
                known.key = key;
                known.waiter = waiter;
            }
        });
        true
    }

    /// The session on whose behalf something was sent.
    fn owner(&self, channel: u32) -> Option<String> {
        let sent = |event: &Event| match &event.kind {
            Kind::Send(send) if event.session == self.id.get() && send.channel == channel => Some(send.headers.clone()),
            _ => None,
        };
        let headers = self.recorder.with(|events| events.iter().rev().find_map(sent))?;
        headers.into_iter().find(|(name, _)| name.eq_ignore_ascii_case("mcp-session-id")).map(|(_, id)| id)
    }
}
