//! Over HTTP in 2026-07-28: whether the work of a call whose stream the client closed goes on, told by what it changes. The
//! configuration names a call that changes something when it is done, and one that shows it.

use std::time::Duration;

use serde_json::{Value, json};
use tokio::time::{Instant, sleep};
use verdict::{Intent, Transport};

use crate::scenario::{Cx, Scenario, Stage};
use crate::{Opening, Session, Trigger};

const NAME: &str = "cancellation/effect";
/// The time a server may take to notice that a client is gone.
const NOTICE: Duration = Duration::from_millis(50);

pub(super) const SCENARIO: Scenario = Scenario {
    name: NAME,
    provokes: &["cancellation.http-disconnect"],
    stage: Stage::Alone,
    applies: |profile| !profile.is_handshake() && profile.transport == Transport::Http,
    run: |cx| Box::pin(provoke_effect(cx)),
};

async fn provoke_effect(cx: Cx) {
    let triggers = &cx.options.triggers;
    let (Some(slow), Some(shown)) = (&triggers.slow_effect, &triggers.effect_shown_by) else { return };
    let Ok(session) = cx.open_ready(Opening::new("effects", cx.profile.revision)).await else { return };
    session.mirror(&cx.profile.tools);
    show(&session, shown, "before").await;
    let began = Instant::now();
    session
        .ask("tools/call", params(slow))
        .probe(NAME, Intent::EffectCall, Value::Null)
        .limit(session.limit() * 6)
        .send()
        .await;
    let took = began.elapsed();
    show(&session, shown, "done").await;
    sleep(took).await;
    show(&session, shown, "steady").await;
    let doomed = session.ask("tools/call", params(slow)).probe(NAME, Intent::EffectDropped, Value::Null).start();
    sleep(took / 4).await;
    session.abort_exchange(doomed);
    sleep(NOTICE).await;
    show(&session, shown, "dropped").await;
    sleep(took * 2).await;
    show(&session, shown, "after").await;
    session.kill().await;
}

fn params(trigger: &Trigger) -> Value {
    json!({"name": trigger.call, "arguments": trigger.arguments})
}

async fn show(session: &Session, trigger: &Trigger, at: &str) {
    session.ask("tools/call", params(trigger)).probe(NAME, Intent::EffectShown, json!({"at": at})).send().await;
}
