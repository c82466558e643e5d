//! Which session a request belongs to, and a body that is written down while it passes.

use std::cell::RefCell;
use std::collections::HashMap;
use std::pin::Pin;
use std::rc::Rc;
use std::task::{Context, Poll};
use std::time::Instant;

use bytes::Bytes;
use hyper::HeaderMap;
use hyper::body::{Body, Frame, Incoming, SizeHint};
use serde_json::json;
use verdict::transcript::{Headers, Kind, Probe, Via};
use verdict::{Intent, Transport};
use wire::Limits;
use wire::sse::SseFramer;

use super::recording::{Heard, Recording, Said};
use crate::transport::http::content_type;
use crate::transport::http::reason;

/// Bytes of one body or event that are kept in the recording.
const FRAME: usize = 64 << 20;

/// The sessions of a recording over HTTP.
#[derive(Debug)]
pub(super) struct Sessions {
    transport: Transport,
    channels: u32,
    /// By the id that the server gave; over HTTP+SSE by the path that it announced.
    by_name: HashMap<String, u32>,
    /// The last one that was opened without such an id.
    nameless: Option<u32>,
    /// That of requests which need none.
    stateless: Option<u32>,
}

impl Sessions {
    pub(super) fn new(streams: bool) -> Self {
        let transport = if streams { Transport::Sse } else { Transport::Http };
        Self { transport, channels: 0, by_name: HashMap::new(), nameless: None, stateless: None }
    }

    /// HTTP+SSE.
    pub(super) fn streams(&self) -> bool {
        self.transport == Transport::Sse
    }

    /// The session of a request, and the channel of the exchange.
    pub(super) fn sort(&mut self, recording: &mut Recording, said: &Said<'_>) -> (u32, u32) {
        self.channels += 1;
        (self.session(recording, said), self.channels)
    }

    fn session(&mut self, recording: &mut Recording, said: &Said<'_>) -> u32 {
        let name = if self.streams() { said.path.clone() } else { header(&said.headers, "mcp-session-id") };
        if let Some(known) = name.as_ref().and_then(|name| self.by_name.get(name)) {
            return *known;
        }
        let opens = match self.transport {
            Transport::Sse => said.path.is_none() && said.http.as_deref() == Some("GET"),
            _ => wire::parse(said.bytes, &Limits::default())
                .messages()
                .iter()
                .any(|one| one.method() == Some("initialize")),
        };
        let stateless = header(&said.headers, "mcp-protocol-version").is_some_and(|version| version.as_str() >= "2026");
        let slot = if stateless { &mut self.stateless } else { &mut self.nameless };
        match slot {
            Some(session) if !opens && name.is_none() => *session,
            _ => {
                let session = recording.open(self.transport);
                if let Some(name) = name.filter(|_| self.transport == Transport::Http) {
                    self.by_name.insert(name, session);
                } else {
                    *slot = Some(session);
                }
                session
            }
        }
    }

    /// An answer may give the session its id.
    pub(super) fn answered(&mut self, session: u32, headers: &Headers) {
        if let Some(name) = header(headers, "mcp-session-id") {
            self.by_name.insert(name, session);
            if self.nameless == Some(session) {
                self.nameless = None;
            }
        }
    }

    /// A stream said where to post.
    pub(super) fn announced(&mut self, session: u32, path: &str) {
        self.by_name.insert(path.to_owned(), session);
    }
}

fn header(headers: &Headers, name: &str) -> Option<String> {
    headers.iter().find(|(own, _)| own.eq_ignore_ascii_case(name)).map(|(_, value)| value.clone())
}

type Announced = Box<dyn Fn(&str)>;

/// The body of an answer on its way to the client.
pub(super) struct Passing {
    recording: Rc<RefCell<Recording>>,
    session: u32,
    channel: u32,
    body: Option<Incoming>,
    read: Read,
    announced: Option<Announced>,
    is_over: bool,
}

/// How the body of an answer is read for the recording: as a whole, or event by event.
enum Read {
    Whole { bytes: Vec<u8>, dropped: u64 },
    Events(Box<SseFramer>),
}

impl Passing {
    /// An answer that is waited for.
    pub(super) fn waiting(recording: Rc<RefCell<Recording>>, session: u32, channel: u32) -> Self {
        let read = Read::Whole { bytes: Vec::new(), dropped: 0 };
        Self { recording, session, channel, body: None, read, announced: None, is_over: false }
    }

    /// It has begun.
    pub(super) fn begin(&mut self, headers: &HeaderMap, body: Incoming, announced: Announced) {
        if content_type(headers).is_some_and(|kind| kind.starts_with("text/event-stream")) {
            self.read = Read::Events(Box::new(SseFramer::new(FRAME)));
        }
        self.body = Some(body);
        self.announced = Some(announced);
    }

    fn took(&mut self, data: &Bytes) {
        match &mut self.read {
            Read::Whole { bytes, dropped } => {
                let room = FRAME.saturating_sub(bytes.len()).min(data.len());
                bytes.extend_from_slice(&data[..room]);
                *dropped += (data.len() - room) as u64;
            }
            Read::Events(framer) => {
                for event in framer.push(data) {
                    self.event(event);
                }
            }
        }
    }

    fn event(&self, event: wire::sse::Event) {
        let data = event.data.unwrap_or_default();
        if let (Some("endpoint"), Some(announced)) = (event.event.as_deref(), &self.announced) {
            announced(&data);
        }
        let oddities = event.oddities.iter().map(|oddity| format!("{oddity:?}")).collect();
        let via = Via::Sse { event: event.event, id: event.id, retry: event.retry, oddities };
        self.heard(Heard { bytes: data.into_bytes(), via, dropped: 0 });
    }

    fn heard(&self, heard: Heard) {
        self.recording.borrow_mut().heard(self.session, Instant::now(), self.channel, heard);
    }

    /// Nothing more comes.
    pub(super) fn ended(&mut self, fault: Option<&str>) {
        if std::mem::replace(&mut self.is_over, true) {
            return;
        }
        match std::mem::replace(&mut self.read, Read::Whole { bytes: Vec::new(), dropped: 0 }) {
            Read::Whole { bytes, dropped } if !bytes.is_empty() => {
                self.heard(Heard { bytes, via: Via::Body, dropped });
            }
            Read::Whole { .. } => {}
            Read::Events(framer) => {
                if let Some(event) = framer.finish() {
                    self.event(event);
                }
            }
        }
        let closed = Kind::Closed { channel: self.channel, fault: fault.map(str::to_owned) };
        self.recording.borrow_mut().add(self.session, Instant::now(), closed);
    }
}

impl Body for Passing {
    type Data = Bytes;
    type Error = hyper::Error;

    fn poll_frame(self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<Option<Result<Frame<Bytes>, hyper::Error>>> {
        let this = self.get_mut();
        let Some(body) = &mut this.body else { return Poll::Ready(None) };
        let frame = std::task::ready!(Pin::new(body).poll_frame(cx));
        match &frame {
            None => this.ended(None),
            Some(Err(error)) => this.ended(Some(&reason(error))),
            Some(Ok(frame)) => {
                if let Some(data) = frame.data_ref() {
                    let data = data.clone();
                    this.took(&data);
                }
                if this.body.as_ref().is_some_and(Body::is_end_stream) {
                    this.ended(None);
                }
            }
        }
        Poll::Ready(frame)
    }

    fn is_end_stream(&self) -> bool {
        self.body.as_ref().is_none_or(Body::is_end_stream)
    }

    fn size_hint(&self) -> SizeHint {
        self.body.as_ref().map(Body::size_hint).unwrap_or_default()
    }
}

impl Drop for Passing {
    /// The client left before all was there.
    fn drop(&mut self) {
        if self.is_over {
            return;
        }
        if self.body.as_ref().is_some_and(Body::is_end_stream) {
            return self.ended(None);
        }
        let about = json!({"channel": self.channel});
        let left = Kind::Probe(Probe::new("session", Intent::Forsaken, about));
        self.recording.borrow_mut().add(self.session, Instant::now(), left);
        self.ended(Some("the client left"));
    }
}
