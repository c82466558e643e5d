//! Takes what comes from a server: records it, hands answers to who waits for them, and answers the server's requests.

use std::rc::{Rc, Weak};
use wire::mcp::code;

use serde_json::Value;
use tokio::sync::mpsc;
use tokio::task::spawn_local;
use url::Url;
use verdict::Intent;
use verdict::probes::values::Reading;
use verdict::transcript::{Ending, Headers, Kind, Probe, Receive, Via};
use wire::{Id, Message, write};

use super::draft::Draft;
use super::state::{Endpoint, Health};
use super::{Channel, ClientBehavior, Inner, RequestOutcome, client_tasks};
use crate::transport::{Departure, Form, Inbound, Link, Parcel};

/// Frames that are no JSON-RPC after which a server is no longer listened to.
const NOISE: u32 = 10_000;

/// Records what comes and passes it on, until the server is gone or the session is dropped.
pub(super) async fn run(inner: Weak<Inner>, mut inbox: mpsc::Receiver<Inbound>) {
    let mut noise = 0;
    while let Some(inbound) = inbox.recv().await {
        let Some(inner) = inner.upgrade() else { return };
        let last = matches!(inbound, Inbound::Exit(_));
        noise += u32::from(inner.take(inbound) == Content::Noise);
        inner.heard.notify_waiters();
        if inner.recorder.is_full() || noise > NOISE {
            // A flood: nobody reads on, which slows the server down until it is ended.
            inner.worsen(Health::Flooding);
            inner.in_flight.borrow_mut().drop_pending();
            return;
        }
        if last {
            return;
        }
    }
}

/// Whether something from the server was of use.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Content {
    Useful,
    /// A frame that holds no JSON-RPC message.
    Noise,
}

impl Inner {
    fn take(self: &Rc<Self>, inbound: Inbound) -> Content {
        self.in_flight.borrow_mut().note_heard();
        match inbound {
            Inbound::Frame { channel, bytes, via, dropped } => return self.frame(channel, &bytes, via, dropped),
            Inbound::Status { channel, status, headers } => self.status(channel, status, headers),
            Inbound::Closed { channel, fault } => self.closed(channel, fault),
            Inbound::Stderr(bytes) => {
                let not_utf8 = std::str::from_utf8(&bytes).is_err();
                let text = String::from_utf8_lossy(&bytes).into_owned();
                self.recorder.add(self.id.get(), Kind::Stderr { text, not_utf8 });
            }
            Inbound::Exit(exit) => {
                if exit.after == Ending::Nothing {
                    self.worsen(Health::Ended);
                }
                self.recorder.add(self.id.get(), Kind::Exit(exit));
                self.exited.set(true);
                self.in_flight.borrow_mut().drop_pending();
            }
        }
        Content::Useful
    }

    fn frame(self: &Rc<Self>, channel: u32, bytes: &[u8], via: Via, dropped: u64) -> Content {
        let not_utf8 = std::str::from_utf8(bytes).is_err();
        let mut text = String::from_utf8_lossy(bytes).into_owned();
        // Here already: what a session remembers of a server ends up in messages.
        self.recorder.mask(&mut text);
        // A rule says what is wrong with a byte order mark; what is behind it is heard all the same.
        let places = matches!(&via, Via::Sse { event: Some(event), .. } if event == "endpoint");
        let parsed = self.last_answer.parse(text.trim_start_matches('\u{feff}'));
        self.streams.borrow_mut().note(channel, &via);
        if via == Via::Object && !self.by_objects.replace(true) {
            self.settings.learned.objects.set(true);
            self.record_reading(Reading::Objects);
        }
        parsed.messages().iter().for_each(|message| self.read(channel, message));
        self.recorder.add(self.id.get(), Kind::Receive(Receive { channel, text, via, dropped, not_utf8 }));
        if places && self.endpoint.get() == Endpoint::Awaited {
            self.endpoint.set(Endpoint::Recorded);
        }
        for message in parsed.messages() {
            self.message(channel, message);
        }
        if parsed.messages().is_empty() { Content::Noise } else { Content::Useful }
    }

    fn message(self: &Rc<Self>, channel: u32, message: &Message) {
        match message.kind {
            wire::Kind::Request if !self.is_stateless() => self.answer(message),
            wire::Kind::Response | wire::Kind::Error => self.answered(channel, message),
            // With neither result nor error: rules say so, and nobody needs to wait for another.
            wire::Kind::Invalid if message.lacks_outcome() => self.answered(channel, message),
            _ => {}
        }
    }

    /// An answer to the opening request that does not bear its id tells how answers have to be told apart.
    fn read(&self, channel: u32, message: &Message) {
        if !message.is_answer() {
            return;
        }
        let key = message.id.as_ref().and_then(Id::key);
        let mut in_flight = self.in_flight.borrow_mut();
        let by_id = self.settings.transport == verdict::Transport::Stdio;
        let stray = by_id && key.as_ref().is_none_or(|key| in_flight.is_stray(key));
        let reading = match message.error_code().filter(|_| stray && in_flight.is_answered()) {
            Some(code) => in_flight.note_error_without_id(!matches!(code, code::PARSE_ERROR | code::INVALID_REQUEST)),
            None => in_flight.read(self.settings.transport, channel, key.as_ref()),
        };
        drop(in_flight);
        if let Some(reading) = reading {
            self.settings.learned.reading.set(Some(reading));
            self.record_reading(reading);
        }
    }

    /// A quick request was never answered, although a later one was.
    pub(super) fn note_lost(&self) {
        let learned = &self.settings.learned;
        let (known, haste) = (learned.loses_answers(), learned.haste());
        learned.lost.set(learned.lost.get() + 1);
        if learned.loses_answers() && !known {
            self.record_reading(Reading::Losses);
        }
        if learned.haste() > haste {
            learned.hastened.notify_waiters();
        }
    }

    pub(super) fn record_reading(&self, reading: Reading) {
        let about = serde_json::json!({"reading": reading});
        self.recorder.add(self.id.get(), Kind::Probe(Probe::new("session", Intent::Assumed, about)));
    }

    fn answered(&self, channel: u32, message: &Message) {
        // What is refused where messages are taken in says nothing of how requests are answered.
        if message.error_code().is_some_and(|code| !code::is_from_intake(code)) {
            self.settings.learned.errs.set(true);
        }
        let mut in_flight = self.in_flight.borrow_mut();
        if let Some(id) = message.id.as_ref().and_then(own_id) {
            in_flight.note_answer(id);
        }
        let key = message.id.as_ref().and_then(Id::key);
        if self.settings.transport == verdict::Transport::Sse {
            self.settings.learned.note_place(self.stream() == Some(channel));
        }
        if let Some(key) = &key {
            in_flight.note_returned(key);
        }
        if let Some(waiter) = in_flight.take_waiter(self.settings.transport, channel, key.as_ref()) {
            let _ = waiter.send(RequestOutcome::Answer(message.clone()));
        }
    }

    /// Answers a request of the server's own at once, as a client that keeps its duties does; the result of a task follows when
    /// it is over.
    fn answer(self: &Rc<Self>, message: &Message) {
        let (Some(id), Some(method)) = (message.id.as_ref().filter(|id| id.key().is_some()), message.method()) else {
            return;
        };
        let params = message.params();
        let revision = self.server.borrow().revision.unwrap_or(verdict::Revision::LATEST_HANDSHAKE);
        let declared = self.profile.get().capabilities(revision);
        let plain = || self.profile.get().answer(method, params, &declared);
        let answer = match self.settings.behavior {
            ClientBehavior::Withholds if method != "ping" => return,
            ClientBehavior::Refuses if method != "ping" => {
                Err((code::METHOD_NOT_FOUND, format!("Method not found: {method}")))
            }
            _ if declared.get("tasks").is_some() && client_tasks::is_about_tasks(method, params) => {
                match self.client_tasks.serve(method, params, plain, self.settings.behavior == ClientBehavior::Dawdles)
                {
                    Some(answer) => answer,
                    None => return self.answer_later(message),
                }
            }
            _ => plain(),
        };
        self.respond(id, answer);
    }

    /// Looks again, and again, until the task is over.
    fn answer_later(self: &Rc<Self>, message: &Message) {
        let (session, message) = (Rc::downgrade(self), message.clone());
        tokio::task::spawn_local(async move {
            tokio::time::sleep(client_tasks::PAUSE).await;
            if let Some(session) = session.upgrade().filter(|session| !session.is_closing()) {
                session.answer(&message);
            }
        });
    }

    fn respond(&self, id: &Id, answer: Result<serde_json::Value, (i64, String)>) {
        let text = match answer {
            Ok(result) => write::response(id, &result),
            Err((code, reason)) => write::error(Some(id.into()), code, &reason, None),
        };
        let http = self.settings.transport != verdict::Transport::Stdio;
        let channel = self.in_flight.borrow_mut().take_channel(self.settings.transport);
        let headers = if http { self.headers(None, &Draft::default()) } else { Vec::new() };
        self.record(channel, text.as_bytes(), None, http.then_some("POST"), headers.clone(), None);
        if http {
            self.in_flight.borrow_mut().add_channel(channel, Channel::default());
        } else if let Some(key) = id.key() {
            // A server may take it for a request, and refuse it.
            self.in_flight.borrow_mut().note_id(key);
        }
        let (method, bytes) = ("POST".to_owned(), text.into());
        self.link.send(Parcel {
            channel,
            method,
            path: None,
            headers,
            bytes,
            form: Form::Tidy,
            at_once: false,
            departure: Departure::default(),
        });
    }

    fn status(&self, channel: u32, status: u16, headers: Headers) {
        let session = headers
            .iter()
            .find(|(name, _)| name.eq_ignore_ascii_case("mcp-session-id"))
            .map(|(_, value)| value.clone());
        if let Some(session) = session.filter(|_| (200..300).contains(&status)) {
            let outsider = self.in_flight.borrow().channel(channel).is_some_and(|channel| channel.outsider);
            self.server.borrow_mut().note_http_session(session, outsider);
        }
        self.recorder.add(self.id.get(), Kind::Status { channel, status, headers });
        if let Some(channel) = self.in_flight.borrow_mut().channel_mut(channel) {
            channel.status = Some(status);
        }
    }

    /// Over HTTP+SSE the channel of the stream.
    fn stream(&self) -> Option<u32> {
        if let Link::Sse(client) = &self.link { client.stream() } else { None }
    }

    /// Nobody listens at the URL, though somebody may again in a moment.
    fn watch_for_end(&self) {
        let Ok(url) = Url::parse(&self.settings.place) else { return };
        let (learned, recorder, id) = (Rc::clone(&self.settings.learned), self.recorder.clone(), self.id.get());
        spawn_local(async move {
            if learned.standstill.watch(&url).await {
                recorder.add(id, Kind::Probe(Probe::new("session", Intent::NobodyListens, Value::Null)));
            }
        });
    }

    fn closed(self: &Rc<Self>, channel: u32, fault: Option<String>) {
        // What ends because the tester ended it says nothing of the server.
        if self.is_closing() {
            self.in_flight.borrow_mut().drop_pending();
            return;
        }
        if fault.as_deref().is_some_and(judge::is_unreached) && !self.outside.get() {
            self.watch_for_end();
        }
        self.recorder.add(self.id.get(), Kind::Closed { channel, fault });
        if channel == 0 || self.stream() == Some(channel) {
            self.worsen(Health::Ended);
            self.in_flight.borrow_mut().drop_pending();
            return;
        }
        let status = {
            let mut in_flight = self.in_flight.borrow_mut();
            let Some(channel) = in_flight.channel_mut(channel) else { return };
            channel.closed = true;
            channel.status
        };
        if self.comes_back(channel) {
            return;
        }
        // Over HTTP+SSE the answer to an accepted request is still to come, unless this server gives none but here.
        let accepted = self.settings.transport == verdict::Transport::Sse
            && status.is_some_and(|status| status < 400)
            && !self.settings.learned.answers_posts();
        let mut in_flight = self.in_flight.borrow_mut();
        let waiter = if accepted {
            in_flight.channel_mut(channel).and_then(|channel| channel.waiter.take())
        } else {
            in_flight.take_posted(channel)
        };
        if let Some(waiter) = waiter {
            let _ = waiter.send(status.map_or(RequestOutcome::Gone, RequestOutcome::Status));
        }
    }
}

/// Returns an id of the kind that the tester itself gives.
pub(super) fn own_id(id: &Id) -> Option<i64> {
    match id {
        Id::Integer(text) => text.parse().ok(),
        _ => None,
    }
}
