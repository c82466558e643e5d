//! Requests of the server's own that a client works on as tasks (2025-11-25): polled at the client's pace, fetched, given up.

use std::time::Duration;

use serde_json::{Value, json};

use super::call::{Call, Reply, failure};
use super::connection::{Asked, Connection};
use super::output::Stream;
use super::schedule::What;
use super::task::ClientTask;
use crate::Revision;
use crate::deviation::Deviation;

/// How often the client is asked, if it does not say.
const PAUSE: u64 = 1_000;
/// The pause if a deviation polls too often.
const HASTE: Duration = Duration::from_millis(100);
/// How long the client is asked to keep the task, in milliseconds.
const KEPT: u64 = 120_000;

impl Connection {
    /// Returns the `task` param that makes a request a task, if the client supports that.
    pub(crate) fn as_task(&self, method: &str) -> Option<Value> {
        let session = self.session.as_ref().filter(|session| session.revision == Revision::V2025_11_25)?;
        let place = format!("/tasks/requests/{method}");
        session.capabilities.pointer(&place).filter(|declared| declared.is_object())?;
        Some(json!({"ttl": KEPT}))
    }

    /// Takes an answer that is about a task of the client's; returns `false` if it is none.
    pub(crate) fn start_client_task(&mut self, asked: &Asked, call: &Call, answer: &Value) -> bool {
        if asked.method == "tasks/get" {
            self.take_client_task_status(answer);
            return true;
        }
        let Some(id) = answer["task"]["taskId"].as_str().filter(|_| call.task.is_none()) else { return false };
        let (method, request) = (asked.method, asked.id.clone());
        let task = ClientTask { id: id.to_owned(), call: call.clone(), method, request, pause: Duration::ZERO };
        self.client_tasks.push(task);
        self.pace(&answer["task"]);
        self.poll_client_task(id);
        true
    }

    /// The client says how often it wants to be asked.
    fn pace(&mut self, status: &Value) {
        let pause = Duration::from_millis(status["pollInterval"].as_u64().unwrap_or(PAUSE));
        let hasty = self.server.deviates(Deviation::PollsClientTasksTooOften);
        if let Some(task) = self.client_tasks.iter_mut().find(|task| status["taskId"] == task.id.as_str()) {
            task.pause = if hasty { HASTE } else { pause };
        }
    }

    pub(super) fn poll_client_task(&mut self, id: &str) {
        self.ask_about_client_task(id, "tasks/get");
    }

    fn ask_about_client_task(&mut self, id: &str, method: &'static str) {
        let Some(task) = self.client_tasks.iter().find(|task| task.id == id).cloned() else { return };
        let ask = self.next_ask();
        // What the result is for is what was asked for at first.
        let known = if method == "tasks/result" { task.method } else { method };
        let call = (method != "tasks/cancel").then(|| task.call.clone());
        let stream = Stream::Answer(task.call.payload);
        self.asked.push(Asked { id: ask.clone(), method: known, call, last: true, extended: 0 });
        self.request_of_ours(stream, ask, method, json!({"taskId": id}));
    }

    fn take_client_task_status(&mut self, status: &Value) {
        let id = status["taskId"].as_str().unwrap_or_default();
        self.pace(status);
        let Some(task) = self.client_tasks.iter().find(|task| task.id == id).cloned() else { return };
        if status["status"] == "working" || status["status"] == "input_required" {
            self.later(task.pause, Some(task.call.key), What::Poll(task.id));
        } else {
            self.ask_about_client_task(id, "tasks/result");
        }
    }

    /// Cancels a task that has taken the client too long, and ends the call that waits for it.
    pub(crate) fn give_up_client_task(&mut self, request: &Value) {
        let Some(index) = self.client_tasks.iter().position(|task| task.request == *request) else { return };
        let task = self.client_tasks[index].clone();
        if self.server.deviates(Deviation::CancelsClientTasksByRequestId) {
            let params = json!({"requestId": request, "reason": "no result in time"});
            self.notify_for(&task.call, "notifications/cancelled", params);
        } else {
            self.ask_about_client_task(&task.id, "tasks/cancel");
        }
        self.client_tasks.remove(index);
        let text = format!("The client did not end {} in time. Call again when it can.", task.method);
        self.finish(&task.call, Reply::Result(failure(&text)));
    }
}
