//! Over HTTP: a ping between the result of `initialize` and `notifications/initialized`.

use serde_json::json;
use verdict::{Intent, Transport};

use super::{Cx, Scenario, Stage};
use crate::Opening;

const NAME: &str = "ping/before-initialized";

pub(super) const SCENARIO: Scenario = Scenario {
    name: NAME,
    provokes: &["ping.before-initialized"],
    stage: Stage::Alone,
    applies: |profile| profile.is_handshake() && profile.transport != Transport::Stdio,
    run: |cx| Box::pin(provoke_early(cx)),
};

async fn provoke_early(cx: Cx) {
    let Ok(session) = cx.open(Opening::new(NAME, cx.profile.revision)).await else { return };
    session.initialize(cx.profile.revision.as_str(), json!({}), None).await;
    if session.revision() == Some(cx.profile.revision) {
        session.ask("ping", json!({})).probe(NAME, Intent::PingBeforeInitialized, json!({})).send().await;
    }
    session.kill().await;
}
