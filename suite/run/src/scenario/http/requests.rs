//! Posted requests that differ from an ordinary one in what must make no difference, ids that are mistaken for none, several
//! requests at the same time, and methods of HTTP that have no meaning here.

use std::time::Duration;
use verdict::Batching;

use serde_json::{Value, json};
use tokio::join;
use verdict::{Intent, Transport};

use super::open_full_session;
use crate::scenario::{Cx, Scenario, Stage};
use crate::transport::Piece;
use crate::{RequestOutcome, Session};

const NAME: &str = "http/requests";
/// Between the two halves of a body.
const PAUSE: Duration = Duration::from_millis(5);
/// How long a stream may stay open.
const LEISURE: Duration = Duration::from_millis(300);

pub(super) const SCENARIO: Scenario = Scenario {
    name: NAME,
    provokes: &[
        "http.accept.both-any-order",
        "http.request.content-type-parameters",
        "http.request.chunked-body",
        "http.request.utf8",
        "http.response.utf8",
        "http.endpoint.post",
        "http.endpoint.multi-client",
        "http.endpoint.any-connection",
        "http.endpoint.no-redirect",
        "http.endpoint.other-methods-405",
        "http.method.allow-header",
        "http.headers.names-case-insensitive",
        "http.post.reply-content-type",
        "http.post.reply-json-object",
        "http.post.reply-status-2xx",
        "http.post.never-202-for-request",
        "http.post.empty-body",
        "http.post.notification-202",
        "http.post.refusal-body-without-id",
        "http.post.notification-no-body",
        "http.batch.stream-answers-all",
        "http.streams.concurrent-posts",
        "http.status.no-5xx-for-client-faults",
    ],
    stage: Stage::Alone,
    applies: |profile| profile.transport == Transport::Http,
    run: |cx| Box::pin(run(cx)),
};

async fn run(cx: Cx) {
    let Some((session, method)) = open_full_session(&cx, NAME).await else { return };
    join!(headers(&session, method), body(&session, method), ids(&session, method), several(&session, method));
    names(&session, method).await;
    if cx.profile.may_disrupt {
        provoke_odd_requests(&session).await;
    }
    if cx.profile.revision.traits().batching == Batching::Required {
        batch(&session, method).await;
    }
    if !cx.profile.is_handshake() {
        // No notification is defined here; one that names no request is harmless.
        let notice = session.notify("notifications/cancelled", Some(&json!({"requestId": "mcp-conform-none"})));
        notice.probe(NAME, Intent::ModernNotification, Value::Null).answered().await;
        let response = session.raw(json!({"jsonrpc": "2.0", "id": "mcp-conform", "result": {}}).to_string());
        response.probe(NAME, Intent::StrangerResponse, Value::Null).answered().await;
        twins(&session, method).await;
    }
    session.close(Duration::ZERO).await;
}

async fn varied(
    session: &Session,
    method: &str,
    kind: &str,
    headers: &[(&str, &str)],
    verbatim: bool,
) -> RequestOutcome {
    let ask = session.ask(method, json!({})).probe(NAME, Intent::HttpVariation, json!({"kind": kind}));
    let ask = headers.iter().fold(ask, |ask, (name, value)| ask.header(name, Some(value)));
    if verbatim { ask.verbatim().send().await } else { ask.send().await }
}

async fn headers(session: &Session, method: &str) {
    let accept = |kind, value| async move { varied(session, method, kind, &[("Accept", value)], false).await };
    join!(
        accept("accept-reversed", "text/event-stream, application/json"),
        accept("accept-quality", "application/json;q=0.9, text/event-stream"),
        accept("accept-tight", "application/json,text/event-stream"),
        varied(session, method, "charset", &[("Content-Type", "application/json; charset=utf-8")], false),
        varied(session, method, "fresh-connection", &[("Connection", "close")], true),
    );
}

async fn body(session: &Session, method: &str) {
    let chunked = async {
        let mut request = json!({"jsonrpc": "2.0", "id": session.fresh_id(), "method": method});
        let modern = session.revision().is_some_and(|revision| !revision.is_handshake());
        if modern {
            request["params"] = json!({"_meta": session.meta()});
        }
        let text = request.to_string();
        let (head, tail) = text.split_at(text.len() / 2);
        let chunk = |part: &str| Piece::Bytes(format!("{:x}\r\n{part}\r\n", part.len()).into_bytes());
        let pieces = vec![chunk(head), Piece::Pause(PAUSE), chunk(tail), Piece::Bytes(b"0\r\n\r\n".to_vec())];
        let raw = session.http("POST").probe(NAME, Intent::HttpVariation, json!({"kind": "chunked"}));
        let raw = raw.header("Mcp-Method", modern.then_some(method));
        raw.header("Transfer-Encoding", Some("chunked")).pieces(pieces).send().await;
    };
    let utf8 = session.ask(method, json!({})).id("\"mcp-ü-日本-🦀\"");
    join!(chunked, utf8.probe(NAME, Intent::HttpVariation, json!({"kind": "utf8-id"})).send());
}

/// Ids that some servers take for no id at all.
async fn ids(session: &Session, method: &str) {
    let ask = |id: &'static str| session.ask(method, json!({})).id(id).probe(NAME, Intent::SmallId, json!({})).send();
    join!(ask("0"), ask("\"\""), ask("\"1\""));
}

async fn several(session: &Session, method: &str) {
    let ask = || session.ask(method, json!({})).at_once().probe(NAME, Intent::ConcurrentPost, json!({})).send();
    join!(ask(), ask(), ask());
}

/// Two clients that use the same ids at the same time: nothing but their requests tells of them.
async fn twins(session: &Session, method: &str) {
    let ask = |client: u8, id: &'static str| {
        session.ask(method, json!({})).at_once().id(id).probe(NAME, Intent::Twin, json!({"client": client})).send()
    };
    join!(ask(1, "\"twin-1\""), ask(2, "\"twin-1\""), ask(1, "\"twin-2\""), ask(2, "\"twin-2\""));
}

/// All headers of this protocol in another case.
async fn names(session: &Session, method: &str) {
    let mut own = vec![("Accept".to_owned(), "application/json, text/event-stream".to_owned())];
    own.push(("Content-Type".to_owned(), "application/json".to_owned()));
    own.extend(session.http_session().map(|id| ("Mcp-Session-Id".to_owned(), id)));
    let version = session.revision().filter(|revision| revision.traits().version_header);
    own.extend(version.map(|version| ("MCP-Protocol-Version".to_owned(), version.as_str().to_owned())));
    if version.is_some_and(|version| !version.is_handshake()) {
        own.push(("Mcp-Method".to_owned(), method.to_owned()));
    }
    let spelled = |turn: fn(&str) -> String| -> Vec<(String, String)> {
        own.iter().map(|(name, value)| (turn(name), value.clone())).collect()
    };
    let (lower, upper) = (spelled(str::to_ascii_lowercase), spelled(str::to_ascii_uppercase));
    let borrowed = |headers: &'static str, given: &[(String, String)]| -> (&'static str, Vec<(String, String)>) {
        (headers, given.to_vec())
    };
    for (kind, given) in [borrowed("names-lower", &lower), borrowed("names-upper", &upper)] {
        let given: Vec<(&str, &str)> = given.iter().map(|(name, value)| (name.as_str(), value.as_str())).collect();
        varied(session, method, kind, &given, true).await;
    }
}

/// Sends requests that no client sends on purpose.
async fn provoke_odd_requests(session: &Session) {
    let other =
        |method: &'static str| session.http(method).body("{}").probe(NAME, Intent::OtherMethod, Value::Null).send();
    let empty = session.http("POST").probe(NAME, Intent::EmptyBody, Value::Null);
    let garbage = session.raw("{\"jsonrpc\": \"2.0\", ").probe(NAME, Intent::BrokenBody, Value::Null);
    join!(other("PUT"), other("PATCH"), empty.send(), garbage.answered());
}

async fn batch(session: &Session, method: &str) {
    let request = || json!({"jsonrpc": "2.0", "id": session.fresh_id(), "method": method});
    let text = json!([request(), request()]).to_string();
    let reply = session.http("POST").body(text).probe(NAME, Intent::PostedBatch, Value::Null).send().await;
    session.ends(reply.channel, LEISURE).await;
}
