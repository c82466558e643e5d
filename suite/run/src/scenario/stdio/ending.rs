//! Other ways for the input to end: before anything was said, right behind requests, and with nobody reading any more.

use serde_json::json;
use verdict::Intent;

use super::{Cx, Scenario, Stage, spawned};
use crate::{Opening, Wear};

pub(super) const IMMEDIATE: Scenario = Scenario {
    name: "stdio/immediate-eof",
    provokes: &["stdio.shutdown.exits-on-immediate-eof"],
    stage: Stage::Alone,
    applies: spawned,
    run: |cx| Box::pin(provoke_immediate(cx)),
};

pub(super) const PENDING: Scenario = Scenario {
    name: "stdio/pending-at-eof",
    provokes: &["stdio.shutdown.flushes-pending"],
    stage: Stage::Alone,
    applies: spawned,
    run: |cx| Box::pin(provoke_pending(cx)),
};

pub(super) const DEAF: Scenario = Scenario {
    name: "stdio/closed-output",
    provokes: &["stdio.shutdown.closed-stdout"],
    stage: Stage::Alone,
    applies: spawned,
    run: |cx| Box::pin(provoke_deaf(cx)),
};

async fn provoke_immediate(cx: Cx) {
    let Ok(session) = cx.open(Opening::new(IMMEDIATE.name, cx.profile.revision)).await else { return };
    session.record_probe(IMMEDIATE.name, Intent::Eof, json!({"when": "immediate"}));
    // It has to start first.
    session.end_of_input(session.limit() + cx.session.started_in() * 4).await;
}

/// Requests that are written ahead of the end of the input.
const PENDING_REQUESTS: usize = 20;

async fn provoke_pending(cx: Cx) {
    let opening = Opening::new(PENDING.name, cx.profile.revision);
    let Ok(session) = cx.lease(opening, Wear::Last).await else { return };
    session.record_probe(PENDING.name, Intent::Eof, json!({"when": "pending"}));
    let list = ["tools", "prompts", "resources"].into_iter().find(|list| cx.profile.declares(list));
    let list = list.map_or_else(|| cx.profile.liveness().to_owned(), |list| format!("{list}/list"));
    // Many: one that is warm has answered a few before it sees the end.
    for method in [cx.profile.liveness(), &list].into_iter().cycle().take(PENDING_REQUESTS) {
        session.ask(method, json!({})).probe(PENDING.name, Intent::PendingAtEof, json!({})).start();
    }
    session.end_of_input(session.limit() + session.started_in() * 2).await;
}

async fn provoke_deaf(cx: Cx) {
    let opening = Opening::new(DEAF.name, cx.profile.revision);
    let Ok(session) = cx.lease(opening, Wear::Any).await else { return };
    session.record_probe(DEAF.name, Intent::ClosedStdout, json!({}));
    session.deafen().await;
    session.ask(cx.profile.liveness(), json!({})).start();
    let used = session.processor();
    let ending = session.end_of_input(session.limit() + session.started_in() * 2);
    tokio::pin!(ending);
    let nearly = session.limit() * 3 / 4;
    tokio::select! {
        _ = &mut ending => {}
        () = tokio::time::sleep(nearly) => {
            if let (Some(before), Some(after)) = (used, session.processor()) {
                let busy = u128::from(after.saturating_sub(before)) * 10 * 2 > nearly.as_millis();
                session.record_probe(DEAF.name, Intent::Processor, json!({"busy": busy}));
            }
            ending.await;
        }
    }
}
