//! From events to sessions: parses every frame, matches answers to what they answer, and decides how each exchange ended.

use std::collections::HashMap;
use std::sync::Arc;

use serde_json::Value;
use verdict::transcript::{Ending, Event, Headers, Kind, Receive, Send, Via};
use verdict::{Era, Intent, Key, Revision, Transport};
use wire::{Content, IdKey, Limits, Message};

use super::{Closed, Exchange, ExchangeEnd, Incoming, Session, crash, idle};

/// The limits for messages of the tester, which may be larger than those it reads: some probes are about size.
fn limits() -> Limits {
    Limits { bytes: 80 << 20, ..Limits::default() }
}

pub(super) fn sessions(events: &[Event]) -> Vec<Session<'_>> {
    let mut builders: Vec<Builder<'_>> = Vec::new();
    let mut places: HashMap<u32, usize> = HashMap::new();
    for event in events {
        if let Kind::Open(open) = &event.kind {
            places.entry(event.session).or_insert(builders.len());
            builders.push(Builder::new(event.session, open, event.at_us));
        } else if let Some(at) = places.get(&event.session) {
            builders[*at].take(event);
        }
    }
    let mut sessions: Vec<Session<'_>> = builders.into_iter().map(Builder::finish).collect();
    crash::share_blame(&mut sessions);
    sessions.iter_mut().for_each(idle::forgive);
    sessions
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
    gave_up: Vec<u32>,
    settled: Vec<u32>,
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
            stderr: Vec::new(),
            lasted: std::time::Duration::ZERO,
            odd_stderr: false,
            probes: Vec::new(),
        };
        Self {
            session,
            began,
            now: began,
            asked: HashMap::new(),
            by_channel: HashMap::new(),
            broken: Vec::new(),
            late: HashMap::new(),
            gave_up: Vec::new(),
            settled: Vec::new(),
        }
    }

    fn take(&mut self, event: &'t Event) {
        self.now = event.at_us;
        self.session.lasted = std::time::Duration::from_micros(event.at_us.saturating_sub(self.began));
        match &event.kind {
            Kind::Send(send) => self.send(event.seq, send),
            Kind::Receive(receive) => self.receive(event.seq, receive),
            Kind::Status { channel, status, headers } => {
                if let Some(at) = self.by_channel.get(channel) {
                    let exchange = &mut self.session.exchanges[*at];
                    // After the time limit, or a settling, it is no answer: often it only tells that the session was ended.
                    let settled = self.settled.iter().any(|upto| *upto >= exchange.seq);
                    if settled || self.gave_up.contains(&exchange.seq) {
                        self.late.insert(*at, (*status, headers));
                    } else {
                        exchange.status = Some((*status, headers));
                    }
                }
            }
            Kind::Closed { channel: 0, .. } => {
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
                    self.session.closed.get_or_insert(event.seq);
                }
            }
            Kind::Open(_) => {}
            Kind::Stderr { text, not_utf8 } => {
                self.session.stderr.push((event.seq, text));
                self.session.odd_stderr |= *not_utf8;
            }
            Kind::Exit(exit) => self.session.exit = Some((event.seq, exit)),
            Kind::GaveUp { request } => self.gave_up.push(*request),
            Kind::Settled { upto } => self.settled.push(*upto),
            Kind::Probe(probe) => {
                if probe.intent == Intent::Forsaken {
                    let channel = probe.get(Key::Channel).and_then(Value::as_u64);
                    let at = channel.and_then(|channel| self.by_channel.get(&u32::try_from(channel).ok()?).copied());
                    if let Some(at) = at {
                        self.session.exchanges[at].aborted = Some(event.seq);
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
            None => wire::parse(send.text.as_bytes(), &limits()),
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
            gave_up: false,
            end: ExchangeEnd::Open,
        });
    }

    fn receive(&mut self, seq: u32, receive: &'t Receive) {
        if self.streams() {
            self.session.frames.push((seq, receive));
            if !is_meant_as_message(receive) {
                return;
            }
        }
        let parsed = Arc::new(wire::parse(receive.text.trim_start_matches('\u{feff}').as_bytes(), &limits()));
        let elements = match &parsed.content {
            Content::Batch(messages) if !messages.is_empty() => (0..messages.len()).map(Some).collect(),
            _ => vec![None],
        };
        for element in elements {
            let at = std::time::Duration::from_micros(self.now);
            let mut incoming = Incoming { seq, at, receive, parsed: Arc::clone(&parsed), element, answers: None };
            self.attribute(&mut incoming);
            self.session.incoming.push(incoming);
        }
    }

    /// Finds the exchange that an answer belongs to: by id, else (null or absent id) by channel or position.
    fn attribute(&mut self, incoming: &mut Incoming<'t>) {
        let at = self.session.incoming.len();
        let Some(message) = incoming.message() else { return };
        if !message.is_answer() || self.is_page(message, incoming.receive.channel) {
            return;
        }
        if let Some(key) = message.id.as_ref().and_then(wire::Id::key) {
            let Some(exchange) = self.asked_by(&key, incoming.receive.channel) else { return };
            if !self.session.exchanges[exchange].answers.is_empty() && self.has_open_id_probe(exchange) {
                return;
            }
            incoming.answers = Some(exchange);
            self.session.exchanges[exchange].answers.push(at);
        } else if let Some(exchange) = self.malformed(incoming.receive.channel) {
            incoming.answers = Some(exchange);
            self.session.exchanges[exchange].unmatched.push(at);
        }
    }

    /// The request with this id on this channel, preferring one that is still open. In the response to a POST an
    /// id that was not posted there answers nothing: it is a wrong id, not a second answer to something else.
    fn asked_by(&self, key: &IdKey, channel: u32) -> Option<usize> {
        let posted = self.by_channel.get(&channel).copied();
        if let Some(at) = posted.filter(|at| self.session.exchanges[*at].send.http.as_deref() == Some("POST")) {
            let own = keys(&self.session.exchanges[at].parsed.content);
            if !own.is_empty() && !own.contains(key) {
                return None;
            }
        }
        let asked = self.asked.get(key)?;
        let exchange = |at: &usize| &self.session.exchanges[*at];
        let same = |at: &&usize| exchange(at).send.channel == channel;
        let open = |at: &&usize| exchange(at).answers.is_empty();
        asked
            .iter()
            .filter(same)
            .find(open)
            .or_else(|| asked.iter().rfind(same))
            .or_else(|| asked.iter().find(open))
            .or(asked.last())
            .copied()
    }

    /// The body of an HTTP error that is no JSON-RPC message: OAuth's `{"error":"invalid_token"}`, a proxy's page.
    fn is_page(&self, message: &Message, channel: u32) -> bool {
        let exchange = self.by_channel.get(&channel).map(|at| &self.session.exchanges[*at]);
        let status = exchange.and_then(|exchange| exchange.status).map(|(status, _)| status);
        message.member("jsonrpc").is_none() && status.is_some_and(|status| status >= 400)
    }

    /// A request with an unusual id has no answer yet: a second answer to something else is rather that one, with its id
    /// made into another number.
    fn has_open_id_probe(&self, after: usize) -> bool {
        let odd = |exchange: &&Exchange<'_>| {
            exchange.answers.is_empty() && exchange.send.probe.as_ref().is_some_and(|probe| probe.intent.varies_id())
        };
        let single = matches!(self.session.exchanges[after].parsed.content, Content::One(_));
        single && self.session.exchanges[after + 1..].iter().any(|exchange| odd(&exchange))
    }

    /// Finds the request that an error without id answers: in the response to a POST what was posted; on stdio (and on the one stream of
    /// HTTP+SSE) the oldest input since the last settling that is malformed and has no answer yet, else the oldest that
    /// is well-formed and asks for none.
    fn malformed(&self, channel: u32) -> Option<usize> {
        let own = self.by_channel.get(&channel).copied();
        if self.session.open.transport == Transport::Http || self.streams() && own != self.stream() {
            return own;
        }
        let since = self.settled.last().copied().unwrap_or(0);
        let open = |exchange: &Exchange<'_>| {
            let room = match &exchange.parsed.content {
                Content::Batch(messages) => messages.len().max(1),
                _ => 1,
            };
            let sent = exchange.send.http.as_deref().is_none_or(|http| http == "POST");
            sent && exchange.seq > since && exchange.unmatched.len() + exchange.answers.len() < room
        };
        let exchanges = &self.session.exchanges;
        exchanges.iter().position(|exchange| open(exchange) && is_ill(&exchange.parsed.content)).or_else(|| {
            // Over HTTP+SSE an ordinary notification was accepted by its status: an error is about something else.
            let done =
                |exchange: &Exchange<'_>| self.streams() && exchange.status.is_some() && exchange.send.probe.is_none();
            let quiet = |exchange: &Exchange<'_>| !has_request(&exchange.parsed.content) && !done(exchange);
            exchanges.iter().position(|exchange| open(exchange) && quiet(exchange))
        })
    }

    fn finish(mut self) -> Session<'t> {
        let gone = self.gone();
        let ends: Vec<ExchangeEnd> = (0..self.session.exchanges.len()).map(|at| self.end(at, gone)).collect();
        for (at, (exchange, end)) in self.session.exchanges.iter_mut().zip(ends).enumerate() {
            // It belongs to an answer that came late.
            if !exchange.answers.is_empty() && exchange.status.is_none() {
                exchange.status = self.late.get(&at).copied();
            }
            exchange.gave_up = self.gave_up.contains(&exchange.seq);
            exchange.end = end;
        }
        self.session
    }

    /// When the server went away by itself, and how many requests were outstanding then. A request for a sign of life is
    /// only sent because of what came before, so it counts only when it is the only one. A server whose output nobody reads any
    /// more ends because of that.
    fn gone(&self) -> Option<(u32, usize)> {
        if self.session.probes.iter().any(|(_, probe)| probe.intent == Intent::ClosedStdout) {
            return None;
        }
        let exit = self.session.exit.filter(|(_, exit)| exit.after == Ending::Nothing).map(|(seq, _)| seq);
        let at = [exit, self.session.closed, self.wedged()].into_iter().flatten().min()?;
        let open = |exchange: &&Exchange<'_>| exchange.seq < at && self.is_open(exchange);
        let (liveness, others): (Vec<_>, Vec<_>) =
            self.session.exchanges.iter().filter(open).partition(|exchange| is_liveness(exchange));
        Some((at, if others.is_empty() { liveness.len() } else { others.len() }))
    }

    /// When the server stopped answering for good although it lives on: a sign of life was not given within the time
    /// limit, and nothing after it was answered. Believed only in a repetition, one input at a time: the first time it
    /// may be load.
    fn wedged(&self) -> Option<u32> {
        if self.session.open.purpose != "careful" {
            return None;
        }
        let asked = self.session.exchanges.iter().filter(|exchange| is_liveness(exchange));
        let asked = asked.rev().take_while(|exchange| exchange.answers.is_empty() && !self.has_status(exchange));
        let given_up = asked.map(|exchange| exchange.seq).filter(|seq| self.gave_up.contains(seq)).min()?;
        let later = self.session.exchanges.iter().any(|other| other.seq > given_up && !other.answers.is_empty());
        (!later).then_some(given_up + 1)
    }

    fn is_open(&self, exchange: &Exchange<'_>) -> bool {
        let settled = self.settled.iter().any(|upto| *upto >= exchange.seq);
        // Over HTTP+SSE a status is all that a message gets which asks for no answer.
        let quiet = |message: &Message| !matches!(message.kind, wire::Kind::Request | wire::Kind::Invalid);
        if let Content::One(message) = &exchange.parsed.content
            && self.streams()
            && exchange.status.is_some()
            && quiet(message)
        {
            return false;
        }
        exchange.answers.is_empty() && exchange.unmatched.is_empty() && !self.has_status(exchange) && !settled
    }

    fn end(&self, at: usize, gone: Option<(u32, usize)>) -> ExchangeEnd {
        let exchange = &self.session.exchanges[at];
        if !exchange.answers.is_empty() || !exchange.unmatched.is_empty() {
            ExchangeEnd::Answered
        } else if self.has_status(exchange) {
            // A stream may have begun and never held the answer.
            if self.gave_up.contains(&exchange.seq) { ExchangeEnd::GaveUp } else { ExchangeEnd::Answered }
        } else if exchange.aborted.is_some() {
            ExchangeEnd::Open
        } else if self.broken.contains(&at) {
            ExchangeEnd::Gone { alone: true }
        } else if self.settled.iter().any(|upto| *upto >= exchange.seq) {
            ExchangeEnd::Settled
        } else if let Some((_, outstanding)) = gone {
            let bystander = is_liveness(exchange)
                && self.session.exchanges.iter().any(|other| self.is_open(other) && !is_liveness(other));
            ExchangeEnd::Gone { alone: outstanding == 1 && !bystander }
        } else if self.gave_up.contains(&exchange.seq) {
            ExchangeEnd::GaveUp
        } else {
            ExchangeEnd::Open
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

/// An ordinary request that asks for a sign of life.
fn is_liveness(exchange: &Exchange<'_>) -> bool {
    let method = match &exchange.parsed.content {
        Content::One(message) => message.method(),
        _ => None,
    };
    exchange.send.probe.is_none() && matches!(method, Some("ping" | "server/discover"))
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
