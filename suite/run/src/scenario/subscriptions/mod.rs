//! The area `subscriptions`.

mod beside;
mod listen;
mod resource;
mod teardown;

use std::time::Duration;

use serde_json::{Value, json};
use verdict::Intent;
use wire::write;

use super::{Cx, Scenario};
use crate::{ServerProfile, Session};

/// The scenarios of this area.
pub(super) static SCENARIOS: &[Scenario] =
    &[resource::SCENARIO, listen::SCENARIO, listen::OLD, beside::SCENARIO, teardown::SCENARIO];

/// Listed resources that are watched.
const WATCHED: usize = 8;

/// Whether anything is declared that a subscription of 2026-07-28 could be about.
fn offers_subscriptions(profile: &ServerProfile) -> bool {
    let capabilities = ["tools.listChanged", "prompts.listChanged", "resources.listChanged", "resources.subscribe"];
    capabilities.iter().any(|capability| profile.declares(capability))
}

/// The uris of listed resources: the last ones too, for what changes often stands at the end.
fn listed_uris(profile: &ServerProfile) -> Vec<String> {
    let all: Vec<&str> =
        profile.entries("resources/list").iter().filter_map(|entry| entry.get("uri")?.as_str()).collect();
    let last = all.iter().skip(WATCHED / 2).rev().take(WATCHED / 2);
    all.iter().take(WATCHED / 2).chain(last).map(|uri| (*uri).to_owned()).collect()
}

/// Every type there is.
fn everything(profile: &ServerProfile) -> Value {
    json!({"toolsListChanged": true, "promptsListChanged": true, "resourcesListChanged": true,
        "resourceSubscriptions": listed_uris(profile)})
}

/// Opens a subscription; its answer comes only when it ends, so it is not waited for. `id` is JSON text. Gives the exchange.
pub(super) async fn listen(
    session: &Session,
    scenario: &str,
    intent: Intent,
    about: Value,
    id: &str,
    filter: Value,
) -> u32 {
    let ask = session.ask("subscriptions/listen", json!({"notifications": filter})).id(id);
    ask.probe(scenario, intent, about).start()
}

/// Waits until so many subscriptions were acknowledged or refused since `from`, at most two seconds.
pub(super) async fn acknowledged(session: &Session, from: usize, count: usize) {
    let limit = session.limit().min(Duration::from_secs(2));
    let settles = |message: &wire::Message| {
        message.kind == wire::Kind::Error || message.method() == Some("notifications/subscriptions/acknowledged")
    };
    let so_far = || session.heard(from).iter().filter(|(_, message)| settles(message)).count();
    session.until(from, limit, |_| so_far() >= count).await;
}

/// Ends a subscription as the transport has it.
async fn end(session: &Session, channel: u32, id: &Value) {
    if channel == 0 {
        let text = write::notification("notifications/cancelled", Some(&json!({"requestId": id})));
        session.raw(text).send().await;
    } else {
        session.abort_exchange(channel);
    }
}

/// The call that the configuration names as one that changes a resource.
async fn change(cx: &Cx, session: &Session, scenario: &str, watched: bool) {
    if let Some(trigger) = &cx.options.triggers.resource_updated {
        let call = session.ask("tools/call", json!({"name": trigger.call, "arguments": trigger.arguments}));
        call.probe(scenario, Intent::UpdateTrigger, json!({"watched": watched})).send().await;
    }
}
