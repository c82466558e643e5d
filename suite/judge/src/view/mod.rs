//! A transcript made readable for rules: sessions, exchanges with their answers, incoming messages, what is offered.

mod build;
mod case;
mod crash;
mod dry;
mod era;
mod explained;
mod failing;
mod idle;
mod index;
mod lost;
mod offer;
mod own;
mod pieces;
mod plain;
mod posted;

pub(crate) use case::clip;
pub use case::{Case, is_unreached};
pub(crate) use dry::Dry;
pub use explained::{called_tool, is_ordinary, key as message_key};
pub(crate) use failing::Failing;
pub(crate) use failing::faltering::Faltering;
pub use failing::{FAILURES, is_failure};
pub(crate) use idle::{ends_properly, has_idled, may_have_idled};
pub use offer::Tool;
pub(crate) use offer::assumed_capabilities;
pub use plain::{LARGE, is_malformed};

use serde_json::Value;
use verdict::probes::values::Reading;
use verdict::transcript::{Event, Exit, Headers, Kind, Open, Probe, Receive, Send};
use verdict::{Intent, Purpose, Revision, Transport};
use wire::mcp::code;
use wire::{Message, Parsed};

use crate::Criteria;

/// The whole run.
#[derive(Debug)]
pub struct View<'t> {
    /// The judged revision.
    pub revision: Revision,
    /// The transport.
    pub transport: Transport,
    /// Every session of ordinary clients, in order of opening, whatever its revision.
    pub sessions: Vec<Session<'t>>,
    /// Sessions in which the tester posed as somebody else: no part of the conversation that is judged.
    pub outsiders: Vec<Session<'t>>,
    /// The server was seen to lose answers now and then: one that is missing decides nothing else.
    pub loses_answers: bool,
    /// From when on everything failed.
    pub(crate) failing: Option<Failing>,
    /// What fails now and then.
    pub(crate) faltering: Option<Faltering>,
    /// From when on calls of tools, and only they, have no answer any more.
    pub(crate) dry: Option<Dry>,
    capabilities: Value,
    tools: Vec<Tool>,
    index: index::Index,
    shown: explained::Shown,
}

/// One conversation.
#[derive(Debug)]
pub struct Session<'t> {
    /// Its number.
    pub id: u32,
    /// How and what for it was opened.
    pub open: &'t Open,
    /// The revision in force: what the handshake settled on, or 2026-07-28 from the start. None until then.
    pub revision: Option<Revision>,
    /// The messages that the tester sent, in order; a batch is one exchange.
    pub exchanges: Vec<Exchange<'t>>,
    /// The messages that the server sent, in order; the elements of a batch stand one by one. Over HTTP+SSE without what is no
    /// message and is not meant as one: the endpoint event, pings, comments, the body that says that a POST was accepted.
    pub incoming: Vec<Incoming<'t>>,
    /// Over HTTP+SSE every frame with `seq`, messages and the rest.
    pub frames: Vec<(u32, &'t Receive)>,
    /// How the process ended, and when (`seq`).
    pub exit: Option<(u32, &'t Exit)>,
    /// `seq` of the end of standard output, when it came before the tester asked the server to end.
    pub closed: Option<u32>,
    /// When the server ended by itself, or stopped answering anything.
    pub fall: Option<Fall>,
    /// Standard error, line by line with `seq`.
    pub stderr: Vec<(u32, &'t str)>,
    /// From its first event to its last.
    pub lasted: std::time::Duration,
    /// When the server was heard last on this connection before another session went on with it: `seq`, and since the run began.
    pub(crate) heard_before: Option<(u32, std::time::Duration)>,
    /// Standard error held bytes that are no UTF-8.
    pub odd_stderr: bool,
    /// Intents that belong to no message, with `seq`.
    pub probes: Vec<(u32, &'t verdict::transcript::Probe)>,
    /// Where the tester ended a session over HTTP: indices into `exchanges`.
    pub deletes: Vec<usize>,
    /// How answers are told apart although their ids are wrong.
    pub reading: Option<Reading>,
    /// On stdio, messages do not stand on lines of their own.
    pub by_objects: bool,
}

/// Something the tester sent and what came back.
#[derive(Debug)]
pub struct Exchange<'t> {
    /// Position in the transcript.
    pub seq: u32,
    /// When it was sent, since the run began. For comparisons alone: never for messages.
    pub at: std::time::Duration,
    /// The message as it was sent, with its probe.
    pub send: &'t Send,
    /// The parsed message.
    pub parsed: Parsed,
    /// Responses to it: indices into `incoming`. More than one is a finding unless it is a batch.
    pub answers: Vec<usize>,
    /// Errors with a null or absent id that can only mean this: indices into `incoming`.
    pub unmatched: Vec<usize>,
    /// The head of the HTTP response.
    pub status: Option<(u16, &'t Headers)>,
    /// Over HTTP the end of the response.
    pub closed: Option<Closed<'t>>,
    /// `seq` of when the tester dropped the connection without waiting for the response.
    pub aborted: Option<u32>,
    /// `seq` of the notification with which the tester cancelled it.
    pub cancelled: Option<u32>,
    /// `seq` of when the time limit passed before an answer came, if one came at all.
    pub gave_up: Option<u32>,
    /// It failed as everything did from some point on, with nothing to say of this message.
    pub failing: bool,
    /// It or its answer was lost by a defect that other messages show: that it has none decides nothing.
    pub lost: bool,
    /// How it ended.
    pub end: ExchangeEnd,
}

/// The header that names a session.
pub(crate) const SESSION_ID: &str = "mcp-session-id";

impl<'t> Exchange<'t> {
    /// Notes that it or its answer was lost by a defect that other messages show, unless it has one.
    fn note_lost(&mut self) {
        if self.is_unanswered() {
            self.end = ExchangeEnd::Open;
            self.lost = true;
        }
    }

    fn is_unanswered(&self) -> bool {
        self.answers.is_empty() && self.unmatched.is_empty()
    }

    /// Over HTTP the session that the request names.
    pub(crate) fn session_id(&self) -> Option<&'t str> {
        let mut headers = self.send.headers.iter();
        headers.find(|(name, _)| name.eq_ignore_ascii_case(SESSION_ID)).map(|(_, id)| id.as_str())
    }
}

/// The end of an HTTP response: of its body, or of the connection.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Closed<'t> {
    /// Position in the transcript.
    pub seq: u32,
    /// Why, when it did not end properly. The words are those of the operating system: not for messages.
    pub fault: Option<&'t str>,
}

/// The end of a server that nobody asked for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Fall {
    /// From here on in the transcript nothing comes any more.
    pub seq: u32,
    /// The process ended, or closed its output; else it only stopped answering.
    pub ended: bool,
    /// When that was, since the run began; of a server that stopped answering, when it was heard last.
    pub at: std::time::Duration,
}

/// How an exchange ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ExchangeEnd {
    /// A response came (or, over HTTP, a status without one).
    Answered,
    /// The full time limit passed.
    GaveUp,
    /// No response, but a later liveness request was answered and a grace passed.
    Settled,
    /// The server ended or broke the connection first; `alone` if nothing else was outstanding, so that this was the cause.
    Gone {
        /// Nothing else was outstanding.
        alone: bool,
    },
    /// The transcript ends before anything is known.
    Open,
}

/// One message from the server, or one unreadable frame.
#[derive(Debug)]
pub struct Incoming<'t> {
    /// Position in the transcript of the frame it came in.
    pub seq: u32,
    /// When that was read, since the run began. For comparisons alone: never for messages.
    pub at: std::time::Duration,
    /// The frame.
    pub receive: &'t Receive,
    /// The frame, parsed; shared by the elements of a batch through `element`.
    pub parsed: std::sync::Arc<Parsed>,
    /// Which element of a batch this is.
    pub element: Option<usize>,
    /// The exchange it answers: an index into `exchanges`.
    pub answers: Option<usize>,
}

/// Whether an HTTP status says what came of something: over HTTP+SSE that a POST was accepted says nothing.
fn answers(transport: Transport, send: &Send, status: u16) -> bool {
    transport != Transport::Sse || status >= 400 || send.http.as_deref() != Some("POST")
}

/// Whether the tester notes here that it understands the server in this way.
fn is_noted(event: &Event, reading: Reading) -> bool {
    matches!(&event.kind, Kind::Probe(probe) if is_assumed(probe, reading))
}

/// Whether there is an error that comes from where requests are answered: a server may have been taken to give none before.
fn gives_errors(sessions: &[Session<'_>]) -> bool {
    let codes = sessions.iter().flat_map(|session| &session.incoming).filter_map(Incoming::message);
    codes.filter_map(Message::error_code).any(|code| !code::is_from_intake(code))
}

/// Whether the tester notes that it understands the server in this way.
pub(crate) fn is_assumed(probe: &Probe, reading: Reading) -> bool {
    probe.intent == Intent::Assumed && probe.value() == Some(reading)
}

/// Whether text holds JSON-RPC messages.
pub(crate) fn is_jsonrpc(text: &str) -> bool {
    let parsed = wire::parse(text.as_bytes(), &wire::Limits::default());
    parsed.messages().iter().any(|message| message.member("jsonrpc").is_some())
}

impl<'t> Session<'t> {
    /// Answers `server/discover` in a session of the handshake revisions.
    fn is_foreign(&self, incoming: &Incoming<'t>) -> bool {
        let asked = incoming.answers.and_then(|at| self.exchanges.get(at));
        self.revision.is_some_and(Revision::is_handshake)
            && asked.is_some_and(|exchange| {
                exchange.parsed.messages().iter().any(|message| message.method() == Some("server/discover"))
            })
    }
}

impl<'t> View<'t> {
    /// Reads a transcript.
    #[must_use]
    pub fn new(events: &'t [Event], criteria: &Criteria) -> Self {
        let build::Built { sessions, shown, failing, faltering, dry } = build::sessions(events);
        let (outsiders, sessions) = sessions.into_iter().partition(|session| session.open.outside);
        let mut view = Self {
            revision: criteria.revision,
            transport: criteria.transport,
            sessions,
            outsiders,
            loses_answers: false,
            failing,
            faltering,
            dry,
            capabilities: Value::Null,
            tools: Vec::new(),
            index: index::Index::default(),
            shown,
        };
        let noted = |reading| events.iter().any(|event| is_noted(event, reading));
        view.loses_answers = noted(Reading::Losses) || noted(Reading::NoErrors) && !gives_errors(&view.sessions);
        view.index = index::Index::of(&view);
        view.capabilities = offer::capabilities(&view);
        view.tools = offer::tools(&view);
        view
    }

    /// The exchange at a position in the transcript, in whichever session.
    pub(crate) fn case_at<'v>(&'v self, seq: u32) -> Option<Case<'v>> {
        let sessions = self.sessions.iter().chain(&self.outsiders);
        let mut all = sessions.flat_map(|session| session.exchanges.iter().map(move |exchange| (session, exchange)));
        let (session, exchange) = all.find(|(_, exchange)| exchange.seq == seq)?;
        Some(Case { view: self, session, exchange })
    }

    /// The sessions that had the connection of this one, itself first, and last the one that opened it.
    pub(crate) fn connection<'v>(&'v self, session: &'v Session<'t>) -> impl Iterator<Item = &'v Session<'t>> {
        let before = |session: &Session<'_>| session.open.continues.filter(|before| *before < session.id);
        std::iter::successors(Some(session), move |session| {
            let before = before(session)?;
            self.sessions.iter().chain(&self.outsiders).find(|other| other.id == before)
        })
    }

    /// The sessions that had the connection of this one afterwards, one after the other.
    pub(crate) fn continued<'v>(&'v self, session: &'v Session<'t>) -> impl Iterator<Item = &'v Session<'t>> {
        let after = |session: &Session<'_>| {
            let id = session.id;
            let mut all = self.sessions.iter().chain(&self.outsiders);
            all.find(|other| other.open.continues == Some(id) && other.id > id)
        };
        std::iter::successors(after(session), move |session| after(session))
    }

    /// The session in which the connection of this one was opened: mostly itself.
    pub(crate) fn origin<'v>(&'v self, session: &'v Session<'t>) -> &'v Session<'t> {
        self.connection(session).last().unwrap_or(session)
    }

    /// Sessions in the judged revision: the only ones that ordinary rules may look at. Those in which a server is sent what
    /// no client sends are not among them.
    pub fn judged(&self) -> impl Iterator<Item = &Session<'t>> {
        self.sessions.iter().filter(|session| self.judges(session))
    }

    fn judges(&self, session: &Session<'_>) -> bool {
        session.revision == Some(self.revision) && !session.is_robust()
    }

    /// Sessions in the judged revision in which a server is sent what no client sends.
    pub fn robust(&self) -> impl Iterator<Item = &Session<'t>> {
        self.sessions.iter().filter(|session| session.revision == Some(self.revision) && session.is_robust())
    }

    /// Every exchange of the judged sessions.
    pub fn cases(&self) -> impl Iterator<Item = Case<'_>> {
        self.judged().flat_map(move |session| self.cases_of(session))
    }

    /// Every exchange of one session.
    pub(crate) fn cases_of<'v>(&'v self, session: &'v Session<'t>) -> impl Iterator<Item = Case<'v>> {
        session.exchanges.iter().map(move |exchange| Case { view: self, session, exchange })
    }

    /// Exchanges of the judged sessions whose probe has this intent.
    pub fn probes(&self, intent: Intent) -> impl Iterator<Item = Case<'_>> {
        self.index.probes(intent).iter().filter_map(|at| self.case(*at))
    }

    /// Requests of one method in the judged sessions.
    pub fn calls<'v>(&'v self, method: &'v str) -> impl Iterator<Item = Case<'v>> {
        self.index.calls(method).iter().filter_map(|at| self.case(*at))
    }

    fn case(&self, (session, exchange): index::Place) -> Option<Case<'_>> {
        let session = self.sessions.get(session)?;
        session.exchanges.get(exchange).map(|exchange| Case { view: self, session, exchange })
    }

    /// Every message that the server sent in the judged sessions, unreadable frames included; what answers a question of the
    /// other era, asked before the handshake, belongs to that one.
    pub fn incoming(&self) -> impl Iterator<Item = (&Session<'t>, &Incoming<'t>)> {
        let own = |session: &'_ Session<'t>, incoming: &Incoming<'t>| !session.is_foreign(incoming);
        self.judged().flat_map(move |session| {
            let kept = session.incoming.iter().filter(move |incoming| own(session, incoming));
            kept.map(move |incoming| (session, incoming))
        })
    }

    /// Returns the capabilities that the server declared in the judged revision: those of its initialize or server/discover result.
    #[must_use]
    pub fn capabilities(&self) -> &Value {
        &self.capabilities
    }

    /// Whether a dotted capability is declared: present and an object, or `true`.
    #[must_use]
    pub fn declares(&self, capability: &str) -> bool {
        let found = capability.split('.').try_fold(&self.capabilities, |value, part| value.get(part));
        found.is_some_and(|value| value.is_object() || *value == Value::Bool(true))
    }

    /// Whether any result of this method has a member of this name: where none has, its lack tells nothing of whose result it is.
    pub(crate) fn gives(&self, method: &str, member: &str) -> bool {
        let named = |case: &Case<'_>| case.result().is_some_and(|result| result.get(member).is_some());
        self.cases().filter(|case| case.method() == Some(method)).any(|case| named(&case))
    }

    /// Whether a `needs` entry of the catalogue is known to be missing. Needs that are no capabilities are for rules.
    #[must_use]
    pub fn lacks(&self, need: &str) -> bool {
        const CAPABILITIES: [&str; 6] = ["tools", "resources", "prompts", "completions", "logging", "tasks"];
        let area = need.split('.').next().unwrap_or(need);
        self.capabilities.is_object()
            && CAPABILITIES.contains(&area)
            && self.capabilities_know(area)
            && !self.declares(need)
    }

    /// 2024-11-05 has no `completions` capability, so its absence means nothing there.
    fn capabilities_know(&self, area: &str) -> bool {
        area != "completions" || self.revision.traits().completions_capability
    }

    /// The tools of the first complete walk of `tools/list`, by order of appearance, repeated names included.
    #[must_use]
    pub fn tools(&self) -> &[Tool] {
        &self.tools
    }

    /// A listed tool.
    #[must_use]
    pub fn tool(&self, name: &str) -> Option<&Tool> {
        self.tools.iter().find(|tool| tool.name == name)
    }
}

impl Session<'_> {
    /// Whether what was outstanding when it fell was sent to a fresh process, which survived it.
    pub(crate) fn is_unrepeated(&self) -> bool {
        self.probes.iter().any(|(_, probe)| probe.intent == Intent::Unrepeated)
    }

    /// Whether it was found out that malformed input felled it.
    pub(crate) fn is_found(&self) -> bool {
        !self.open.confirm && self.probes.iter().any(|(_, probe)| probe.intent == Intent::Reproduced)
    }

    fn is_robust(&self) -> bool {
        self.open.is_for(Purpose::Robust)
    }
}

impl Incoming<'_> {
    /// The message, unless the frame could not be read.
    #[must_use]
    pub fn message(&self) -> Option<&Message> {
        match (&self.parsed.content, self.element) {
            (wire::Content::One(message), _) => Some(message),
            (wire::Content::Batch(messages), Some(at)) => messages.get(at),
            _ => None,
        }
    }

    /// The method, for requests and notifications.
    #[must_use]
    pub fn method(&self) -> Option<&str> {
        self.message().and_then(Message::method)
    }

    /// A response or error.
    #[must_use]
    pub fn is_answer(&self) -> bool {
        self.message().is_some_and(|message| matches!(message.kind, wire::Kind::Response | wire::Kind::Error))
    }

    /// The frame as a line of evidence.
    #[must_use]
    pub fn wire(&self) -> String {
        format!("< {}", case::clip(&self.receive.text))
    }
}
