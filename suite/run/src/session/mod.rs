//! A conversation with a server: ids, pending requests, the handshake, and the duties of a client. Judges nothing.

mod ask;
mod client;
mod client_tasks;
mod complaint;
mod dispatch;
mod draft;
mod exchange;
mod head;
mod mirror;
mod process;
mod resume;
mod seen;
mod settle;

use std::cell::{Cell, RefCell};
use std::collections::{HashMap, HashSet};
use std::rc::Rc;
use std::time::{Duration, Instant};
use wire::mcp::code;
use wire::mcp::meta;

use serde_json::Value;
use tokio::sync::{Notify, mpsc, oneshot};
use tokio::task::{JoinHandle, spawn_local};
use verdict::record::Named;
use verdict::transcript::{Ending, Kind, Open, Probe};
use verdict::{Era, Intent, Revision, Transport};
use wire::{IdKey, Message};

pub use ask::{Ask, Raw, RequestOutcome};
pub use client::{ClientBehavior, Profile};
pub use exchange::{Http, Reply};
pub(crate) use head::field_value;
pub use process::Family;

use crate::Recorder;
use crate::transport::{Inbound, Link};

/// A conversation; cheap to clone.
#[derive(Clone, Debug)]
pub struct Session(Rc<Inner>);

#[derive(Debug)]
struct Inner {
    id: u32,
    place: String,
    confirm: bool,
    transport: Transport,
    era: Era,
    profile: Profile,
    behavior: ClientBehavior,
    /// What the server had the tester do as tasks.
    client_tasks: client_tasks::ClientTasks,
    recorder: Rc<Recorder>,
    link: Link,
    limit: Duration,
    extra_headers: Vec<(String, String)>,
    revision: Cell<Option<Revision>>,
    capabilities: RefCell<Value>,
    server: RefCell<Named>,
    http_session: RefCell<Option<String>>,
    /// Sessions that the server opened for outsiders; ended with this one.
    guests: RefCell<Vec<String>>,
    next_id: Cell<i64>,
    next_channel: Cell<u32>,
    pending: RefCell<HashMap<IdKey, Pending>>,
    /// The id of the request whose answer came last, and when.
    answered_last: Cell<Option<(i64, Instant)>>,
    channels: RefCell<HashMap<u32, Channel>>,
    streams: resume::Streams,
    modern: Cell<bool>,
    /// Its `supportedVersions` name other versions alone.
    unlisted: Cell<bool>,
    down: Cell<bool>,
    stuck: Cell<bool>,
    /// How much was sent, and how much of it is known to be settled.
    sent: Cell<u64>,
    settled: Cell<u64>,
    closing: Cell<bool>,
    /// Over HTTP+SSE the transcript has the endpoint event.
    placed: Cell<bool>,
    /// Over HTTP+SSE it has been told that nothing can be posted.
    unplaced: Cell<bool>,
    mirrors: RefCell<HashMap<String, Vec<mirror::Mirror>>>,
    noise: Cell<u32>,
    heard: Notify,
    bisection: Option<Bisection>,
    dispatcher: RefCell<Option<JoinHandle<()>>>,
}

/// A request on stdio, or over HTTP+SSE, that has no answer yet.
#[derive(Debug)]
struct Pending {
    waiting: oneshot::Sender<RequestOutcome>,
    /// Nothing is wrong with its envelope, so that an answer may be expected.
    owed: bool,
}

/// One HTTP exchange that is under way.
#[derive(Debug, Default)]
struct Channel {
    key: Option<IdKey>,
    waiting: Option<oneshot::Sender<RequestOutcome>>,
    status: Option<u16>,
    closed: bool,
    /// Sent as by somebody else: what comes back is not about this session.
    outsider: bool,
}

/// One thing at a time, each followed by a sign of life, nothing twice: how the input that fells a server is found.
#[derive(Clone, Debug, Default)]
pub(crate) struct Bisection {
    /// What was sent already, in this session or an earlier one.
    pub(crate) spent: Rc<RefCell<HashSet<String>>>,
    turn: Rc<tokio::sync::Mutex<()>>,
}

/// What a session is made of.
pub(crate) struct Parts {
    pub(crate) transport: Transport,
    pub(crate) era: Era,
    pub(crate) profile: Profile,
    pub(crate) behavior: ClientBehavior,
    pub(crate) recorder: Rc<Recorder>,
    pub(crate) limit: Duration,
    pub(crate) headers: Vec<(String, String)>,
    /// The command or URL, for messages.
    pub(crate) place: String,
    pub(crate) purpose: String,
    pub(crate) confirm: bool,
    pub(crate) bisection: Option<Bisection>,
    /// Not to be judged as a conversation.
    pub(crate) outside: bool,
}

impl Session {
    pub(crate) fn new(parts: Parts, link: Link, inbox: mpsc::Receiver<Inbound>) -> Self {
        let id = parts.recorder.session();
        let revision = (parts.era == Era::Stateless).then_some(Revision::LATEST);
        let open = Open {
            transport: parts.transport,
            purpose: parts.purpose,
            revision,
            confirm: parts.confirm,
            outside: parts.outside,
        };
        parts.recorder.add(id, Kind::Open(open));
        let session = Self(Rc::new(Inner {
            id,
            place: parts.place,
            confirm: parts.confirm,
            transport: parts.transport,
            era: parts.era,
            profile: parts.profile,
            behavior: parts.behavior,
            client_tasks: client_tasks::ClientTasks::default(),
            recorder: parts.recorder,
            link,
            limit: parts.limit,
            extra_headers: parts.headers,
            revision: Cell::new(revision),
            capabilities: RefCell::default(),
            server: RefCell::default(),
            http_session: RefCell::default(),
            guests: RefCell::default(),
            next_id: Cell::new(1),
            next_channel: Cell::new(1),
            pending: RefCell::default(),
            answered_last: Cell::default(),
            channels: RefCell::default(),
            streams: resume::Streams::default(),
            modern: Cell::default(),
            unlisted: Cell::default(),
            down: Cell::default(),
            stuck: Cell::default(),
            sent: Cell::default(),
            settled: Cell::default(),
            closing: Cell::default(),
            placed: Cell::default(),
            unplaced: Cell::default(),
            mirrors: RefCell::default(),
            noise: Cell::default(),
            heard: Notify::new(),
            bisection: parts.bisection,
            dispatcher: RefCell::default(),
        }));
        let task = spawn_local(dispatch::run(Rc::downgrade(&session.0), inbox));
        session.0.dispatcher.replace(Some(task));
        session
    }

    /// Its number in the transcript.
    #[must_use]
    pub fn id(&self) -> u32 {
        self.0.id
    }

    /// Its number in the transcript.
    #[must_use]
    pub fn number(&self) -> u32 {
        self.0.id
    }

    /// The transport.
    #[must_use]
    pub fn transport(&self) -> Transport {
        self.0.transport
    }

    /// How the conversation was opened.
    #[must_use]
    pub fn era(&self) -> Era {
        self.0.era
    }

    /// A repetition because evidence was ambiguous: nothing was surveyed on it.
    #[must_use]
    pub fn is_confirm(&self) -> bool {
        self.0.confirm
    }

    /// The revision in force, once it is known.
    #[must_use]
    pub fn revision(&self) -> Option<Revision> {
        self.0.revision.get()
    }

    /// What the server declared.
    #[must_use]
    pub fn capabilities(&self) -> Value {
        self.0.capabilities.borrow().clone()
    }

    /// Who the server says it is.
    #[must_use]
    pub fn server(&self) -> Named {
        self.0.server.borrow().clone()
    }

    /// The `Mcp-Session-Id` that the server issued.
    #[must_use]
    pub fn http_session(&self) -> Option<String> {
        self.0.http_session.borrow().clone()
    }

    /// The time limit of a request.
    #[must_use]
    pub fn limit(&self) -> Duration {
        self.0.limit
    }

    /// The server ended, closed the connection, or no longer answers.
    #[must_use]
    pub fn is_down(&self) -> bool {
        self.0.down.get() || self.0.stuck.get()
    }

    /// Writes intent that belongs to no message into the transcript.
    pub fn record_probe(&self, scenario: &str, intent: Intent, about: Value) {
        self.0.recorder.add(self.0.id, Kind::Probe(Probe::new(scenario, intent, about)));
    }

    /// Ends the session as the specification asks for: closes standard input and waits (stdio), or deletes it (HTTP).
    /// Says after which step a process ended.
    pub async fn close(&self, patience: Duration) -> Ending {
        self.linger().await;
        self.0.closing.set(true);
        match &self.0.link {
            Link::Stdio(pipe) => {
                let ending = pipe.end(patience).await;
                self.drained().await;
                ending
            }
            Link::Http(client) => {
                if !self.is_down() {
                    self.delete().await;
                }
                client.close();
                Ending::Nothing
            }
            Link::Sse(client) => {
                // The same URL may speak Streamable HTTP too, and have opened sessions when it was asked.
                if !self.0.guests.borrow().is_empty() {
                    self.delete().await;
                }
                client.close();
                Ending::Nothing
            }
        }
    }

    /// Over HTTP+SSE waits until it is known where to post, or that nothing can be.
    pub(crate) async fn located(&self) {
        let Link::Sse(client) = &self.0.link else { return };
        client.announced().await;
        // The transport knows a moment before it is recorded.
        let recorded = async {
            while client.place().is_some() && !self.0.placed.get() {
                self.0.heard.notified().await;
            }
        };
        let _ = tokio::time::timeout(self.0.limit, recorded).await;
        if let Some(refusal) = client.refusal()
            && !self.0.unplaced.replace(true)
        {
            self.record_probe("session", Intent::NotAnnounced, serde_json::json!({"why": refusal.name()}));
        }
    }

    /// Over HTTP+SSE path and query of the stream.
    #[must_use]
    pub fn stream_path(&self) -> Option<String> {
        if let Link::Sse(client) = &self.0.link { Some(client.path()) } else { None }
    }

    /// Over HTTP+SSE path and query that messages are posted to.
    #[must_use]
    pub fn place(&self) -> Option<String> {
        if let Link::Sse(client) = &self.0.link { client.place() } else { None }
    }

    /// Over HTTP+SSE the channel of the stream.
    #[must_use]
    pub fn stream(&self) -> Option<u32> {
        if let Link::Sse(client) = &self.0.link { client.stream() } else { None }
    }

    /// Ends the session at once.
    pub async fn kill(&self) {
        self.linger().await;
        self.0.closing.set(true);
        match &self.0.link {
            Link::Stdio(pipe) => pipe.force().await,
            Link::Http(_) | Link::Sse(_) => {
                self.close(Duration::ZERO).await;
            }
        }
    }

    /// A server that closed its output by itself is given the time to say with which status it ended.
    async fn linger(&self) {
        if let Link::Stdio(pipe) = &self.0.link
            && self.0.down.get()
        {
            pipe.linger().await;
        }
    }

    /// Waits until the dispatcher has recorded the end of the process.
    pub(crate) async fn drained(&self) {
        let task = self.0.dispatcher.borrow_mut().take();
        if let Some(task) = task {
            let _ = tokio::time::timeout(Duration::from_secs(1), task).await;
        }
    }

    /// `server/discover` was answered as 2026-07-28 says.
    pub(crate) fn speaks_modern(&self) -> bool {
        self.0.modern.get()
    }

    /// Whether it answers `server/discover`, names other versions alone, and refuses a request of 2026-07-28 over its version:
    /// then it does not speak it.
    pub(crate) async fn disowns_modern(&self) -> bool {
        const UNSUPPORTED: i64 = code::UNSUPPORTED_PROTOCOL_VERSION;
        self.0.unlisted.get()
            && self.ask("tools/list", serde_json::json!({})).send().await.error_code() == Some(UNSUPPORTED)
    }

    /// Goes on in the revision that was asked for.
    pub(crate) fn assume(&self, version: &str) {
        if let Ok(revision) = version.parse::<Revision>()
            && revision.is_handshake()
        {
            self.0.revision.set(Some(revision));
            self.record_probe("session", Intent::Negotiated, serde_json::json!({"revision": version, "assumed": true}));
        }
    }

    fn learn(&self, result: &Value) {
        if let Some(capabilities) = result.get("capabilities") {
            self.0.capabilities.replace(capabilities.clone());
        }
        let meta = result.get("_meta").and_then(|meta| meta.get(meta::SERVER_INFO));
        if let Some(info) = result.get("serverInfo").or(meta) {
            let text = |name: &str| info.get(name).and_then(Value::as_str).unwrap_or_default().to_owned();
            self.0.server.replace(Named { name: text("name"), version: text("version") });
        }
    }

    /// Notes what an answer to the opening request tells: capabilities, identity, revision.
    pub(crate) fn settle_opening(&self, message: &Message) -> Option<String> {
        let result = message.result()?;
        self.learn(result);
        let versions = result.get("supportedVersions").and_then(Value::as_array);
        self.0.modern.set(versions.is_some());
        let latest = Value::from(Revision::LATEST.as_str());
        self.0.unlisted.set(versions.is_some_and(|versions| !versions.is_empty() && !versions.contains(&latest)));
        let version = result.get("protocolVersion").and_then(Value::as_str)?;
        if let Ok(revision) = version.parse::<Revision>()
            && revision.is_handshake()
        {
            self.0.revision.set(Some(revision));
            self.record_probe("session", Intent::Negotiated, serde_json::json!({"revision": version}));
        }
        Some(version.to_owned())
    }
}
