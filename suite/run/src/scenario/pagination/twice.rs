//! Every list walked twice while nothing else goes on, and a few of its cursors used once more.

use serde_json::json;
use tokio::task::JoinSet;
use verdict::Intent;
use verdict::transcript::Probe;

use crate::scenario::{Cx, Running, Scenario, Stage};
use crate::survey::walk;

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
    stage: Stage::Ordered,
    applies: super::lists,
    run: |cx| -> Running { Box::pin(run(cx)) },
};

async fn run(cx: Cx) {
    let mut lists = JoinSet::new();
    for at in 0..cx.profile.walks.len() {
        lists.spawn_local(list(cx.clone(), at));
    }
    lists.join_all().await;
}

async fn list(cx: Cx, at: usize) {
    let (method, member) = (cx.profile.walks[at].method, cx.profile.walks[at].member);
    let once = walk(&cx.session, NAME, Intent::WalkOnce, method, member).await;
    walk(&cx.session, NAME, Intent::WalkTwice, method, member).await;
    for cursor in once.cursors.iter().take(CURSORS) {
        let probe = Probe::new(NAME, Intent::CursorAgain, json!({}));
        cx.session.page(method, &json!({"cursor": cursor}), probe).await;
    }
}
