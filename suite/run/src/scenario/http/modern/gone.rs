//! GET and DELETE on the endpoint: what a client of an older revision could try.

use serde_json::json;
use verdict::Intent;

use super::is_modern;
use crate::scenario::{Cx, Scenario, Stage};

const NAME: &str = "http/modern-gone";

pub(super) const SCENARIO: Scenario = Scenario {
    name: NAME,
    provokes: &["http.get.removed-405", "http.delete.removed-405"],
    stage: Stage::Shared,
    applies: is_modern,
    run: |cx| Box::pin(provoke_gone(cx)),
};

async fn provoke_gone(cx: Cx) {
    for (method, intent) in [("GET", Intent::ModernGet), ("DELETE", Intent::ModernDelete)] {
        let reply = cx.session.http(method).probe(NAME, intent, json!({})).send().await;
        if reply.is_stream() {
            cx.session.abort_exchange(reply.channel);
        }
    }
}
