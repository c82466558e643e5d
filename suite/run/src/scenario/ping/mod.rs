//! The area `ping`: there is one in the handshake revisions alone.

mod busy;
mod early;

use serde_json::{Value, json};
use tokio::task::JoinSet;
use verdict::Intent;

use super::{Cx, Scenario, Stage};
use crate::ServerProfile;

/// The scenarios of this area.
pub(super) static SCENARIOS: &[Scenario] = &[ANSWERS, IDLE, busy::SCENARIO, early::SCENARIO];

const ANSWERS: Scenario = Scenario {
    name: "ping/answers",
    provokes: &["ping.answered", "ping.result-empty", "ping.with-meta", "ping.repeated", "ping.http-any-session"],
    stage: Stage::Shared,
    applies: ServerProfile::is_handshake,
    run: |cx| Box::pin(provoke_answers(cx)),
};

const IDLE: Scenario = Scenario {
    name: "ping/idle",
    provokes: &["ping.prompt"],
    stage: Stage::Ordered,
    applies: ServerProfile::is_handshake,
    run: |cx| Box::pin(provoke_idle(cx)),
};

/// Pings at once.
const REPEATED: usize = 10;

async fn provoke_answers(cx: Cx) {
    let meta = json!({"_meta": {"com.example/x": 1}});
    let mut kinds = vec![(Intent::PingPlain, Value::Null, None)];
    kinds.push((Intent::PingMeta, json!({"kind": "params with _meta"}), Some(meta)));
    kinds.push((Intent::PingMeta, json!({"kind": "empty params"}), Some(json!({}))));
    kinds.extend((0..REPEATED).map(|_| (Intent::PingRepeated, Value::Null, Some(json!({})))));
    let mut pings = JoinSet::new();
    for (intent, about, params) in kinds {
        let session = cx.session.clone();
        pings.spawn_local(async move {
            let none = params.is_none();
            let ask = session.ask("ping", params.unwrap_or_default()).probe(ANSWERS.name, intent, about);
            if none { ask.no_params().send().await } else { ask.send().await }
        });
    }
    pings.join_all().await;
}

/// In this stage nothing else is under way.
async fn provoke_idle(cx: Cx) {
    cx.session.ask("ping", json!({})).probe(IDLE.name, Intent::PingIdle, Value::Null).send().await;
}
