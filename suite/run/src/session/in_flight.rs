//! Requests and HTTP exchanges under way: their ids, and who waits for their outcome.

use std::collections::{BTreeMap, HashMap, HashSet};
use std::time::{Duration, Instant};

use serde_json::Value;
use tokio::sync::oneshot;
use verdict::Transport;
use verdict::probes::values::Reading;
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

/// Returns the limit, counted from the last sign of work.
fn extended(last: Instant, began: Instant, limit: Duration) -> Duration {
    (last.saturating_duration_since(began) + limit).min(limit * BACKLOG)
}

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
    /// Ids that were sent and not given in order.
    odd: HashSet<IdKey>,
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
    unanswered: BTreeMap<i64, Vec<u8>>,
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

/// One HTTP exchange.
#[derive(Debug, Default)]
pub(super) struct Channel {
    pub(super) key: Option<IdKey>,
    pub(super) waiter: Option<Waiter>,
    pub(super) status: Option<u16>,
    pub(super) closed: bool,
    /// It was given its time: it is not waited for again.
    pub(super) overdue: bool,
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
            reading: None,
            ill: 0,
            quiet: 0,
            opening: false,
            answered: false,
            odd: HashSet::new(),
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
        self.count += 1;
        self.pending.insert(key, Pending { waiter, owed, at: self.count });
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

    /// The HTTP exchanges of requests whose response has not ended, in the order they were sent.
    pub(super) fn open_requests(&self) -> Vec<u32> {
        let open = self.channels.iter().filter(|(_, channel)| channel.key.is_some() && !channel.closed);
        let mut open: Vec<u32> = open.map(|(number, _)| *number).collect();
        open.sort_unstable();
        open
    }

    /// Whether an exchange is over, or unknown.
    pub(super) fn is_closed(&self, number: u32) -> bool {
        self.channel(number).is_none_or(|channel| channel.closed)
    }

    /// Whether the response of an exchange has begun, or never will.
    pub(super) fn has_begun(&self, number: u32) -> bool {
        self.channel(number).is_none_or(Channel::has_begun)
    }

    /// Notes that an exchange was given its time.
    pub(super) fn give_up(&mut self, number: u32) {
        if let Some(channel) = self.channel_mut(number) {
            channel.overdue = true;
        }
    }

    /// Notes that the exchanges before this one were given their time.
    pub(super) fn note_overdue(&mut self, before: u32) {
        let earlier = self.channels.iter_mut().filter(|(number, _)| **number < before);
        earlier.for_each(|(_, channel)| channel.overdue = true);
    }

    /// Whether any exchange before this one satisfies a condition.
    pub(super) fn any_channel(&self, before: u32, condition: impl Fn(&Channel) -> bool) -> bool {
        self.channels.iter().any(|(number, channel)| *number < before && condition(channel))
    }

    /// How many HTTP exchanges are waited for.
    pub(super) fn under_way(&self) -> usize {
        self.channels.values().filter(|channel| channel.waiter.is_some()).count()
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
        if transport == Transport::Http && self.reading.is_some() {
            return self.channel_mut(number).and_then(|channel| channel.waiter.take());
        }
        if let Some(key) = self.meant(key).filter(|_| transport != Transport::Http) {
            return self.take_pending(&key);
        }
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

    /// The id of the request that is meant, where ids are wrong.
    fn meant(&self, key: Option<&IdKey>) -> Option<IdKey> {
        match self.reading? {
            Reading::TextIds => key.filter(|key| !self.pending.contains_key(key))?.unquoted(),
            Reading::Order => {
                let waiting = self.pending.iter().filter(|(_, pending)| !pending.waiter.is_closed());
                waiting.min_by_key(|(_, pending)| pending.at).map(|(key, _)| key.clone())
            }
            Reading::Errors if self.ill == 0 && key.is_none_or(|key| self.is_stray(key)) => self.only_owed(),
            // The others are not about ids.
            _ => None,
        }
    }

    /// Notes the id of something that was sent.
    pub(super) fn note_id(&mut self, key: IdKey) {
        if !self.is_in_order(&key) {
            self.odd.insert(key);
        }
    }

    /// Whether nothing that was sent had this id.
    pub(super) fn is_stray(&self, key: &IdKey) -> bool {
        !self.is_in_order(key) && !self.odd.contains(key)
    }

    fn is_in_order(&self, key: &IdKey) -> bool {
        key.integer().is_some_and(|number| (1..self.next_id).contains(&number))
    }

    /// The only request that waits for an answer, if there is just one.
    fn only_owed(&self) -> Option<IdKey> {
        let mut waiting = self.pending.iter().filter(|(_, pending)| !pending.waiter.is_closed());
        let (key, _) = waiting.next()?;
        waiting.next().is_none().then(|| key.clone())
    }

    /// Takes note of an error without the id of a request. If nothing was sent that such an error may be about, it answers a request, and
    /// so do others: they can only be told apart by their order from then on.
    pub(super) fn note_error_without_id(&mut self, about_request: bool) -> Option<Reading> {
        if self.ill + self.quiet > 0 {
            let spent = if self.ill > 0 { &mut self.ill } else { &mut self.quiet };
            *spent -= 1;
            return None;
        }
        let owed = !self.pending.is_empty() && self.pending.values().all(|pending| pending.owed);
        let learns = self.reading.is_none() && self.answered && owed && about_request;
        self.reading = self.reading.or(learns.then_some(Reading::Errors));
        learns.then_some(Reading::Errors)
    }

    /// Notes that something was sent that is no request.
    pub(super) fn note_no_request(&mut self, ill: bool) {
        let count = if ill { &mut self.ill } else { &mut self.quiet };
        *count += 1;
    }

    /// Decides how answers are to be told apart, if this one answers the first and only request without bearing its id.
    pub(super) fn read(&mut self, transport: Transport, channel: u32, key: Option<&IdKey>) -> Option<Reading> {
        if self.reading.is_some() || self.answered || !self.opening {
            return None;
        }
        let asked = match transport {
            Transport::Http => self.channel(channel)?.key.clone()?,
            _ if self.pending.len() == 1 => self.pending.keys().next()?.clone(),
            _ => return None,
        };
        if key == Some(&asked) {
            self.answered = true;
            return None;
        }
        self.reading = match key {
            None => Some(Reading::Order),
            Some(key) if key.unquoted().is_some_and(|number| number == asked) => Some(Reading::TextIds),
            // It may answer nothing, and the answer be on its way.
            Some(_) => None,
        };
        self.reading
    }

    /// Whether something was answered with the id of its request.
    pub(super) fn is_answered(&self) -> bool {
        self.answered || self.reading == Some(Reading::Errors)
    }

    /// Takes over how answers are told apart from an earlier session.
    pub(super) fn set_reading(&mut self, reading: Reading) {
        self.reading = Some(reading);
    }

    /// Whether some answers can only be told apart by their order, so that one request is sent after the other.
    pub(super) fn is_by_order(&self) -> bool {
        matches!(self.reading, Some(Reading::Order | Reading::Errors))
    }

    /// Whether nothing but their order tells answers apart.
    pub(super) fn tells_by_order(&self) -> bool {
        self.reading == Some(Reading::Order)
    }

    /// Notes that an ordinary opening request is sent.
    pub(super) fn note_opening(&mut self) {
        self.opening = true;
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

    /// Notes that the request with this id was answered.
    pub(super) fn note_answer(&mut self, id: i64) {
        self.unanswered.remove(&id);
        self.last_answer = Some((id, Instant::now()));
    }

    /// Notes that a tool is called, which may be at work until then.
    pub(super) fn note_call(&mut self, key: IdKey, until: Instant) {
        self.calls.insert(key, until);
    }

    pub(super) fn note_returned(&mut self, key: &IdKey) {
        self.calls.remove(key);
    }

    /// Until when tools may be at work.
    pub(super) fn works_until(&self) -> Option<Instant> {
        self.calls.values().max().copied()
    }

    /// Whether the server has answered anything.
    pub(super) fn has_answers(&self) -> bool {
        self.last_answer.is_some()
    }

    /// Notes that a probe was sent.
    pub(super) fn note_probe(&mut self, id: i64, text: &[u8]) {
        self.unanswered.insert(id, text.to_vec());
    }

    /// Whoever has the connection from now on is not what left these without an answer.
    pub(super) fn forget_unanswered(&mut self) {
        self.unanswered.clear();
    }

    /// The first probe that has no answer.
    pub(super) fn first_unanswered(&self) -> Option<Vec<u8>> {
        self.unanswered.values().next().cloned()
    }

    /// Returns how long a request may wait that was sent at `began`, before the one with the id `next`, given that the server
    /// still answers earlier ones: a server that works through them one by one is slow, not silent.
    pub(super) fn backlog(&self, next: i64, began: Instant, limit: Duration) -> Duration {
        let last = self.last_answer.filter(|(id, _)| *id < next);
        last.map_or(Duration::ZERO, |(_, at)| extended(at, began, limit))
    }

    /// Whether a request was answered that was sent after the one that was about to be sent when `next` was the next id.
    pub(super) fn has_answered_since(&self, next: i64) -> bool {
        self.last_answer.is_some_and(|(id, _)| id >= next)
    }

    /// Whether anything was answered since then.
    pub(super) fn has_answered_after(&self, moment: Instant) -> bool {
        self.last_answer.is_some_and(|(_, at)| at > moment)
    }

    /// Notes that something came.
    pub(super) fn note_heard(&mut self) {
        self.last_heard = Some(Instant::now());
    }

    /// Returns how long a request may wait that was sent at `began`, given when the server was heard last.
    pub(super) fn at_work(&self, began: Instant, limit: Duration) -> Duration {
        self.last_heard.map_or(Duration::ZERO, |at| extended(at, began, limit))
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

#[cfg(test)]
mod tests {
    use super::*;

    fn key(raw: &str) -> IdKey {
        wire::Id::from_raw(raw).key().expect("it is one")
    }

    #[test]
    fn an_id_that_no_request_had_is_a_stray_one() {
        let mut in_flight = InFlight::default();
        let first = in_flight.take_id();
        ["1", "\"a\""].into_iter().for_each(|id| in_flight.note_id(key(id)));
        assert_eq!(first, 1);
        assert_eq!(
            ["1", "2", "0", "\"a\"", "\"1\""].map(|id| in_flight.is_stray(&key(id))),
            [false, true, true, false, true]
        );
    }

    #[test]
    fn an_error_with_an_id_of_its_own_answers_the_only_request() {
        let mut in_flight = InFlight { answered: true, ..InFlight::default() };
        let id = in_flight.take_id().to_string();
        let (waiter, _receiver) = oneshot::channel();
        in_flight.add_pending(key(&id), waiter, true);
        let stray = key("\"error\"");
        assert!(in_flight.take_waiter(Transport::Stdio, 0, Some(&stray)).is_none());
        assert_eq!(in_flight.note_error_without_id(true), Some(Reading::Errors));
        assert!(in_flight.take_waiter(Transport::Stdio, 0, Some(&stray)).is_some());
    }
}
