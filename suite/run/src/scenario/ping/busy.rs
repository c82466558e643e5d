//! A ping while a tool is at work; on stdio then the end of the input, with the call still under way.

use std::time::Duration;

use serde_json::{Value, json};
use verdict::{Intent, Transport};

use super::{Cx, Scenario, Stage};
use crate::scenario::observations::slow_call;
use crate::{Opening, Session, Wear};

const NAME: &str = "ping/while-busy";

pub(super) const SCENARIO: Scenario = Scenario {
    name: NAME,
    provokes: &["ping.while-busy", "stdio.shutdown.exits-on-eof-mid-request"],
    stage: Stage::Alone,
    applies: |profile| !profile.tools.is_empty(),
    run: |cx| Box::pin(provoke_busy(cx)),
};

/// The time allowed for a call that takes about a second.
const LASTING: Duration = Duration::from_secs(2);

async fn provoke_busy(cx: Cx) {
    // Another calls a slow tool first: one process does for both.
    tokio::task::yield_now().await;
    let Some(call) = slow_call(&cx).await else { return };
    cx.for_busy.known().await;
    let session = match cx.handed(&cx.for_busy, NAME, Wear::Ordinary) {
        Some(session) => Ok(session),
        None => cx.lease_another(Opening::new(NAME, cx.profile.revision), Wear::Ordinary).await,
    };
    let Ok(session) = session else { return };
    session.mirror(&cx.profile.tools);
    let from = session.mark();
    let id = session.fresh_id();
    let about = json!({"tool": call.tool()});
    session.ask("tools/call", call.params).id(id.to_string()).probe(NAME, Intent::SlowCall, about).start();
    if cx.profile.is_handshake() {
        session.ask("ping", json!({})).probe(NAME, Intent::PingWhileBusy, Value::Null).send().await;
    } else {
        session.ask(cx.profile.liveness(), json!({})).send().await;
    }
    provoke_end(&cx, &session, from, id).await;
}

async fn provoke_end(cx: &Cx, session: &Session, from: usize, call: i64) {
    let done = session
        .heard(from)
        .iter()
        .any(|(_, message)| message.is_answer() && message.member("id") == Some(&json!(call)));
    if cx.profile.transport == Transport::Stdio && !done && !session.is_down() {
        session.record_probe(NAME, Intent::Eof, json!({"when": "mid-request"}));
        session.end_of_input(session.limit() + LASTING).await;
    } else {
        session.kill().await;
    }
}
