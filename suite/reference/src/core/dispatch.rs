//! What happens to a payload: malformed input refused, responses taken, requests handed to their method.

use serde_json::{Value, json};

use super::call::{Call, Reply};
use super::connection::{Connection, What};
use super::era;
use super::incoming::{Incoming, Message, Unusual, is_id, read};
use super::output::{Action, Output, Stream};
use super::server::Transport;
use crate::Revision;
use crate::error::RpcError;
use crate::{bugs, faults, methods, quirks, tools};

impl Connection {
    pub(super) fn take_in(&mut self, payload: u64, bytes: &[u8]) {
        let server = std::sync::Arc::clone(&self.server);
        if server.settings.has_bugs() && !bugs::bears(self, bytes) {
            return;
        }
        if faults::is_fatal(&server.settings, bytes) {
            self.act(Action::Exit(1));
            return;
        }
        if let Some(again) = faults::on_payload(&server.settings, bytes) {
            self.read(payload, &again);
        }
        match faults::misread(&server.settings, bytes) {
            Some(bytes) => self.read(payload, &bytes),
            None => self.read(payload, bytes),
        }
    }

    fn read(&mut self, payload: u64, bytes: &[u8]) {
        match read(bytes) {
            Incoming::Blank if self.transport == Transport::Stdio => self.blank(),
            Incoming::Blank | Incoming::Unreadable => self.unreadable(payload),
            Incoming::Batch(messages) => self.batch(payload, messages),
            Incoming::One(message) => self.message(payload, message),
        }
    }

    fn blank(&mut self) {
        if self.server.settings.faulty_as("jsonrpc.parse-error.survives", "blank-line") {
            self.act(Action::Exit(1));
        }
        if self.server.faulty("stdio.framing.blank-line-input-tolerated") {
            let id = Some(Value::from(0));
            self.refuse_with(self.payloads(), "", &RpcError::parse(), id);
        }
    }

    fn unreadable(&mut self, payload: u64) {
        if self.server.faulty("jsonrpc.parse-error.survives") && self.transport == Transport::Stdio {
            self.act(Action::Exit(1));
            return;
        }
        if self.is_silent_on_malformed() {
            return;
        }
        if self.transport == Transport::Http && self.server.faulty("jsonrpc.parse-error.answered-on-http") {
            return;
        }
        self.refuse(payload, "", &RpcError::parse());
    }

    fn is_silent_on_malformed(&self) -> bool {
        self.transport == Transport::Stdio && self.server.quirk("silent-on-malformed")
    }

    /// Does something that is no message.
    pub(crate) fn act(&mut self, action: Action) {
        self.outbox.push(Output { stream: Stream::Standalone, action });
    }

    fn batch(&mut self, payload: u64, messages: Vec<Message>) {
        let served = match self.revision() {
            Some(Revision::V2025_03_26) => !self.server.faulty("jsonrpc.batch.accepted"),
            Some(Revision::V2024_11_05) => self.server.quirk("batches-in-2024-11-05"),
            Some(_) => self.server.faulty("jsonrpc.batch.not-served"),
            None => {
                self.server.faulty("jsonrpc.batch.not-served") || self.server.faulty("jsonrpc.batch.initialize-refused")
            }
        };
        let empty = messages.is_empty();
        if self.answers_oddly(payload, &messages, served) {
            return;
        }
        if !served || empty {
            if !self.is_silent_on_malformed() {
                let why = if empty { "the batch is empty" } else { "batches are not served" };
                self.refuse(payload, "", &RpcError::invalid_request(why));
            }
            return;
        }
        if !self.server.faulty("jsonrpc.batch.response-array") {
            self.batches.insert(payload, Vec::new());
        }
        for message in messages {
            if let Message::Request { method, .. } = &message
                && method == "initialize"
                && !self.server.faulty("jsonrpc.batch.initialize-refused")
            {
                self.refuse(payload, method, &RpcError::invalid_request("initialize cannot be part of a batch"));
                continue;
            }
            self.element(payload, message);
        }
    }

    /// Batches as faults answer them.
    fn answers_oddly(&mut self, payload: u64, messages: &[Message], served: bool) -> bool {
        let settings = &self.server.settings;
        let notifications = messages.iter().all(|message| matches!(message, Message::Notification { .. }));
        let has_invalid = messages.iter().any(|message| matches!(message, Message::Invalid { .. }));
        let pair = served && messages.is_empty() && settings.faulty_as("jsonrpc.batch.empty", "")
            || served && !messages.is_empty() && notifications && settings.faulty("jsonrpc.batch.only-notifications");
        if pair {
            self.outbox.push(Output { stream: Stream::Answer(payload), action: Action::Send("[]".to_owned()) });
            return true;
        }
        if served && has_invalid && settings.faulty_as("jsonrpc.batch.invalid-element", "") {
            self.refuse(payload, "", &RpcError::invalid_request("an element of the batch is not a request"));
            return true;
        }
        !served
            && self.revision() == Some(Revision::V2025_03_26)
            && settings.faulty_as("jsonrpc.batch.accepted", "silent")
    }

    fn element(&mut self, payload: u64, message: Message) {
        let settings = &self.server.settings;
        match &message {
            Message::Notification { method, .. } if settings.faulty("jsonrpc.batch.notifications-get-nothing") => {
                self.refuse(payload, method, &RpcError::unknown_method(method));
            }
            Message::Invalid { .. } if settings.faulty_as("jsonrpc.batch.invalid-element", "ignored") => {}
            _ => self.message(payload, message),
        }
    }

    fn message(&mut self, payload: u64, message: Message) {
        match message {
            Message::Request { id, method, params, unusual } => self.request(payload, id, method, params, unusual),
            Message::Notification { method, params } => self.notification(payload, &method, params),
            Message::Response { id, outcome } => self.response(&id, outcome),
            Message::Invalid { why, id, method, params } => self.invalid(payload, why, id, method, params),
        }
    }

    fn invalid(&mut self, payload: u64, why: &'static str, id: Value, method: Option<String>, params: Value) {
        if self.server.faulty("jsonrpc.invalid-request.survives") && self.transport == Transport::Stdio {
            self.act(Action::Exit(1));
            return;
        }
        let readable = is_id(&id).then(|| id.clone());
        if let Some(method) = method
            && methods::serves_invalid(&self.server, why, &id)
        {
            self.request(payload, id, method, params, Unusual::default());
            return;
        }
        if !self.is_silent_on_malformed() && !self.server.faulty("jsonrpc.invalid-request.answered") {
            self.refuse_with(payload, "", &RpcError::invalid_request(why), readable);
        }
    }

    pub(crate) fn request(&mut self, payload: u64, id: Value, method: String, params: Value, unusual: Unusual) {
        let key = self.open(payload, &id);
        let revision = self.revision().or(self.server.newest_legacy()).unwrap_or(Revision::V2026_07_28);
        let caller = self.caller.clone();
        let mut call = Call { key, id, method, params, revision, payload, modern: None, caller, task: None };
        if let Some(name) = call.tool().map(|name| tools::own(&self.server.settings, name).to_owned()) {
            call.params["name"] = json!(name);
        }
        if unusual.extra_member && self.server.faulty("jsonrpc.unknown-members.top-level") {
            return;
        }
        let early = faults::intercept(self, &mut call).or_else(|| quirks::refuse(self, &call));
        let reply = match early {
            Some(reply) => reply,
            None => self.route(&mut call),
        };
        let reply = faults::amend(self, &call, reply);
        self.settle(call, reply);
    }

    /// Answers, at once or a little later.
    fn settle(&mut self, call: Call, reply: Reply) {
        match quirks::delay(self, &call) {
            Some(delay) if !matches!(reply, Reply::Later) => {
                let key = Some(call.key);
                self.later(delay, key, What::Finish(Box::new(call), reply));
            }
            _ => self.finish(&call, reply),
        }
    }

    /// The era, then the method.
    fn route(&mut self, call: &mut Call) -> Reply {
        if !matches!(call.params, Value::Null | Value::Object(_)) {
            return RpcError::invalid_params("params must be an object").into();
        }
        let serves_legacy = self.server.newest_legacy().is_some();
        let opens = call.method == "initialize" && serves_legacy && !era::looks_modern(&call.params);
        if opens && !self.speaks_modern {
            return methods::initialize(self, call);
        }
        if self.server.faulty("lifecycle.pre-init.requests-not-served") && !era::looks_modern(&call.params) {
            return methods::legacy(self, call);
        }
        let stateless = self.server.settings.modern()
            && (self.session.is_none() || era::looks_modern(&call.params))
            && (self.speaks_modern || !(call.method == "ping" && serves_legacy && !era::looks_modern(&call.params)));
        if !stateless {
            return methods::legacy(self, call);
        }
        call.revision = Revision::V2026_07_28;
        if call.method == "initialize" && !era::looks_modern(&call.params) {
            return methods::refuse_initialize(&self.server, call).into();
        }
        match era::modern_meta(&self.server, &call.params) {
            Ok(meta) => {
                call.modern = Some(meta);
                methods::modern(self, call)
            }
            Err(error) => Reply::Error(error),
        }
    }
}
