//! Another client of the same server over HTTP: is it told of tasks that are not its own?

use serde_json::json;
use verdict::{Intent, Transport};

use super::subject::{Subject, subjects, supports_task_calls};
use super::task_exchange::TaskExchange;
use crate::opening::Opening;
use crate::scenario::{Cx, Scenario, Stage};

const NAME: &str = "tasks/others";

pub(super) const SCENARIO: Scenario = Scenario {
    name: NAME,
    provokes: &[
        "tasks.capability.list-without-identity",
        "tasks.id.unique",
        "tasks.isolation.other-context-refused",
        "tasks.isolation.bound-to-context",
        "tasks.list.own-context-only",
    ],
    stage: Stage::Alone,
    applies: |profile| profile.transport == Transport::Http && supports_task_calls(profile),
    run: |cx| Box::pin(provoke_others(cx)),
};

async fn provoke_others(cx: Cx) {
    let revision = cx.profile.revision;
    let Ok(one) = cx.open_ready(Opening::new("tasks of one", revision).full()).await else { return };
    let one = TaskExchange { session: one, scenario: NAME };
    let subject = subjects(&cx, &one.session).await.into_iter().find(|subject| !subject.broken);
    if let Some(subject) = subject {
        provoke_beside(&cx, &one, &subject).await;
        if cx.options.authorization().is_some() && cx.options.credentials.second.is_some() {
            provoke_second(&cx, &one, &subject).await;
        }
    }
    one.session.settle().await;
    one.session.kill().await;
}

/// Creates a task as each of two clients of the same user, then lists the tasks of both.
async fn provoke_beside(cx: &Cx, one: &TaskExchange, subject: &Subject) {
    let opening = Opening::new("tasks of another", cx.profile.revision).full();
    let Ok(other) = cx.open_ready(opening).await else { return };
    let other = TaskExchange { session: other, scenario: NAME };
    let (form, about) = (json!({"ttl": 60_000}), json!({"tool": subject.tool}));
    let made = one.create(subject, &form, about.clone()).await;
    other.create(subject, &form, about).await;
    if cx.profile.declares("tasks.list") {
        one.walk(Intent::TasksWalk).await;
        other.walk(Intent::TasksOfOthers).await;
    }
    if let Some(made) = made {
        one.get(&made.id, Intent::TaskAfterList).await;
    }
    other.session.settle().await;
    other.session.kill().await;
}

/// Another user.
async fn provoke_second(cx: &Cx, one: &TaskExchange, subject: &Subject) {
    let form = json!({"ttl": 60_000});
    let Some(made) = one.create(subject, &form, json!({"tool": subject.tool})).await else { return };
    one.get(&made.id, Intent::TaskOfFirst).await;
    let Ok(other) = cx.open_ready(Opening::new("second user", cx.profile.revision).second()).await else {
        return;
    };
    let other = TaskExchange { session: other, scenario: NAME };
    other.session.ask("tools/list", json!({})).probe(NAME, Intent::TaskUserLetIn, json!({})).send().await;
    other.get(&made.id, Intent::TaskForeign).await;
    if cx.profile.declares("tasks.list") {
        other.walk(Intent::TasksForeign).await;
    }
    other.result(&made.id, Intent::TaskForeign, other.session.limit()).await;
    if cx.profile.declares("tasks.cancel") {
        other.cancel(&made.id, Intent::TaskForeign).await;
    }
    other.session.kill().await;
    one.get(&made.id, Intent::TaskOfFirst).await;
}
