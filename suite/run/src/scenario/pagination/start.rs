//! The first page before and after a walk that is not finished.

use serde_json::{Value, json};
use tokio::task::JoinSet;
use verdict::Intent;

use crate::scenario::{Cx, Running, Scenario, Stage};

const NAME: &str = "pagination/start";

pub(super) static SCENARIO: Scenario = Scenario {
    name: NAME,
    provokes: &["pagination.without-cursor-first-page"],
    stage: Stage::Ordered,
    applies: super::has_pages,
    run: |cx| -> Running { Box::pin(run(cx)) },
};

async fn run(cx: Cx) {
    let mut lists = JoinSet::new();
    for walk in cx.profile.walks.iter().filter(|walk| !walk.cursors.is_empty()) {
        lists.spawn_local(list(cx.clone(), walk.method));
    }
    lists.join_all().await;
}

/// Two controls, one step, and back to the beginning; each waits for the one before. Where the first control differs,
/// it may have gone on with the walk of another scenario: a third takes its place.
async fn list(cx: Cx, method: &'static str) {
    let ask = |params: Value, intent: Intent, about: Value| {
        let session = cx.session.clone();
        async move { session.ask(method, params).probe(NAME, intent, about).send().await }
    };
    let control = || ask(json!({}), Intent::FirstPage, json!({"when": "control"}));
    let (before, mut first) = (control().await, control().await);
    if before.result() != first.result() {
        first = control().await;
    }
    let Some(cursor) = super::next(&first) else { return };
    ask(json!({"cursor": cursor}), Intent::SecondPage, json!({})).await;
    ask(json!({}), Intent::FirstPage, json!({"when": "partial"})).await;
}
