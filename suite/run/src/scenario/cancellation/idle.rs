//! Cancellations of nothing: of requests that never were or are over, malformed ones, and such that cross the response. Over HTTP
//! a client of 2026-07-28 cancels by closing the stream, so there is nothing to send.

use serde_json::{Value, json};
use verdict::{Intent, Transport};

use crate::scenario::{Cx, Scenario, Stage};
use crate::survey::LISTS;

const NAME: &str = "cancellation/idle";
const CANCELLED: &str = "notifications/cancelled";
/// Quick requests that are cancelled at once: fewer of those with a long answer.
const RACES: (usize, usize) = (4, 20);

pub(super) const SCENARIO: Scenario = Scenario {
    name: NAME,
    provokes: &[
        "cancellation.unknown-id-ignored",
        "cancellation.completed-id-ignored",
        "cancellation.malformed-ignored",
        "cancellation.race-graceful",
        "cancellation.no-reply",
        "cancellation.sent.own-open-request",
        "cancellation.sent.only-listen",
        "cancellation.sent.shape",
    ],
    stage: Stage::Rough,
    applies: |profile| profile.is_handshake() || profile.transport == Transport::Stdio,
    run: |cx| Box::pin(provoke_idle(cx)),
};

async fn provoke_idle(cx: Cx) {
    let method = LISTS.iter().find(|(_, _, capability)| cx.profile.declares(capability)).map(|(method, ..)| *method);
    let method = method.unwrap_or(cx.profile.liveness());
    cx.session.settle().await;
    for (kind, id) in [("string", json!("mcp-conform-none")), ("integer", json!(987_654))] {
        provoke_cancel(&cx, Intent::CancelUnknown, kind, Some(json!({"requestId": id, "reason": "a probe"}))).await;
    }
    cx.session.settle().await;
    let done = cx.session.fresh_id();
    let ask = cx.session.ask(method, json!({})).id(done.to_string());
    ask.probe(NAME, Intent::CancelFirst, json!({})).send().await;
    provoke_cancel(&cx, Intent::CancelCompleted, "answered", Some(json!({"requestId": done}))).await;
    cx.session.settle().await;
    for (kind, params) in [
        ("no params", None),
        ("no requestId", Some(json!({}))),
        ("requestId null", Some(json!({"requestId": Value::Null}))),
        ("requestId object", Some(json!({"requestId": {}}))),
        ("requestId true", Some(json!({"requestId": true}))),
        ("reason 5", Some(json!({"requestId": "mcp-conform-none", "reason": 5}))),
    ] {
        provoke_cancel(&cx, Intent::CancelMalformed, kind, params).await;
    }
    cx.session.settle().await;
    for _ in 0..cx.profile.crowd(method, RACES.0, RACES.1) {
        let id = cx.session.fresh_id();
        let ask = cx.session.ask(method, json!({})).id(id.to_string());
        ask.probe(NAME, Intent::RaceRequest, json!({})).start();
        provoke_cancel(&cx, Intent::RaceCancel, "", Some(json!({"requestId": id}))).await;
    }
    cx.session.settle().await;
}

async fn provoke_cancel(cx: &Cx, intent: Intent, kind: &str, params: Option<Value>) {
    let notification = cx.session.notify(CANCELLED, params.as_ref());
    notification.probe(NAME, intent, json!({"kind": kind})).send().await;
}
