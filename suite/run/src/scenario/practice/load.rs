//! Many calls of a cheap tool at once.

use serde_json::json;
use tokio::task::JoinSet;
use verdict::{Intent, Purpose};

use super::{allowed, open_for_purpose, repeatable};
use crate::Session;
use crate::scenario::observations::looks_slow;
use crate::scenario::{Cx, Scenario, Stage};

const NAME: &str = "practice/burst";
/// Calls at once.
const MANY: usize = 100;
/// Calls of a tool before it is taken for slow.
const TRIES: usize = 3;
/// A tool that takes longer is not cheap.
const QUICK: std::time::Duration = std::time::Duration::from_millis(100);

pub(super) const SCENARIO: Scenario = Scenario {
    name: NAME,
    provokes: &["practice.rate-limit.survives-burst", "practice.rate-limit.says-so"],
    stage: Stage::Last,
    applies: allowed,
    run: |cx| Box::pin(run(cx)),
};

async fn run(cx: Cx) {
    let Some(session) = open_for_purpose(&cx, Purpose::Robust).await else { return };
    for (tool, arguments) in repeatable(&cx).into_iter().filter(|(tool, _)| !looks_slow(tool)).take(4) {
        let params = json!({"name": tool.name, "arguments": arguments});
        if is_cheap(&session, &tool.name, &params).await {
            burst(&session, &tool.name, &params).await;
            break;
        }
    }
    session.give_back().await;
}

/// Whether calls of it are served quickly. The first ones may be slower: a server warms up.
async fn is_cheap(session: &Session, tool: &str, params: &serde_json::Value) -> bool {
    for _ in 0..TRIES {
        let began = std::time::Instant::now();
        let about = json!({"tool": tool, "kind": "control"});
        let control = session.ask("tools/call", params.clone()).probe(NAME, Intent::PracticeBurst, about).send().await;
        if control.result().is_none_or(|result| result.get("isError") == Some(&json!(true))) {
            return false;
        }
        if began.elapsed() < QUICK {
            return true;
        }
    }
    false
}

async fn burst(session: &Session, tool: &str, params: &serde_json::Value) {
    let mut asks = JoinSet::new();
    for _ in 0..MANY {
        let (session, params) = (session.clone(), params.clone());
        let about = json!({"tool": tool, "kind": "one of many"});
        asks.spawn_local(async move {
            let ask = session.ask("tools/call", params).limit(session.limit() * 2);
            ask.probe(NAME, Intent::PracticeBurst, about).send().await;
        });
    }
    asks.join_all().await;
    session.is_alive().await;
}
