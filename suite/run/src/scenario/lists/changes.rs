//! The call that the configuration names as one that changes a list, in a session of its own that hears of it; after
//! everything that looks at the list, for over HTTP it changes for all.

use std::time::Duration;

use serde_json::json;
use verdict::Intent;

use crate::opening::Opening;
use crate::scenario::subscriptions::{acknowledged, listen};
use crate::scenario::{Cx, Scenario, Stage};
use crate::survey::walk;
use crate::{Trigger, Triggers};

/// How long a notification may take after the call that causes it was answered.
const LEISURE: Duration = Duration::from_secs(2);

pub(super) const TOOLS: Scenario = Scenario {
    name: "tools/list-changed",
    provokes: &[
        "tools.list-changed.sent",
        "tools.list-changed.list-follows",
        "tools.list-changed.only-if-declared",
        "caching.change-inside-ttl-notified",
        "tools.list-changed.shape",
    ],
    stage: Stage::Ordered,
    applies: |profile| profile.declares("tools"),
    run: |cx| Box::pin(provoke_change(cx, &OF_TOOLS)),
};

pub(super) const RESOURCES: Scenario = Scenario {
    name: "resources/list-changed",
    provokes: &[
        "resources.list-changed.sent",
        "resources.list-changed.only-if-declared",
        "caching.change-inside-ttl-notified",
        "resources.list-changed.shape",
    ],
    stage: Stage::Ordered,
    applies: |profile| profile.declares("resources"),
    run: |cx| Box::pin(provoke_change(cx, &OF_RESOURCES)),
};

pub(super) const PROMPTS: Scenario = Scenario {
    name: "prompts/list-changed",
    provokes: &[
        "prompts.list-changed.sent",
        "prompts.list-changed.only-if-declared",
        "caching.change-inside-ttl-notified",
        "prompts.list-changed.shape",
    ],
    stage: Stage::Ordered,
    applies: |profile| profile.declares("prompts"),
    run: |cx| Box::pin(provoke_change(cx, &OF_PROMPTS)),
};

/// A list and how its changes are brought about and heard of.
struct Change {
    scenario: &'static str,
    method: &'static str,
    member: &'static str,
    notice: &'static str,
    filter: &'static str,
    trigger: fn(&Triggers) -> &Option<Trigger>,
}

static OF_TOOLS: Change = Change {
    scenario: TOOLS.name,
    method: "tools/list",
    member: "tools",
    notice: "notifications/tools/list_changed",
    filter: "toolsListChanged",
    trigger: |triggers| &triggers.tools_list_changed,
};
static OF_RESOURCES: Change = Change {
    scenario: RESOURCES.name,
    method: "resources/list",
    member: "resources",
    notice: "notifications/resources/list_changed",
    filter: "resourcesListChanged",
    trigger: |triggers| &triggers.resources_list_changed,
};
static OF_PROMPTS: Change = Change {
    scenario: PROMPTS.name,
    method: "prompts/list",
    member: "prompts",
    notice: "notifications/prompts/list_changed",
    filter: "promptsListChanged",
    trigger: |triggers| &triggers.prompts_list_changed,
};

async fn provoke_change(cx: Cx, list: &'static Change) {
    let Some(trigger) = (list.trigger)(&cx.options.triggers).clone() else { return };
    let purpose = format!("{} change", list.member);
    let Ok(session) = cx.open_ready(Opening::new(&purpose, cx.profile.revision)).await else { return };
    if !cx.profile.is_handshake() {
        let (from, id) = (session.mark(), session.fresh_id().to_string());
        listen(&session, list.scenario, Intent::ListSubscribed, json!({}), &id, json!({(list.filter): true})).await;
        acknowledged(&session, from, 1).await;
    }
    session.settle().await;
    let before = walk(&session, list.scenario, Intent::WalkAfter, list.method, list.member).await;
    let from = session.mark();
    let call = session.ask("tools/call", json!({"name": trigger.call, "arguments": trigger.arguments}));
    call.probe(list.scenario, Intent::ListTrigger, json!({})).send().await;
    // It may come on another stream, at its leisure.
    let heard = session.hears(from, list.notice, LEISURE).await;
    session.settle().await;
    let from = session.mark();
    let after = walk(&session, list.scenario, Intent::WalkAfter, list.method, list.member).await;
    if heard && cx.profile.is_handshake() && before.entries == after.entries {
        // What changed may have come back, which is announced, too. Statelessly a call need not change the list.
        session.hears(from, list.notice, LEISURE).await;
    }
    session.settle().await;
    session.kill().await;
}
