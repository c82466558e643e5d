//! A session with a server: sending, matching answers with requests, the handshake, and the duties of a client. Judges nothing.

mod alike;
mod ask;
mod bisection;
mod client;
mod client_tasks;
mod closing;
mod complaint;
mod dispatch;
mod draft;
mod endpoint;
mod exchange;
mod head;
mod in_flight;
mod known;
mod lease;
mod listening;
mod mirror;
mod page;
mod patience;
mod process;
mod resume;
mod seen;
mod settle;
mod state;
mod stumbling;
mod wait;

use std::cell::{Cell, RefCell};
use std::collections::HashMap;
use std::rc::Rc;
use std::time::Duration;

use serde_json::Value;
use tokio::sync::{Notify, mpsc};
use tokio::task::{JoinHandle, spawn_local};
use verdict::record::Named;
use verdict::transcript::{Kind, Open, Probe};
use verdict::{Era, Intent, Revision, Transport};

pub use ask::{Ask, Raw};
pub(crate) use bisection::Bisection;
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
    last_answer: alike::LastAnswer,
    /// What is said on it is not judged as a conversation.
    outside: Cell<bool>,
    /// It is a repetition.
    confirm: Cell<bool>,
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
            outside: Cell::new(settings.outside),
            confirm: Cell::new(settings.confirm),
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
            last_answer: alike::LastAnswer::default(),
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
        self.0.confirm.get()
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
        self.has_failed() || self.0.settings.learned.standstill.is_reached()
    }

    /// As far as was seen in this session, whatever became of others.
    pub(crate) fn has_failed(&self) -> bool {
        self.0.health() != Health::Alive
    }

    /// The server no longer answers, but has not ended.
    pub(crate) fn is_silent(&self) -> bool {
        self.0.health() == Health::Unresponsive
    }

    /// Keeps for all sessions that this one, begun then, could not be opened.
    pub(crate) fn note_unopened(&self, began: std::time::Instant) {
        if self.transport() != Transport::Stdio && !self.0.outside.get() {
            self.0.settings.learned.standstill.note_unopened(began);
        }
    }

    /// Writes intent that belongs to no message into the transcript.
    pub fn record_probe(&self, scenario: &str, intent: Intent, about: Value) {
        self.0.recorder.add(self.0.id.get(), Kind::Probe(Probe::new(scenario, intent, about)));
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
