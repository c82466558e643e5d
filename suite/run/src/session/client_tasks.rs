//! Tasks that a server has the tester do (2025-11-25): accepted at once, worked on for a while, then ready to be fetched.

use std::cell::RefCell;
use std::time::{Duration, Instant};
use wire::mcp::code;
use wire::mcp::meta;

use jiff::Timestamp;
use serde_json::{Value, json};

/// How often the server may ask after a task. It is longer than what servers are likely to do without looking: a second.
const INTERVAL: Duration = Duration::from_millis(1_600);
/// A task of a server that waits so long between two questions is over: it has shown what it does.
const PATIENT: Duration = Duration::from_millis(1_280);
/// How long the others have to show it: for one question a second to be more than there may be.
const LONGEST: Duration = Duration::from_millis(5_400);
/// How often it is looked whether a task is over whose result is waited for.
pub(super) const PAUSE: Duration = Duration::from_millis(50);
/// Tasks of one session; a server is not to fill the tester's memory.
const MOST: usize = 64;
/// How long tasks are kept, if the server does not say.
const KEPT: u64 = 60_000;

type Answer = Result<Value, (i64, String)>;

/// The tasks of a session.
#[derive(Debug, Default)]
pub(super) struct ClientTasks(RefCell<Vec<Task>>);

#[derive(Debug)]
struct Task {
    id: String,
    status: &'static str,
    began: Instant,
    created: Timestamp,
    updated: Timestamp,
    ttl: Value,
    result: Value,
    /// When it was last asked after.
    asked: Option<Instant>,
    /// It is never over.
    endless: bool,
}

/// Whether a request makes a task or is about one.
pub(super) fn is_about_tasks(method: &str, params: Option<&Value>) -> bool {
    let can_be = matches!(method, "sampling/createMessage" | "elicitation/create");
    method.starts_with("tasks/") || can_be && params.and_then(|params| params.get("task")).is_some_and(Value::is_object)
}

impl ClientTasks {
    /// The answer to such a request; none if it is to come later. `plain` is what the request gives that becomes a task.
    pub(super) fn serve(
        &self,
        method: &str,
        params: Option<&Value>,
        plain: impl FnOnce() -> Answer,
        endless: bool,
    ) -> Option<Answer> {
        self.serve_at(Instant::now(), method, params, plain, endless)
    }

    fn serve_at(
        &self,
        now: Instant,
        method: &str,
        params: Option<&Value>,
        plain: impl FnOnce() -> Answer,
        endless: bool,
    ) -> Option<Answer> {
        let mut tasks = self.0.borrow_mut();
        if !method.starts_with("tasks/") {
            return Some(plain().and_then(|result| begin(&mut tasks, now, params, result, endless)));
        }
        if method == "tasks/list" {
            return Some(Ok(json!({"tasks": tasks.iter_mut().map(|task| task.at(now)).collect::<Vec<_>>()})));
        }
        let id = params.and_then(|params| params.get("taskId")).and_then(Value::as_str);
        let Some(task) = tasks.iter_mut().find(|task| Some(task.id.as_str()) == id) else {
            return Some(Err((code::INVALID_PARAMS, "There is no such task".to_owned())));
        };
        match method {
            "tasks/get" => Some(Ok(task.get(now))),
            "tasks/result" => task.outcome(now),
            "tasks/cancel" => Some(task.cancel(now)),
            _ => Some(Err((code::METHOD_NOT_FOUND, format!("Method not found: {method}")))),
        }
    }
}

fn begin(tasks: &mut Vec<Task>, now: Instant, params: Option<&Value>, result: Value, endless: bool) -> Answer {
    if tasks.len() >= MOST {
        return Err((code::INTERNAL_ERROR, "There are too many tasks".to_owned()));
    }
    let date = Timestamp::now();
    let ttl = params.and_then(|params| params.pointer("/task/ttl")).filter(|ttl| ttl.is_u64());
    let mut task = Task {
        id: format!("mcp-conform-task-{}", tasks.len() + 1),
        status: "working",
        began: now,
        created: date,
        updated: date,
        ttl: ttl.cloned().unwrap_or(json!(KEPT)),
        result,
        asked: None,
        endless,
    };
    let made = json!({"task": task.at(now)});
    tasks.push(task);
    Ok(made)
}

impl Task {
    fn set(&mut self, status: &'static str) {
        self.status = status;
        self.updated = Timestamp::now();
    }

    /// As the server sees it.
    fn at(&mut self, now: Instant) -> Value {
        if self.status == "working" && !self.endless && now - self.began >= LONGEST {
            self.set("completed");
        }
        json!({"taskId": self.id, "status": self.status, "createdAt": format!("{:.3}", self.created),
            "lastUpdatedAt": format!("{:.3}", self.updated), "ttl": self.ttl, "pollInterval": INTERVAL.as_millis() as u64})
    }

    fn get(&mut self, now: Instant) -> Value {
        let patient = self.asked.is_some_and(|asked| now - asked >= PATIENT);
        if self.status == "working" && !self.endless && patient {
            self.set("completed");
        }
        self.asked = Some(now);
        self.at(now)
    }

    /// None before the end.
    fn outcome(&mut self, now: Instant) -> Option<Answer> {
        self.at(now);
        match self.status {
            "working" => None,
            "completed" => {
                let mut result = self.result.clone();
                result["_meta"] = json!({(meta::RELATED_TASK): {"taskId": self.id}});
                Some(Ok(result))
            }
            _ => Some(Err((code::INTERNAL_ERROR, "The task was cancelled".to_owned()))),
        }
    }

    fn cancel(&mut self, now: Instant) -> Answer {
        self.at(now);
        if self.status != "working" {
            return Err((code::INVALID_PARAMS, format!("The task is {} already", self.status)));
        }
        self.set("cancelled");
        Ok(self.at(now))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const ID: &str = "mcp-conform-task-1";

    /// Returns the answer to a request so many milliseconds after the beginning.
    fn ask(client_tasks: &ClientTasks, began: Instant, after: u64, method: &str) -> Option<Answer> {
        let params = json!({"taskId": ID, "task": {"ttl": 5}});
        let now = began + Duration::from_millis(after);
        client_tasks.serve_at(now, method, Some(&params), || Ok(json!({"action": "accept"})), false)
    }

    fn status(answer: Option<Answer>) -> String {
        let task = answer.expect("at once").expect("a task");
        task.get("task").unwrap_or(&task)["status"].as_str().unwrap_or_default().to_owned()
    }

    #[test]
    fn who_asks_at_the_interval_has_the_result_at_the_second_time() {
        let (client_tasks, began) = (ClientTasks::default(), Instant::now());
        assert!(is_about_tasks("elicitation/create", Some(&json!({"task": {}}))));
        assert!(!is_about_tasks("roots/list", Some(&json!({"task": {}}))));
        assert_eq!(status(ask(&client_tasks, began, 0, "elicitation/create")), "working");
        assert_eq!(status(ask(&client_tasks, began, 10, "tasks/get")), "working");
        assert!(ask(&client_tasks, began, 20, "tasks/result").is_none());
        assert_eq!(status(ask(&client_tasks, began, 1_610, "tasks/get")), "completed");
        let result = ask(&client_tasks, began, 1_620, "tasks/result").expect("at once").expect("a result");
        assert_eq!(
            (&result["action"], &result["_meta"]["io.modelcontextprotocol/related-task"]["taskId"]),
            (&json!("accept"), &json!(ID))
        );
        assert!(ask(&client_tasks, began, 1_630, "tasks/cancel").expect("at once").is_err());
    }

    #[test]
    fn who_asks_all_the_time_is_watched_for_longer() {
        let (client_tasks, began) = (ClientTasks::default(), Instant::now());
        assert!(ask(&client_tasks, began, 0, "tasks/get").expect("at once").is_err());
        ask(&client_tasks, began, 0, "sampling/createMessage");
        for after in [1_000, 2_000, 3_000] {
            assert_eq!(status(ask(&client_tasks, began, after, "tasks/get")), "working");
        }
        assert_eq!(status(ask(&client_tasks, began, 3_100, "tasks/cancel")), "cancelled");
        assert!(ask(&client_tasks, began, 3_200, "tasks/result").expect("at once").is_err());
    }

    #[test]
    fn who_never_asks_has_the_result_in_the_end() {
        let (client_tasks, began) = (ClientTasks::default(), Instant::now());
        ask(&client_tasks, began, 0, "sampling/createMessage");
        assert!(ask(&client_tasks, began, 5_000, "tasks/result").is_none());
        assert!(ask(&client_tasks, began, 5_500, "tasks/result").expect("at once").is_ok());
    }
}
