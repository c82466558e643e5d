//! The call that the configuration names as one that changes the list of tools, in a session of its own that hears of it; after
//! everything that looks at the list, for over HTTP it changes for all.

use std::time::Duration;

use serde_json::json;
use wire::write;

use crate::Session;
use crate::opener::Opening;
use crate::scenario::{Cx, Scenario, Stage};
use crate::survey::walk;

const NAME: &str = "tools/list-changed";
/// How long a notification may take after the call that causes it was answered.
const LEISURE: Duration = Duration::from_secs(1);

pub(super) const SCENARIO: Scenario = Scenario {
    name: NAME,
    provokes: &[
        "tools.list-changed.sent",
        "tools.list-changed.list-follows",
        "tools.list-changed.only-if-declared",
        "tools.list-changed.shape",
    ],
    stage: Stage::Ordered,
    applies: |offer| offer.declares("tools"),
    run: |cx| Box::pin(change(cx)),
};

async fn change(cx: Cx) {
    let Some(trigger) = cx.options.triggers.tools_list_changed.clone() else { return };
    let Ok(session) = cx.open_ready(Opening::new("tools change", cx.offer.revision.era())).await else { return };
    if !cx.offer.is_handshake() {
        subscribe(&session).await;
    }
    session.settle().await;
    walk(&session, NAME, "walk-after", "tools/list", "tools").await;
    let call = session.ask("tools/call", json!({"name": trigger.call, "arguments": trigger.arguments}));
    call.probe(NAME, "list-trigger", json!({})).send().await;
    // It may come on another stream, at its leisure.
    session.hears("notifications/tools/list_changed", LEISURE).await;
    session.settle().await;
    walk(&session, NAME, "walk-after", "tools/list", "tools").await;
    session.settle().await;
    session.kill().await;
}

/// The answer comes only when the subscription ends, so it is not waited for.
async fn subscribe(session: &Session) {
    let params = json!({"notifications": {"toolsListChanged": true}, "_meta": session.meta()});
    let id = session.fresh_id().to_string();
    let text = write::request(write::IdText::raw(&id), "subscriptions/listen", Some(&params));
    session.raw(text).probe(NAME, "tools-subscribed", json!({})).send().await;
}
