//! A call that, as the configuration tells, has the server end the subscriptions of its clients.

use std::time::Duration;

use serde_json::json;
use verdict::Intent;
use verdict::transcript::{Event, Kind};

use super::{acknowledged, everything, listen, offers_subscriptions};
use crate::scenario::{Cx, Scenario, Stage};
use crate::{Opening, Session};

const NAME: &str = "subscriptions/teardown";
/// How long the end may take after the call was answered.
const LEISURE: Duration = Duration::from_secs(2);

pub(super) const SCENARIO: Scenario = Scenario {
    name: NAME,
    provokes: &["cancellation.sent.on-teardown"],
    stage: Stage::Alone,
    applies: |profile| !profile.is_handshake() && offers_subscriptions(profile),
    run: |cx| Box::pin(provoke_teardown(cx)),
};

async fn provoke_teardown(cx: Cx) {
    let Some(trigger) = &cx.options.triggers.ends_subscriptions else { return };
    let Ok(session) = cx.open_ready(Opening::new("teardown", cx.profile.revision)).await else { return };
    session.mirror(&cx.profile.tools);
    let id = json!("mcp-conform-teardown");
    let from = session.mark();
    let channel =
        listen(&session, NAME, Intent::TeardownListen, json!({}), &id.to_string(), everything(&cx.profile)).await;
    acknowledged(&session, from, 1).await;
    let call = session.ask("tools/call", json!({"name": trigger.call, "arguments": trigger.arguments}));
    call.probe(NAME, Intent::TeardownCall, json!({})).send().await;
    let over = |events: &[Event]| {
        let closed = |event: &Event| {
            event.session == session.id()
                && matches!(&event.kind, Kind::Closed { channel: of, .. } if channel != 0 && *of == channel)
        };
        events.iter().any(closed)
            || says(&session, events, &["notifications/cancelled"])
            || says(&session, events, &["mcp-conform-teardown", "\"result\""])
    };
    session.until(from, LEISURE, over).await;
    session.settle().await;
    session.record_probe(NAME, Intent::TeardownOver, json!({}));
    session.kill().await;
}

fn says(session: &Session, events: &[Event], texts: &[&str]) -> bool {
    let own = |event: &Event| {
        event.session == session.id()
            && matches!(&event.kind, Kind::Receive(receive) if texts.iter().all(|text| receive.says(text)))
    };
    events.iter().any(own)
}
