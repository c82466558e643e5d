//! Whoever has no good token: what is refused to them, and how.

use base64::Engine as _;
use serde_json::{Value, json};
use verdict::Intent;
use verdict::transcript::Headers;

use super::forged::{Claims, all, random};
use super::{Door, NAME, Probing, ResponseHead, path_of, response_head};
use crate::{Arguments, Opening};

/// Tools that are tried before it is believed that everything is open.
const TRIED: usize = 10;

/// Looks for something that is refused without a credential; the challenge that comes with it.
pub(super) async fn find_door(probing: &mut Probing) -> Option<Headers> {
    let first = probing.try_door(Intent::AuthBare, json!({"request": "opening"}), None).await;
    if first.is_refused() {
        return Some(first.headers);
    }
    if !first.is_served() || probing.cx.profile.outside {
        return None;
    }
    // The discovery is open: perhaps what can be called is not.
    let (profile, revision) = (probing.cx.profile.clone(), probing.cx.profile.revision);
    if revision.is_handshake() {
        let opening = Opening::new("stranger", revision).outsider();
        let session = probing.cx.open(opening).await.ok()?;
        session.handshake(revision.as_str(), json!({}), None).await.ok()?;
        std::mem::replace(&mut probing.outsider, session).kill().await;
    }
    if profile.declares("tools") {
        probing.door = Door::Listing;
        let seen = probing.try_door(Intent::AuthBare, json!({"request": "listing"}), None).await;
        if seen.is_refused() && seen.status != Some(200) {
            return Some(seen.headers);
        }
    }
    for tool in profile.callable().take(TRIED) {
        let Ok(arguments) = Arguments::of(tool, revision, &probing.cx.options).valid else { continue };
        probing.door = Door::Call(tool.name.clone(), arguments);
        let about = json!({"request": "call", "tool": tool.name});
        let seen = probing.try_door(Intent::AuthBare, about, None).await;
        // A tool may refuse arguments; only a status tells that it is the caller who is refused.
        if seen.is_refused() && seen.status != Some(200) {
            return Some(seen.headers);
        }
    }
    None
}

/// Other requests without a credential.
pub(super) async fn knock(probing: &Probing) {
    let session = &probing.outsider;
    let handshake = probing.cx.profile.is_handshake();
    match &probing.door {
        Door::Call(name, _) => {
            let ask = session.ask("tools/call", json!({"name": name, "arguments": []}));
            without_credential(probing, ask, "invalid-call").await;
        }
        Door::Listing => {}
        Door::Opening => {
            if handshake {
                without_credential(
                    probing,
                    session.ask("initialize", json!({})).bare().bare_headers(),
                    "invalid-opening",
                )
                .await;
            }
            without_credential(probing, session.ask("tools/list", json!({})).bare_headers(), "tools/list").await;
            without_credential(probing, session.ask("mcp-conform/unknown", json!({})).bare_headers(), "unknown-method")
                .await;
            let unknown = json!({"name": "mcp_conform_no_such_tool", "arguments": {}});
            without_credential(probing, session.ask("tools/call", unknown).bare_headers(), "unknown-tool").await;
            if handshake {
                for method in ["GET", "DELETE"] {
                    let http =
                        session.http(method).bare_headers().probe(NAME, Intent::AuthBare, json!({"request": method}));
                    let reply = http.send().await;
                    if reply.is_stream() {
                        session.abort_exchange(reply.channel);
                    }
                }
            }
        }
    }
}

async fn without_credential(probing: &Probing, ask: crate::Ask<'_>, request: &str) -> ResponseHead {
    response_head(&probing.cx, &probing.outsider, ask.probe(NAME, Intent::AuthBare, json!({"request": request}))).await
}

/// Credentials that are none.
pub(super) async fn bad_tokens(probing: &Probing, claims: &Claims) {
    for (name, token) in all(claims) {
        probing.try_door(Intent::AuthToken, json!({"token": name}), Some(&format!("Bearer {token}"))).await;
    }
    let basic = base64::engine::general_purpose::STANDARD.encode("mcp-conform:mcp-conform");
    probing.try_door(Intent::AuthToken, json!({"token": "basic"}), Some(&format!("Basic {basic}"))).await;
    malformed(probing).await;
    query(probing, "random", &random(24)).await;
}

async fn malformed(probing: &Probing) {
    let token = format!("Bearer {}", random(24));
    let about = |kind: &str| -> Value { json!({"kind": kind}) };
    let empty = probing.at_door(&probing.outsider).header("Authorization", Some("Bearer")).verbatim();
    response_head(&probing.cx, &probing.outsider, empty.probe(NAME, Intent::AuthMalformed, about("empty"))).await;
    let twice = probing.at_door(&probing.outsider).header("Authorization", Some(&token)).also("Authorization", &token);
    response_head(&probing.cx, &probing.outsider, twice.verbatim().probe(NAME, Intent::AuthMalformed, about("twice")))
        .await;
    if probing.cx.profile.may_disrupt {
        let control = probing.at_door(&probing.outsider).header("Authorization", Some("Bearer \u{1}\u{7f}")).verbatim();
        response_head(&probing.cx, &probing.outsider, control.probe(NAME, Intent::AuthMalformed, about("control")))
            .await;
    }
}

/// The token in the query string, and nowhere else.
pub(super) async fn query(probing: &Probing, name: &str, token: &str) {
    let mut url = probing.url.clone();
    url.query_pairs_mut().append_pair("access_token", token);
    let ask =
        probing.at_door(&probing.outsider).at(&path_of(&url)).probe(NAME, Intent::AuthQuery, json!({"token": name}));
    response_head(&probing.cx, &probing.outsider, ask).await;
}
