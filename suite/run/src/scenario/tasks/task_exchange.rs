//! The requests about tasks, as all scenarios of the area send them.

use std::rc::Rc;
use std::time::Duration;

use serde_json::{Value, json};
use tokio::sync::Notify;
use verdict::Intent;

use super::subject::Subject;
use crate::{RequestOutcome, Session};

/// Pages of tasks/list that are fetched.
const PAGES: usize = 100;

/// A task as it was created.
#[derive(Clone, Debug)]
pub(super) struct Made {
    /// The id of the task.
    pub(super) id: String,
    /// The id of the request that made it.
    pub(super) request: i64,
    /// As the answer to the call has it.
    pub(super) task: Value,
}

/// One scenario's requests on one session.
#[derive(Clone, Debug)]
pub(super) struct TaskExchange {
    pub(super) session: Session,
    pub(super) scenario: &'static str,
}

impl TaskExchange {
    /// Calls a tool as a task; none if that made no task. With a progress token.
    pub(super) async fn create(&self, subject: &Subject, task: &Value, about: Value) -> Option<Made> {
        let id = self.session.fresh_id();
        let mut params = subject.task(task);
        params["_meta"] = json!({"progressToken": format!("task-{id}")});
        let ask = self.session.ask("tools/call", params).id(id.to_string());
        // Some answer only when the work is done.
        let limit = self.session.limit() * 2;
        let outcome = ask.probe(self.scenario, Intent::TaskCreate, about).limit(limit).send().await;
        let task = outcome.result()?.get("task")?.clone();
        let made = task.get("taskId")?.as_str()?.to_owned();
        Some(Made { id: made, request: id, task })
    }

    /// Calls a tool without a task.
    pub(super) async fn plain(&self, subject: &Subject, when: &str) -> RequestOutcome {
        let ask = self.session.ask("tools/call", subject.call());
        let about = json!({"when": when, "broken": subject.broken});
        ask.probe(self.scenario, Intent::TaskPlain, about).limit(self.session.limit() * 2).send().await
    }

    /// `tasks/get`: the task, if it came.
    pub(super) async fn get(&self, id: &str, intent: Intent) -> Option<Value> {
        self.named("tasks/get", id, intent).await.result().cloned()
    }

    pub(super) async fn cancel(&self, id: &str, intent: Intent) -> RequestOutcome {
        self.named("tasks/cancel", id, intent).await
    }

    async fn named(&self, method: &str, id: &str, intent: Intent) -> RequestOutcome {
        self.session.ask(method, json!({"taskId": id})).probe(self.scenario, intent, json!({})).send().await
    }

    /// `tasks/result`, which may take as long as the work does, that is until it is told that this is over.
    pub(super) async fn result_until_over(
        &self,
        id: &str,
        intent: Intent,
        limit: Duration,
        over: &Rc<Notify>,
    ) -> RequestOutcome {
        let ask = self.session.ask("tasks/result", json!({"taskId": id})).until_over(over);
        ask.probe(self.scenario, intent, json!({})).limit(limit).send().await
    }

    /// The same, where nothing tells.
    pub(super) async fn result(&self, id: &str, intent: Intent, limit: Duration) -> RequestOutcome {
        let ask = self.session.ask("tasks/result", json!({"taskId": id}));
        ask.probe(self.scenario, intent, json!({})).limit(limit).send().await
    }

    /// Every page of `tasks/list`.
    pub(super) async fn walk(&self, intent: Intent) {
        let mut params = json!({});
        for _ in 0..PAGES {
            let outcome = self.session.ask("tasks/list", params).probe(self.scenario, intent, json!({})).send().await;
            let cursor = outcome.result().and_then(|result| result.get("nextCursor")).and_then(Value::as_str);
            let Some(cursor) = cursor else { return };
            params = json!({"cursor": cursor});
        }
    }
}
