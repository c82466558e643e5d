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
                let first =
                    self.session.as_mut().is_some_and(|session| !std::mem::replace(&mut session.initialized, true));
                if first {
                    crate::faults::initialized(self);
                }
            }
            "notifications/cancelled" => self.cancel(payload, &params),
            "notifications/progress" if self.server.faulty("lifecycle.timeouts.hard-cap") => {
                self.wait_longer(&params["progressToken"]);
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
            || method == "notifications/progress" && settings.faulty("progress.client-progress-tolerated")
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
        crate::faults::pinged(self, id);
        let Some(index) = self.asked.iter().position(|asked| asked.id == *id) else { return };
        let asked = self.asked.remove(index);
        let Some(call) = asked.call.clone() else { return };
        if outcome.is_err() && self.server.faulty("jsonrpc.server-request.error-tolerated") {
            return;
        }
        if outcome.as_ref().is_ok_and(|answer| self.run_errand(&asked, &call, answer)) {
            return;
        }
        self.errands.retain(|errand| errand.call.key != call.key);
        let goes_on = asked.method == "sampling/createMessage" && !asked.last && call.task.is_none();
        let sampled = outcome.as_ref().ok().filter(|_| goes_on);
        if let Some(params) = sampled.and_then(|answer| crate::tools::continued(&self.server, answer)) {
            self.ask(&call, asked.method, params);
            if let Some(asked) = self.asked.last_mut() {
                asked.last = true;
            }
            return;
        }
        let result = match outcome {
            Ok(answer) => crate::fixtures::answered(self, &call, &answer)
                .unwrap_or_else(|| crate::tools::answered(asked.method, &answer)),
            Err(error) => {
                let why = error["message"].as_str().map(crate::error::shorten).unwrap_or_default();
                crate::tools::failure(&format!("The client refused {}: {why}. Try another tool.", asked.method))
            }
        };
        if call.task.is_some() {
            return self.go_on(&call, result);
        }
        self.finish(&call, Reply::Result(result));
    }

    /// Asks the client for something on behalf of a call, which goes on when the answer is in.
    pub(crate) fn ask(&mut self, call: &Call, method: &'static str, params: Value) {
        if call.task.is_some() {
            return self.ask_for_task(call, method, params);
        }
        let (id, mut params) = (self.next_ask(), params);
        if self.server.faulty("lifecycle.timeouts.hard-cap") {
            params["_meta"]["progressToken"] = id.clone();
        }
        if let Some(task) = self.as_task(method) {
            params["task"] = task;
        }
        self.later(self.patience(), Some(call.key), What::Expire(id.clone()));
        self.asked.push(Asked { id: id.clone(), method, call: Some(call.clone()), last: false, extended: 0 });
        self.request_of_ours(Stream::Answer(call.payload), id, method, params);
    }

    /// Short, where a fault of it is to be seen.
    fn patience(&self) -> std::time::Duration {
        let faults = self.server.settings.faults();
        let hasty = faults.iter().any(|fault| {
            fault.id.starts_with("lifecycle.timeouts.") || fault.id == "cancellation.sent.task-by-tasks-cancel"
        });
        if hasty { PATIENCE / 30 } else { PATIENCE }
    }

    /// Waits for as long again: a fault does so whenever there is progress.
    fn wait_longer(&mut self, token: &Value) {
        let patience = self.patience();
        if let Some(asked) = self.asked.iter_mut().find(|asked| asked.id == *token) {
            asked.extended += 1;
            let key = asked.call.as_ref().map(|call| call.key);
            self.later(patience, key, What::Expire(token.clone()));
        }
    }

    /// Ends the connection unless the client answers.
    pub(crate) fn expect(&mut self, id: Value, method: &'static str) {
        self.later(PATIENCE / 10, None, What::Expire(id.clone()));
        self.asked.push(Asked { id, method, call: None, last: true, extended: 0 });
    }

    pub(crate) fn expire(&mut self, id: &Value) {
        let Some(index) = self.asked.iter().position(|asked| asked.id == *id) else {
            return self.give_up_errand(id);
        };
        if self.asked[index].extended > 0 {
            self.asked[index].extended -= 1;
            return;
        }
        if self.server.faulty("lifecycle.timeouts.server-requests") {
            return;
        }
        let asked = self.asked.remove(index);
        if asked.method == "ping" {
            self.act(Action::Exit(0));
        }
        let Some(call) = asked.call else { return };
        let params = json!({"requestId": id, "reason": "no answer in time"});
        if !self.server.faulty("lifecycle.timeouts.cancel-on-expiry") {
            self.notify_for(&call, "notifications/cancelled", params);
        }
        let text = format!("The client did not answer {} in time. Call again when it can.", asked.method);
        self.finish(&call, Reply::Result(crate::tools::failure(&text)));
    }
}
