//! Messages without id: nothing may answer them. Errors without id are told apart by settling between groups.

use std::time::Duration;

use serde_json::{Value, json};
use verdict::{Intent, Transport};
use wire::write;

use super::{Cx, Scenario, Stage, always, list};
use crate::{Opening, Wear};

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

/// What a process does not survive it may not survive only a moment later: here nothing else goes on meanwhile.
pub(super) const AFTERMATH: Scenario = Scenario {
    name: "jsonrpc/aftermath",
    provokes: &[],
    stage: Stage::Alone,
    applies: |profile| always(profile) && profile.is_handshake() && profile.transport == Transport::Stdio,
    run: |cx| Box::pin(provoke_aftermath(cx)),
};

/// How long a process is watched after the last of them.
const WATCHED: Duration = Duration::from_millis(600);

async fn provoke_aftermath(cx: Cx) {
    let opening = Opening::new(AFTERMATH.name, cx.profile.revision);
    let Ok(mut session) = cx.lease(opening, Wear::Watched).await else { return };
    let over = session.fresh_id();
    session.ask("ping", json!({})).id(over.to_string()).send().await;
    let cancelled = |id: Value| ("cancelled", "notifications/cancelled", json!({"requestId": id}));
    let progress = json!({"progressToken": "mcp-conform-none", "progress": 1});
    let progress = ("progress", "notifications/progress", progress);
    let all = [cancelled(json!("mcp-conform-none")), cancelled(json!(over)), progress];
    for (kind, method, params) in all {
        let notification = session.notify(method, Some(&params));
        notification.probe(AFTERMATH.name, Intent::Notification, json!({"kind": kind})).send().await;
    }
    session.rest();
    if session.is_alive().await && !session.ends_within(WATCHED).await {
        session.is_alive().await;
    }
    session.give_back().await;
}

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
