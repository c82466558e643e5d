//! A session with a server: sending, matching answers with requests, the handshake, and the duties of a client. Judges nothing.

mod ask;
mod client;
mod client_tasks;
mod complaint;
mod dispatch;
mod draft;
mod exchange;
mod head;
mod in_flight;
mod lease;
mod listening;
mod mirror;
mod process;
mod resume;
mod seen;
mod settle;
mod state;
mod stumbling;
mod wait;

use std::cell::{Cell, RefCell};
use std::collections::{HashMap, HashSet};
use std::rc::Rc;
use std::time::Duration;
use wire::mcp::code;

use serde_json::Value;
use tokio::sync::{Notify, mpsc};
use tokio::task::{JoinHandle, spawn_local};
use verdict::probes::values::Reading;
use verdict::record::Named;
use verdict::transcript::{Ending, Kind, Open, Probe};
use verdict::{Era, Intent, Revision, Transport};
use wire::Message;

pub use ask::{Ask, Raw};
pub use client::{ClientBehavior, Profile};
pub use exchange::{Http, Reply};
pub(crate) use head::field_value;
pub use in_flight::RequestOutcome;
pub use process::Family;
pub(crate) use process::{is_slow_to_start, slowest_start};

use crate::Recorder;
use crate::learned::Learned;
use crate::transport::{Inbound, Link};
use in_flight::{Channel, InFlight};
use state::{Endpoint, Health, Lifecycle, Server};

/// A session; cheap to clone. Scenarios that run side by side and the dispatcher share it.
#[derive(Clone, Debug)]
pub struct Session(Rc<Inner>);

#[derive(Debug)]
struct Inner {
    /// Its number in the transcript; another one for each scenario that has the connection.
    id: Cell<u32>,
    /// The number with which the connection was opened.
    first: u32,
    purpose: RefCell<String>,
    /// What the client declares: where each request says so, whoever has the connection.
    profile: Cell<Profile>,
    /// The revision whose client the tester is: of the handshake era the first that it asks for, else that of every request.
    client: Cell<Revision>,
    settings: Settings,
    recorder: Rc<Recorder>,
    link: Link,
    lifecycle: Cell<Lifecycle>,
    server: RefCell<Server>,
    in_flight: RefCell<InFlight>,
    streams: RefCell<resume::Streams>,
    endpoint: Cell<Endpoint>,
    /// The tasks that the server had the tester do.
    client_tasks: client_tasks::ClientTasks,
    /// By tool, the arguments that are repeated in headers.
    mirrors: RefCell<HashMap<String, Vec<mirror::Mirror>>>,
    /// Notified after each message from the server.
    heard: Notify,
    /// A message was found that stands on no line of its own.
    by_objects: Cell<bool>,
    /// Held by the request that waits, where answers can only be told apart by their order.
    turn: tokio::sync::Mutex<()>,
    /// The server is being asked for a sign of life because a request has no answer.
    pulse: Cell<bool>,
    /// Something was asked for that lasts: a log level, a subscription, a task.
    lasting: Cell<bool>,
    /// Requests without an answer since the last one that has one, though the same were answered before.
    missed: Cell<u32>,
    /// The process ended, and everything that it sent is in the transcript.
    exited: Cell<bool>,
    dispatcher: RefCell<Option<JoinHandle<()>>>,
}

/// Sends one message at a time, each followed by a sign of life, and none twice: how the input that crashes a server is found.
#[derive(Clone, Debug, Default)]
pub(crate) struct Bisection {
    /// The probes that were sent already, in this session or an earlier one: intent, details, and text without the id.
    pub(crate) spent: Rc<RefCell<HashSet<String>>>,
    turn: Rc<tokio::sync::Mutex<()>>,
    /// When the run has waited in vain for so long, it is over.
    until: Duration,
}

impl Bisection {
    /// Over when the run has waited in vain for so long.
    pub(crate) fn until(until: Duration) -> Self {
        Self { until, ..Self::default() }
    }

    /// For a further session, which takes turns with nobody.
    pub(crate) fn further(&self) -> Self {
        Self { spent: Rc::clone(&self.spent), turn: Rc::default(), until: self.until }
    }

    /// Whether there is nothing to be found in bounded time.
    pub(crate) fn is_over(&self, learned: &Learned) -> bool {
        learned.vain.spent() > self.until
    }
}

/// How a session was opened; never changes.
#[derive(Debug)]
pub(crate) struct Settings {
    pub(crate) transport: Transport,
    /// Of which revision it begins as a client.
    pub(crate) revision: Revision,
    pub(crate) profile: Profile,
    pub(crate) behavior: ClientBehavior,
    /// The time limit of a request.
    pub(crate) limit: Duration,
    /// The time limit of the first answer.
    pub(crate) start_limit: Duration,
    /// What earlier sessions found out.
    pub(crate) learned: Rc<Learned>,
    /// The user's headers for every HTTP request.
    pub(crate) headers: Vec<(String, String)>,
    /// The command or URL, for messages.
    pub(crate) place: String,
    pub(crate) purpose: String,
    /// A repetition because evidence was ambiguous: nothing is surveyed on it.
    pub(crate) confirm: bool,
    pub(crate) bisection: Option<Bisection>,
    /// Not to be judged as a conversation.
    pub(crate) outside: bool,
}

impl Session {
    pub(crate) fn new(settings: Settings, recorder: Rc<Recorder>, link: Link, inbox: mpsc::Receiver<Inbound>) -> Self {
        let id = recorder.session();
        let revision = settings.revision.is_stateless().then_some(settings.revision);
        let open = Open {
            transport: settings.transport,
            purpose: settings.purpose.clone(),
            revision,
            confirm: settings.confirm,
            outside: settings.outside,
            continues: None,
        };
        recorder.add(id, Kind::Open(open));
        let session = Self(Rc::new(Inner {
            id: Cell::new(id),
            first: id,
            purpose: RefCell::new(settings.purpose.clone()),
            profile: Cell::new(settings.profile),
            client: Cell::new(settings.revision),
            settings,
            recorder,
            link,
            lifecycle: Cell::new(Lifecycle::Open(Health::Alive)),
            server: RefCell::new(Server::new(revision)),
            in_flight: RefCell::default(),
            streams: RefCell::default(),
            endpoint: Cell::default(),
            client_tasks: client_tasks::ClientTasks::default(),
            mirrors: RefCell::default(),
            heard: Notify::new(),
            by_objects: Cell::default(),
            turn: tokio::sync::Mutex::default(),
            pulse: Cell::default(),
            lasting: Cell::default(),
            missed: Cell::default(),
            exited: Cell::default(),
            dispatcher: RefCell::default(),
        }));
        if let Some(reading) = session.0.settings.learned.reading.get() {
            session.0.in_flight.borrow_mut().set_reading(reading);
            session.0.record_reading(reading);
        }
        let task = spawn_local(dispatch::run(Rc::downgrade(&session.0), inbox));
        session.0.dispatcher.replace(Some(task));
        session
    }

    /// Its number in the transcript.
    #[must_use]
    pub fn id(&self) -> u32 {
        self.0.id.get()
    }

    /// The transport.
    #[must_use]
    pub fn transport(&self) -> Transport {
        self.0.settings.transport
    }

    /// How the conversation was opened.
    #[must_use]
    pub fn era(&self) -> Era {
        self.0.client.get().era()
    }

    /// A repetition because evidence was ambiguous: nothing was surveyed on it.
    #[must_use]
    pub fn is_confirm(&self) -> bool {
        self.0.settings.confirm
    }

    /// How many times shorter a request is waited for, since the server never answers what is wrong. A repetition waits as long as ever.
    pub(crate) fn error_haste(&self) -> u32 {
        if self.is_confirm() { 1 } else { self.0.settings.learned.error_haste() }
    }

    /// Whether the server is known to leave everything that is wrong without an answer. A repetition waits for it as long as ever.
    pub(crate) fn gives_no_errors(&self) -> bool {
        !self.is_confirm() && self.0.settings.learned.gives_no_errors()
    }

    /// Whether the server was seen to leave requests without an answer now and then.
    pub(crate) fn loses_answers(&self) -> bool {
        self.0.settings.learned.loses_answers()
    }

    /// How long what is quick as a rule is worth waiting for.
    pub(crate) fn paced(&self, limit: Duration) -> Duration {
        self.0.settings.learned.paced(limit)
    }

    /// The revision in force, once it is known.
    #[must_use]
    pub fn revision(&self) -> Option<Revision> {
        self.0.server.borrow().revision
    }

    /// Returns the capabilities that the server declared.
    #[must_use]
    pub fn capabilities(&self) -> Value {
        self.0.server.borrow().capabilities.clone()
    }

    /// Who the server says it is.
    #[must_use]
    pub fn server(&self) -> Named {
        self.0.server.borrow().identity.clone()
    }

    /// The `Mcp-Session-Id` that the server issued.
    #[must_use]
    pub fn http_session(&self) -> Option<String> {
        self.0.server.borrow().http_session.clone()
    }

    /// The time limit of a request.
    #[must_use]
    pub fn limit(&self) -> Duration {
        self.0.settings.limit
    }

    /// The time limit of the first answer.
    pub(crate) fn start_limit(&self) -> Duration {
        self.0.settings.start_limit.max(self.limit())
    }

    /// The server ended, closed the connection, or no longer answers.
    #[must_use]
    pub fn is_down(&self) -> bool {
        self.0.health() != Health::Alive || self.0.settings.learned.standstill.is_reached()
    }

    /// The server no longer answers, but has not ended.
    pub(crate) fn is_silent(&self) -> bool {
        self.0.health() == Health::Unresponsive
    }

    /// Keeps for all sessions that this one, begun then, could not be opened.
    pub(crate) fn note_unopened(&self, began: std::time::Instant) {
        if self.transport() != Transport::Stdio && !self.0.settings.outside {
            self.0.settings.learned.standstill.note_unopened(began);
        }
    }

    /// Writes intent that belongs to no message into the transcript.
    pub fn record_probe(&self, scenario: &str, intent: Intent, about: Value) {
        self.0.recorder.add(self.0.id.get(), Kind::Probe(Probe::new(scenario, intent, about)));
    }

    /// Ends the session as the specification asks for: closes standard input and waits (stdio), or deletes it (HTTP).
    /// Says after which step a process ended.
    pub async fn close(&self, patience: Duration) -> Ending {
        self.linger().await;
        self.begin_closing();
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
                self.note_hanging_up();
                client.close();
                Ending::Nothing
            }
            Link::Sse(client) => {
                // The same URL may speak Streamable HTTP too, and have opened sessions when it was asked.
                if !self.0.server.borrow().guests.is_empty() {
                    self.delete().await;
                }
                client.close();
                Ending::Nothing
            }
        }
    }

    /// Some servers do not bear that a client leaves.
    fn note_hanging_up(&self) {
        let open = self.0.in_flight.borrow().open_requests();
        for channel in open {
            self.record_probe("session", Intent::HungUp, serde_json::json!({"channel": channel}));
        }
    }

    /// Over HTTP+SSE waits until it is known where to post, or that nothing can be.
    pub(crate) async fn located(&self) {
        let Link::Sse(client) = &self.0.link else { return };
        client.announced().await;
        // The transport knows a moment before it is recorded.
        let recorded = async {
            while client.place().is_some() && self.0.endpoint.get() == Endpoint::Awaited {
                self.0.heard.notified().await;
            }
        };
        let _ = tokio::time::timeout(self.limit(), recorded).await;
        if let Some(refusal) = client.refusal()
            && self.0.endpoint.replace(Endpoint::Refused) != Endpoint::Refused
        {
            self.record_probe("session", Intent::NotAnnounced, serde_json::json!({"why": refusal.name()}));
        }
        if let Some(foreign) = client.foreign()
            && self.0.endpoint.replace(Endpoint::Elsewhere) != Endpoint::Elsewhere
        {
            self.record_probe("session", Intent::NotAnnounced, serde_json::json!({"why": foreign.name()}));
            self.0.record_reading(Reading::Origin);
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

    /// Ends the session; a process ends in the background.
    pub async fn kill(&self) {
        self.linger().await;
        self.begin_closing();
        match &self.0.link {
            Link::Stdio(_) => {
                self.0.worsen(Health::Ended);
                self.see_off();
            }
            Link::Http(_) | Link::Sse(_) => {
                self.close(Duration::ZERO).await;
            }
        }
    }

    /// From here on, whatever ends says nothing about the server.
    fn begin_closing(&self) {
        self.0.lifecycle.set(self.0.lifecycle.get().closing());
    }

    /// A server that closed its output by itself is given the time to say with which status it ended.
    async fn linger(&self) {
        if let Link::Stdio(pipe) = &self.0.link
            && self.0.health() == Health::Ended
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

    /// Whether `server/discover` was answered as 2026-07-28 says, or at least other requests are.
    pub(crate) fn speaks_modern(&self) -> bool {
        self.0.server.borrow().speaks_modern() || self.0.settings.learned.modern.get()
    }

    /// Notes, for this session, that the server was taken to speak 2026-07-28.
    pub(crate) fn note_modern(&self) {
        if !self.0.server.borrow().speaks_modern() {
            self.0.record_reading(Reading::Modern);
        }
    }

    /// Whether the server is known to answer requests of 2026-07-28, and `server/discover` not at all.
    pub(crate) fn is_undiscovered(&self) -> bool {
        self.0.settings.learned.undiscovered.get().is_some()
    }

    /// Notes it if the result of a list is one of 2026-07-28, although `server/discover`, which was sent before, has no answer, and
    /// tells who waits for that.
    pub(crate) fn learn_undiscovered(&self, list: &'static str, result: Option<&Value>) -> bool {
        let modern = self.learn_modern(result);
        if modern {
            self.0.settings.learned.undiscovered.set(Some(list));
            self.0.settings.learned.overtaken.notify_waiters();
        }
        modern
    }

    /// Notes that a result is one of 2026-07-28, although `server/discover` is not answered so.
    pub(crate) fn learn_modern(&self, result: Option<&Value>) -> bool {
        let modern = result.is_some_and(state::is_modern);
        self.0.settings.learned.modern.set(self.0.settings.learned.modern.get() || modern);
        modern
    }

    /// Whether it answers `server/discover`, names other versions alone, and refuses a request of 2026-07-28 over its version:
    /// then it does not speak it.
    pub(crate) async fn disowns_modern(&self) -> bool {
        const UNSUPPORTED: i64 = code::UNSUPPORTED_PROTOCOL_VERSION;
        self.0.server.borrow().declares_only_others_than(self.0.client.get())
            && self.ask("tools/list", serde_json::json!({})).send().await.error_code() == Some(UNSUPPORTED)
    }

    /// Goes on in the revision that was asked for.
    pub(crate) fn assume(&self, version: &str) {
        if let Ok(revision) = version.parse::<Revision>()
            && revision.is_handshake()
        {
            self.0.server.borrow_mut().revision = Some(revision);
            self.record_probe("session", Intent::Negotiated, serde_json::json!({"revision": version, "assumed": true}));
        }
    }

    /// What an earlier session found that the server serves although it declares nothing.
    pub(crate) fn learned_capabilities(&self) -> Option<Value> {
        self.0.settings.learned.capabilities.borrow().clone()
    }

    /// Keeps what the server serves although it declares nothing.
    pub(crate) fn learn_capabilities(&self, found: Value) {
        self.0.settings.learned.capabilities.replace(Some(found));
    }

    /// Goes on as if the server had declared what it serves.
    pub(crate) fn assume_capabilities(&self) {
        let Some(declared) = self.learned_capabilities() else { return };
        self.0.server.borrow_mut().capabilities = declared.clone();
        let about = serde_json::json!({"reading": Reading::Capabilities, "declared": declared});
        self.record_probe("session", Intent::Assumed, about);
    }

    /// Notes what an answer to the opening request tells: capabilities, identity, revision.
    pub(crate) fn settle_opening(&self, message: &Message) -> Option<String> {
        let result = message.result()?;
        self.0.server.borrow_mut().learn(result);
        let version = result.get("protocolVersion").and_then(Value::as_str)?;
        if let Ok(revision) = version.parse::<Revision>()
            && revision.is_handshake()
        {
            self.0.server.borrow_mut().revision = Some(revision);
            self.record_probe("session", Intent::Negotiated, serde_json::json!({"revision": version}));
        }
        Some(version.to_owned())
    }
}

impl Inner {
    fn health(&self) -> Health {
        self.lifecycle.get().health()
    }

    fn worsen(&self, health: Health) {
        self.lifecycle.set(self.lifecycle.get().worsened(health));
        self.heard.notify_waiters();
    }

    fn is_closing(&self) -> bool {
        self.lifecycle.get().is_closing()
    }

    /// Whether each request stands alone, without a handshake.
    fn is_stateless(&self) -> bool {
        self.client.get().is_stateless()
    }
}
