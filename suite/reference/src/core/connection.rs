//! One client's connection: its session, the requests it has open, and what is still to be sent, in order of time.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;
use std::time::{Duration, SystemTime};

use serde_json::Value;

use super::call::{Call, Reply};
use super::emit::{About, Kind};
use super::errands::Errand;
use super::output::{Action, Output, Stream};
use super::server::{Generations, Server, Stray, Transport};
use super::tasks::{RELATED, Task};
use crate::Revision;

/// The server's side of one connection (stdio), session (legacy HTTP) or request (2026-07-28 over HTTP).
pub struct Connection {
    pub(crate) server: Arc<Server>,
    pub(crate) transport: Transport,
    pub(crate) session: Option<Session>,
    pub(crate) asked: Vec<Asked>,
    pub(crate) listens: Vec<Listen>,
    pub(crate) tasks: Vec<Task>,
    pub(crate) errands: Vec<Errand>,
    /// When it began, for dates alone.
    pub(super) began: SystemTime,
    pub(crate) seen: Generations,
    /// Which connection of the server this is: only faults look at it.
    pub(crate) number: u64,
    /// Who is at the other end, where that is known.
    pub(crate) caller: Option<String>,
    pub(super) outbox: Vec<Output>,
    pub(super) batches: BTreeMap<u64, Vec<String>>,
    pub(super) open: Vec<Open>,
    pub(super) last_id: Value,
    /// The payload being taken in: it may have more in it to answer.
    taking: Option<u64>,
    pub(super) speaks_modern: bool,
    // What follows is remembered for the sake of faults alone.
    pub(crate) used_ids: BTreeSet<String>,
    pub(crate) called: bool,
    pub(crate) served_ids: BTreeSet<String>,
    last_request: Duration,
    requests_at_once: u64,
    now: Duration,
    queue: Vec<Due>,
    payloads: u64,
    keys: u64,
    asks: u64,
}

/// What `initialize` settled.
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

/// A request that has no answer yet.
#[derive(Debug)]
pub(super) struct Open {
    pub(super) key: u64,
    pub(super) id: Value,
    pub(super) payload: u64,
}

struct Due {
    at: Duration,
    key: Option<u64>,
    what: What,
}

/// What can be put off.
pub(crate) enum What {
    Notify(Box<Call>, &'static str, Value),
    Finish(Box<Call>, Reply),
    /// Adds one to the counter, and says that it is done.
    Bump(Box<Call>),
    /// Begins to work on a task.
    Work(Box<Call>),
    /// The client has had long enough to answer the request with this id.
    Expire(Value),
    /// Asks the client how far it is with the task of this id.
    Poll(String),
}

impl Connection {
    /// A connection nothing has been sent on.
    pub fn new(server: Arc<Server>, transport: Transport) -> Self {
        let (seen, number) = {
            let mut state = server.state();
            state.connections += 1;
            (state.generations, state.connections)
        };
        let mut connection = Self {
            server,
            transport,
            session: None,
            asked: Vec::new(),
            listens: Vec::new(),
            tasks: Vec::new(),
            errands: Vec::new(),
            began: SystemTime::now(),
            seen,
            number,
            caller: None,
            outbox: Vec::new(),
            batches: BTreeMap::new(),
            open: Vec::new(),
            last_id: Value::Null,
            taking: None,
            speaks_modern: false,
            used_ids: BTreeSet::new(),
            called: false,
            served_ids: BTreeSet::new(),
            last_request: Duration::ZERO,
            requests_at_once: 0,
            now: Duration::ZERO,
            queue: Vec::new(),
            payloads: 0,
            keys: 0,
            asks: 0,
        };
        connection.opened();
        connection
    }

    /// Takes in one payload (a line, the body of a POST) and gives its number.
    pub fn receive(&mut self, bytes: &[u8], now: Duration) -> u64 {
        self.now = self.now.max(now);
        self.payloads += 1;
        let payload = self.payloads;
        self.taking = Some(payload);
        self.take_in(payload, bytes);
        self.taking = None;
        self.end_if_answered(payload);
        payload
    }

    /// What is to be done by now.
    pub fn poll(&mut self, now: Duration) -> Vec<Output> {
        self.now = self.now.max(now);
        self.announce_changes();
        self.take_strays();
        let doom = self.server.state().doom.take();
        if let Some(doom) = doom {
            self.act(doom);
        }
        while let Some(index) = self.first_due() {
            if self.queue[index].at > self.now {
                break;
            }
            let due = self.queue.remove(index);
            self.run(due.what);
        }
        std::mem::take(&mut self.outbox)
    }

    /// When [`Connection::poll`] will next have something to do.
    pub fn next_due(&self) -> Option<Duration> {
        self.first_due().map(|index| self.queue[index].at)
    }

    /// Whether requests are being worked on that will be answered without anything from the client.
    pub fn is_busy(&self) -> bool {
        !self.queue.iter().all(|due| match &due.what {
            What::Expire(_) | What::Poll(_) | What::Work(_) => true,
            What::Notify(call, ..) | What::Finish(call, _) | What::Bump(call) => call.task.is_some(),
        })
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
        let close = self.now.saturating_sub(self.last_request) < Duration::from_millis(5);
        self.requests_at_once = if close { self.requests_at_once + 1 } else { 0 };
        self.last_request = self.now;
        self.requests_at_once
    }

    /// Takes every request for a modern one: HTTP has looked at its headers.
    pub(crate) fn speak_modern(&mut self) {
        self.speaks_modern = true;
    }

    /// What ends a line on stdio.
    pub(crate) fn line_end(&self) -> &'static str {
        if self.server.quirk("crlf") { "\r\n" } else { "\n" }
    }

    /// The revision that `initialize` settled.
    pub fn revision(&self) -> Option<Revision> {
        self.session.as_ref().map(|session| session.revision)
    }

    /// The client is gone from a stream: what 2026-07-28 calls a cancellation.
    pub fn drop_stream(&mut self, payload: u64) {
        let keys: Vec<u64> = self.open.iter().filter(|open| open.payload == payload).map(|open| open.key).collect();
        if !keys.is_empty() && self.server.faulty("cancellation.http-disconnect-harmless") {
            self.server.state().upset = true;
        }
        for key in keys {
            if self.server.faulty("tasks.lifecycle.survives-disconnect") {
                self.tasks.retain(|task| task.waiting.iter().all(|call| call.key != key));
            }
            self.abandon(key);
        }
    }

    /// Has a notification come out on another connection, or on a subscription of this one.
    pub(crate) fn stray(&self, on_listen: bool, method: &'static str, params: Value) {
        self.server.state().strays.push(Stray { from: self.number, on_listen, method, params });
    }

    /// Sends what faults of others have come out here.
    fn take_strays(&mut self) {
        let listen = self.listens.first().map(|listen| listen.call.clone());
        let busy = self.open.iter().find(|open| listen.as_ref().is_none_or(|call| call.key != open.key));
        let busy = busy.map(|open| open.payload);
        let (number, mut mine) = (self.number, Vec::new());
        self.server.state().strays.retain(|stray| {
            let here = if stray.on_listen { listen.is_some() } else { busy.is_some() && stray.from != number };
            if here {
                mine.push(stray.clone());
            }
            !here
        });
        for mut stray in mine {
            let payload = match &listen {
                Some(call) if stray.on_listen => {
                    stray.params["_meta"][crate::methods::SUBSCRIPTION_ID] = call.id.clone();
                    call.payload
                }
                _ => busy.unwrap_or_default(),
            };
            let about = About {
                kind: Kind::Notification,
                method: stray.method,
                tool: None,
                subject: None,
                revision: Some(Revision::V2026_07_28),
            };
            let message = serde_json::json!({"jsonrpc": "2.0", "method": stray.method, "params": stray.params});
            self.emit(Stream::Answer(payload), &about, message);
        }
    }

    fn first_due(&self) -> Option<usize> {
        // Of those due at the same time the first that was put in.
        (0..self.queue.len()).min_by_key(|index| (self.queue[*index].at, *index))
    }

    fn run(&mut self, what: What) {
        match what {
            What::Notify(call, method, params) => self.notify_or_stray(&call, method, params),
            What::Finish(call, reply) => self.finish(&call, reply),
            What::Bump(call) => crate::tools::bumped(self, &call),
            What::Work(call) => self.work(&call),
            What::Expire(id) => self.expire(&id),
            What::Poll(task) => self.poll_errand(&task),
        }
    }

    /// A notification of a request, on its stream unless a fault has it elsewhere.
    fn notify_or_stray(&mut self, call: &Call, method: &'static str, mut params: Value) {
        if method == "notifications/progress" {
            if self.server.faulty("progress.concurrent-tokens") {
                params["progressToken"] = self.server.state().newest_token.clone();
            }
            let on_listen = self.server.faulty("subscriptions.notifications.not-request-scoped")
                || self.server.faulty("jsonrpc.meta.subscription-id-only-on-listen");
            let modern = call.revision == Revision::V2026_07_28;
            if modern && (on_listen || self.server.faulty("progress.same-stream")) {
                return self.stray(on_listen, method, params);
            }
        }
        self.notify_for(call, method, params);
    }

    /// Puts something off; it is dropped if the request it belongs to is cancelled meanwhile.
    pub(crate) fn now(&self) -> Duration {
        self.now
    }

    pub(crate) fn later(&mut self, after: Duration, key: Option<u64>, what: What) {
        self.queue.push(Due { at: self.now + after, key, what });
    }

    /// Starts the service of a request.
    pub(super) fn open(&mut self, payload: u64, id: &Value) -> u64 {
        self.keys += 1;
        self.open.push(Open { key: self.keys, id: id.clone(), payload });
        self.last_id = id.clone();
        self.served_ids.insert(id.to_string());
        self.keys
    }

    /// The id of a new request of the server's own.
    pub(crate) fn next_ask(&mut self) -> Value {
        self.asks += 1;
        Value::from(format!("server-{}", self.asks))
    }

    pub(crate) fn notify(&mut self, stream: Stream, method: &'static str, params: Value) {
        let mut message = serde_json::json!({"jsonrpc": "2.0", "method": method});
        if !params.is_null() {
            message["params"] = params;
        }
        self.emit(
            stream,
            &About { kind: Kind::Notification, method, tool: None, subject: None, revision: self.revision() },
            message,
        );
    }

    /// A notification on behalf of a request.
    pub(crate) fn notify_for(&mut self, call: &Call, method: &'static str, mut params: Value) {
        if let Some(task) = &call.task {
            params["_meta"][RELATED] = serde_json::json!({"taskId": task});
            crate::faults::tasks::notification(&self.server, method, task, &mut params);
        }
        let about =
            About { kind: Kind::Notification, method, tool: call.tool(), subject: None, revision: Some(call.revision) };
        let message = serde_json::json!({"jsonrpc": "2.0", "method": method, "params": params});
        let legacy_http = self.transport == Transport::Http && call.modern.is_none();
        let astray = legacy_http && self.server.faulty("http.get.unrelated-messages");
        let stream = if astray || call.task.is_some() { Stream::Standalone } else { Stream::Answer(call.payload) };
        self.emit(stream, &about, message);
    }

    /// A request of the server's own.
    pub(crate) fn request_of_ours(&mut self, stream: Stream, id: Value, method: &'static str, params: Value) {
        let about = About { kind: Kind::Request, method, tool: None, subject: None, revision: self.revision() };
        let message = serde_json::json!({"jsonrpc": "2.0", "id": id, "method": method, "params": params});
        self.emit(stream, &about, message);
    }

    /// Gives up a request without an answer.
    pub(crate) fn abandon(&mut self, key: u64) {
        self.queue.retain(|due| due.key != Some(key));
        let listens = self.listens.len();
        self.listens.retain(|listen| listen.call.key != key);
        if self.listens.len() < listens {
            let mut state = self.server.state();
            state.listens = state.listens.saturating_sub(1);
            state.dropped_listen = true;
        }
        self.asked.retain(|asked| asked.call.as_ref().is_none_or(|call| call.key != key));
        self.errands.retain(|errand| errand.call.key != key);
        self.tasks.iter_mut().for_each(|task| task.waiting.retain(|call| call.key != key));
        if let Some(index) = self.open.iter().position(|open| open.key == key) {
            let payload = self.open.remove(index).payload;
            self.end_if_answered(payload);
        }
    }

    /// Gives up the answer to a request, and goes on talking of it.
    pub(crate) fn abandon_silently(&mut self, key: u64) {
        self.queue.retain(|due| due.key != Some(key) || matches!(due.what, What::Notify(..)));
    }

    /// Nothing further is done for a request, which has no answer yet.
    pub(crate) fn abandon_work(&mut self, key: u64) {
        self.queue.retain(|due| due.key != Some(key));
    }

    /// The call behind an open request that will end later.
    pub(crate) fn waiting_call(&self, key: u64) -> Option<Call> {
        self.queue.iter().find_map(|due| match &due.what {
            What::Finish(call, _) if due.key == Some(key) => Some((**call).clone()),
            _ => None,
        })
    }

    /// Every request without an answer.
    pub(crate) fn open_keys(&self) -> Vec<u64> {
        self.open.iter().map(|open| open.key).collect()
    }

    /// Text in answer to a payload, as it is.
    pub(crate) fn say(&mut self, payload: u64, text: String) {
        self.outbox.push(Output { stream: Stream::Answer(payload), action: Action::Send(text) });
    }

    /// The key of an open request by the id the client gave it.
    pub(crate) fn open_key(&self, id: &Value) -> Option<u64> {
        self.open.iter().find(|open| open.id == *id).map(|open| open.key)
    }

    pub(super) fn end_if_answered(&mut self, payload: u64) {
        if self.taking == Some(payload) || self.open.iter().any(|open| open.payload == payload) {
            return;
        }
        let stream = Stream::Answer(payload);
        if let Some(texts) = self.batches.remove(&payload)
            && !texts.is_empty()
        {
            self.outbox.push(Output { stream, action: Action::Send(format!("[{}]", texts.join(","))) });
        }
        self.outbox.push(Output { stream, action: Action::End });
    }
}
