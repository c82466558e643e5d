//! Requests and HTTP exchanges under way: their ids, and who waits for their outcome.

mod channels;
mod matching;
mod outcome;
mod work;

use std::collections::{BTreeMap, HashMap, HashSet};
use std::time::Instant;

use bytes::Bytes;
use tokio::sync::oneshot;
use verdict::probes::values::Reading;
use wire::IdKey;

pub(super) use channels::Channel;
pub use outcome::RequestOutcome;

/// The end of a channel on which the outcome of a request is awaited.
pub(super) type Waiter = oneshot::Sender<RequestOutcome>;

/// Everything under way in one session.
#[derive(Debug)]
pub(super) struct InFlight {
    next_id: i64,
    next_channel: u32,
    /// Requests on stdio or over HTTP+SSE without an answer.
    pending: HashMap<IdKey, Pending>,
    /// How answers are told apart although their ids are wrong.
    reading: Option<Reading>,
    /// Messages that are no valid JSON-RPC, to which an error without an id may come.
    ill: usize,
    /// Messages that ask for no answer: servers that refuse them do so without an id.
    quiet: usize,
    /// The opening request was sent, and something was answered with the id of its request.
    opening: bool,
    answered: bool,
    /// Ids of all that was sent on stdio.
    ids: HashSet<IdKey>,
    /// Requests that are matched by id so far: they are numbered in the order of sending.
    count: u64,
    /// HTTP exchanges, over or not.
    channels: HashMap<u32, Channel>,
    /// The id of the request that was answered last, and when.
    last_answer: Option<(i64, Instant)>,
    /// When anything came last.
    last_heard: Option<Instant>,
    /// Messages sent.
    sent: u64,
    /// Of these, how many are known to have all the answers they will get.
    settled: u64,
    /// Probes without an answer by id, cancelled ones too.
    unanswered: BTreeMap<i64, Bytes>,
    /// Calls of tools without an answer, given up or not: until when each may be at work, so that others wait for it.
    calls: HashMap<IdKey, Instant>,
    /// A valid request was given up: its answer may come late.
    lost: bool,
}

/// A request that is matched with its answer by id.
#[derive(Debug)]
struct Pending {
    waiter: Waiter,
    /// Its envelope is valid, so an answer may be expected.
    owed: bool,
    /// Its place in the order of sending.
    at: u64,
}

impl Default for InFlight {
    fn default() -> Self {
        Self {
            next_id: 1,
            next_channel: 1,
            pending: HashMap::new(),
            reading: None,
            ill: 0,
            quiet: 0,
            opening: false,
            answered: false,
            ids: HashSet::new(),
            count: 0,
            channels: HashMap::new(),
            last_answer: None,
            last_heard: None,
            sent: 0,
            settled: 0,
            unanswered: BTreeMap::new(),
            calls: HashMap::new(),
            lost: false,
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

    /// Adds a request that is answered by id.
    pub(super) fn add_pending(&mut self, key: IdKey, waiter: Waiter, owed: bool) {
        self.count += 1;
        self.pending.insert(key, Pending { waiter, owed, at: self.count });
    }

    /// Removes and returns who waits for the answer with this id.
    pub(super) fn take_pending(&mut self, key: &IdKey) -> Option<Waiter> {
        self.pending.remove(key).map(|pending| pending.waiter)
    }

    /// Ends all waiting for answers by id: none will come.
    pub(super) fn drop_pending(&mut self) {
        self.pending.clear();
    }

    /// Forgets requests whose answer is no longer awaited.
    pub(super) fn drop_abandoned(&mut self) {
        self.lost |= self.pending.values().any(|pending| pending.owed && pending.waiter.is_closed());
        self.pending.retain(|_, pending| !pending.waiter.is_closed());
    }

    /// Whether every valid request was answered.
    pub(super) fn is_complete(&self) -> bool {
        !self.lost && self.pending.is_empty() && self.unanswered.is_empty()
    }

    /// Whether the answer to a valid request is outstanding.
    pub(super) fn is_owed(&self) -> bool {
        self.pending.values().any(|pending| pending.owed)
    }

    /// Notes that a probe was sent.
    pub(super) fn note_probe(&mut self, id: i64, text: Bytes) {
        self.unanswered.insert(id, text);
    }

    /// Whoever has the connection from now on is not what left these without an answer.
    pub(super) fn forget_unanswered(&mut self) {
        self.unanswered.clear();
    }

    /// The first probe that has no answer.
    pub(super) fn first_unanswered(&self) -> Option<Bytes> {
        self.unanswered.values().next().cloned()
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
            (self.ill, self.quiet) = (0, 0);
        }
    }
}
