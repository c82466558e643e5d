//! Log levels in requests of 2026-07-28: every level, levels that are none; calls of a tool that logs with a level, without
//! one, and both at the same time.

use serde_json::{Value, json};
use tokio::task::JoinSet;

use super::{LEVELS, canary, illegal};
use crate::flow::{Flow, Sample};
use crate::scenario::{Cx, Scenario, Stage};
use crate::survey::LISTS;

const NAME: &str = "logging/per-request";
const KEY: &str = "io.modelcontextprotocol/logLevel";

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
    applies: |offer| !offer.is_handshake(),
    run: |cx| Box::pin(requests(cx)),
};

async fn requests(cx: Cx) {
    let Some(flow) = cx.flow().await else { return };
    let _turn = flow.turn().await;
    let method = LISTS.iter().find(|(_, _, capability)| cx.offer.declares(capability));
    let method = method.map_or("server/discover", |(method, ..)| *method);
    flow.session.ask(method, json!({})).probe(NAME, "log-none", json!({})).send().await;
    let mut asks = JoinSet::new();
    let legal = LEVELS.into_iter().map(|level| ("log-request", "", json!(level)));
    for (intent, kind, level) in
        legal.chain(illegal().into_iter().map(|(kind, level)| ("log-request-invalid", kind, level)))
    {
        let session = flow.session.clone();
        asks.spawn_local(async move {
            let ask = session.ask(method, json!({"_meta": {KEY: level}}));
            ask.probe(NAME, intent, json!({"kind": kind})).send().await;
        });
    }
    while asks.join_next().await.is_some() {}
    flow.session.settle().await;
    canary(&flow, NAME, &cx.offer.tools, &cx.options, cx.offer.revision).await;
    if let Some(sample) = flow.logging() {
        calls(&flow, sample).await;
    }
    flow.session.settle().await;
}

async fn calls(flow: &Flow, sample: &Sample) {
    call(flow, sample, "log-request-call", Some("error")).await;
    flow.session.settle().await;
    call(flow, sample, "log-request-call", Some("debug")).await;
    flow.session.settle().await;
    call(flow, sample, "log-after", None).await;
    flow.session.settle().await;
    // One that takes its time and does not ask, and one beside it that does.
    let slow = flow.progressing().unwrap_or(sample);
    tokio::join!(call(flow, slow, "log-pair", None), call(flow, sample, "log-pair", Some("debug")));
}

async fn call(flow: &Flow, sample: &Sample, intent: &str, level: Option<&str>) {
    let meta = level.map_or(json!({}), |level| json!({KEY: level}));
    let about: Value = json!({"levels": sample.logs.iter().take(50).collect::<Vec<_>>()});
    flow.session.ask("tools/call", sample.params(meta)).probe(NAME, intent, about).send().await;
}
