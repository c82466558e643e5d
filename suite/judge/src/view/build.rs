//! From events to sessions: parses every frame, matches answers to what they answer, and decides how each exchange ended.

mod ending;
mod known;
mod matching;

use std::collections::HashMap;
use std::sync::Arc;

use serde_json::Value;
use verdict::probes::values::Reading;
use verdict::transcript::{Event, Headers, Kind, Probe, Receive, Send, Via};
use verdict::{Era, Intent, Key, Revision, Transport};
use wire::{Content, IdKey, Limits, Message};

use self::known::Known;
use super::{
    Closed, Exchange, ExchangeEnd, Incoming, Session, crash, dry, explained, failing, idle, lost, own, pieces, posted,
};

/// The limits for messages of the tester, which may be larger than those it reads: some probes are about size.
fn limits() -> Limits {
    Limits { bytes: 80 << 20, ..Limits::default() }
}

/// What a transcript holds.
pub(super) struct Built<'t> {
    pub(super) sessions: Vec<Session<'t>>,
    pub(super) shown: explained::Shown,
    pub(super) failing: Option<failing::Failing>,
    pub(super) faltering: Option<failing::faltering::Faltering>,
    pub(super) dry: Option<dry::Dry>,
}

pub(super) fn sessions(events: &[Event]) -> Built<'_> {
    let mut builders: Vec<Builder<'_>> = Vec::new();
    let mut places: HashMap<u32, usize> = HashMap::new();
    let mut known = Known::default();
    for event in events {
        if let Kind::Open(open) = &event.kind {
            let mut builder = Builder::new(event.session, open, event.at_us);
            if let Some(at) = open.continues.and_then(|before| places.get(&before)) {
                builder.go_on_from(&builders[*at], event.seq);
            }
            places.entry(event.session).or_insert(builders.len());
            builders.push(builder);
        } else if let Some(at) = places.get(&event.session) {
            builders[*at].take(event, &mut known);
        }
    }
    let mut sessions: Vec<Session<'_>> = builders.into_iter().map(Builder::finish).collect();
    take_agreed(&mut sessions);
    crash::share_blame(&mut sessions);
    let failing = failing::note(&mut sessions);
    let faltering = failing::faltering::note(&mut sessions);
    sessions.iter_mut().for_each(idle::forgive);
    sessions.iter_mut().for_each(own::note);
    sessions.iter_mut().for_each(lost::spare_echoes);
    sessions.iter_mut().for_each(posted::spare_displaced);
    pieces::spare_large(&mut sessions);
    let dry = dry::note(&mut sessions);
    let shown = explained::spare(&mut sessions);
    Built { sessions, shown, failing, faltering, dry }
}

/// What came ahead of the handshake belongs to the revision that was then agreed on the same connection.
fn take_agreed(sessions: &mut [Session<'_>]) {
    for later in (0..sessions.len()).rev() {
        let (before, revision) = (sessions[later].open.continues, sessions[later].revision);
        let before = before.and_then(|before| sessions[..later].iter_mut().find(|session| session.id == before));
        if let Some(before) = before.filter(|before| before.revision.is_none()) {
            before.revision = revision;
        }
    }
}

struct Builder<'t> {
    session: Session<'t>,
    /// When it was opened, and when what is being taken happened.
    began: u64,
    now: u64,
    /// Requests by id, in the order of sending.
    asked: HashMap<IdKey, Vec<usize>>,
    by_channel: HashMap<u32, usize>,
    /// Exchanges whose connection ended without as much as a status.
    broken: Vec<usize>,
    /// Answers that came after the time limit, or after settling: alone they count as none.
    late: HashMap<usize, (u16, &'t Headers)>,
    /// Requests whose time limit passed, and when it did.
    gave_up: HashMap<u32, u32>,
    settled: Vec<u32>,
    unheld: Vec<ending::Unheld>,
    /// When the process ended, or closed its output.
    ended_at: Option<u64>,
    /// Another session had the connection before, and gave it back as it was giving answers: up to here.
    sound: Option<u32>,
}

impl<'t> Builder<'t> {
    fn new(id: u32, open: &'t verdict::transcript::Open, began: u64) -> Self {
        let session = Session {
            id,
            open,
            revision: open.revision.filter(|revision| revision.era() == Era::Stateless),
            exchanges: Vec::new(),
            incoming: Vec::new(),
            frames: Vec::new(),
            exit: None,
            closed: None,
            fall: None,
            stderr: Vec::new(),
            lasted: std::time::Duration::ZERO,
            heard_before: None,
            odd_stderr: false,
            probes: Vec::new(),
            deletes: Vec::new(),
            reading: None,
            by_objects: false,
        };
        Self {
            session,
            began,
            now: began,
            asked: HashMap::new(),
            by_channel: HashMap::new(),
            broken: Vec::new(),
            late: HashMap::new(),
            gave_up: HashMap::new(),
            settled: Vec::new(),
            unheld: Vec::new(),
            ended_at: None,
            sound: None,
        }
    }

    /// What was agreed on a connection holds for whoever has it next.
    fn go_on_from(&mut self, before: &Self, seq: u32) {
        // A client of 2026-07-28 that was refused may go on with a handshake.
        let same_era = self.session.open.revision.is_some() == before.session.open.revision.is_some();
        self.session.revision = before.session.revision.filter(|_| same_era);
        self.session.reading = before.session.reading;
        self.session.by_objects = before.session.by_objects;
        let agreed = |(_, probe): &&(u32, &Probe)| matches!(probe.intent, Intent::Negotiated | Intent::Assumed);
        self.session.probes.extend(before.session.probes.iter().filter(agreed));
        let heard = before.session.incoming.last().map(|incoming| (incoming.seq, incoming.at));
        self.session.heard_before = heard.or(before.session.heard_before);
        self.sound = Some(seq);
    }

    fn take(&mut self, event: &'t Event, known: &mut Known<'t>) {
        self.now = event.at_us;
        self.session.lasted = std::time::Duration::from_micros(event.at_us.saturating_sub(self.began));
        match &event.kind {
            Kind::Send(send) => self.send(event.seq, send),
            Kind::Receive(receive) => self.receive(event.seq, receive, known),
            Kind::Status { channel, status, headers } => {
                if let Some(at) = self.by_channel.get(channel) {
                    let exchange = &mut self.session.exchanges[*at];
                    // After the time limit, or a settling, it is no answer: often it only tells that the session was ended.
                    let settled = self.settled.iter().any(|upto| *upto >= exchange.seq);
                    if settled || self.gave_up.contains_key(&exchange.seq) {
                        self.late.insert(*at, (*status, headers));
                    } else {
                        exchange.status = Some((*status, headers));
                    }
                }
            }
            Kind::Closed { channel: 0, .. } => {
                self.ended_at.get_or_insert(event.at_us);
                self.session.closed.get_or_insert(event.seq);
            }
            Kind::Closed { channel, fault } => {
                let at = self.by_channel.get(channel).copied();
                if let Some(at) = at {
                    let closed = Closed { seq: event.seq, fault: fault.as_deref() };
                    self.session.exchanges[at].closed.get_or_insert(closed);
                }
                self.broken.extend(at.filter(|at| self.session.exchanges[*at].status.is_none()));
                if self.streams() && at == self.stream() {
                    self.ended_at.get_or_insert(event.at_us);
                    self.session.closed.get_or_insert(event.seq);
                }
            }
            Kind::Open(_) => {}
            Kind::Stderr { text, not_utf8 } => {
                self.session.stderr.push((event.seq, text));
                self.session.odd_stderr |= *not_utf8;
            }
            Kind::Exit(exit) => {
                self.ended_at.get_or_insert(event.at_us);
                self.session.exit = Some((event.seq, exit));
            }
            Kind::GaveUp { request } => {
                self.gave_up.insert(*request, event.seq);
            }
            Kind::Settled { upto } => self.settled.push(*upto),
            Kind::Probe(probe) => {
                if probe.intent == Intent::Forsaken {
                    let channel = probe.get(Key::Channel).and_then(Value::as_u64);
                    let at = channel.and_then(|channel| self.by_channel.get(&u32::try_from(channel).ok()?).copied());
                    if let Some(at) = at {
                        self.session.exchanges[at].aborted = Some(event.seq);
                    }
                }
                if probe.intent == Intent::Assumed {
                    match probe.value() {
                        Some(Reading::Objects) => self.session.by_objects = true,
                        Some(ids @ (Reading::TextIds | Reading::Order | Reading::Errors)) => {
                            self.session.reading = Some(ids);
                        }
                        _ => {}
                    }
                }
                if probe.intent == Intent::Negotiated {
                    let name = probe.get(Key::Revision).and_then(Value::as_str);
                    self.session.revision = name.and_then(|name| name.parse::<Revision>().ok());
                }
                self.session.probes.push((event.seq, probe));
            }
        }
    }

    /// The transport is HTTP+SSE: all answers come on the first exchange, and the status of a POST answers nothing.
    fn streams(&self) -> bool {
        self.session.open.transport == Transport::Sse
    }

    /// Over HTTP+SSE the exchange that messages come on.
    fn stream(&self) -> Option<usize> {
        self.session.exchanges.iter().position(|exchange| exchange.send.http.as_deref() == Some("GET"))
    }

    /// Whether a status came that answers the exchange.
    fn has_status(&self, exchange: &Exchange<'_>) -> bool {
        exchange.status.is_some_and(|(status, _)| super::answers(self.session.open.transport, exchange.send, status))
    }

    fn send(&mut self, seq: u32, send: &'t Send) {
        let at = self.session.exchanges.len();
        let parsed = match &send.base64 {
            // The text is a lossy rendering there: only the fact that it is not UTF-8 matters.
            Some(_) => wire::parse(&[0xff], &limits()),
            None => wire::parse_sent(send.text.as_bytes(), &limits()),
        };
        for key in keys(&parsed.content) {
            self.asked.entry(key).or_default().push(at);
        }
        if send.channel != 0 {
            self.by_channel.insert(send.channel, at);
        }
        self.session.exchanges.push(Exchange {
            seq,
            at: std::time::Duration::from_micros(self.now),
            send,
            parsed,
            answers: Vec::new(),
            unmatched: Vec::new(),
            status: None,
            closed: None,
            aborted: None,
            cancelled: None,
            gave_up: None,
            failing: false,
            lost: false,
            end: ExchangeEnd::Open,
        });
    }

    fn receive(&mut self, seq: u32, receive: &'t Receive, known: &mut Known<'t>) {
        if self.streams() {
            self.session.frames.push((seq, receive));
            if !is_meant_as_message(receive) {
                return;
            }
        }
        let parsed = known.parse(receive.text.trim_start_matches('\u{feff}'));
        let elements = match &parsed.content {
            Content::Batch(messages) if !messages.is_empty() => (0..messages.len()).map(Some).collect(),
            _ => vec![None],
        };
        for element in elements {
            let at = std::time::Duration::from_micros(self.now);
            let mut incoming = Incoming { seq, at, receive, parsed: Arc::clone(&parsed), element, answers: None };
            self.attribute(&mut incoming);
            let settled = self.settled.last().copied().unwrap_or(0);
            self.unheld.extend(ending::Unheld::of(&incoming, settled));
            self.session.incoming.push(incoming);
        }
    }
}

/// Over HTTP+SSE: an event that clients take for a message, or anything that is one.
fn is_meant_as_message(receive: &Receive) -> bool {
    let plain = match &receive.via {
        Via::Sse { event, .. } => event.as_deref().is_none_or(|event| event.is_empty() || event == "message"),
        _ => false,
    };
    // A block without data dispatches nothing.
    plain && !receive.text.is_empty() || super::is_jsonrpc(&receive.text)
}

/// The ids by which an answer finds what was sent: of requests, also of objects that are no valid request.
fn keys(content: &Content) -> Vec<IdKey> {
    let key = |message: &Message| {
        let asks = matches!(message.kind, wire::Kind::Request | wire::Kind::Invalid);
        asks.then(|| message.id.as_ref().and_then(wire::Id::key)).flatten()
    };
    match content {
        Content::One(message) => key(message).into_iter().collect(),
        Content::Batch(messages) => messages.iter().filter_map(key).collect(),
        Content::Unreadable(_) => Vec::new(),
    }
}

/// Input that an error with a null id may answer.
fn is_ill(content: &Content) -> bool {
    match content {
        Content::One(message) => !message.defects.is_empty(),
        Content::Batch(_) | Content::Unreadable(_) => true,
    }
}

fn has_request(content: &Content) -> bool {
    matches!(content, Content::One(message) if message.kind == wire::Kind::Request)
}
