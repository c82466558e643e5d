//! Dispatches a payload: rejects malformed input, takes responses, hands requests to their methods.

use serde_json::{Value, json};

use super::call::{Call, Reply};
use super::connection::Connection;
use super::edits::Payload;
use super::era;
use super::incoming::{Incoming, Message, Unusual, is_id, read};
use super::output::Action;
use super::schedule::What;
use super::server::Transport;
use crate::Revision;
use crate::deviation::Deviation;
use crate::error::RpcError;

impl Connection {
    pub(super) fn take_in(&mut self, payload: u64, bytes: &[u8]) {
        let mut instead: Option<Vec<u8>> = None;
        for interceptor in self.server.interceptors.clone().iter() {
            match interceptor.payload(self, bytes) {
                Payload::AsIs => {}
                Payload::Fatal => return self.act(Action::Exit(1)),
                Payload::Dropped => return,
                Payload::Instead(other) => instead = Some(other),
                Payload::Before(other) => self.read(payload, &other),
            }
        }
        self.read(payload, instead.as_deref().unwrap_or(bytes));
    }

    fn read(&mut self, payload: u64, bytes: &[u8]) {
        match read(bytes) {
            Incoming::Blank if self.transport == Transport::Stdio => self.take_blank_line(),
            Incoming::Blank | Incoming::Unreadable => self.refuse_unreadable(payload),
            Incoming::Batch(messages) => self.batch(payload, messages),
            Incoming::One(message) => self.message(payload, message),
        }
    }

    fn take_blank_line(&mut self) {
        if self.server.settings.deviates(Deviation::BlankLinesAreFatal) {
            self.act(Action::Exit(1));
        }
        if self.server.deviates(Deviation::BlankLinesAreAnswered) {
            let id = Some(Value::from(0));
            self.refuse_with(self.payloads(), "", &RpcError::parse(), id);
        }
    }

    fn refuse_unreadable(&mut self, payload: u64) {
        if self.server.deviates(Deviation::UnreadableIsFatal) && self.transport == Transport::Stdio {
            self.act(Action::Exit(1));
            return;
        }
        if self.is_silent_on_malformed() {
            return;
        }
        if self.transport == Transport::Http && self.server.deviates(Deviation::UnreadableIsAccepted) {
            return;
        }
        self.refuse(payload, "", &RpcError::parse());
    }

    fn is_silent_on_malformed(&self) -> bool {
        self.transport == Transport::Stdio && self.server.quirk("silent-on-malformed")
    }

    fn batch(&mut self, payload: u64, messages: Vec<Message>) {
        let served = match self.revision() {
            Some(Revision::V2025_03_26) => !self.server.deviates(Deviation::BatchesAreRefused),
            Some(Revision::V2024_11_05) => self.server.quirk("batches-in-2024-11-05"),
            Some(_) => self.server.deviates(Deviation::BatchesAreAlwaysServed),
            None => {
                self.server.deviates(Deviation::BatchesAreAlwaysServed)
                    || self.server.deviates(Deviation::BatchedInitializeIsServed)
            }
        };
        let empty = messages.is_empty();
        if self.answer_oddly(payload, &messages, served) {
            return;
        }
        if !served || empty {
            if !self.is_silent_on_malformed() {
                let why = if empty { "the batch is empty" } else { "batches are not served" };
                self.refuse(payload, "", &RpcError::invalid_request(why));
            }
            return;
        }
        if !self.server.deviates(Deviation::BatchesAreAnsweredOneByOne) {
            self.outbox.collect(payload);
        }
        for message in messages {
            if let Message::Request { method, .. } = &message
                && method == "initialize"
                && !self.server.deviates(Deviation::BatchedInitializeIsServed)
            {
                self.refuse(payload, method, &RpcError::invalid_request("initialize cannot be part of a batch"));
                continue;
            }
            self.element(payload, message);
        }
    }

    /// Batches as faults answer them.
    fn answer_oddly(&mut self, payload: u64, messages: &[Message], served: bool) -> bool {
        let settings = &self.server.settings;
        let notifications = messages.iter().all(|message| matches!(message, Message::Notification { .. }));
        let has_invalid = messages.iter().any(|message| matches!(message, Message::Invalid { .. }));
        let pair = served && messages.is_empty() && settings.deviates(Deviation::EmptyBatchesAreAnswered)
            || served
                && !messages.is_empty()
                && notifications
                && settings.deviates(Deviation::NotificationBatchesAreAnswered);
        if pair {
            self.say(payload, "[]".to_owned());
            return true;
        }
        if served && has_invalid && settings.deviates(Deviation::InvalidElementsSpoilBatches) {
            self.refuse(payload, "", &RpcError::invalid_request("an element of the batch is not a request"));
            return true;
        }
        !served && self.revision() == Some(Revision::V2025_03_26) && settings.deviates(Deviation::BatchesAreIgnored)
    }

    fn element(&mut self, payload: u64, message: Message) {
        let settings = &self.server.settings;
        match &message {
            Message::Notification { method, .. } if settings.deviates(Deviation::BatchedNotificationsAreAnswered) => {
                self.refuse(payload, method, &RpcError::unknown_method(method));
            }
            Message::Invalid { .. } if settings.deviates(Deviation::InvalidElementsAreIgnored) => {}
            _ => self.message(payload, message),
        }
    }

    fn message(&mut self, payload: u64, message: Message) {
        let service = self.server.service;
        match message {
            Message::Request { id, method, params, unusual } => self.request(payload, id, method, params, unusual),
            Message::Notification { method, params } => service.notification(self, payload, &method, params),
            Message::Response { id, outcome } => service.response(self, &id, outcome),
            Message::Invalid { why, id, method, params } => self.invalid(payload, why, id, method, params),
        }
    }

    fn invalid(&mut self, payload: u64, why: &'static str, id: Value, method: Option<String>, params: Value) {
        if self.server.deviates(Deviation::InvalidRequestsAreFatal) && self.transport == Transport::Stdio {
            self.act(Action::Exit(1));
            return;
        }
        let readable = is_id(&id).then(|| id.clone());
        if let Some(method) = method
            && self.serves_invalid(why, &id)
        {
            self.request(payload, id, method, params, Unusual::default());
            return;
        }
        if !self.is_silent_on_malformed() && !self.server.deviates(Deviation::InvalidRequestsAreIgnored) {
            self.refuse_with(payload, "", &RpcError::invalid_request(why), readable);
        }
    }

    /// Whether the server carries out a request that is not valid.
    fn serves_invalid(&self, why: &str, id: &Value) -> bool {
        self.server.deviates(match id {
            _ if why.starts_with("jsonrpc") => Deviation::ServesWrongVersion,
            Value::Null => Deviation::ServesNullId,
            Value::Number(_) => Deviation::ServesFractionalId,
            _ => Deviation::ServesAnyId,
        })
    }

    /// Serves a request.
    pub(crate) fn request(&mut self, payload: u64, id: Value, method: String, params: Value, unusual: Unusual) {
        let service = self.server.service;
        let key = self.open(payload, &id);
        let revision = self.revision().or(self.server.newest_legacy()).unwrap_or(Revision::V2026_07_28);
        let caller = self.caller.clone();
        let mut call = Call { key, id, method, params, revision, payload, modern: None, caller, task: None };
        if let Some(name) = call.tool().map(|name| service.inner_tool_name(&self.server.settings, name).to_owned()) {
            call.params["name"] = json!(name);
        }
        if unusual.extra_member && self.server.deviates(Deviation::UnknownMembersAreFatalToRequests) {
            return;
        }
        let interceptors = self.server.interceptors.clone();
        let early = interceptors.iter().find_map(|interceptor| interceptor.request(self, &mut call));
        let mut reply = match early {
            Some(reply) => reply,
            None => self.route(&mut call),
        };
        for interceptor in interceptors.iter() {
            reply = interceptor.reply(self, &call, reply);
        }
        self.settle(call, reply);
    }

    /// Answers, at once or a little later.
    fn settle(&mut self, call: Call, reply: Reply) {
        let delay = self.server.interceptors().find_map(|interceptor| interceptor.delay(self, &call));
        match delay {
            Some(delay) if !matches!(reply, Reply::Later) => {
                let key = Some(call.key);
                self.later(delay, key, What::Finish(Box::new(call), reply));
            }
            _ => self.finish(&call, reply),
        }
    }

    /// The era, then the method.
    fn route(&mut self, call: &mut Call) -> Reply {
        let service = self.server.service;
        if !matches!(call.params, Value::Null | Value::Object(_)) {
            return RpcError::invalid_params("params must be an object").into();
        }
        let serves_legacy = self.server.newest_legacy().is_some();
        let opens = call.method == "initialize" && serves_legacy && !era::looks_modern(&call.params);
        if opens && !self.speaks_modern {
            return service.initialize(self, call);
        }
        if self.server.deviates(Deviation::ServesBeforeInitialize) && !era::looks_modern(&call.params) {
            return service.legacy(self, call);
        }
        let stateless = self.server.settings.modern()
            && (self.session.is_none() || era::looks_modern(&call.params))
            && (self.speaks_modern || !(call.method == "ping" && serves_legacy && !era::looks_modern(&call.params)));
        if !stateless {
            return service.legacy(self, call);
        }
        call.revision = Revision::V2026_07_28;
        if call.method == "initialize" && !era::looks_modern(&call.params) {
            return service.refuse_initialize(&self.server, call).into();
        }
        match era::modern_meta(&self.server, &call.params) {
            Ok(meta) => {
                call.modern = Some(meta);
                service.modern(self, call)
            }
            Err(error) => Reply::Error(error),
        }
    }
}
