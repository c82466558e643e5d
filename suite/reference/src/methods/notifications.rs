//! What the client sends without expecting an answer: notifications, and responses to requests of ours.

use serde_json::{Value, json};

use crate::core::{Asked, Call, Connection, Reply, Stream, What};

/// How long a client has to answer a request of ours.
const PATIENCE: std::time::Duration = std::time::Duration::from_secs(30);

impl Connection {
    /// Whatever a server does of its own accord at the start.
    pub(crate) fn opened(&mut self) {}

    pub(crate) fn notification(&mut self, _payload: u64, method: &str, params: &Value) {
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
