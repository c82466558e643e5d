//! Every list walked a second time, and a few of its cursors used once more.

use std::rc::Rc;

use serde_json::json;
use tokio::task::JoinSet;

use crate::scenario::{Cx, Running, Scenario, Stage};
use crate::survey::{Walk, walk};

const NAME: &str = "pagination/twice";
/// Cursors of one list that are used again.
const CURSORS: usize = 3;

pub(super) static SCENARIO: Scenario = Scenario {
    name: NAME,
    provokes: &[
        "pagination.terminates",
        "pagination.issued-cursor-accepted",
        "pagination.cursor-continues",
        "pagination.no-duplicates",
        "pagination.no-gaps",
        "pagination.stable-cursors",
        "lifecycle.initialized.serves-after",
    ],
    stage: Stage::Shared,
    applies: super::lists,
    run: |cx| -> Running { Box::pin(run(cx)) },
};

async fn run(cx: Cx) {
    let mut lists = JoinSet::new();
    for at in 0..cx.offer.walks.len() {
        lists.spawn_local(list(cx.clone(), at));
    }
    lists.join_all().await;
}

async fn list(cx: Cx, at: usize) {
    let offer = Rc::clone(&cx.offer);
    let surveyed = &offer.walks[at];
    // Where nothing was surveyed this is the first walk.
    let own: Walk;
    let first = if cx.session.is_confirm() {
        own = walk(&cx.session, NAME, "walk", surveyed.method, surveyed.member).await;
        &own
    } else {
        surveyed
    };
    walk(&cx.session, NAME, "walk-again", surveyed.method, surveyed.member).await;
    for cursor in first.cursors.iter().take(CURSORS) {
        let ask = cx.session.ask(surveyed.method, json!({"cursor": cursor}));
        ask.probe(NAME, "cursor-again", json!({})).send().await;
    }
}
