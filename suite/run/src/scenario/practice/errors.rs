//! Hundreds of requests that fail, and the server's memory meanwhile.

use serde_json::json;
use tokio::task::JoinSet;
use verdict::{Intent, Purpose};

use super::{allowed, open_for_purpose};
use crate::Session;
use crate::scenario::{Cx, Scenario, Stage};

const NAME: &str = "practice/errors";
/// Failing requests in a round, and rounds; the first one warms the server up.
const ROUNDS: (usize, usize) = (60, 5);

pub(super) const SCENARIO: Scenario = Scenario {
    name: NAME,
    provokes: &["practice.errors.cleanup"],
    stage: Stage::Last,
    applies: allowed,
    run: |cx| Box::pin(run(cx)),
};

async fn run(cx: Cx) {
    let Some(session) = open_for_purpose(&cx, Purpose::Robust).await else { return };
    let mut rounds = Vec::new();
    for round in 0..ROUNDS.1 {
        fail(&session).await;
        // Nothing is learned from more of them where the memory is not seen, or no error is ever given.
        if !session.is_alive().await || session.memory().is_none() || session.gives_no_errors() {
            break;
        }
        rounds.extend(session.memory().filter(|_| round > 0));
    }
    if !rounds.is_empty() {
        session.record_probe(NAME, Intent::PracticeMemory, json!({"rounds": rounds}));
    }
    session.give_back().await;
}

async fn fail(session: &Session) {
    let mut asks = JoinSet::new();
    for _ in 0..ROUNDS.0 {
        let session = session.clone();
        asks.spawn_local(async move {
            let params = json!({"name": "mcp-conform-no-such-tool", "arguments": {}});
            session.ask("tools/call", params).probe(NAME, Intent::PracticeFailing, json!({})).send().await;
        });
    }
    asks.join_all().await;
}
