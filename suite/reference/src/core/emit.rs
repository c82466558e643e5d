//! Outgoing messages: envelopes, then quirks, then faults, then text.

use serde_json::{Value, json};
use wire::mcp::code;

use super::call::{Call, Reply};
use super::connection::Connection;
use super::edits::Edits;
use super::output::{Action, Stream};
use crate::Revision;
use crate::error::RpcError;

/// A description of an outgoing message, for those who rewrite it.
#[derive(Debug, Clone, Copy)]
pub(crate) struct About<'a> {
    pub(crate) kind: Kind,
    /// Its method, or that of the request it answers; empty if that could not be read.
    pub(crate) method: &'a str,
    /// The tool called.
    pub(crate) tool: Option<&'a str>,
    /// The prompt or resource asked for.
    pub(crate) subject: Option<&'a str>,
    /// `None` before the handshake.
    pub(crate) revision: Option<Revision>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Kind {
    Result,
    Error,
    Notification,
    Request,
}

impl Connection {
    /// Answers a request.
    pub(crate) fn finish(&mut self, call: &Call, reply: Reply) {
        if let Some(task) = &call.task {
            match reply {
                Reply::Later => {}
                Reply::Result(result) | Reply::InputRequired(result) => self.end_task(task, Ok(result)),
                Reply::Error(error) => self.end_task(task, Err(error)),
            }
            return;
        }
        let service = self.server.service;
        let (kind, member) = match reply {
            Reply::Later => return,
            Reply::Result(result) => {
                let mut result = service.envelope(&self.server, call, result);
                for interceptor in self.server.interceptors() {
                    interceptor.result_enveloped(call, &mut result);
                }
                (Kind::Result, result)
            }
            Reply::InputRequired(result) => (Kind::Result, service.input_envelope(result)),
            Reply::Error(error) => (Kind::Error, error.to_value()),
        };
        // These take a status of their own, which is too late once a stream has begun, or want none.
        let plain = member["code"] == code::MISSING_CLIENT_CAPABILITY || call.method == "tasks/get";
        let name = if kind == Kind::Result { "result" } else { "error" };
        let id = self.server.interceptors().find_map(|interceptor| interceptor.answer_id(&call.id));
        let message = json!({"jsonrpc": "2.0", "id": id.unwrap_or_else(|| call.id.clone()), name: member});
        let about = About {
            kind,
            method: &call.method,
            tool: call.tool(),
            subject: call.subject(),
            revision: Some(call.revision),
        };
        for interceptor in self.server.interceptors.clone().iter() {
            interceptor.before_answer(self, call, plain);
        }
        service.before_answer(self, call);
        let sent = self.emit(Stream::Answer(call.payload), &about, message);
        if sent {
            self.outbox.close(call.key);
        }
    }

    /// Answers something that has no id, or none that could be read.
    pub(crate) fn refuse(&mut self, payload: u64, method: &str, error: &RpcError) {
        self.refuse_with(payload, method, error, None);
    }

    /// Answers something that is no request, with its id if it has one.
    pub(crate) fn refuse_with(&mut self, payload: u64, method: &str, error: &RpcError, id: Option<Value>) {
        let mut error = error.clone();
        let refusals = self.server.interceptors().filter_map(|interceptor| interceptor.refusal(&mut error));
        let invented = refusals.last().or(id);
        let mut message = json!({"jsonrpc": "2.0", "id": invented, "error": error.to_value()});
        // JSON-RPC's form is null, MCP's from 2025-11-25 on is to leave it out.
        let revision = self.revision().or(self.server.newest());
        let absent = revision >= Some(Revision::V2025_11_25) && !self.server.quirk("null-id");
        if (absent || self.server.quirk("no-null-id"))
            && invented.is_none()
            && let Some(object) = message.as_object_mut()
        {
            object.shift_remove("id");
        }
        let about = About { kind: Kind::Error, method, tool: None, subject: None, revision: self.revision() };
        self.emit(Stream::Answer(payload), &about, message);
    }

    /// Sends a message as quirks and faults will have it; `false` if a fault swallowed it.
    pub(crate) fn emit(&mut self, stream: Stream, about: &About<'_>, mut message: Value) -> bool {
        if self.server.state().silent {
            return false;
        }
        let service = self.server.service;
        let mut edits = Edits::default();
        // Quirks first: what faults take away must not come back.
        for interceptor in self.server.interceptors().rev() {
            interceptor.message(self, about, &mut message, &mut edits);
        }
        if edits.drop {
            return false;
        }
        if edits.twice {
            edits.after.push(message.to_string());
        }
        if about.kind == Kind::Result && about.method == "tools/list" {
            // What a fault took away must not come back by being looked at.
            let listed = message.pointer_mut("/result/tools").and_then(Value::as_array_mut);
            for tool in listed.into_iter().flatten() {
                if let Some(name) = tool.get_mut("name").filter(|name| name.is_string()) {
                    *name = json!(service.public_tool_name(&self.server.settings, name.as_str().unwrap_or_default()));
                }
            }
        }
        let id = message.get("id").unwrap_or(&self.outbox.last_id).to_string();
        let mut actions: Vec<Action> = Vec::new();
        actions.extend(edits.before.iter().map(|text| Action::Send(text.replace("$id", &id))));
        let spelt = self.server.interceptors().fold(message.to_string(), |text, interceptor| interceptor.text(text));
        let mut text = edits.text(spelt);
        // What answers an array is put into one anyway, and the error for an empty one must not be.
        let alone = matches!(stream, Stream::Answer(payload) if !self.outbox.collects(payload));
        let named = message.get("id").is_some_and(|id| !id.is_null());
        let wraps = self.server.interceptors().any(|interceptor| interceptor.wraps(self));
        if matches!(about.kind, Kind::Result | Kind::Error) && alone && named && wraps {
            text = format!("[{text}]");
        }
        actions.push(Action::Send(text));
        actions.extend(edits.after.iter().map(|text| Action::Send(text.replace("$id", &id))));
        let answers = matches!(about.kind, Kind::Result | Kind::Error);
        for action in actions {
            if answers {
                self.outbox.push_answer(stream, action);
            } else {
                self.outbox.push(stream, action);
            }
        }
        true
    }
}
