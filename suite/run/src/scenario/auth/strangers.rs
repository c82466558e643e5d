//! Whoever has no good token: what is refused to them, and how.

use base64::Engine as _;
use serde_json::{Value, json};
use verdict::transcript::Headers;

use super::forged::{Claims, all, random};
use super::{Door, NAME, Seen, Visit, path_of, seen};
use crate::{Arguments, Opening};

/// Tools that are tried before it is believed that everything is open.
const TRIED: usize = 10;

/// Looks for something that is refused without a credential; the challenge that comes with it.
pub(super) async fn find_door(visit: &mut Visit) -> Option<Headers> {
    let first = visit.try_door("auth-bare", json!({"request": "opening"}), None).await;
    if first.is_refused() {
        return Some(first.headers);
    }
    if !first.is_served() || visit.cx.offer.outside {
        return None;
    }
    // The discovery is open: perhaps what can be called is not.
    let (offer, revision) = (visit.cx.offer.clone(), visit.cx.offer.revision);
    if revision.is_handshake() {
        let opening = Opening::new("stranger", revision.era()).stranger();
        let session = visit.cx.open(opening).await.ok()?;
        session.shake(revision.as_str(), json!({}), None).await.ok()?;
        std::mem::replace(&mut visit.stranger, session).kill().await;
    }
    if offer.declares("tools") {
        visit.door = Door::Listing;
        let seen = visit.try_door("auth-bare", json!({"request": "listing"}), None).await;
        if seen.is_refused() && seen.status != Some(200) {
            return Some(seen.headers);
        }
    }
    for tool in offer.callable().take(TRIED) {
        let Ok(arguments) = Arguments::of(tool, revision, &visit.cx.options).valid else { continue };
        visit.door = Door::Call(tool.name.clone(), arguments);
        let about = json!({"request": "call", "tool": tool.name});
        let seen = visit.try_door("auth-bare", about, None).await;
        // A tool may refuse arguments; only a status tells that it is the caller who is refused.
        if seen.is_refused() && seen.status != Some(200) {
            return Some(seen.headers);
        }
    }
    None
}

/// Other requests without a credential.
pub(super) async fn knock(visit: &Visit) {
    let session = &visit.stranger;
    let handshake = visit.cx.offer.is_handshake();
    match &visit.door {
        Door::Call(name, _) => {
            let ask = session.ask("tools/call", json!({"name": name, "arguments": []}));
            bare(visit, ask, "invalid-call").await;
        }
        Door::Listing => {}
        Door::Opening => {
            if handshake {
                bare(visit, session.ask("initialize", json!({})).bare().bare_headers(), "invalid-opening").await;
            }
            bare(visit, session.ask("tools/list", json!({})).bare_headers(), "tools/list").await;
            bare(visit, session.ask("mcp-conform/unknown", json!({})).bare_headers(), "unknown-method").await;
            let unknown = json!({"name": "mcp_conform_no_such_tool", "arguments": {}});
            bare(visit, session.ask("tools/call", unknown).bare_headers(), "unknown-tool").await;
            if handshake {
                for method in ["GET", "DELETE"] {
                    let http = session.http(method).bare_headers().probe(NAME, "auth-bare", json!({"request": method}));
                    let reply = http.send().await;
                    if reply.is_stream() {
                        session.forsake(reply.channel);
                    }
                }
            }
        }
    }
}

async fn bare(visit: &Visit, ask: crate::Ask<'_>, request: &str) -> Seen {
    seen(&visit.cx, &visit.stranger, ask.probe(NAME, "auth-bare", json!({"request": request}))).await
}

/// Credentials that are none.
pub(super) async fn bad_tokens(visit: &Visit, claims: &Claims) {
    for (name, token) in all(claims) {
        visit.try_door("auth-token", json!({"token": name}), Some(&format!("Bearer {token}"))).await;
    }
    let basic = base64::engine::general_purpose::STANDARD.encode("mcp-conform:mcp-conform");
    visit.try_door("auth-token", json!({"token": "basic"}), Some(&format!("Basic {basic}"))).await;
    malformed(visit).await;
    query(visit, "random", &random(24)).await;
}

async fn malformed(visit: &Visit) {
    let token = format!("Bearer {}", random(24));
    let about = |kind: &str| -> Value { json!({"kind": kind}) };
    let empty = visit.at_door(&visit.stranger).header("Authorization", Some("Bearer")).verbatim();
    seen(&visit.cx, &visit.stranger, empty.probe(NAME, "auth-malformed", about("empty"))).await;
    let twice = visit.at_door(&visit.stranger).header("Authorization", Some(&token)).also("Authorization", &token);
    seen(&visit.cx, &visit.stranger, twice.verbatim().probe(NAME, "auth-malformed", about("twice"))).await;
    if visit.cx.offer.may_disrupt {
        let control = visit.at_door(&visit.stranger).header("Authorization", Some("Bearer \u{1}\u{7f}")).verbatim();
        seen(&visit.cx, &visit.stranger, control.probe(NAME, "auth-malformed", about("control"))).await;
    }
}

/// The token in the query string, and nowhere else.
pub(super) async fn query(visit: &Visit, name: &str, token: &str) {
    let mut url = visit.url.clone();
    url.query_pairs_mut().append_pair("access_token", token);
    let ask = visit.at_door(&visit.stranger).at(&path_of(&url)).probe(NAME, "auth-query", json!({"token": name}));
    seen(&visit.cx, &visit.stranger, ask).await;
}
