//! Tasks from their creation to their end, beside the same call without a task: asked after at once, while their result is
//! waited for, and when all is over. Nobody waits but for the result, which comes when the work is done.

use std::rc::Rc;
use std::time::Duration;

use serde_json::json;
use tokio::sync::Notify;
use tokio::task::JoinSet;
use tokio::time::Instant;
use verdict::Intent;

use super::subject::{Subject, is_over, note_over, pause, subjects, supports_task_calls};
use super::task_exchange::TaskExchange;
use crate::Wear;
use crate::opening::Opening;
use crate::scenario::{Cx, Scenario, Stage};

const NAME: &str = "tasks/life";
/// A tool that takes so long when it is called plainly takes its time.
const SLOW: Duration = Duration::from_millis(700);
/// How long the server is asked to keep a task, in milliseconds.
const TTL: u32 = 120_000;

pub(super) const SCENARIO: Scenario = Scenario {
    name: NAME,
    provokes: &[
        "tasks.tool-support.required-without-task",
        "tasks.tool-support.optional-both",
        "tasks.create.result",
        "tasks.create.immediate",
        "tasks.create.starts-working",
        "tasks.create.immediate-response-type",
        "tasks.id.string",
        "tasks.object.status",
        "tasks.object.created-at",
        "tasks.object.last-updated-at",
        "tasks.object.timestamps-consistent",
        "tasks.object.ttl",
        "tasks.object.poll-interval",
        "tasks.object.status-message",
        "tasks.get.result",
        "tasks.get.immediate",
        "tasks.get.right-after-create",
        "tasks.get.no-related-task",
        "tasks.get.no-sse-upgrade",
        "tasks.get.failed-has-message",
        "tasks.lifecycle.transitions",
        "tasks.lifecycle.terminal-final",
        "tasks.lifecycle.is-error-fails",
        "tasks.lifecycle.rpc-error-fails",
        "tasks.lifecycle.notifications-related",
        "tasks.result.same-as-plain",
        "tasks.result.rpc-error",
        "tasks.result.blocks",
        "tasks.result.parallel-get",
        "tasks.result.related-task",
        "tasks.result.failed",
        "tasks.result.repeatable",
        "tasks.cancel.terminal-refused",
        "tasks.notification.shape",
        "tasks.notification.known-task",
        "tasks.notification.no-related-task",
        "tasks.server-as-requestor.capability",
        "progress.task-same-token",
        "progress.task-stops-at-terminal",
    ],
    stage: Stage::Alone,
    applies: supports_task_calls,
    run: |cx| Box::pin(provoke_lives(cx)),
};

async fn provoke_lives(cx: Cx) {
    let opening = Opening::new("tasks", cx.profile.revision).full();
    let Ok(session) = cx.lease(opening, Wear::Ordinary).await else { return };
    let subjects = subjects(&cx, &session).await;
    let talk = TaskExchange { session: session.clone(), scenario: NAME };
    let mut lives = JoinSet::new();
    for subject in subjects {
        let (talk, cancels) = (talk.clone(), cx.profile.declares("tasks.cancel"));
        lives.spawn_local(async move { life(&talk, &subject, cancels).await });
    }
    lives.join_all().await;
    session.settle().await;
    session.record_probe(NAME, Intent::TasksOver, json!({}));
    session.give_back().await;
}

async fn life(talk: &TaskExchange, subject: &Subject, cancels: bool) {
    let began = Instant::now();
    // What takes its time is called twice side by side, and nothing else has to wait for the second time.
    let beside = subject.plain && subject.tuned;
    if beside {
        tokio::join!(talk.plain(subject, "before"), talk.plain(subject, "after"));
    } else {
        talk.plain(subject, "before").await;
    }
    let slow = beside && began.elapsed() > SLOW;
    let about = json!({"tool": subject.tool, "slow": slow, "broken": subject.broken});
    let Some(made) = talk.create(subject, &json!({"ttl": TTL}), about).await else { return };
    let first = talk.get(&made.id, Intent::TaskFirst).await;
    let working = first.as_ref().is_some_and(|task| !is_over(task));
    let limit = talk.session.limit() * 3;
    let over = Rc::new(Notify::new());
    let result = talk.result_until_over(&made.id, Intent::TaskResult, limit, &over);
    if working {
        tokio::join!(result, async {
            tokio::time::sleep(pause(&made.task)).await;
            note_over(&over, talk.get(&made.id, Intent::TaskBeside).await.as_ref());
        });
    } else {
        note_over(&over, first.as_ref());
        result.await;
    }
    note_over(&over, talk.get(&made.id, Intent::TaskAfter).await.as_ref());
    talk.result_until_over(&made.id, Intent::TaskResultAgain, talk.session.limit(), &over).await;
    if cancels {
        talk.cancel(&made.id, Intent::TaskCancelOver).await;
    }
    talk.get(&made.id, Intent::TaskAfter).await;
    if subject.plain && !beside {
        talk.plain(subject, "after").await;
    }
}
