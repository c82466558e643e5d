//! Cursors that nobody issued, and cursors of another list.

use serde_json::{Value, json};
use tokio::task::JoinSet;
use verdict::Intent;

use crate::scenario::{Cx, Running, Scenario, Stage};

const NAME: &str = "pagination/invalid";

/// Strings that sort behind and before every name: a server whose cursors are sort keys is known by them.
const STRINGS: [(&str, &str); 2] = [("high", "zzzz-no-such-cursor"), ("low", "!no-such-cursor")];

pub(super) static SCENARIO: Scenario = Scenario {
    name: NAME,
    provokes: &["pagination.invalid-cursor-code", "pagination.foreign-cursor"],
    stage: Stage::Ordered,
    applies: super::lists,
    run: |cx| -> Running { Box::pin(run(cx)) },
};

async fn run(cx: Cx) {
    let mut asks = JoinSet::new();
    for walk in &cx.profile.walks {
        for (kind, cursor) in STRINGS {
            asks.spawn_local(ask(
                cx.clone(),
                walk.method,
                cursor.to_owned(),
                Intent::CursorInvalid,
                json!({"kind": kind}),
            ));
        }
        // Before 2026-07-28 a cursor belongs to the session that got it.
        let other = cx
            .profile
            .walks
            .iter()
            .find(|other| other.method != walk.method && other.cursors.iter().any(|cursor| !cursor.is_empty()));
        if let Some(other) = other.filter(|_| !cx.session.is_confirm()) {
            let about = json!({"from": other.method});
            for cursor in other.cursors.iter().filter(|cursor| !cursor.is_empty()).take(1) {
                asks.spawn_local(ask(cx.clone(), walk.method, cursor.clone(), Intent::CursorForeign, about.clone()));
            }
        }
    }
    asks.join_all().await;
}

async fn ask(cx: Cx, method: &'static str, cursor: String, intent: Intent, about: Value) {
    cx.session.ask(method, json!({"cursor": cursor})).probe(NAME, intent, about).send().await;
}
