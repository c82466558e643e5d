//! The area `http`, on sessions of its own: what is posted, how it is answered, streams, and the life of sessions.

mod announce;
mod ending;
mod minting;
pub(super) mod modern;
mod outsiders;
mod requests;
mod streams;
mod versions;

use std::time::Duration;

use serde_json::json;
use verdict::{Intent, Transport};

use super::Scenario;
use crate::opening::Opening;
use crate::scenario::Cx;
use crate::{ServerProfile, Session};

/// The scenarios of this area.
pub(super) static SCENARIOS: &[Scenario] = &[
    announce::SCENARIO,
    requests::SCENARIO,
    streams::SCENARIO,
    versions::SCENARIO,
    outsiders::SCENARIO,
    ending::SCENARIO,
    minting::SCENARIO,
];

/// Streamable HTTP in a revision that opens with a handshake.
fn is_legacy(profile: &ServerProfile) -> bool {
    profile.transport == Transport::Http && profile.is_handshake()
}

/// A session of its own in which everything is declared, and the plainest request that it serves.
async fn open_full_session(cx: &Cx, purpose: &str) -> Option<(Session, &'static str)> {
    let session = cx.open_ready(Opening::new(purpose, cx.profile.revision).full()).await.ok()?;
    let method = plainest(cx, &session, purpose).await;
    Some((session, method))
}

/// Opens a session of its own, or takes the main one if the server opens no other; with the plainest request it serves.
async fn own_or_main(cx: &Cx, purpose: &str) -> (Session, &'static str) {
    match open_full_session(cx, purpose).await {
        Some(own) => own,
        None => (cx.session.clone(), plainest(cx, &cx.session, purpose).await),
    }
}

/// Ends a session, unless it is the main one.
async fn end(cx: &Cx, session: Session) {
    if session.http_session() != cx.session.http_session() {
        session.close(Duration::ZERO).await;
    }
}

/// `ping`, or a list in 2026-07-28; the answer is the control of whatever varies it.
async fn plainest(cx: &Cx, session: &Session, purpose: &str) -> &'static str {
    let lists = [("tools", "tools/list"), ("resources", "resources/list"), ("prompts", "prompts/list")];
    let declared = lists.into_iter().filter(|(capability, _)| cx.profile.declares(capability));
    let first = cx.profile.liveness();
    let mut methods: Vec<&str> = std::iter::once(first).chain(declared.map(|(_, method)| method)).collect();
    if !cx.profile.is_handshake() {
        // What says what the server is may be answered even where nothing else is.
        methods.rotate_left(1);
    }
    for method in methods {
        let outcome = session.ask(method, json!({})).probe(purpose, Intent::HttpControl, json!({})).send().await;
        if outcome.result().is_some() {
            return method;
        }
    }
    first
}

/// An id like one that was issued, of the same length and characters, which is another.
fn other_id(issued: Option<&str>) -> String {
    let Some(issued) = issued.filter(|id| id.chars().any(|character| character.is_ascii_alphanumeric())) else {
        return "6d63702d-636f-4e66-8f72-6d2d6e6f6e65".to_owned();
    };
    let turn = |character: char| match character {
        '0'..='8' | 'a'..='e' | 'A'..='E' => char::from_u32(u32::from(character) + 1).unwrap_or(character),
        '9' => '0',
        'f' => 'a',
        'F' => 'A',
        other => other,
    };
    let turned: String = issued.chars().map(turn).collect();
    if turned == issued { issued.chars().rev().collect() } else { turned }
}

#[cfg(test)]
mod tests {
    use super::other_id;

    #[test]
    fn another_id_looks_like_the_first() {
        assert_eq!(other_id(Some("0af9-4")), "1ba0-5");
        assert_eq!(other_id(Some("xyz")), "zyx");
        assert_eq!(other_id(None).len(), 36);
    }
}
