//! Requests of the server's own that a client works on as tasks (2025-11-25): asked after at the client's pace, fetched, given up.

use std::time::Duration;

use serde_json::{Value, json};

use super::call::{Call, Reply};
use super::connection::{Asked, Connection, What};
use super::output::Stream;
use crate::Revision;

/// How often the client is asked, if it does not say.
const PAUSE: u64 = 1_000;
/// What a fault makes of it.
const HASTE: Duration = Duration::from_millis(100);
/// How long the client is asked to keep the task, in milliseconds.
const KEPT: u64 = 120_000;

/// A task of the client's.
#[derive(Debug, Clone)]
pub(crate) struct Errand {
    /// Its id.
    id: String,
    /// The call that waits for the end.
    pub(crate) call: Call,
    /// What the client was asked for, and the id of that request.
    method: &'static str,
    request: Value,
    pause: Duration,
}

impl Connection {
    /// What makes a request a task, if the client can do that.
    pub(crate) fn as_task(&self, method: &str) -> Option<Value> {
        let session = self.session.as_ref().filter(|session| session.revision == Revision::V2025_11_25)?;
        let place = format!("/tasks/requests/{method}");
        session.capabilities.pointer(&place).filter(|declared| declared.is_object())?;
        Some(json!({"ttl": KEPT}))
    }

    /// Takes an answer that is about a task of the client's; false if it is none.
    pub(crate) fn run_errand(&mut self, asked: &Asked, call: &Call, answer: &Value) -> bool {
        if asked.method == "tasks/get" {
            self.errand_told(answer);
            return true;
        }
        let Some(id) = answer["task"]["taskId"].as_str().filter(|_| call.task.is_none()) else { return false };
        let (method, request) = (asked.method, asked.id.clone());
        let errand = Errand { id: id.to_owned(), call: call.clone(), method, request, pause: Duration::ZERO };
        self.errands.push(errand);
        self.pace(&answer["task"]);
        self.poll_errand(id);
        true
    }

    /// The client says how often it wants to be asked.
    fn pace(&mut self, task: &Value) {
        let pause = Duration::from_millis(task["pollInterval"].as_u64().unwrap_or(PAUSE));
        let hasty = self.server.faulty("tasks.server-as-requestor.polling");
        if let Some(errand) = self.errands.iter_mut().find(|errand| task["taskId"] == errand.id.as_str()) {
            errand.pause = if hasty { HASTE } else { pause };
        }
    }

    pub(super) fn poll_errand(&mut self, id: &str) {
        self.ask_about(id, "tasks/get");
    }

    fn ask_about(&mut self, id: &str, method: &'static str) {
        let Some(errand) = self.errands.iter().find(|errand| errand.id == id).cloned() else { return };
        let ask = self.next_ask();
        // What the result is for is what was asked for at first.
        let known = if method == "tasks/result" { errand.method } else { method };
        let call = (method != "tasks/cancel").then(|| errand.call.clone());
        let stream = Stream::Answer(errand.call.payload);
        self.asked.push(Asked { id: ask.clone(), method: known, call, last: true, extended: 0 });
        self.request_of_ours(stream, ask, method, json!({"taskId": id}));
    }

    fn errand_told(&mut self, task: &Value) {
        let id = task["taskId"].as_str().unwrap_or_default();
        self.pace(task);
        let Some(errand) = self.errands.iter().find(|errand| errand.id == id).cloned() else { return };
        if task["status"] == "working" || task["status"] == "input_required" {
            self.later(errand.pause, Some(errand.call.key), What::Poll(errand.id));
        } else {
            self.ask_about(id, "tasks/result");
        }
    }

    /// The client has had long enough for a task: it is told so, by the id of the task.
    pub(crate) fn give_up_errand(&mut self, request: &Value) {
        let Some(index) = self.errands.iter().position(|errand| errand.request == *request) else { return };
        let errand = self.errands[index].clone();
        if self.server.faulty("cancellation.sent.task-by-tasks-cancel") {
            let params = json!({"requestId": request, "reason": "no result in time"});
            self.notify_for(&errand.call, "notifications/cancelled", params);
        } else {
            self.ask_about(&errand.id, "tasks/cancel");
        }
        self.errands.remove(index);
        let text = format!("The client did not end {} in time. Call again when it can.", errand.method);
        self.finish(&errand.call, Reply::Result(crate::tools::failure(&text)));
    }
}
