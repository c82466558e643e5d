//! The recording: events go to the file as they come, so that it is of use whenever it is cut off.

use std::io::{self, Write};
use std::time::Instant;

use serde_json::{Value, json};
use verdict::transcript::{Event, Headers, Kind, Open, Probe, Receive, Send, Via};
use verdict::{Intent, Purpose, Transport};

use super::shown::Hidden;
use super::tracker::Tracker;

/// Bytes of a recording; beyond that it ends, and says so.
const MOST: u64 = 1 << 30;

/// The intent that says which server it is.
pub(super) const RECORDED: Intent = Intent::Recorded;

/// A recording that is being written.
pub struct Recording {
    out: Box<dyn Write + std::marker::Send>,
    began: Instant,
    next: u32,
    written: u64,
    sessions: Vec<Tracker>,
    hidden: Hidden,
    about: Value,
    fault: Option<io::Error>,
}

impl std::fmt::Debug for Recording {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "a recording of {} events", self.next)
    }
}

impl Recording {
    /// A recording in which what is hidden never stands, of the server that `about` names by `command` or `url`.
    #[must_use]
    pub fn new(out: Box<dyn Write + std::marker::Send>, hidden: Hidden, about: Value) -> Self {
        let began = Instant::now();
        Self { out, began, next: 0, written: 0, sessions: Vec::new(), hidden, about, fault: None }
    }

    /// Returns the error that kept the recording from being written, if there was one.
    #[must_use]
    pub fn fault(&self) -> Option<&io::Error> {
        self.fault.as_ref()
    }

    /// A session begins.
    pub(super) fn open(&mut self, transport: Transport) -> u32 {
        let session = u32::try_from(self.sessions.len()).unwrap_or(u32::MAX);
        self.sessions.push(Tracker::default());
        let purpose = Purpose::Recorded.word().to_owned();
        let open = Open { transport, purpose, revision: None, confirm: false, outside: false, continues: None };
        self.add(session, Instant::now(), Kind::Open(open));
        let about = Probe::new("record", RECORDED, self.about.clone());
        self.add(session, Instant::now(), Kind::Probe(about));
        session
    }

    /// The client said something.
    pub(super) fn said(&mut self, session: u32, at: Instant, channel: u32, said: &Said<'_>) {
        let text = String::from_utf8_lossy(said.bytes).into_owned();
        let base64 = std::str::from_utf8(said.bytes).is_err().then(|| self.hidden.coded(said.bytes));
        self.hidden.learn(&text, &said.headers, said.path.as_deref());
        if let Some(tracker) = self.tracker(session) {
            tracker.said(&text);
        }
        let (http, headers, path) = (said.http.clone(), said.headers.clone(), said.path.clone());
        self.add(session, at, Kind::Send(Send { channel, text, base64, probe: None, http, headers, path }));
    }

    /// The server said something.
    pub(super) fn heard(&mut self, session: u32, at: Instant, channel: u32, heard: Heard) {
        let text = String::from_utf8_lossy(&heard.bytes).into_owned();
        let not_utf8 = std::str::from_utf8(&heard.bytes).is_err();
        self.hidden.learn(&text, &Headers::new(), None);
        let revision = self.tracker(session).and_then(|tracker| tracker.heard(&text));
        let receive = Receive { channel, text, via: heard.via, dropped: heard.dropped, not_utf8 };
        self.add(session, at, Kind::Receive(receive));
        if let Some(revision) = revision {
            let about = json!({"revision": revision});
            self.add(session, at, Kind::Probe(Probe::new("session", Intent::Negotiated, about)));
        }
    }

    fn tracker(&mut self, session: u32) -> Option<&mut Tracker> {
        self.sessions.get_mut(usize::try_from(session).ok()?)
    }

    /// Anything else.
    pub(super) fn add(&mut self, session: u32, at: Instant, mut kind: Kind) {
        if self.fault.is_some() || self.written > MOST {
            return;
        }
        if let Kind::Status { headers, .. } = &kind {
            self.hidden.learn("", &headers.clone(), None);
        }
        self.hidden.redact(&mut kind);
        let at_us = u64::try_from(at.saturating_duration_since(self.began).as_micros()).unwrap_or(u64::MAX);
        let event = Event { seq: self.next, at_us, session, kind };
        self.next += 1;
        if let Err(error) = self.write(&event) {
            self.fault = Some(error);
        }
    }

    fn write(&mut self, event: &Event) -> io::Result<()> {
        let mut line = serde_json::to_vec(event)?;
        line.push(b'\n');
        self.written += line.len() as u64;
        if self.written > MOST {
            return Err(io::Error::other(format!("the recording is longer than {} MB and ends here", MOST >> 20)));
        }
        self.out.write_all(&line)?;
        self.out.flush()
    }
}

/// Something that a client said.
#[derive(Debug, Default)]
pub(super) struct Said<'b> {
    pub(super) bytes: &'b [u8],
    pub(super) http: Option<String>,
    pub(super) headers: Headers,
    pub(super) path: Option<String>,
}

/// Something that a server said.
#[derive(Debug)]
pub(super) struct Heard {
    pub(super) bytes: Vec<u8>,
    pub(super) via: Via,
    pub(super) dropped: u64,
}
