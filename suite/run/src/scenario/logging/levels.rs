//! `logging/setLevel`: every level, levels that are none, and what a tool that logs says under some of them.

use serde_json::{Value, json};
use tokio::task::JoinSet;
use verdict::Intent;
use wire::mcp::LOG_LEVELS;

use super::{canary, illegal};
use crate::RequestOutcome;
use crate::scenario::observations::{Sample, ToolObservations, meta};
use crate::scenario::{Cx, Scenario, Stage};

const NAME: &str = "logging/set-level";
const UNDECLARED_NAME: &str = "logging/set-level-undeclared";

pub(super) const LEVELS: Scenario = Scenario {
    name: NAME,
    provokes: &[
        "logging.capability-declared",
        "logging.message.level",
        "logging.message.data-present",
        "logging.message.logger-string",
        "logging.message.is-notification",
        "logging.rate-limited",
        "logging.no-credentials",
        "logging.set-level.accepted",
        "logging.set-level.every-level",
        "logging.set-level.invalid-level",
        "logging.set-level.missing-level",
        "logging.set-level.threshold",
        "logging.set-level.higher-still-sent",
        "logging.set-level.changeable",
    ],
    stage: Stage::Alone,
    applies: |profile| profile.is_handshake(),
    run: |cx| Box::pin(provoke_levels(cx)),
};

pub(super) const UNDECLARED: Scenario = Scenario {
    name: UNDECLARED_NAME,
    provokes: &["logging.set-level.undeclared"],
    stage: Stage::Shared,
    applies: |profile| profile.is_handshake() && !profile.declares("logging"),
    run: |cx| Box::pin(provoke_undeclared(cx)),
};

async fn provoke_undeclared(cx: Cx) {
    let ask = cx.session.ask("logging/setLevel", json!({"level": "info"}));
    ask.probe(UNDECLARED_NAME, Intent::LogLevelUndeclared, json!({})).send().await;
}

async fn set(observations: &ToolObservations, kind: &str, level: &str) -> RequestOutcome {
    let ask = observations.session.ask("logging/setLevel", json!({"level": level}));
    ask.probe(NAME, Intent::LogLevel, json!({"kind": kind})).send().await
}

async fn provoke_levels(cx: Cx) {
    let Some(observations) = cx.observations().await else { return };
    if !cx.profile.declares("logging") {
        return;
    }
    let _turn = observations.turn().await;
    let steady = steady(&observations).await;
    canary(&observations, NAME, &cx.profile.tools, &cx.options, cx.profile.revision).await;
    for level in LOG_LEVELS {
        set(&observations, "each", level).await;
    }
    ill(&observations).await;
    under(&observations, steady, "error").await;
    set(&observations, "again", "emergency").await;
    under(&observations, steady, "debug").await;
}

/// A tool that logs whenever it is called: some servers log by the clock.
async fn steady(observations: &ToolObservations) -> Option<&Sample> {
    let sample = observations.logging()?;
    for _ in 0..2 {
        let from = observations.session.mark();
        let ask = observations.session.ask("tools/call", sample.params(meta(&observations.session, json!({}))));
        ask.probe(NAME, Intent::LogAgain, json!({})).send().await;
        let logs = observations.session.heard(from);
        if !logs.iter().any(|(_, message)| message.method() == Some("notifications/message")) {
            return None;
        }
    }
    Some(sample)
}

async fn ill(observations: &ToolObservations) {
    let level = |(kind, level): (&'static str, Value)| (Intent::LogLevelInvalid, kind, Some(json!({"level": level})));
    let missing =
        [(Intent::LogLevelMissing, "empty params", Some(json!({}))), (Intent::LogLevelMissing, "no params", None)];
    let mut asks = JoinSet::new();
    for (intent, kind, params) in illegal().into_iter().map(level).chain(missing) {
        let session = observations.session.clone();
        asks.spawn_local(async move {
            let ask = match params {
                Some(params) => session.ask("logging/setLevel", params),
                None => session.ask("logging/setLevel", Value::Null).no_params(),
            };
            ask.probe(NAME, intent, json!({"kind": kind})).send().await;
        });
    }
    while asks.join_next().await.is_some() {}
}

/// Sets a level for good, and calls a tool that logs.
async fn under(observations: &ToolObservations, sample: Option<&Sample>, level: &str) {
    let outcome = set(observations, "again", level).await;
    if outcome.result().is_none() || !observations.session.settle().await {
        return;
    }
    observations.session.record_probe(NAME, Intent::LogThreshold, json!({"level": level}));
    let Some(sample) = sample else {
        observations.session.is_alive().await;
        return;
    };
    let params = sample.params(meta(&observations.session, json!({})));
    let ask = observations.session.ask("tools/call", params);
    ask.probe(NAME, Intent::LogExercise, json!({"levels": sample.logs.iter().take(50).collect::<Vec<_>>()}))
        .send()
        .await;
    observations.session.settle().await;
}
