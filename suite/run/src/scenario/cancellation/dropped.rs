//! Over HTTP in 2026-07-28 a client cancels by closing the stream: one of two calls is dropped so, and the other goes on.

use serde_json::json;
use verdict::{Intent, Transport};

use crate::opening::Opening;
use crate::scenario::observations::slow_call;
use crate::scenario::{Cx, Scenario, Stage};
use crate::survey::LISTS;

const NAME: &str = "cancellation/dropped";

pub(super) const SCENARIO: Scenario = Scenario {
    name: NAME,
    provokes: &["cancellation.http-disconnect-harmless"],
    stage: Stage::Alone,
    applies: |profile| !profile.is_handshake() && profile.transport == Transport::Http,
    run: |cx| Box::pin(provoke_dropped(cx)),
};

async fn provoke_dropped(cx: Cx) {
    let Ok(session) = cx.open_ready(Opening::new("dropped streams", cx.profile.revision)).await else { return };
    session.mirror(&cx.profile.tools);
    let listed = LISTS.iter().find(|(_, _, capability)| cx.profile.declares(capability)).map(|(method, ..)| *method);
    let (method, params) = match slow_call(&cx).await {
        Some(call) => ("tools/call", call.params),
        None => (listed.unwrap_or("server/discover"), json!({})),
    };
    let from = session.mark();
    let doomed = session.ask(method, params.clone()).probe(NAME, Intent::StreamDropped, json!({})).start();
    let beside = async {
        session.ask(method, params).probe(NAME, Intent::BesideDropped, json!({"when": "meanwhile"})).send().await;
    };
    let drop = async {
        // The head of a stream shows that the work has begun; where there is none, the request has at least arrived.
        session.until(from, session.limit() / 20, |events| has_begun(events, session.id(), doomed)).await;
        session.abort_exchange(doomed);
    };
    tokio::join!(beside, drop);
    for _ in 0..2 {
        let ask = session.ask(cx.profile.liveness(), json!({}));
        ask.probe(NAME, Intent::BesideDropped, json!({"when": "afterwards"})).send().await;
    }
    session.kill().await;
}

fn has_begun(events: &[verdict::transcript::Event], session: u32, channel: u32) -> bool {
    events.iter().any(|event| {
        event.session == session
            && matches!(&event.kind, verdict::transcript::Kind::Status { channel: of, .. } if *of == channel)
    })
}
