//! `initialize` and its cancellation at once, which no client may send, and `initialize` again: on a connection that nothing else is judged by.

use serde_json::json;
use verdict::transcript::{Event, Kind};
use verdict::{Intent, Transport};

use crate::Wear;
use crate::opening::Opening;
use crate::scenario::auth::opening;
use crate::scenario::{Cx, Scenario, Stage};
use crate::session::RequestOutcome;

const NAME: &str = "cancellation/initialize";
const ID: &str = "\"mcp-conform-initialize\"";

pub(super) const SCENARIO: Scenario = Scenario {
    name: NAME,
    provokes: &["cancellation.initialize-not-cancelled"],
    stage: Stage::Alone,
    applies: |profile| profile.is_handshake() && profile.may_disrupt,
    run: |cx| Box::pin(provoke_cancelled(cx)),
};

async fn provoke_cancelled(cx: Cx) {
    let purpose = Opening::new(NAME, cx.profile.revision).outside();
    let Ok(session) = cx.lease_new(purpose, Wear::Malformed).await else { return };
    session.located().await;
    let ask = opening(&session, cx.profile.revision).id(ID).limit(session.limit() * 2);
    let ask = ask.probe(NAME, Intent::InitializeCancelled, json!({}));
    let params = json!({"requestId": "mcp-conform-initialize", "reason": "a probe"});
    let cancel =
        session.notify("notifications/cancelled", Some(&params)).probe(NAME, Intent::InitializeCancel, json!({}));
    if cx.profile.transport == Transport::Stdio {
        let from = session.mark();
        ask.start();
        cancel.send().await;
        // Some start slowly where much goes on.
        let limit = (session.limit() * 2).max(session.slowest_start() * 3);
        // Which of the two the server sees first is a matter of luck; whether one can still connect is not.
        let again = opening(&session, cx.profile.revision).limit(limit);
        let again = again.probe(NAME, Intent::InitializeCancelled, json!({})).send().await;
        if let RequestOutcome::Answer(message) = &again
            && session.settle_opening(message).is_some()
        {
            session.notify("notifications/initialized", None).send().await;
        } else if session.settle().await {
            // Some take their time before they open.
            session.until(from, session.limit(), |events| is_answered(events, session.id())).await;
        }
    } else {
        tokio::join!(ask.send(), cancel.send());
    }
    session.give_back().await;
}

fn is_answered(events: &[Event], session: u32) -> bool {
    events.iter().any(|event| {
        event.session == session
            && matches!(&event.kind, Kind::Receive(receive) if receive.text.contains("mcp-conform-initialize"))
    })
}
