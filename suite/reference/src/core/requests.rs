//! Requests of the server's own in the handshake era: asked on behalf of a call, answered in time or not.

use std::time::Duration;

use serde_json::{Value, json};

use super::call::{Call, Reply, failure};
use super::connection::{Asked, Connection};
use super::output::{Action, Stream};
use super::schedule::What;
use crate::deviation::Deviation;

/// How long a client has to answer.
const PATIENCE: Duration = Duration::from_secs(30);

impl Connection {
    /// Asks the client for something on behalf of a call, which goes on when the answer is in.
    pub(crate) fn ask(&mut self, call: &Call, method: &'static str, params: Value) {
        if call.task.is_some() {
            return self.ask_for_task(call, method, params);
        }
        let (id, mut params) = (self.next_ask(), params);
        if self.server.deviates(Deviation::ProgressExtendsTimeouts) {
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
    fn patience(&self) -> Duration {
        if self.server.deviates(Deviation::ExpiresSoon) { PATIENCE / 30 } else { PATIENCE }
    }

    /// Waits for as long again: a fault does so whenever there is progress.
    pub(crate) fn wait_longer(&mut self, token: &Value) {
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

    /// Ends the wait for an answer.
    pub(super) fn expire(&mut self, id: &Value) {
        let Some(index) = self.asked.iter().position(|asked| asked.id == *id) else {
            return self.give_up_client_task(id);
        };
        if self.asked[index].extended > 0 {
            self.asked[index].extended -= 1;
            return;
        }
        if self.server.deviates(Deviation::NeverStopsWaiting) {
            return;
        }
        let asked = self.asked.remove(index);
        if asked.method == "ping" {
            self.act(Action::Exit(0));
        }
        let Some(call) = asked.call else { return };
        let params = json!({"requestId": id, "reason": "no answer in time"});
        if !self.server.deviates(Deviation::ExpiresSilently) {
            self.notify_for(&call, "notifications/cancelled", params);
        }
        let text = format!("The client did not answer {} in time. Call again when it can.", asked.method);
        self.finish(&call, Reply::Result(failure(&text)));
    }
}
