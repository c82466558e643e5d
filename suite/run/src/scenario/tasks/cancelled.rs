//! Tasks that are cancelled while they work, beside one that is left alone: the watch ends when that one does.

use std::rc::Rc;
use std::time::Duration;

use serde_json::json;
use tokio::sync::Notify;
use tokio::time::Instant;
use verdict::{Intent, Transport};

use super::subject::{Subject, is_over, note_over, subjects, supports_task_calls};
use super::task_exchange::TaskExchange;
use crate::opening::Opening;
use crate::scenario::{Cx, Scenario, Stage};
use crate::{Session, Wear};

const NAME: &str = "tasks/cancelled";
/// How long what is under way may still arrive.
const GRACE: Duration = Duration::from_millis(500);

pub(super) const SCENARIO: Scenario = Scenario {
    name: NAME,
    provokes: &[
        "tasks.capability.cancel-served",
        "tasks.cancel.result",
        "tasks.cancel.visible-at-once",
        "tasks.cancel.stays-cancelled",
        "tasks.cancel.stops-work",
        "tasks.cancel.terminal-refused",
        "tasks.result.cancelled",
        "tasks.lifecycle.terminal-final",
        "tasks.lifecycle.survives-disconnect",
        "cancellation.task-request-id",
        "progress.task-stops-at-terminal",
    ],
    stage: Stage::Alone,
    applies: supports_task_calls,
    run: |cx| Box::pin(provoke_cancelled(cx)),
};

/// The tool that takes its time for certain, else the first that can be a task.
async fn subject(cx: &Cx, session: &Session) -> Option<Subject> {
    let sound = subjects(cx, session).await.into_iter().filter(|subject| !subject.broken);
    sound.min_by_key(|subject| !subject.tuned)
}

async fn provoke_cancelled(cx: Cx) {
    let opening = Opening::new("cancelled tasks", cx.profile.revision).full();
    let Ok(session) = cx.lease(opening, Wear::Ordinary).await else { return };
    let Some(subject) = subject(&cx, &session).await else { return session.give_back().await };
    let talk = TaskExchange { session: session.clone(), scenario: NAME };
    let form = json!({"ttl": 120_000});
    let about = || json!({"tool": subject.tool});
    let limit = session.limit() * 3;
    // Cancelled by the id of the call, which is over.
    let noted = talk.create(&subject, &form, about()).await;
    if let Some(noted) = &noted {
        let params = json!({"requestId": noted.request, "reason": "a probe"});
        session
            .notify("notifications/cancelled", Some(&params))
            .probe(NAME, Intent::TaskRequestCancelled, json!({}))
            .send()
            .await;
        talk.get(&noted.id, Intent::TaskAfterNotification).await;
    }
    if !cx.profile.declares("tasks.cancel") {
        finish(&talk, noted.map(|made| made.id), limit).await;
        return session.kill().await;
    }
    let Some(one) = talk.create(&subject, &form, about()).await else { return session.give_back().await };
    let over = Rc::new(Notify::new());
    let waiting = {
        let (talk, id, over) = (talk.clone(), one.id.clone(), Rc::clone(&over));
        let limit = talk.session.limit();
        tokio::task::spawn_local(
            async move { talk.result_until_over(&id, Intent::TaskResultCancelled, limit, &over).await },
        )
    };
    talk.get(&one.id, Intent::TaskBeforeCancel).await;
    talk.cancel(&one.id, Intent::TaskCancel).await;
    let after = talk.get(&one.id, Intent::TaskAfterCancel).await;
    note_over(&over, after.as_ref());
    talk.cancel(&one.id, Intent::TaskCancelAgain).await;
    let over = Rc::new(Notify::new());
    note_over(&over, after.as_ref());
    talk.result_until_over(&one.id, Intent::TaskResultCancelled, talk.session.limit(), &over).await;
    let _ = waiting.await;
    let began = Instant::now();
    let control = talk.create(&subject, &form, about()).await;
    tokio::time::sleep_until(began + GRACE).await;
    session.record_probe(NAME, Intent::TaskGrace, json!({}));
    // What came after the other and is let alone ends: the other would have, too.
    finish(&talk, control.map(|made| made.id), limit).await;
    talk.get(&one.id, Intent::TaskAfterAll).await;
    if session.transport() == Transport::Http {
        drop_result_connection(&talk, &subject).await;
    }
    if let Some(noted) = noted {
        let task = talk.get(&noted.id, Intent::TaskAfterNotification).await;
        if task.is_some_and(|task| !is_over(&task)) {
            talk.cancel(&noted.id, Intent::TaskCancelUnwanted).await;
        }
    }
    session.settle().await;
    session.give_back().await;
}

/// The connection on which the result is waited for breaks.
async fn drop_result_connection(talk: &TaskExchange, subject: &Subject) {
    let made = talk.create(subject, &json!({"ttl": 120_000}), json!({"tool": subject.tool})).await;
    let Some(made) = made else { return };
    let ask = talk.session.ask("tasks/result", json!({"taskId": made.id}));
    let channel = ask.probe(talk.scenario, Intent::TaskForsaken, json!({})).start();
    // By then it has been taken in.
    talk.get(&made.id, Intent::TaskBeforeLoss).await;
    talk.session.abort_exchange(channel);
    talk.session.settle().await;
    talk.get(&made.id, Intent::TaskAfterLoss).await;
    talk.cancel(&made.id, Intent::TaskCancelUnwanted).await;
}

async fn finish(talk: &TaskExchange, id: Option<String>, limit: Duration) {
    let Some(id) = id else { return };
    talk.result(&id, Intent::TaskResult, limit).await;
    talk.get(&id, Intent::TaskAfter).await;
}
