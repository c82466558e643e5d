//! Several tasks at once: their ids, their list, and `task` in all forms.

use serde_json::{Value, json};
use verdict::Intent;
use wire::mcp::meta;

use super::subject::{Subject, subjects, supports_task_calls};
use super::task_exchange::{Made, TaskExchange};
use crate::Wear;
use crate::opening::Opening;
use crate::scenario::{Cx, Scenario, Stage};

const NAME: &str = "tasks/many";
/// Tasks that are made: more than most servers list on a page.
const TASKS: usize = 14;
/// Longer than anybody keeps a task.
const LONG: u64 = 1_000_000_000_000;

pub(super) const SCENARIO: Scenario = Scenario {
    name: NAME,
    provokes: &[
        "tasks.create.ttl-optional",
        "tasks.create.invalid-task-param",
        "tasks.id.unique",
        "tasks.id.receiver-generated",
        "tasks.id.unguessable",
        "tasks.get.meta-ignored",
        "tasks.list.shape",
        "tasks.list.next-cursor-type",
        "tasks.list.next-cursor-when-more",
        "tasks.list.complete",
        "tasks.list.pagination",
        "tasks.resources.limits",
    ],
    stage: Stage::Alone,
    applies: supports_task_calls,
    run: |cx| Box::pin(provoke_many(cx)),
};

async fn provoke_many(cx: Cx) {
    let opening = Opening::new("many tasks", cx.profile.revision).full();
    let Ok(session) = cx.lease(opening, Wear::Ordinary).await else { return };
    let sound = subjects(&cx, &session).await.into_iter().filter(|subject| !subject.broken);
    let Some(subject) = sound.min_by_key(|subject| subject.tuned) else { return session.give_back().await };
    let talk = TaskExchange { session: session.clone(), scenario: NAME };
    let mut made = Vec::new();
    for form in [json!({}), json!({"ttl": 60_000, "taskId": "mcp-conform-own-id"}), json!({"ttl": LONG})] {
        made.extend(create(&talk, &subject, &form).await);
    }
    for form in [json!(true), json!({"ttl": "x"})] {
        let ask = session.ask("tools/call", subject.task(&form));
        let outcome = ask.probe(NAME, Intent::TaskInvalid, json!({"tool": subject.tool})).send().await;
        let id = outcome.result().and_then(|result| result.get("task")?.get("taskId")?.as_str());
        if let Some(id) = id {
            talk.cancel(id, Intent::TaskCancelUnwanted).await;
        }
    }
    while !made.is_empty() && made.len() < TASKS {
        let Some(one) = create(&talk, &subject, &json!({"ttl": 60_000})).await else { break };
        made.push(one);
    }
    if let [one, other, ..] = made.as_slice() {
        let meta = json!({(meta::RELATED_TASK): {"taskId": other.id}});
        let ask = session.ask("tasks/get", json!({"taskId": one.id, "_meta": meta}));
        ask.probe(NAME, Intent::TaskNamedTwice, json!({})).send().await;
    }
    if cx.profile.declares("tasks.list") && !made.is_empty() {
        all(&talk, &made, Intent::TaskBeforeList).await;
        talk.walk(Intent::TasksWalk).await;
        all(&talk, &made, Intent::TaskAfterList).await;
    }
    if cx.profile.declares("tasks.cancel") {
        for one in &made {
            session
                .ask("tasks/cancel", json!({"taskId": one.id}))
                .probe(NAME, Intent::TaskCancelUnwanted, json!({}))
                .start();
        }
        session.settle().await;
    }
    session.give_back().await;
}

async fn create(talk: &TaskExchange, subject: &Subject, form: &Value) -> Option<Made> {
    talk.create(subject, form, json!({"tool": subject.tool})).await
}

async fn all(talk: &TaskExchange, made: &[Made], intent: Intent) {
    for one in made {
        talk.session.ask("tasks/get", json!({"taskId": one.id})).probe(NAME, intent, json!({})).start();
    }
    talk.session.settle().await;
}
