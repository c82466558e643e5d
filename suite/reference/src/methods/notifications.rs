//! Messages from the client that expect no answer: notifications, and responses to requests of ours.

use serde_json::{Value, json};

use super::METHODS;
use crate::core::{Action, Connection, Reply, Stream, Transport, Unusual, failure};
use crate::deviation::Deviation;
use crate::error::RpcError;

impl Connection {
    /// Whatever a server does of its own accord at the start.
    pub(crate) fn opened(&mut self) {
        if self.transport != Transport::Stdio {
            return;
        }
        if self.server.deviates(Deviation::AsksAtStart) {
            let id = self.next_ask();
            self.request_of_ours(Stream::Standalone, id, "roots/list", json!({}));
        }
        if self.server.deviates(Deviation::NotifiesAtStart) {
            self.notify(Stream::Standalone, "notifications/tools/list_changed", Value::Null);
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
                    self.server
                        .interceptors
                        .clone()
                        .iter()
                        .for_each(|interceptor| interceptor.client_initialized(self));
                }
            }
            "notifications/cancelled" => self.cancel(payload, &params),
            "notifications/progress" if self.server.deviates(Deviation::ProgressExtendsTimeouts) => {
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
        if initialized && settings.deviates(Deviation::InitializedIsFatal)
            || !known && settings.deviates(Deviation::UnknownNotificationsAreFatal)
            || method == "notifications/progress" && settings.deviates(Deviation::ClientProgressIsFatal)
        {
            self.act(Action::Exit(1));
            return true;
        }
        if settings.deviates(Deviation::RequestsWithoutIdAreAnswered) && METHODS.contains(&method) {
            self.request(payload, Value::Null, method.to_owned(), params.clone(), Unusual::default());
            return true;
        }
        if initialized && settings.deviates(Deviation::InitializedIsRefused)
            || initialized && !params.is_null() && settings.deviates(Deviation::InitializedWithParamsIsRefused)
            || !known && settings.deviates(Deviation::UnknownNotificationsAreAnswered)
        {
            self.refuse(payload, method, &RpcError::unknown_method(method));
        }
        false
    }

    pub(crate) fn response(&mut self, id: &Value, outcome: Result<Value, Value>) {
        self.server.interceptors.clone().iter().for_each(|interceptor| interceptor.client_answered(self, id));
        let Some(index) = self.asked.iter().position(|asked| asked.id == *id) else { return };
        let asked = self.asked.remove(index);
        let Some(call) = asked.call.clone() else { return };
        if outcome.is_err() && self.server.deviates(Deviation::ClientErrorsStallCalls) {
            return;
        }
        if outcome.as_ref().is_ok_and(|answer| self.start_client_task(&asked, &call, answer)) {
            return;
        }
        self.client_tasks.retain(|task| task.call.key != call.key);
        let goes_on = asked.method == "sampling/createMessage" && !asked.last && call.task.is_none();
        let sampled = outcome.as_ref().ok().filter(|_| goes_on);
        if let Some(params) = sampled.and_then(|answer| crate::tools::params_after_tool_use(&self.server, answer)) {
            self.ask(&call, asked.method, params);
            if let Some(asked) = self.asked.last_mut() {
                asked.last = true;
            }
            return;
        }
        let result = match outcome {
            Ok(answer) => crate::fixtures::result_of_answer(self, &call, &answer)
                .unwrap_or_else(|| crate::tools::result_of_answer(asked.method, &answer)),
            Err(error) => {
                let why = error["message"].as_str().map(crate::error::shorten).unwrap_or_default();
                failure(&format!("The client refused {}: {why}. Try another tool.", asked.method))
            }
        };
        if call.task.is_some() {
            return self.go_on(&call, result);
        }
        self.finish(&call, Reply::Result(result));
    }
}
