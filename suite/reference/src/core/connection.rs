//! One client's connection: its session, the requests in both directions that have no answer yet, and what the server does when
//! it is called.

use std::collections::BTreeSet;
use std::sync::Arc;
use std::time::{Duration, SystemTime};
use wire::mcp::meta;

use serde_json::Value;

use super::call::Call;
use super::outbox::{Open, Outbox};
use super::output::{Action, Output, Stream};
use super::schedule::{Schedule, What};
use super::server::{Generations, Server, Transport};
use super::task::{ClientTask, Task};
use crate::Revision;
use crate::deviation::Deviation;

/// How long a change waits for its announcement where that is slow.
const ANNOUNCED: Duration = Duration::from_millis(700);

/// Names the subscription that a notification belongs to.
pub(crate) const SUBSCRIPTION_ID: &str = meta::SUBSCRIPTION_ID;

/// The server's side of one connection (stdio), session (legacy HTTP) or request (2026-07-28 over HTTP).
pub struct Connection {
    pub(crate) server: Arc<Server>,
    pub(crate) transport: Transport,
    pub(crate) session: Option<Session>,
    /// Requests of the server that the client has not answered.
    pub(crate) asked: Vec<Asked>,
    pub(crate) listens: Vec<Listen>,
    pub(crate) tasks: Vec<Task>,
    pub(crate) client_tasks: Vec<ClientTask>,
    /// When it began, for dates alone.
    pub(super) began: SystemTime,
    pub(crate) seen: Generations,
    /// Which connection of the server this is: only faults look at it.
    pub(crate) number: u64,
    /// Who is at the other end, where that is known.
    pub(crate) caller: Option<String>,
    pub(super) outbox: Outbox,
    pub(super) schedule: Schedule,
    pub(super) speaks_modern: bool,
    // What follows is remembered for faults alone.
    pub(crate) used_ids: BTreeSet<String>,
    pub(crate) called: bool,
    pub(crate) served_ids: BTreeSet<String>,
    pub(crate) late_cancellations: u32,
    last_request: Duration,
    requests_at_once: u64,
    payloads: u64,
    keys: u64,
    asks: u64,
}

/// The session that `initialize` opened.
#[derive(Debug, Clone)]
pub(crate) struct Session {
    pub(crate) revision: Revision,
    pub(crate) capabilities: Value,
    pub(crate) initialized: bool,
    /// Index into the levels, lowest first.
    pub(crate) log_level: usize,
    /// How often it was set.
    pub(crate) level_changes: u32,
    pub(crate) subscriptions: BTreeSet<String>,
}

/// A request of the server's own, legacy revisions.
#[derive(Debug, Clone)]
pub(crate) struct Asked {
    pub(crate) id: Value,
    pub(crate) method: &'static str,
    /// The call that waits for the answer.
    pub(crate) call: Option<Call>,
    /// Nothing more is asked for after it.
    pub(crate) last: bool,
    /// How often a fault has put off the end of its time.
    pub(crate) extended: u32,
}

/// An open subscriptions/listen, 2026-07-28.
#[derive(Debug, Clone)]
pub(crate) struct Listen {
    pub(crate) call: Call,
    pub(crate) tools: bool,
    pub(crate) prompts: bool,
    /// The list of resources.
    pub(crate) listed: bool,
    pub(crate) resources: Vec<String>,
}

impl Connection {
    /// A connection nothing has been sent on.
    pub fn new(server: Arc<Server>, transport: Transport) -> Self {
        let (seen, number) = {
            let mut state = server.state();
            state.connections += 1;
            (state.generations, state.connections)
        };
        let service = server.service;
        // Streams are named after payloads, and one store for the events of all sessions needs names that differ.
        let payloads = if server.deviates(Deviation::ReplaysOtherSessions) { number * 1_000_000 } else { 0 };
        let mut connection = Self {
            server,
            transport,
            session: None,
            asked: Vec::new(),
            listens: Vec::new(),
            tasks: Vec::new(),
            client_tasks: Vec::new(),
            began: SystemTime::now(),
            seen,
            number,
            caller: None,
            outbox: Outbox::default(),
            schedule: Schedule::default(),
            speaks_modern: false,
            used_ids: BTreeSet::new(),
            called: false,
            served_ids: BTreeSet::new(),
            late_cancellations: 0,
            last_request: Duration::ZERO,
            requests_at_once: 0,
            payloads,
            keys: 0,
            asks: 0,
        };
        service.connection_opened(&mut connection);
        connection
    }

    /// Takes in one payload (a line, the body of a POST) and gives its number.
    pub fn receive(&mut self, bytes: &[u8], now: Duration) -> u64 {
        self.schedule.advance(now);
        self.payloads += 1;
        let payload = self.payloads;
        self.outbox.begin(payload);
        self.take_in(payload, bytes);
        self.outbox.end(payload);
        payload
    }

    /// Returns the outputs that are due by now.
    pub fn poll(&mut self, now: Duration) -> Vec<Output> {
        self.schedule.advance(now);
        self.announce();
        self.take_strays();
        let doom = self.server.state().doom.take();
        if let Some(doom) = doom {
            self.act(doom);
        }
        while let Some(what) = self.schedule.pop_due() {
            self.run(what);
        }
        self.outbox.take()
    }

    /// When [`Connection::poll`] will next have something to do.
    pub fn next_due(&self) -> Option<Duration> {
        self.schedule.next_due()
    }

    /// Whether requests are being worked on that will be answered without anything from the client.
    pub fn is_busy(&self) -> bool {
        self.schedule.is_busy()
    }

    /// How long it is until the last request that is being worked on is answered.
    pub(crate) fn busy_for(&self) -> Option<std::time::Duration> {
        self.schedule.busy_for()
    }

    /// The number of the payload that was taken in last.
    pub(super) fn payloads(&self) -> u64 {
        self.payloads
    }

    /// Takes a handshake for granted: for HTTP without session ids.
    pub(crate) fn assume(&mut self, revision: Revision) {
        let capabilities = Value::Object(serde_json::Map::new());
        self.session = Some(Session {
            revision,
            capabilities,
            initialized: true,
            log_level: 1,
            level_changes: 0,
            subscriptions: BTreeSet::new(),
        });
    }

    /// How many requests have come at about the same time.
    pub(crate) fn burst(&mut self) -> u64 {
        let close = self.now().saturating_sub(self.last_request) < Duration::from_millis(20);
        self.requests_at_once = if close { self.requests_at_once + 1 } else { 0 };
        self.last_request = self.now();
        self.requests_at_once
    }

    /// Takes every request for a modern one: HTTP has looked at its headers.
    pub(crate) fn speak_modern(&mut self) {
        self.speaks_modern = true;
    }

    /// Returns the line end on stdio.
    pub(crate) fn line_end(&self) -> &'static str {
        if self.server.quirk("crlf") { "\r\n" } else { "\n" }
    }

    /// The revision that `initialize` settled.
    pub fn revision(&self) -> Option<Revision> {
        self.session.as_ref().map(|session| session.revision)
    }

    /// The client is gone from a stream: what 2026-07-28 calls a cancellation.
    pub fn drop_stream(&mut self, payload: u64) {
        let open = self.outbox.requests().iter().filter(|open| open.payload == payload);
        let keys: Vec<u64> = open.map(|open| open.key).collect();
        if !keys.is_empty() && self.server.deviates(Deviation::DisconnectsUpsetServer) {
            self.server.state().upset = true;
        }
        if !keys.is_empty() && self.server.deviates(Deviation::DisconnectsUpsetNextRequest) {
            self.server.state().upset_once = true;
        }
        for key in keys {
            if self.server.deviates(Deviation::DisconnectsForgetTasks) {
                self.tasks.retain(|task| task.waiting.iter().all(|call| call.key != key));
            }
            self.abandon(key);
        }
    }

    fn run(&mut self, what: What) {
        let service = self.server.service;
        match what {
            What::Notify(call, method, params) => self.notify_or_stray(&call, method, params),
            What::Finish(call, reply) => self.finish(&call, reply),
            What::Bump(call) => service.bump(self, &call),
            What::Work(call) => self.work(&call),
            What::Expire(id) => self.expire(&id),
            What::Poll(task) => self.poll_client_task(&task),
            What::Announce => service.announce_changes(self),
            What::Toggle => {
                let mut state = self.server.state();
                state.extra_tool ^= true;
                state.generations.tools += 1;
            }
            What::Crash => self.act(Action::Exit(1)),
        }
    }

    /// Says what has changed, now or a while later.
    fn announce(&mut self) {
        if !self.server.quirk("slow-announcements") {
            return self.server.service.announce_changes(self);
        }
        if self.server.state().generations != self.seen && !self.schedule.announces() {
            self.later(ANNOUNCED, None, What::Announce);
        }
    }

    /// The time of the last call from outside.
    pub(crate) fn now(&self) -> Duration {
        self.schedule.now()
    }

    /// Puts something off; it is dropped if the request it belongs to is cancelled meanwhile.
    pub(crate) fn later(&mut self, after: Duration, key: Option<u64>, what: What) {
        self.schedule.add(after, key, what);
    }

    /// Starts the service of a request.
    pub(super) fn open(&mut self, payload: u64, id: &Value) -> u64 {
        self.keys += 1;
        self.outbox.open(Open { key: self.keys, id: id.clone(), payload });
        self.served_ids.insert(id.to_string());
        self.keys
    }

    /// The id of a new request of the server's own.
    pub(crate) fn next_ask(&mut self) -> Value {
        self.asks += 1;
        Value::from(format!("server-{}", self.asks))
    }

    /// Gives up a request without an answer.
    pub(crate) fn abandon(&mut self, key: u64) {
        self.schedule.drop_request(key);
        let listens = self.listens.len();
        self.listens.retain(|listen| listen.call.key != key);
        if self.listens.len() < listens {
            let mut state = self.server.state();
            state.listens = state.listens.saturating_sub(1);
            state.dropped_listen = true;
        }
        self.asked.retain(|asked| asked.call.as_ref().is_none_or(|call| call.key != key));
        self.client_tasks.retain(|task| task.call.key != key);
        self.tasks.iter_mut().for_each(|task| task.waiting.retain(|call| call.key != key));
        self.outbox.close(key);
    }

    /// Gives up the answer to a request, and goes on talking of it.
    pub(crate) fn abandon_silently(&mut self, key: u64) {
        self.schedule.drop_answer(key);
    }

    /// Nothing further is done for a request, which has no answer yet.
    pub(crate) fn abandon_work(&mut self, key: u64) {
        self.schedule.drop_request(key);
    }

    /// The call behind an open request that will end later.
    pub(crate) fn waiting_call(&self, key: u64) -> Option<Call> {
        self.schedule.waiting_call(key)
    }

    /// Every request without an answer.
    pub(crate) fn open_keys(&self) -> Vec<u64> {
        self.outbox.requests().iter().map(|open| open.key).collect()
    }

    /// The key of an open request by the id the client gave it.
    pub(crate) fn open_key(&self, id: &Value) -> Option<u64> {
        self.outbox.requests().iter().find(|open| open.id == *id).map(|open| open.key)
    }

    /// Sends text in answer to a payload, as it is.
    pub(crate) fn say(&mut self, payload: u64, text: String) {
        self.outbox.push(Stream::Answer(payload), Action::Send(text));
    }

    /// Does something that is no message.
    pub(crate) fn act(&mut self, action: Action) {
        self.outbox.push(Stream::Standalone, action);
    }
}
