//! Takes what comes from a server: records it, hands answers to who waits for them, and answers the server's requests.

use std::rc::{Rc, Weak};

use tokio::sync::mpsc;
use verdict::Era;
use verdict::transcript::{Ending, Headers, Kind, Receive, Via};
use wire::{Id, Limits, Message, write};

use super::{Channel, Inner, Outcome};
use crate::transport::{Inbound, Parcel};

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
            Inbound::Stderr(text) => {
                self.recorder.add(self.id, Kind::Stderr { text });
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
        let text = String::from_utf8_lossy(bytes).into_owned();
        let parsed = wire::parse(text.as_bytes(), &Limits::default());
        self.recorder.add(self.id, Kind::Receive(Receive { channel, text, via, dropped, not_utf8 }));
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
        let key = message.id.as_ref().and_then(Id::key);
        let waiting = if channel == 0 {
            key.and_then(|key| self.pending.borrow_mut().remove(&key)).map(|pending| pending.waiting)
        } else {
            let mut channels = self.channels.borrow_mut();
            // On a stream opened by GET, or with a wrong id, nobody waits: rules see it in the transcript.
            let fits = |channel: &&mut Channel| key.is_none() || channel.key == key;
            channels.get_mut(&channel).filter(fits).and_then(|channel| channel.waiting.take())
        };
        if let Some(waiting) = waiting {
            let _ = waiting.send(Outcome::Answer(message.clone()));
        }
    }

    /// The server's own requests get an answer at once, as from a client that keeps its duties.
    fn answer(&self, message: &Message) {
        let (Some(id), Some(method)) = (message.id.as_ref().filter(|id| id.key().is_some()), message.method()) else {
            return;
        };
        let revision = self.revision.get().unwrap_or(verdict::Revision::LATEST_HANDSHAKE);
        let declared = self.profile.capabilities(revision);
        let text = match self.profile.answer(method, message.params(), &declared) {
            Ok(result) => write::response(id, &result),
            Err((code, reason)) => write::error(Some(id.into()), code, &reason, None),
        };
        let http = self.transport != verdict::Transport::Stdio;
        let channel = if http { self.next_channel.replace(self.next_channel.get() + 1) } else { 0 };
        let headers = if http { self.headers(None, Vec::new()) } else { Vec::new() };
        self.record(channel, text.as_bytes(), None, http.then_some("POST"), headers.clone());
        if http {
            self.channels.borrow_mut().insert(channel, Channel::default());
        }
        self.link.send(Parcel { channel, method: "POST", headers, bytes: text.into_bytes() });
    }

    fn status(&self, channel: u32, status: u16, headers: Headers) {
        let session = headers
            .iter()
            .find(|(name, _)| name.eq_ignore_ascii_case("mcp-session-id"))
            .map(|(_, value)| value.clone());
        if session.is_some() && (200..300).contains(&status) {
            self.http_session.replace(session);
        }
        self.recorder.add(self.id, Kind::Status { channel, status, headers });
        if let Some(channel) = self.channels.borrow_mut().get_mut(&channel) {
            channel.status = Some(status);
        }
    }

    fn closed(&self, channel: u32, fault: Option<String>) {
        // What ends because the tester ended it says nothing of the server.
        if self.closing.get() {
            self.pending.borrow_mut().clear();
            return;
        }
        self.recorder.add(self.id, Kind::Closed { channel, fault });
        if channel == 0 {
            self.down.set(true);
            self.pending.borrow_mut().clear();
        } else if let Some(channel) = self.channels.borrow_mut().get_mut(&channel) {
            channel.closed = true;
            if let Some(waiting) = channel.waiting.take() {
                let _ = waiting.send(channel.status.map_or(Outcome::Gone, Outcome::Status));
            }
        }
    }
}
