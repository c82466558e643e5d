//! `resources/subscribe` and `resources/unsubscribe`, and a change of a watched resource if the configuration names one.

use std::time::Duration;

use serde_json::{Value, json};
use verdict::Intent;

use super::{change, listed_uris};
use crate::Wear;
use crate::opening::Opening;
use crate::scenario::{Cx, Scenario, Stage};

const NAME: &str = "subscriptions/resource";
const UPDATED: &str = "notifications/resources/updated";
/// How long an update may take after the change.
const LEISURE: Duration = Duration::from_secs(1);

pub(super) const SCENARIO: Scenario = Scenario {
    name: NAME,
    provokes: &[
        "subscriptions.resource.subscribe-accepted",
        "subscriptions.resource.unsubscribe-accepted",
        "subscriptions.resource.updated-on-change",
        "subscriptions.resource.updated-shape",
        "subscriptions.resource.updated-uri-known",
        "subscriptions.resource.updated-only-when-subscribed",
        "subscriptions.resource.quiet-after-unsubscribe",
        "subscriptions.resource.undeclared-refused",
        "subscriptions.resource.missing-uri",
    ],
    stage: Stage::Alone,
    applies: |profile| profile.is_handshake() && profile.declares("resources"),
    run: |cx| Box::pin(provoke_resource(cx)),
};

async fn provoke_resource(cx: Cx) {
    // Whoever has subscribed leaves nothing that others could use.
    let opening = Opening::new("subscriptions", cx.profile.revision);
    let Ok(lease) = cx.lease(opening, Wear::Last).await else { return };
    let own = Cx { session: lease.session().clone(), ..cx };
    if own.profile.declares("resources.subscribe") {
        provoke_declared(&own).await;
    } else {
        for uri in listed_uris(&own.profile).into_iter().take(2) {
            let ask = own.session.ask("resources/subscribe", json!({"uri": uri}));
            ask.probe(NAME, Intent::UndeclaredSubscribe, json!({})).send().await;
        }
        change(&own, &own.session, NAME, false).await;
        own.session.settle().await;
    }
    lease.give_back().await;
}

async fn provoke_declared(cx: &Cx) {
    let session = &cx.session;
    change(cx, session, NAME, false).await;
    session.settle().await;
    for method in ["resources/subscribe", "resources/unsubscribe"] {
        let intent = if method == "resources/subscribe" { Intent::SubscribeIll } else { Intent::UnsubscribeIll };
        for (kind, params) in [("no uri", json!({})), ("uri 42", json!({"uri": 42}))] {
            session.ask(method, params).probe(NAME, intent, json!({"kind": kind})).send().await;
        }
    }
    let mut subscribed = Vec::new();
    for uri in listed_uris(&cx.profile) {
        let ask = session.ask("resources/subscribe", json!({"uri": uri})).probe(NAME, Intent::Subscribe, json!({}));
        if ask.send().await.result().is_some() {
            subscribed.push(uri);
        }
    }
    session.settle().await;
    let from = session.mark();
    change(cx, session, NAME, !subscribed.is_empty()).await;
    if cx.options.triggers.resource_updated.is_some() && !subscribed.is_empty() {
        session.hears(from, UPDATED, LEISURE).await;
    }
    for uri in &subscribed {
        let ask = session.ask("resources/unsubscribe", json!({"uri": Value::from(uri.as_str())}));
        ask.probe(NAME, Intent::Unsubscribe, json!({})).send().await;
    }
    session.settle().await;
    session.record_probe(NAME, Intent::Unsubscribed, json!({}));
    change(cx, session, NAME, false).await;
    session.settle().await;
}
