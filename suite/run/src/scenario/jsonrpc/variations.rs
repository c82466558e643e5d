//! A list request with something added that the server must not mind, beside plain ones.

use serde_json::{Value, json};
use verdict::Intent;
use wire::write;

use super::{Cx, Scenario, Stage, all, list, params};

pub(super) const ADDED: Scenario = Scenario {
    name: "jsonrpc/variations",
    provokes: &[
        "jsonrpc.meta.accepted-in-requests",
        "jsonrpc.meta.trace-context-accepted",
        "jsonrpc.unknown-members.params",
        "jsonrpc.unknown-members.top-level",
    ],
    stage: Stage::Shared,
    applies: super::always,
    run: |cx| Box::pin(provoke_added(cx)),
};

async fn provoke_added(cx: Cx) {
    // Whether an extra member is dropped shows when the session settles.
    let text = write::request(cx.session.fresh_id(), cx.profile.liveness(), Some(&params(&cx, json!({}))));
    let text = text.replacen("\"method\"", "\"foo\":1,\"method\"", 1);
    cx.session.raw(text).probe(ADDED.name, Intent::UnknownMember, json!({})).send().await;
    let Some((method, _)) = list(&cx.profile) else { return };
    let valid = json!({
        "traceparent": "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01",
        "tracestate": "rojo=00f067aa0ba902b7",
        "baggage": "userId=alice",
    });
    let garbage = json!({"traceparent": "garbage", "tracestate": "", "baggage": "=,;"});
    let mut probes: Vec<(Intent, &str, Value)> = vec![
        (Intent::Control, "first", json!({})),
        (Intent::MetaExtra, "extra", json!({"_meta": {"com.example/x": {"a": 1}, "plain": 1}})),
        (Intent::UnknownParam, "extra", json!({"x-unknown": 1})),
    ];
    if cx.profile.revision.is_stateless() {
        probes.push((Intent::TraceContext, "valid", json!({"_meta": valid})));
        probes.push((Intent::TraceContext, "garbage", json!({"_meta": garbage})));
    }
    probes.push((Intent::Control, "last", json!({})));
    all(probes.into_iter().map(|(intent, kind, params)| {
        cx.session.ask(method, params).probe(ADDED.name, intent, json!({"kind": kind})).send()
    }))
    .await;
}
