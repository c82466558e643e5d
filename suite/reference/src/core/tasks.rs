//! Tasks (2025-11-25): calls that are answered at once and worked on afterwards. Each connection keeps its own; what the methods
//! make of them is in the methods.

use std::time::{Duration, SystemTime, UNIX_EPOCH};
use wire::mcp::code;
use wire::mcp::meta;

use serde_json::{Value, json};

use super::call::{Call, Reply};
use super::connection::{Asked, Connection};
use super::output::Stream;
use super::schedule::What;
use super::server::Server;
use super::task::{RELATED, Task};
use super::task_deviations;
use crate::Revision;
use crate::deviation::Deviation;
use crate::error::RpcError;

/// How long after its creation a task begins to work, and goes on after it has been told what it asked for.
const PAUSE: Duration = Duration::from_millis(30);
/// Tasks of one client at the same time.
const MOST: usize = 500;
/// How long tasks are kept: unless the client says, and at most. In milliseconds.
const KEPT: u64 = 300_000;
const LONGEST: u64 = 3_600_000;
/// How often clients are to ask, in milliseconds.
const POLL: u64 = 50;

impl Connection {
    /// Takes a call on as a task; gives the answer to it.
    pub(crate) fn create_task(&mut self, call: &Call, ttl: Option<u64>) -> Reply {
        self.forget_tasks();
        if self.tasks.len() >= MOST {
            return RpcError::new(code::INTERNAL_ERROR, "There are too many tasks; wait until some are over").into();
        }
        let id = task_deviations::id(self, call).unwrap_or_else(random_id);
        let mut run = call.clone();
        run.task = Some(id.clone());
        let now = self.now();
        let task = Task {
            id: id.clone(),
            call: run.clone(),
            status: "working",
            message: None,
            created: now,
            updated: now,
            ttl: if self.server.quirk("short-tasks") { 2_000 } else { ttl.unwrap_or(KEPT).min(LONGEST) },
            outcome: None,
            waiting: Vec::new(),
            asks: Vec::new(),
            creator: None,
            gets: Vec::new(),
            told: 0,
            fetched: 0,
            begun: false,
            cancelled_by: 0,
        };
        let mut result = json!({"task": self.task_value(&task)});
        if call.tool() == Some("work_slowly") {
            result["_meta"] = json!({(meta::MODEL_IMMEDIATE_RESPONSE): "The work has begun."});
        }
        self.tasks.push(task);
        task_deviations::share(self);
        self.later(PAUSE, Some(run.key), What::Work(Box::new(run)));
        if task_deviations::answers_late(self, call) { Reply::Later } else { Reply::Result(result) }
    }

    /// A task as clients see it.
    pub(crate) fn task_value(&self, task: &Task) -> Value {
        let mut value = json!({
            "taskId": task.id,
            "status": task.status,
            "createdAt": self.stamp(task.created),
            "lastUpdatedAt": self.stamp(task.updated),
            "ttl": if self.server.quirk("endless-tasks") { Value::Null } else { json!(task.ttl) },
            "pollInterval": POLL,
        });
        if let Some(message) = &task.message {
            value["statusMessage"] = json!(message);
        }
        task_deviations::value(self, task, &mut value);
        value
    }

    pub(crate) fn stamp(&self, at: Duration) -> String {
        timestamp(self.began + at)
    }

    /// Forgets the tasks whose time is over, whatever they do.
    pub(crate) fn forget_tasks(&mut self) {
        let now = self.now();
        let expired = |task: &Task| task.created + Duration::from_millis(task.ttl) < now;
        let keys: Vec<u64> = self.tasks.iter().filter(|task| expired(task)).map(|task| task.call.key).collect();
        for key in keys {
            self.end_work(key);
            if let Some(at) = self.tasks.iter().position(|task| task.call.key == key) {
                let waiting = self.tasks.remove(at).waiting;
                for call in waiting {
                    self.finish(&call, RpcError::invalid_params("the task has expired").into());
                }
            }
        }
    }

    pub(crate) fn task(&mut self, id: &str) -> Option<&mut Task> {
        self.tasks.iter_mut().find(|task| task.id == id)
    }

    /// Begins to work on a task.
    pub(super) fn work(&mut self, call: &Call) {
        let id = call.task.clone().unwrap_or_default();
        if let Some(task) = self.task(&id) {
            task.begun = true;
        }
        let service = self.server.service;
        let reply = service.work(self, call);
        self.finish(call, reply);
    }

    pub(crate) fn set_status(&mut self, id: &str, status: &'static str, message: Option<String>) {
        let now = self.now();
        let Some(task) = self.task(id) else { return };
        task.status = status;
        task.message = message;
        task.updated = now;
        if self.server.quirk("silent-tasks") {
            return;
        }
        if let Some(task) = self.tasks.iter().find(|task| task.id == id) {
            let value = self.task_value(task);
            self.notify(Stream::Standalone, "notifications/tasks/status", value);
        }
    }

    /// The call that a task stands for has ended.
    pub(super) fn end_task(&mut self, id: &str, outcome: Result<Value, RpcError>) {
        let goes_on = self.server.deviates(Deviation::CancelledTasksComplete);
        let Some(task) = self.task(id).filter(|task| !task.is_over() || goes_on) else { return };
        let failure = match &outcome {
            Ok(result) if result["isError"] == true => result["content"][0]["text"].as_str().map(str::to_owned),
            Ok(_) => None,
            Err(error) => Some(error.message.clone()),
        };
        task.outcome = Some(outcome);
        let call = task.call.clone();
        let status = if failure.is_some() { "failed" } else { "completed" };
        let status = task_deviations::end(self, id, status);
        self.set_status(id, status, failure);
        task_deviations::after_end(self, &call);
        self.answer_waiting(id);
    }

    /// Answers those who wait for the end.
    pub(crate) fn answer_waiting(&mut self, id: &str) {
        let Some(task) = self.task(id) else { return };
        let waiting = std::mem::take(&mut task.waiting);
        let gets = std::mem::take(&mut task.gets);
        let creator = task.creator.take();
        for call in waiting {
            let reply = self.outcome(id);
            self.finish(&call, reply);
        }
        if let Some(task) = self.tasks.iter().find(|task| task.id == id) {
            let value = self.task_value(task);
            for call in gets {
                self.finish(&call, Reply::Result(value.clone()));
            }
            if let Some(call) = creator {
                self.finish(&call, Reply::Result(json!({"task": value})));
            }
        }
    }

    /// Returns the answer that the call would have had, marked as belonging to the task.
    pub(crate) fn outcome(&mut self, id: &str) -> Reply {
        let Some(task) = self.task(id) else { return RpcError::invalid_params("there is no such task").into() };
        task.fetched += 1;
        match task.outcome.clone() {
            Some(Ok(mut result)) => {
                result["_meta"][RELATED] = json!({"taskId": id});
                task_deviations::result(self, id, result)
            }
            Some(Err(error)) => task_deviations::error(self, error),
            None => RpcError::new(code::INTERNAL_ERROR, "The task has no result").into(),
        }
    }

    /// Has a task ask the client for something, on the stream of a request for its result.
    pub(crate) fn ask_for_task(&mut self, call: &Call, method: &'static str, mut params: Value) {
        let id = call.task.clone().unwrap_or_default();
        let ask = self.next_ask();
        params["_meta"][RELATED] = json!({"taskId": id});
        self.asked.push(Asked { id: ask.clone(), method, call: Some(call.clone()), last: true, extended: 0 });
        if let Some(task) = self.task(&id) {
            task.asks.push((ask, method, params));
        }
        if !self.server.deviates(Deviation::TasksAskWhileWorking) {
            self.set_status(&id, "input_required", Some("The client is to answer a question.".to_owned()));
        }
        self.ask_now(&id);
    }

    /// Sends what a task has to ask if somebody listens.
    pub(crate) fn ask_now(&mut self, id: &str) {
        let at_once = self.server.quirk("tasks-ask-at-once");
        let Some(task) = self.task(id) else { return };
        let stream = task.waiting.last().map(|call| Stream::Answer(call.payload));
        let Some(stream) = stream.or(at_once.then_some(Stream::Standalone)) else { return };
        for (ask, method, params) in std::mem::take(&mut task.asks) {
            self.request_of_ours(stream, ask, method, params);
        }
    }

    /// The client has answered a question of a task, which goes on.
    pub(crate) fn go_on(&mut self, call: &Call, result: Value) {
        let id = call.task.clone().unwrap_or_default();
        if self.task(&id).is_some_and(|task| !task.is_over()) {
            self.set_status(&id, "working", None);
            self.later(PAUSE, Some(call.key), What::Finish(Box::new(call.clone()), Reply::Result(result)));
        }
    }

    /// Ends a task that nobody wants any more.
    pub(crate) fn cancel_task(&mut self, id: &str) {
        let goes_on = [Deviation::CancelledTasksComplete, Deviation::CancelledTasksReportProgress];
        let goes_on = goes_on.iter().any(|deviation| self.server.deviates(*deviation));
        let Some(task) = self.task(id).filter(|task| !task.is_over()) else { return };
        let (key, run) = (task.call.key, task.call.clone());
        task.cancelled_by = task.told + 1;
        task.outcome = Some(Err(RpcError::new(code::REQUEST_CANCELLED, "The task was cancelled")));
        if !goes_on {
            self.end_work(key);
        }
        self.set_status(id, "cancelled", Some("The client has cancelled it.".to_owned()));
        task_deviations::after_end(self, &run);
        if !self.server.deviates(Deviation::CancelledResultNeverSent) {
            self.answer_waiting(id);
        }
    }

    /// Nothing further is done for a task.
    pub(crate) fn end_work(&mut self, key: u64) {
        self.abandon_work(key);
        self.asked.retain(|asked| asked.call.as_ref().is_none_or(|call| call.key != key));
    }
}

fn random_id() -> String {
    let mut random = [0; 16];
    // Without randomness there is nothing that could be kept secret, and a test server has no secrets.
    if getrandom::fill(&mut random).is_err() {
        random[..8].copy_from_slice(
            &SystemTime::now().duration_since(UNIX_EPOCH).map_or(0, |at| at.subsec_nanos() as u64).to_le_bytes(),
        );
    }
    random.iter().map(|byte| format!("{byte:02x}")).collect()
}

/// Returns the declared capability, if calls can be tasks here.
pub(crate) fn capability(server: &Server, revision: Revision) -> Option<Value> {
    let without = ["no-tasks", "bare-capabilities", "no-session-id"].iter().any(|quirk| server.quirk(quirk));
    (has_tasks(revision) && !without)
        .then(|| json!({"list": {}, "cancel": {}, "requests": {"tools": {"call": {}}}}))
        .and_then(|capability| task_deviations::capability(server, capability))
}

/// Whether calls can be tasks in a revision.
pub(crate) fn has_tasks(revision: Revision) -> bool {
    revision == Revision::V2025_11_25
}

/// RFC 3339, with milliseconds.
fn timestamp(at: SystemTime) -> String {
    let since = at.duration_since(UNIX_EPOCH).unwrap_or_default();
    let (days, second) = (since.as_secs() / 86_400, since.as_secs() % 86_400);
    // Days since March 1st of the year 0: leap days then end the year.
    let days = days + 719_468;
    let (era, day_of_era) = (days / 146_097, days % 146_097);
    let year = (day_of_era - day_of_era / 1_460 + day_of_era / 36_524 - day_of_era / 146_096) / 365;
    let day_of_year = day_of_era - (365 * year + year / 4 - year / 100);
    let shifted = (5 * day_of_year + 2) / 153;
    let day = day_of_year - (153 * shifted + 2) / 5 + 1;
    let month = if shifted < 10 { shifted + 3 } else { shifted - 9 };
    let year = year + era * 400 + u64::from(month <= 2);
    let (hour, minute) = (second / 3_600, second / 60 % 60);
    format!("{year:04}-{month:02}-{day:02}T{hour:02}:{minute:02}:{:02}.{:03}Z", second % 60, since.subsec_millis())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn timestamps_are_of_the_calendar() {
        let at = |seconds| timestamp(UNIX_EPOCH + Duration::from_secs(seconds));
        assert_eq!(at(0), "1970-01-01T00:00:00.000Z");
        assert_eq!(at(951_782_399), "2000-02-28T23:59:59.000Z");
        assert_eq!(at(951_782_400), "2000-02-29T00:00:00.000Z");
        assert_eq!(at(1_764_028_800), "2025-11-25T00:00:00.000Z");
        assert_eq!(at(1_735_689_599), "2024-12-31T23:59:59.000Z");
    }
}
