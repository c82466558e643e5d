//! `logging/setLevel`: every level, levels that are none, and what a tool that logs says under some of them.

use serde_json::{Value, json};
use tokio::task::JoinSet;

use super::{LEVELS as NAMES, canary, illegal};
use crate::Outcome;
use crate::flow::{Flow, Sample, meta};
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
    applies: |offer| offer.is_handshake(),
    run: |cx| Box::pin(levels(cx)),
};

pub(super) const UNDECLARED: Scenario = Scenario {
    name: UNDECLARED_NAME,
    provokes: &["logging.set-level.undeclared"],
    stage: Stage::Shared,
    applies: |offer| offer.is_handshake() && !offer.declares("logging"),
    run: |cx| Box::pin(undeclared(cx)),
};

async fn undeclared(cx: Cx) {
    let ask = cx.session.ask("logging/setLevel", json!({"level": "info"}));
    ask.probe(UNDECLARED_NAME, "log-level-undeclared", json!({})).send().await;
}

async fn set(flow: &Flow, kind: &str, level: &str) -> Outcome {
    let ask = flow.session.ask("logging/setLevel", json!({"level": level}));
    ask.probe(NAME, "log-level", json!({"kind": kind})).send().await
}

async fn levels(cx: Cx) {
    let Some(flow) = cx.flow().await else { return };
    if !cx.offer.declares("logging") {
        return;
    }
    let _turn = flow.turn().await;
    let steady = steady(&flow).await;
    canary(&flow, NAME, &cx.offer.tools, &cx.options, cx.offer.revision).await;
    for level in NAMES {
        set(&flow, "each", level).await;
    }
    ill(&flow).await;
    under(&flow, steady, "error").await;
    set(&flow, "again", "emergency").await;
    under(&flow, steady, "debug").await;
}

/// A tool that logs whenever it is called: some servers log by the clock.
async fn steady(flow: &Flow) -> Option<&Sample> {
    let sample = flow.logging()?;
    for _ in 0..2 {
        let from = flow.session.mark();
        let ask = flow.session.ask("tools/call", sample.params(meta(&flow.session, json!({}))));
        ask.probe(NAME, "log-again", json!({})).send().await;
        let logs = flow.session.heard(from);
        if !logs.iter().any(|(_, message)| message.method() == Some("notifications/message")) {
            return None;
        }
    }
    Some(sample)
}

async fn ill(flow: &Flow) {
    let level = |(kind, level): (&'static str, Value)| ("log-level-invalid", kind, Some(json!({"level": level})));
    let missing = [("log-level-missing", "empty params", Some(json!({}))), ("log-level-missing", "no params", None)];
    let mut asks = JoinSet::new();
    for (intent, kind, params) in illegal().into_iter().map(level).chain(missing) {
        let session = flow.session.clone();
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
async fn under(flow: &Flow, sample: Option<&Sample>, level: &str) {
    let outcome = set(flow, "again", level).await;
    if outcome.result().is_none() || !flow.session.settle().await {
        return;
    }
    flow.session.mean(NAME, "log-threshold", json!({"level": level}));
    let Some(sample) = sample else {
        flow.session.is_alive().await;
        return;
    };
    let params = sample.params(meta(&flow.session, json!({})));
    let ask = flow.session.ask("tools/call", params);
    ask.probe(NAME, "log-exercise", json!({"levels": sample.logs.iter().take(50).collect::<Vec<_>>()})).send().await;
    flow.session.settle().await;
}
