//! A response posted by a client, which in 2026-07-28 has nothing to respond to.

use serde_json::json;
use verdict::Intent;
use wire::mcp::code;

use super::is_modern;
use crate::scenario::{Cx, Scenario, Stage};

const NAME: &str = "http/modern-responses";

pub(super) const SCENARIO: Scenario = Scenario {
    name: NAME,
    provokes: &["http.post.client-response-refused"],
    stage: Stage::Shared,
    applies: is_modern,
    run: |cx| Box::pin(provoke_responses(cx)),
};

async fn provoke_responses(cx: Cx) {
    for (kind, member, value) in [
        ("result", "result", json!({})),
        ("error", "error", json!({"code": code::INTERNAL_ERROR, "message": "a probe"})),
    ] {
        let text = json!({"jsonrpc": "2.0", "id": "mcp-conform-response", member: value}).to_string();
        let post = cx.session.http("POST").header("Mcp-Protocol-Version", Some("2026-07-28")).body(text);
        post.probe(NAME, Intent::ModernResponse, json!({"kind": kind})).send().await;
    }
}
