//! Log levels in requests of 2026-07-28: every level, levels that are none; calls of a tool that logs with a level, without
//! one, and both at the same time.

use serde_json::{Value, json};
use tokio::task::JoinSet;
use verdict::Intent;
use wire::mcp::{LOG_LEVELS, meta};

use super::{canary, illegal};
use crate::scenario::observations::{Sample, ToolObservations};
use crate::scenario::{Cx, Scenario, Stage};
use crate::survey::LISTS;

const NAME: &str = "logging/per-request";

pub(super) const SCENARIO: Scenario = Scenario {
    name: NAME,
    provokes: &[
        "logging.capability-declared",
        "logging.message.level",
        "logging.message.data-present",
        "logging.message.logger-string",
        "logging.message.is-notification",
        "logging.rate-limited",
        "logging.no-credentials",
        "logging.per-request.opt-in",
        "logging.per-request.threshold",
        "logging.per-request.before-response",
        "logging.per-request.same-stream",
        "logging.per-request.not-sticky",
        "logging.per-request.invalid-level",
        "logging.per-request.every-level",
        "logging.per-request.without-capability",
        "logging.deprecated",
    ],
    stage: Stage::Alone,
    applies: |profile| !profile.is_handshake(),
    run: |cx| Box::pin(provoke_requests(cx)),
};

async fn provoke_requests(cx: Cx) {
    let Some(observations) = cx.observations().await else { return };
    let _turn = observations.turn().await;
    let method = LISTS.iter().find(|(_, _, capability)| cx.profile.declares(capability));
    let method = method.map_or("server/discover", |(method, ..)| *method);
    observations.session.ask(method, json!({})).probe(NAME, Intent::LogNone, json!({})).send().await;
    let mut asks = JoinSet::new();
    let legal = LOG_LEVELS.into_iter().map(|level| (Intent::LogRequest, "", json!(level)));
    for (intent, kind, level) in
        legal.chain(illegal().into_iter().map(|(kind, level)| (Intent::LogRequestInvalid, kind, level)))
    {
        let session = observations.session.clone();
        asks.spawn_local(async move {
            let ask = session.ask(method, json!({"_meta": {meta::LOG_LEVEL: level}}));
            ask.probe(NAME, intent, json!({"kind": kind})).send().await;
        });
    }
    while asks.join_next().await.is_some() {}
    observations.session.settle().await;
    canary(&observations, NAME, &cx.profile.tools, &cx.options, cx.profile.revision).await;
    if let Some(sample) = observations.logging() {
        calls(&observations, sample).await;
    }
    observations.session.settle().await;
}

async fn calls(observations: &ToolObservations, sample: &Sample) {
    call(observations, sample, Intent::LogRequestCall, Some("error")).await;
    observations.session.settle().await;
    call(observations, sample, Intent::LogRequestCall, Some("debug")).await;
    observations.session.settle().await;
    call(observations, sample, Intent::LogAfter, None).await;
    observations.session.settle().await;
    // One that takes its time and does not ask, and one beside it that does.
    let slow = observations.progressing().unwrap_or(sample);
    tokio::join!(
        call(observations, slow, Intent::LogPair, None),
        call(observations, sample, Intent::LogPair, Some("debug"))
    );
}

async fn call(observations: &ToolObservations, sample: &Sample, intent: Intent, level: Option<&str>) {
    let meta = level.map_or(json!({}), |level| json!({meta::LOG_LEVEL: level}));
    let about: Value = json!({"levels": sample.logs.iter().take(50).collect::<Vec<_>>()});
    observations.session.ask("tools/call", sample.params(meta)).probe(NAME, intent, about).send().await;
}
