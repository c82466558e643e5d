//! Takes what comes from a server: records it, hands answers to who waits for them, and answers the server's requests.

use std::rc::{Rc, Weak};
use std::time::Instant;
use wire::mcp::code;

use tokio::sync::{mpsc, oneshot};
use verdict::Era;
use verdict::transcript::{Ending, Headers, Kind, Receive, Via};
use wire::{Id, IdKey, Limits, Message, write};

use super::draft::Draft;
use super::{Channel, ClientBehavior, Inner, RequestOutcome, client_tasks};
use crate::transport::{Form, Inbound, Link, Parcel};

/// Frames that are no JSON-RPC after which a server is no longer listened to.
const NOISE: u32 = 10_000;

/// Until the server is gone for good, or nobody holds the session any more.
pub(super) async fn run(inner: Weak<Inner>, mut inbox: mpsc::Receiver<Inbound>) {
    while let Some(inbound) = inbox.recv().await {
        let Some(inner) = inner.upgrade() else { return };
        let last = matches!(inbound, Inbound::Exit(_));
        inner.take(inbound);
        inner.heard.notify_waiters();
        if inner.recorder.is_full() || inner.noise.get() > NOISE {
            // A flood: nobody reads on, which slows the server down until it is ended.
            inner.stuck.set(true);
            inner.pending.borrow_mut().clear();
            return;
        }
        if last {
            return;
        }
    }
}

impl Inner {
    fn take(self: &Rc<Self>, inbound: Inbound) {
        match inbound {
            Inbound::Frame { channel, bytes, via, dropped } => self.frame(channel, &bytes, via, dropped),
            Inbound::Status { channel, status, headers } => self.status(channel, status, headers),
            Inbound::Closed { channel, fault } => self.closed(channel, fault),
            Inbound::Stderr(bytes) => {
                let not_utf8 = std::str::from_utf8(&bytes).is_err();
                let text = String::from_utf8_lossy(&bytes).into_owned();
                self.recorder.add(self.id, Kind::Stderr { text, not_utf8 });
            }
            Inbound::Exit(exit) => {
                if exit.after == Ending::Nothing {
                    self.down.set(true);
                }
                self.recorder.add(self.id, Kind::Exit(exit));
                self.pending.borrow_mut().clear();
            }
        }
    }

    fn frame(self: &Rc<Self>, channel: u32, bytes: &[u8], via: Via, dropped: u64) {
        let not_utf8 = std::str::from_utf8(bytes).is_err();
        let mut text = String::from_utf8_lossy(bytes).into_owned();
        // Here already: what a session remembers of a server ends up in messages.
        self.recorder.mask(&mut text);
        // A rule says what is wrong with a byte order mark; what is behind it is heard all the same.
        let places = matches!(&via, Via::Sse { event: Some(event), .. } if event == "endpoint");
        let parsed = wire::parse(text.trim_start_matches('\u{feff}').as_bytes(), &Limits::default());
        self.streams.note(channel, &via);
        self.recorder.add(self.id, Kind::Receive(Receive { channel, text, via, dropped, not_utf8 }));
        self.placed.set(self.placed.get() || places);
        if parsed.messages().is_empty() {
            self.noise.set(self.noise.get() + 1);
        }
        for message in parsed.messages() {
            self.message(channel, message);
        }
    }

    fn message(self: &Rc<Self>, channel: u32, message: &Message) {
        match message.kind {
            wire::Kind::Request if self.era == Era::Handshake => self.answer(message),
            wire::Kind::Response | wire::Kind::Error => self.answered(channel, message),
            _ => {}
        }
    }

    fn answered(&self, channel: u32, message: &Message) {
        if let Some(id) = message.id.as_ref().and_then(number) {
            self.answered_last.set(Some((id, Instant::now())));
        }
        let key = message.id.as_ref().and_then(Id::key);
        let by_id = self.transport != verdict::Transport::Http;
        let waiting = if by_id && key.is_some() {
            key.and_then(|key| self.taken(&key))
        } else if by_id {
            // Over HTTP+SSE a refusal without id comes in the response to what was posted.
            self.posted(channel)
        } else {
            let mut channels = self.channels.borrow_mut();
            // On a stream opened by GET, or with a wrong id, nobody waits: rules see it in the transcript.
            let fits = |channel: &&mut Channel| key.is_none() || channel.key == key;
            channels.get_mut(&channel).filter(fits).and_then(|channel| channel.waiting.take())
        };
        if let Some(waiting) = waiting {
            let _ = waiting.send(RequestOutcome::Answer(message.clone()));
        }
    }

    /// Who waits for the answer with this id.
    fn taken(&self, key: &IdKey) -> Option<oneshot::Sender<RequestOutcome>> {
        self.pending.borrow_mut().remove(key).map(|pending| pending.waiting)
    }

    /// Who waits for what comes of the POST on this channel.
    fn posted(&self, channel: u32) -> Option<oneshot::Sender<RequestOutcome>> {
        let mut channels = self.channels.borrow_mut();
        let channel = channels.get_mut(&channel)?;
        channel.waiting.take().or_else(|| self.taken(channel.key.as_ref()?))
    }

    /// The server's own requests get an answer at once, as from a client that keeps its duties; the result of a task when it is over.
    fn answer(self: &Rc<Self>, message: &Message) {
        let (Some(id), Some(method)) = (message.id.as_ref().filter(|id| id.key().is_some()), message.method()) else {
            return;
        };
        let params = message.params();
        let revision = self.revision.get().unwrap_or(verdict::Revision::LATEST_HANDSHAKE);
        let declared = self.profile.capabilities(revision);
        let plain = || self.profile.answer(method, params, &declared);
        let answer = match self.behavior {
            ClientBehavior::Withholds if method != "ping" => return,
            ClientBehavior::Refuses if method != "ping" => {
                Err((code::METHOD_NOT_FOUND, format!("Method not found: {method}")))
            }
            _ if declared.get("tasks").is_some() && client_tasks::is_about_tasks(method, params) => {
                match self.client_tasks.serve(method, params, plain, self.behavior == ClientBehavior::Dawdles) {
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
            if let Some(session) = session.upgrade().filter(|session| !session.closing.get()) {
                session.answer(&message);
            }
        });
    }

    fn respond(&self, id: &Id, answer: Result<serde_json::Value, (i64, String)>) {
        let text = match answer {
            Ok(result) => write::response(id, &result),
            Err((code, reason)) => write::error(Some(id.into()), code, &reason, None),
        };
        let http = self.transport != verdict::Transport::Stdio;
        let channel = if http { self.next_channel.replace(self.next_channel.get() + 1) } else { 0 };
        let headers = if http { self.headers(None, &Draft::default()) } else { Vec::new() };
        self.record(channel, text.as_bytes(), None, http.then_some("POST"), headers.clone(), None);
        if http {
            self.channels.borrow_mut().insert(channel, Channel::default());
        }
        let (method, bytes) = ("POST".to_owned(), text.into_bytes());
        self.link.send(Parcel { channel, method, path: None, headers, bytes, form: Form::Tidy });
    }

    fn status(&self, channel: u32, status: u16, headers: Headers) {
        let session = headers
            .iter()
            .find(|(name, _)| name.eq_ignore_ascii_case("mcp-session-id"))
            .map(|(_, value)| value.clone());
        if let Some(session) = session.filter(|_| (200..300).contains(&status)) {
            self.issued(channel, session);
        }
        self.recorder.add(self.id, Kind::Status { channel, status, headers });
        if let Some(channel) = self.channels.borrow_mut().get_mut(&channel) {
            channel.status = Some(status);
        }
    }

    /// The first session is this one; others were opened for outsiders, or by a second `initialize`.
    fn issued(&self, channel: u32, session: String) {
        let outsider = self.channels.borrow().get(&channel).is_some_and(|channel| channel.outsider);
        let mut own = self.http_session.borrow_mut();
        if own.is_none() && !outsider {
            *own = Some(session);
        } else if own.as_ref() != Some(&session) && !self.guests.borrow().contains(&session) {
            self.guests.borrow_mut().push(session);
        }
    }

    fn closed(self: &Rc<Self>, channel: u32, fault: Option<String>) {
        // What ends because the tester ended it says nothing of the server.
        if self.closing.get() {
            self.pending.borrow_mut().clear();
            return;
        }
        self.recorder.add(self.id, Kind::Closed { channel, fault });
        let stream = if let Link::Sse(client) = &self.link { client.stream() } else { None };
        if channel == 0 || stream == Some(channel) {
            self.down.set(true);
            self.pending.borrow_mut().clear();
            return;
        }
        let status = {
            let mut channels = self.channels.borrow_mut();
            let Some(channel) = channels.get_mut(&channel) else { return };
            channel.closed = true;
            channel.status
        };
        if self.comes_back(channel) {
            return;
        }
        // Over HTTP+SSE the answer to an accepted request is still to come.
        let accepted = self.transport == verdict::Transport::Sse && status.is_some_and(|status| status < 400);
        let waiting = if accepted {
            self.channels.borrow_mut().get_mut(&channel).and_then(|channel| channel.waiting.take())
        } else {
            self.posted(channel)
        };
        if let Some(waiting) = waiting {
            let _ = waiting.send(status.map_or(RequestOutcome::Gone, RequestOutcome::Status));
        }
    }
}

/// An id as the tester itself gives them.
fn number(id: &Id) -> Option<i64> {
    match id {
        Id::Integer(text) => text.parse().ok(),
        _ => None,
    }
}
