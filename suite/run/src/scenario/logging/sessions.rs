//! Two sessions with levels of their own: what one sets must not silence the other.

use serde_json::json;
use verdict::{Intent, Transport};

use crate::scenario::observations::Sample;
use crate::scenario::{Cx, Scenario, Stage};
use crate::{Opening, Session};

const NAME: &str = "logging/sessions";

pub(super) const SCENARIO: Scenario = Scenario {
    name: NAME,
    provokes: &["logging.set-level.session-scope"],
    stage: Stage::Alone,
    applies: |profile| profile.is_handshake() && profile.transport != Transport::Stdio && profile.declares("logging"),
    run: |cx| Box::pin(provoke_sessions(cx)),
};

async fn provoke_sessions(cx: Cx) {
    let Some(observations) = cx.observations().await else { return };
    let Some(sample) = observations.logging().cloned() else { return };
    let opening = |purpose: &str| Opening::new(purpose, cx.profile.revision).full();
    let Ok(own) = cx.open_ready(opening("own log level")).await else { return };
    if let Ok(other) = cx.open_ready(opening("another log level")).await {
        set(&own, "debug").await;
        call(&own, &sample, "before").await;
        set(&other, "emergency").await;
        call(&own, &sample, "meanwhile").await;
        set(&own, "debug").await;
        call(&own, &sample, "again").await;
        other.kill().await;
    }
    own.kill().await;
}

async fn set(session: &Session, level: &str) {
    let ask = session.ask("logging/setLevel", json!({"level": level}));
    ask.probe(NAME, Intent::LogSessionLevel, json!({})).send().await;
}

async fn call(session: &Session, sample: &Sample, when: &str) {
    let params = json!({"name": sample.tool, "arguments": sample.arguments});
    session.ask("tools/call", params).probe(NAME, Intent::LogSessionCall, json!({"when": when})).send().await;
    session.settle().await;
}
