//! Messages without id: nothing may answer them. Errors without id are told apart by settling between groups.

use serde_json::{Value, json};
use verdict::{Intent, Transport};
use wire::write;

use super::{Cx, Scenario, Stage, always, list};

pub(super) const QUIET: Scenario = Scenario {
    name: "jsonrpc/notifications",
    provokes: &[
        "jsonrpc.notification.no-reply",
        "jsonrpc.notification.request-method-without-id",
        "jsonrpc.notification.unknown-tolerated",
    ],
    stage: Stage::Ordered,
    applies: always,
    run: |cx| Box::pin(provoke_quiet(cx)),
};

async fn provoke_quiet(cx: Cx) {
    cx.session.settle().await;
    let mut known: Vec<(&str, &str, Value)> =
        vec![("ill-typed", "notifications/progress", json!({"progressToken": {}, "progress": "half"}))];
    // Over HTTP 2026-07-28 a client cancels by closing the stream.
    if cx.profile.is_handshake() || cx.profile.transport == Transport::Stdio {
        known.push(("cancelled", "notifications/cancelled", json!({"requestId": "mcp-conform-none"})));
    }
    if cx.profile.revision.is_handshake() {
        known.push(("initialized", "notifications/initialized", json!({})));
    }
    let unknown =
        vec![("unknown", "notifications/x-unknown", json!({})), ("vendor", "com.example/notifications/x", json!({}))];
    for group in [unknown, known] {
        for (kind, method, params) in group {
            let notification = cx.session.notify(method, Some(&params));
            notification.probe(QUIET.name, Intent::Notification, json!({"kind": kind})).send().await;
        }
        cx.session.settle().await;
    }
    let methods = std::iter::once(cx.profile.liveness()).chain(list(&cx.profile).map(|(method, _)| method));
    for method in methods {
        let text = write::notification(method, Some(&super::params(&cx, json!({}))));
        cx.session.raw(text).probe(QUIET.name, Intent::RequestWithoutId, json!({"kind": method})).send().await;
    }
    cx.session.settle().await;
}
