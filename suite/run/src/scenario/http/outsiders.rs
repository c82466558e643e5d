//! Messages without a session id, or with one that was never issued, and a second client beside the first.

use serde_json::{Value, json};
use tokio::join;
use verdict::Intent;

use super::{end, is_legacy, other_id, own_or_main};
use crate::Session;
use crate::scenario::{Cx, Scenario, Stage};

const NAME: &str = "http/strangers";
const SESSION: &str = "Mcp-Session-Id";

pub(super) const SCENARIO: Scenario = Scenario {
    name: NAME,
    provokes: &[
        "http.session.missing-id-400",
        "http.session.unknown-404",
        "http.session.delete-without-id",
        "http.post.notification-refused-status",
        "http.post.refusal-body-without-id",
        "http.endpoint.multi-client",
    ],
    stage: Stage::Alone,
    applies: is_legacy,
    run: |cx| Box::pin(run(cx)),
};

async fn run(cx: Cx) {
    let (session, method) = own_or_main(&cx, NAME).await;
    let unknown = other_id(session.http_session().as_deref());
    let ask = |intent: Intent, id: Option<&str>| {
        session.ask(method, json!({})).probe(NAME, intent, Value::Null).header(SESSION, id).send()
    };
    let notice = session.notify("notifications/roots/list_changed", None).header(SESSION, Some(&unknown));
    let response = session.raw(json!({"jsonrpc": "2.0", "id": "mcp-conform", "result": {}}).to_string());
    let response = response.header(SESSION, Some(&unknown));
    if session.http_session().is_some() {
        join!(
            ask(Intent::SessionMissing, None),
            ask(Intent::SessionUnknown, Some(&unknown)),
            notice.probe(NAME, Intent::StrangerNotification, Value::Null).answered(),
            response.probe(NAME, Intent::StrangerResponse, Value::Null).answered(),
            provoke_second(&cx, &session, method),
        );
        delete(&session, method).await;
    } else {
        provoke_second(&cx, &session, method).await;
    }
    end(&cx, session).await;
}

/// A client that begins while the first is there, with the same ids; both ask at the same time.
async fn provoke_second(cx: &Cx, session: &Session, method: &str) {
    let Ok(other) = greet(cx, session).await else { return };
    let ids = ["\"twin-1\"", "\"twin-2\""];
    let mine =
        |id: &'static str| session.ask(method, json!({})).id(id).probe(NAME, Intent::Twin, json!({"client": 1})).send();
    let theirs = |id: &'static str| {
        let ask = session.ask(method, json!({})).id(id).probe(NAME, Intent::Twin, json!({"client": 2}));
        ask.header(SESSION, other.as_deref()).send()
    };
    join!(mine(ids[0]), theirs(ids[0]), mine(ids[1]), theirs(ids[1]));
}

/// The second client's handshake; the session id that it was given, if any.
async fn greet(cx: &Cx, session: &Session) -> Result<Option<String>, ()> {
    let params = json!({
        "protocolVersion": cx.profile.revision.as_str(),
        "capabilities": crate::Profile::Full.capabilities(cx.profile.revision),
        "clientInfo": {"name": "mcp-conform", "version": env!("CARGO_PKG_VERSION")},
    });
    let text =
        json!({"jsonrpc": "2.0", "id": session.fresh_id(), "method": "initialize", "params": params}).to_string();
    let reply =
        session.http("POST").bare_headers().body(text).probe(NAME, Intent::SecondClient, Value::Null).send().await;
    if !reply.is_success() {
        return Err(());
    }
    let id = reply.header(SESSION).map(str::to_owned);
    let notice = session.notify("notifications/initialized", None).header(SESSION, id.as_deref());
    notice.probe(NAME, Intent::SecondClientInitialized, Value::Null).answered().await;
    Ok(id)
}

/// A DELETE that names no session ends none.
async fn delete(session: &Session, method: &str) {
    session.http("DELETE").header(SESSION, None).probe(NAME, Intent::DeleteMissing, Value::Null).send().await;
    session.ask(method, json!({})).probe(NAME, Intent::DeleteMissingAfter, Value::Null).send().await;
}
