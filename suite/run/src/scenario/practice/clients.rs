//! Several clients over HTTP: one whose call takes its time beside another, and many that drop their connections.

use std::time::Duration;

use serde_json::{Value, json};
use verdict::Transport;

use super::{allowed, open, repeatable};
use crate::flow::{LONG, looks_slow, tuned};
use crate::scenario::{Cx, Scenario, Stage};

const NAME: &str = "practice/clients";
const CUT: &str = "practice/dropped";
/// Connections that are dropped.
const DROPPED: usize = 100;
/// How long a call is given to reach the server before another client asks for something.
const AHEAD: Duration = Duration::from_millis(100);

pub(super) const SCENARIO: Scenario = Scenario {
    name: NAME,
    provokes: &["practice.load.concurrent-clients"],
    stage: Stage::Alone,
    applies: |offer| offer.transport != Transport::Stdio && !offer.tools.is_empty(),
    run: |cx| Box::pin(run(cx)),
};

pub(super) const CUTTING: Scenario = Scenario {
    name: CUT,
    provokes: &["practice.transport.cleanup"],
    stage: Stage::Last,
    applies: |offer| offer.transport == Transport::Http && allowed(offer),
    run: |cx| Box::pin(dropped(cx)),
};

/// A call that takes about a second.
fn call(cx: &Cx) -> Option<Value> {
    if let Some(trigger) = &cx.options.triggers.slow {
        return Some(json!({"name": trigger.call, "arguments": trigger.arguments}));
    }
    repeatable(cx).into_iter().filter(|(tool, _)| looks_slow(tool)).find_map(|(tool, valid)| {
        let arguments = tuned(tool, &valid, cx.offer.revision, LONG)?;
        Some(json!({"name": tool.name, "arguments": arguments}))
    })
}

async fn run(cx: Cx) {
    let Some(call) = call(&cx) else { return };
    let (Some(one), Some(other)) = (open(&cx, "practice").await, open(&cx, "practice").await) else { return };
    let slow = one.ask("tools/call", call).probe(NAME, "practice-slow", json!({})).send();
    let meanwhile = async {
        tokio::time::sleep(AHEAD).await;
        let method = if cx.offer.is_handshake() { "ping" } else { "server/discover" };
        other.ask(method, json!({})).probe(NAME, "practice-meanwhile", json!({})).send().await;
    };
    tokio::join!(slow, meanwhile);
    one.kill().await;
    other.kill().await;
}

/// Each behind a request that it does not wait for.
async fn dropped(cx: Cx) {
    let Some(session) = open(&cx, "robust").await else { return };
    let method = if cx.offer.is_handshake() { "ping" } else { "server/discover" };
    for _ in 0..DROPPED {
        let ask = session.ask("tools/list", json!({})).probe(CUT, "practice-dropped", json!({}));
        let channel = ask.start();
        tokio::task::yield_now().await;
        session.forsake(channel);
        if session.is_down() {
            break;
        }
    }
    session.ask(method, json!({})).probe(CUT, "practice-after", json!({})).send().await;
    session.kill().await;
}
