//! Whoever has a good token: what it is good for, and what is not asked of them any more and should be.

use serde_json::{Value, json};
use verdict::Intent;

use super::outsiders::query;
use super::{Door, NAME, Probing, response_head};
use crate::{Arguments, Credentials, Opening, Session};

/// How often a call is refused, to see that it is refused alike.
const ROUNDS: u32 = 3;

pub(super) async fn tokens(probing: &Probing) {
    let Some(own) = probing.cx.options.authorization() else { return };
    let valid = probing.try_door(Intent::AuthToken, json!({"token": "valid"}), Some(&own)).await;
    if !valid.is_served() {
        return;
    }
    if let Some((_, token)) = own.split_once(' ').filter(|(scheme, _)| scheme.eq_ignore_ascii_case("bearer")) {
        probing.try_door(Intent::AuthToken, json!({"token": "lower-case"}), Some(&format!("bearer {token}"))).await;
        query(probing, "valid", token).await;
    }
    let credentials = &probing.cx.options.credentials;
    let others = [
        ("expired", &credentials.expired),
        ("other-audience", &credentials.other_audience),
        ("no-audience", &credentials.no_audience),
        ("upper-case-audience", &credentials.upper_case_audience),
    ];
    for (name, token) in others {
        if let Some(token) = token {
            probing.try_door(Intent::AuthToken, json!({"token": name}), Some(&token.header())).await;
        }
    }
    if let Some(session) = inside(probing).await {
        if probing.cx.profile.is_handshake() && matches!(probing.door, Door::Opening) {
            in_session(probing, &session).await;
        }
        scopes(probing, &session, credentials).await;
        session.kill().await;
    }
}

/// A session that began with a good token, apart from those that are judged.
async fn inside(probing: &Probing) -> Option<Session> {
    let revision = probing.cx.profile.revision;
    let session = probing.cx.open(Opening::new("inside", revision).outside()).await.ok()?;
    if revision.is_handshake() {
        session.handshake(revision.as_str(), json!({}), None).await.ok()?;
    }
    Some(session)
}

/// Without a token, or with another user's, in a session that began with one.
async fn in_session(probing: &Probing, session: &Session) {
    let about = |request: &str| -> Value { json!({"request": request}) };
    let list = || session.ask("tools/list", json!({})).header("Authorization", None);
    response_head(&probing.cx, session, list().probe(NAME, Intent::AuthInSession, about("tools/list"))).await;
    let unknown = session.ask("mcp-conform/unknown", json!({})).header("Authorization", None);
    response_head(&probing.cx, session, unknown.probe(NAME, Intent::AuthInSession, about("unknown-method"))).await;
    if session.http_session().is_none() {
        return;
    }
    if let Some(second) = &probing.cx.options.credentials.second {
        let ask = session.ask("tools/list", json!({})).header("Authorization", Some(&second.header()));
        response_head(&probing.cx, session, ask.probe(NAME, Intent::AuthOtherUser, Value::Null)).await;
    }
    let get = session.http("GET").header("Authorization", None).probe(NAME, Intent::AuthInSession, about("GET"));
    let reply = get.send().await;
    if reply.is_stream() {
        session.abort_exchange(reply.channel);
    }
    // A session of its own, for it may be over then.
    if let Some(doomed) = inside(probing).await {
        let delete = doomed.http("DELETE").header("Authorization", None);
        delete.probe(NAME, Intent::AuthInSession, about("DELETE")).send().await;
        doomed.kill().await;
    }
}

/// A call that takes more scope than some tokens have. The user has named it.
async fn scopes(probing: &Probing, session: &Session, credentials: &Credentials) {
    let (Some(step_up), Some(full)) = (&credentials.step_up, probing.cx.options.authorization()) else { return };
    let tool = probing.cx.profile.tools.iter().find(|tool| tool.name == step_up.call);
    let told = step_up.arguments.as_object().is_some_and(|members| !members.is_empty());
    let made = tool.and_then(|tool| Arguments::of(tool, probing.cx.profile.revision, &probing.cx.options).valid.ok());
    let arguments = made.filter(|_| !told).unwrap_or_else(|| step_up.arguments.clone());
    let call = async |token: &str, round: u32, authorization: &str| {
        let params = json!({"name": step_up.call, "arguments": arguments});
        let ask = session.ask("tools/call", params).header("Authorization", Some(authorization));
        let about = json!({"token": token, "round": round, "tool": step_up.call});
        response_head(&probing.cx, session, ask.probe(NAME, Intent::AuthScope, about)).await
    };
    if !call("full", 0, &full).await.is_served() {
        return;
    }
    if let Some(lesser) = &credentials.lesser {
        for round in 0..ROUNDS {
            call("lesser", round, &lesser.header()).await;
        }
    }
    if let Some(granted) = &credentials.granted {
        call("granted", 0, &granted.header()).await;
    }
    if let Some(broader) = &credentials.broader {
        call("broader", 0, &broader.header()).await;
    }
}
