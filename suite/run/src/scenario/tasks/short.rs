//! A task that is kept no longer than it works. Some servers do not survive it, so it comes when everything else is over.

use serde_json::json;
use verdict::Intent;

use super::subject::{paced, supports_task_calls};
use super::task_exchange::TaskExchange;
use crate::Wear;
use crate::opening::Opening;
use crate::scenario::observations::HALF;
use crate::scenario::{Cx, Scenario, Stage};

const NAME: &str = "tasks/short";
/// How long the task is to be kept, in milliseconds.
const SHORT: u32 = 200;

pub(super) const SCENARIO: Scenario = Scenario {
    name: NAME,
    provokes: &["tasks.resources.cleanup"],
    stage: Stage::Last,
    applies: supports_task_calls,
    run: |cx| Box::pin(provoke_short(cx)),
};

async fn provoke_short(cx: Cx) {
    let opening = Opening::new("short tasks", cx.profile.revision).full();
    let Ok(session) = cx.lease(opening, Wear::Ordinary).await else { return };
    let sound = paced(&cx, &session, HALF).await.into_iter().filter(|subject| !subject.broken);
    // The longer it takes, the more of the time is over.
    if let Some(subject) = sound.min_by_key(|subject| !subject.tuned) {
        let talk = TaskExchange { session: session.clone(), scenario: NAME };
        let about = json!({"tool": subject.tool});
        if let Some(made) = talk.create(&subject, &json!({"ttl": SHORT}), about.clone()).await {
            let long = talk.create(&subject, &json!({"ttl": 60_000}), about).await;
            if let Some(long) = long {
                talk.result(&long.id, Intent::TaskResult, session.limit()).await;
            }
            talk.get(&made.id, Intent::TaskShortAfter).await;
        }
    }
    session.settle().await;
    session.give_back().await;
}
