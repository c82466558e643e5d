//! `subscriptions/listen` of 2026-07-28: to everything, to one type, to nothing; ill filters; the end of a subscription, and what
//! comes after it. The methods of older revisions.

use std::time::Duration;

use serde_json::{Value, json};
use verdict::{Intent, Transport};

use super::{acknowledged, change, end, everything, listed_uris, listen, offers_subscriptions};
use crate::opening::Opening;
use crate::scenario::{Cx, Scenario, Stage};

const NAME: &str = "subscriptions/listen";
const OLD_NAME: &str = "subscriptions/old-methods";
const UPDATED: &str = "notifications/resources/updated";
/// How long an update may take after the change.
const LEISURE: Duration = Duration::from_secs(1);

pub(super) const SCENARIO: Scenario = Scenario {
    name: NAME,
    provokes: &[
        "subscriptions.listen.implemented",
        "subscriptions.listen.http-event-stream",
        "subscriptions.listen.stays-open",
        "subscriptions.listen.missing-filter",
        "subscriptions.listen.bad-filter-types",
        "subscriptions.listen.empty-filter",
        "subscriptions.ack.sent",
        "subscriptions.ack.first",
        "subscriptions.ack.subscription-id",
        "subscriptions.ack.filter-object",
        "subscriptions.ack.subset",
        "subscriptions.ack.unsupported-omitted",
        "subscriptions.ack.supported-honoured",
        "subscriptions.notifications.tagged",
        "subscriptions.notifications.only-requested",
        "subscriptions.notifications.none-without-listen",
        "subscriptions.multiple",
        "subscriptions.resource-updated-delivered",
        "subscriptions.resource.updated-shape",
        "subscriptions.resource.updated-uri-known",
        "subscriptions.cancel-stdio",
        "subscriptions.cancel-http",
        "subscriptions.no-state-across-reconnect",
        "subscriptions.graceful-result-shape",
        "cancellation.sent.only-listen",
        "cancellation.sent.shape",
    ],
    stage: Stage::Alone,
    applies: |profile| !profile.is_handshake() && offers_subscriptions(profile),
    run: |cx| Box::pin(provoke_listening(cx)),
};

pub(super) const OLD: Scenario = Scenario {
    name: OLD_NAME,
    provokes: &["subscriptions.old-methods-removed"],
    stage: Stage::Shared,
    applies: |profile| !profile.is_handshake(),
    run: |cx| Box::pin(provoke_old(cx)),
};

async fn provoke_old(cx: Cx) {
    let uri = listed_uris(&cx.profile).into_iter().next().unwrap_or_else(|| "mcp-conform:none".to_owned());
    for method in ["resources/subscribe", "resources/unsubscribe"] {
        let ask = cx.session.ask(method, json!({"uri": uri}));
        ask.probe(OLD_NAME, Intent::OldSubscribe, json!({})).send().await;
    }
}

async fn provoke_listening(cx: Cx) {
    let revision = cx.profile.revision;
    let Ok(session) = cx.open_ready(Opening::new("subscriptions", revision)).await else { return };
    let own = Cx { session: session.clone(), ..cx.clone() };
    change(&own, &session, NAME, false).await;
    session.settle().await;
    let first = json!(session.fresh_id());
    let all = everything(&cx.profile);
    let about = json!({"kind": "all", "listed": !listed_uris(&cx.profile).is_empty()});
    let from = session.mark();
    let stream = listen(&session, NAME, Intent::Listen, about, &first.to_string(), all).await;
    let second = json!("mcp-conform-listen");
    let one =
        listen(&session, NAME, Intent::Listen, json!({"kind": "one"}), &second.to_string(), first_declared_type(&cx))
            .await;
    acknowledged(&session, from, 2).await;
    let empty = json!("mcp-conform-nothing");
    let nothing = listen(&session, NAME, Intent::ListenEmpty, json!({}), &empty.to_string(), json!({})).await;
    provoke_ill(&own).await;
    session.settle().await;
    end(&session, nothing, &empty).await;
    let from = session.mark();
    change(&own, &session, NAME, true).await;
    if cx.options.triggers.resource_updated.is_some() {
        session.hears(from, UPDATED, LEISURE).await;
    }
    session.settle().await;
    end(&session, stream, &first).await;
    session.settle().await;
    session.record_probe(NAME, Intent::ListenOver, json!({"id": first}));
    change(&own, &session, NAME, false).await;
    let from = session.mark();
    let again = json!("mcp-conform-again");
    let stream =
        listen(&session, NAME, Intent::ListenAgain, json!({}), &again.to_string(), everything(&cx.profile)).await;
    acknowledged(&session, from, 1).await;
    session.settle().await;
    end(&session, stream, &again).await;
    end(&session, one, &second).await;
    session.settle().await;
    provoke_reconnect(&own).await;
    session.kill().await;
}

/// One type: the first that is declared.
fn first_declared_type(cx: &Cx) -> Value {
    let flags = ["tools", "prompts", "resources"];
    let declared = flags.iter().find(|area| cx.profile.declares(&format!("{area}.listChanged")));
    declared.map_or_else(
        || json!({"resourceSubscriptions": listed_uris(&cx.profile)}),
        |area| json!({format!("{area}ListChanged"): true}),
    )
}

/// A missing filter, and filters of the wrong types. What is accepted all the same stays open until the session ends.
async fn provoke_ill(cx: &Cx) {
    cx.session.ask("subscriptions/listen", json!({})).probe(NAME, Intent::ListenMissing, json!({})).start();
    for (kind, filter) in [
        ("array", json!([])),
        ("string", json!("x")),
        ("flag that is a string", json!({"toolsListChanged": "yes"})),
        ("uris that are a string", json!({"resourceSubscriptions": "mcp-conform:none"})),
    ] {
        let ask = cx.session.ask("subscriptions/listen", json!({"notifications": filter}));
        ask.probe(NAME, Intent::ListenIll, json!({"kind": kind})).start();
    }
}

/// A connection that never subscribes, after one that did.
async fn provoke_reconnect(cx: &Cx) {
    // On stdio that would be another process, which knows nothing of this one.
    let fresh = match cx.profile.transport {
        Transport::Stdio => None,
        _ => cx.open_ready(Opening::new("subscriptions afterwards", cx.profile.revision)).await.ok(),
    };
    let Some(fresh) = fresh else { return };
    fresh.record_probe(NAME, Intent::NoListen, json!({}));
    change(cx, &fresh, NAME, false).await;
    fresh.settle().await;
    fresh.kill().await;
}
