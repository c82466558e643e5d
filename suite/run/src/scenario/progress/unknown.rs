//! Progress from the client that nobody asked for.

use serde_json::{Value, json};
use verdict::Intent;

use crate::scenario::{Cx, Scenario, Stage};

const NAME: &str = "progress/unknown";

pub(super) const SCENARIO: Scenario = Scenario {
    name: NAME,
    provokes: &["progress.client-progress-tolerated"],
    stage: Stage::Rough,
    applies: |profile| profile.is_handshake(),
    run: |cx| Box::pin(provoke_unknown(cx)),
};

async fn provoke_unknown(cx: Cx) {
    cx.session.settle().await;
    for (kind, token) in [("string", Value::from("mcp-conform-none")), ("integer", Value::from(987_654))] {
        let params = json!({"progressToken": token, "progress": 1, "total": 2});
        let notification = cx.session.notify("notifications/progress", Some(&params));
        notification.probe(NAME, Intent::ClientProgress, json!({"kind": kind})).send().await;
    }
    cx.session.settle().await;
}
