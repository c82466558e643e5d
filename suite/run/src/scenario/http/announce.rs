//! The call that the configuration names as one that changes the list of tools, while two streams are open that GET opened.

use std::time::Duration;

use serde_json::{Value, json};
use verdict::{Intent, Revision};

use super::is_legacy;
use crate::opening::Opening;
use crate::scenario::{Cx, Scenario, Stage};

const NAME: &str = "http/announce";
/// How long a notification may take after the call that causes it was answered.
const LEISURE: Duration = Duration::from_secs(1);

pub(super) const SCENARIO: Scenario = Scenario {
    name: NAME,
    provokes: &["http.streams.no-broadcast", "http.get.retry-before-close"],
    stage: Stage::Ordered,
    applies: is_legacy,
    run: |cx| Box::pin(provoke_announce(cx)),
};

async fn provoke_announce(cx: Cx) {
    let Some(trigger) = cx.options.triggers.tools_list_changed.clone() else { return };
    let Ok(session) = cx.open_ready(Opening::new(NAME, Revision::LATEST_HANDSHAKE)).await else { return };
    let Some(first) = session.listening() else { return session.kill().await };
    session.heads(first, session.limit()).await;
    let second = session.http("GET").probe(NAME, Intent::SecondGet, Value::Null).send().await;
    if session.status(first) == Some(200) && second.is_stream() {
        let from = session.mark();
        // Twice, so that the list is as it was.
        for _ in 0..2 {
            let params = json!({"name": trigger.call, "arguments": trigger.arguments});
            session.ask("tools/call", params).probe(NAME, Intent::AnnouncingCall, json!({})).send().await;
        }
        session.record_probe(NAME, Intent::Announced, json!({}));
        session.hears(from, "notifications/tools/list_changed", LEISURE).await;
        session.settle().await;
    }
    session.close(Duration::ZERO).await;
}
