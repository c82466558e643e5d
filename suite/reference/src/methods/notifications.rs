//! What the client sends without expecting an answer: notifications, and responses to requests of ours.

use serde_json::{Value, json};

use super::METHODS;
use crate::core::{Action, Asked, Call, Connection, Reply, Stream, Transport, Unusual, What};
use crate::error::RpcError;

/// How long a client has to answer a request of ours.
const PATIENCE: std::time::Duration = std::time::Duration::from_secs(30);

impl Connection {
    /// Whatever a server does of its own accord at the start.
    pub(crate) fn opened(&mut self) {
        if self.transport != Transport::Stdio {
            return;
        }
        match self.server.settings.variant("lifecycle.pre-init.server-silent") {
            Some("request") => {
                let id = self.next_ask();
                self.request_of_ours(Stream::Standalone, id, "roots/list", json!({}));
            }
            Some(_) => self.notify(Stream::Standalone, "notifications/tools/list_changed", Value::Null),
            None => {}
        }
    }

    pub(crate) fn notification(&mut self, payload: u64, method: &str, params: Value) {
        if self.reacts_oddly(payload, method, &params) {
            return;
        }
        match method {
            "notifications/initialized" => {
                if let Some(session) = &mut self.session {
                    session.initialized = true;
                }
            }
            "notifications/cancelled" => {
                if let Some(key) = params.get("requestId").and_then(|id| self.open_key(id)) {
                    self.abandon(key);
                }
            }
            _ => {}
        }
    }

    /// Notifications as faults take them.
    fn reacts_oddly(&mut self, payload: u64, method: &str, params: &Value) -> bool {
        let settings = &self.server.settings;
        let initialized = method == "notifications/initialized";
        let known = initialized || ["notifications/cancelled", "notifications/progress"].contains(&method);
        if initialized && settings.faulty_as("lifecycle.initialized.accepted", "exit")
            || !known && settings.faulty("jsonrpc.notification.unknown-tolerated")
        {
            self.act(Action::Exit(1));
            return true;
        }
        if settings.faulty("jsonrpc.notification.request-method-without-id") && METHODS.contains(&method) {
            self.request(payload, Value::Null, method.to_owned(), params.clone(), Unusual::default());
            return true;
        }
        if initialized && settings.faulty_as("lifecycle.initialized.accepted", "")
            || !known && settings.faulty("jsonrpc.notification.no-reply")
        {
            self.refuse(payload, method, &RpcError::unknown_method(method));
        }
        false
    }

    pub(crate) fn response(&mut self, id: &Value, outcome: Result<Value, Value>) {
        let Some(index) = self.asked.iter().position(|asked| asked.id == *id) else { return };
        let asked = self.asked.remove(index);
        let Some(call) = asked.call else { return };
        let result = match outcome {
            Ok(answer) => crate::tools::answered(asked.method, &answer),
            Err(error) => {
                let why = error["message"].as_str().map(crate::error::shorten).unwrap_or_default();
                crate::tools::failure(&format!("The client refused {}: {why}. Try another tool.", asked.method))
            }
        };
        self.finish(&call, Reply::Result(result));
    }

    /// Asks the client for something on behalf of a call, which goes on when the answer is in.
    pub(crate) fn ask(&mut self, call: &Call, method: &'static str, params: Value) {
        let id = self.next_ask();
        self.later(PATIENCE, Some(call.key), What::Expire(id.clone()));
        self.asked.push(Asked { id: id.clone(), method, call: Some(call.clone()) });
        self.request_of_ours(Stream::Answer(call.payload), id, method, params);
    }

    pub(crate) fn expire(&mut self, id: &Value) {
        let Some(index) = self.asked.iter().position(|asked| asked.id == *id) else { return };
        let asked = self.asked.remove(index);
        let Some(call) = asked.call else { return };
        let params = json!({"requestId": id, "reason": "no answer in time"});
        self.notify_for(&call, "notifications/cancelled", params);
        let text = format!("The client did not answer {} in time. Call again when it can.", asked.method);
        self.finish(&call, Reply::Result(crate::tools::failure(&text)));
    }
}
