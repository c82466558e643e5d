//! Cursors that a careless server decodes before it looks at them, and the list before and after.

use serde_json::{Value, json};
use tokio::task::JoinSet;
use verdict::Intent;

use crate::scenario::{Cx, Running, Scenario, Stage};

const NAME: &str = "pagination/malformed";
/// Characters of a cursor that is too long for any purpose.
const LONG: usize = 100_000;

pub(super) static SCENARIO: Scenario = Scenario {
    name: NAME,
    provokes: &["pagination.invalid-cursor-graceful", "pagination.invalid-cursor-code", "pagination.cursor-wrong-type"],
    stage: Stage::Rough,
    applies: super::lists,
    run: |cx| -> Running { Box::pin(run(cx)) },
};

async fn run(cx: Cx) {
    let paged = cx.profile.walks.iter().find(|walk| !walk.cursors.is_empty());
    let Some(method) = paged.or(cx.profile.walks.first()).map(|walk| walk.method) else { return };
    let first =
        cx.session.ask(method, json!({})).probe(NAME, Intent::FirstPage, json!({"when": "before"})).send().await;
    let mut asks = JoinSet::new();
    for (kind, cursor) in strings(super::next(&first)) {
        asks.spawn_local(ask(cx.clone(), method, json!(cursor), Intent::CursorInvalid, kind));
    }
    for (kind, cursor) in others() {
        asks.spawn_local(ask(cx.clone(), method, cursor, Intent::CursorType, kind));
    }
    asks.join_all().await;
    cx.session.ask(method, json!({})).probe(NAME, Intent::FirstPage, json!({"when": "after"})).send().await;
}

async fn ask(cx: Cx, method: &'static str, cursor: Value, intent: Intent, kind: &'static str) {
    cx.session.ask(method, json!({"cursor": cursor})).probe(NAME, intent, json!({"kind": kind})).send().await;
}

fn strings(issued: Option<String>) -> Vec<(&'static str, String)> {
    let mut strings: Vec<(&'static str, String)> = [
        ("base64", "%%% no Base64 %%%"),
        ("json", r#"{"offset": -1, "page": "x"}"#),
        // {"offset":-1}
        ("json", "eyJvZmZzZXQiOi0xfQ=="),
        ("negative", "-1"),
        // -1
        ("negative", "LTE="),
        ("huge", "99999999999999999999999999"),
        ("nul", "\u{0}"),
    ]
    .map(|(kind, cursor)| (kind, cursor.to_owned()))
    .into();
    strings.push(("long", "A".repeat(LONG)));
    strings.extend(issued.map(|cursor| ("altered", altered(&cursor))));
    strings
}

/// The cursor with its last character changed.
fn altered(cursor: &str) -> String {
    let mut characters: Vec<char> = cursor.chars().collect();
    let last = characters.pop();
    characters.push(if last == Some('A') { 'B' } else { 'A' });
    characters.into_iter().collect()
}

fn others() -> [(&'static str, Value); 4] {
    [("number", json!(42)), ("object", json!({})), ("array", json!([])), ("boolean", json!(true))]
}

#[cfg(test)]
mod tests {
    use super::altered;

    #[test]
    fn an_altered_cursor_is_another_one() {
        for (cursor, expected) in [("", "A"), ("x", "A"), ("xA", "xB"), ("é", "A")] {
            assert_eq!(altered(cursor), expected);
        }
    }
}
