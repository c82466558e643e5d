//! Faults of sessions over HTTP.

use hyper::{Method, StatusCode};
use serde_json::json;

use super::Hook::{HttpAnswer, HttpRequest, SessionId, Switch};
use super::http_answers::{bad_request, opens, refuse};
use super::{Fault, carried};
use crate::deviation::Deviation;
use crate::http::Asked;
use crate::http::answer::{self, Answer, with};
use crate::http::check::Posted;
use crate::http::hub::Hub;
use crate::http::legacy::SESSION;

pub(super) static TABLE: &[Fault] = &[
    carried(
        "http.session.issued-on-initialize",
        "",
        "a session id is demanded and never given",
        HttpAnswer(|hub, answer, _, message| withhold_session(hub, answer, message)),
    ),
    carried(
        "http.session.issued-on-initialize",
        "late",
        "the session id comes with the answer to initialized",
        HttpRequest(|hub, asked, message| {
            if !is_live(hub, asked) && !opens(message) {
                let late = hub.memory().late.clone().and_then(|late| late.parse().ok())?;
                asked.headers.insert(SESSION, late);
            }
            None
        }),
    )
    .and(HttpAnswer(|hub, answer, _, message| {
        let answer = withhold_session(hub, answer, message);
        if message.method() != Some("notifications/initialized") {
            return answer;
        }
        let late = hub.memory().late.take();
        match late {
            Some(late) => with(answer, SESSION, &late),
            None => answer,
        }
    })),
    carried(
        "http.session.visible-ascii",
        "",
        "session ids have a blank in them",
        SessionId(|_, random| Some(format!("{} {}", &random[..16], &random[16..]))),
    ),
    carried(
        "http.session.accepted-on-all-methods",
        "",
        "GET does not know the session",
        HttpRequest(|_, asked, message| (asked.method == Method::GET).then(|| bad_request(message, NO_SESSION))),
    ),
    carried(
        "http.session.accepted-on-all-methods",
        "delete",
        "DELETE does not know the session",
        HttpRequest(|_, asked, message| (asked.method == Method::DELETE).then(|| bad_request(message, NO_SESSION))),
    ),
    carried(
        "http.session.missing-id-400",
        "",
        "a missing session id is answered with 500",
        HttpRequest(|_, asked, message| {
            lacks_session(asked, message).then(|| refuse(StatusCode::INTERNAL_SERVER_ERROR, message, MISSING))
        }),
    ),
    carried(
        "http.session.missing-id-400",
        "ok",
        "a missing session id is answered with an error and status 200",
        HttpRequest(|_, asked, message| {
            lacks_session(asked, message).then(|| refuse(StatusCode::OK, message, MISSING))
        }),
    ),
    carried(
        "http.session.terminated-404",
        "",
        "a session that was ended is answered with 400",
        HttpRequest(|hub, asked, message| is_ended(hub, asked).then(|| bad_request(message, NO_SESSION))),
    ),
    carried(
        "http.session.terminated-404",
        "served",
        "a session that was ended is served",
        HttpRequest(|hub, asked, message| (is_ended(hub, asked) && message.is_request()).then(|| served(message))),
    ),
    carried(
        "http.session.terminated-404",
        "get",
        "a session that was ended still opens a stream",
        HttpRequest(|hub, asked, _| {
            (is_ended(hub, asked) && asked.method == Method::GET).then(|| answer::empty(StatusCode::OK))
        }),
    ),
    carried(
        "http.session.unknown-404",
        "",
        "a session that never was is served",
        HttpRequest(|hub, asked, message| is_unknown(hub, asked, message).then(|| served(message))),
    ),
    carried(
        "http.session.unknown-404",
        "server-error",
        "a session that never was is answered with 500",
        HttpRequest(|hub, asked, message| {
            let answer = || refuse(StatusCode::INTERNAL_SERVER_ERROR, message, NO_SESSION);
            is_unknown(hub, asked, message).then(answer)
        }),
    ),
    carried(
        "http.session.delete-or-405",
        "",
        "DELETE is answered with 500",
        HttpRequest(|hub, asked, message| {
            let ends = asked.method == Method::DELETE && is_live(hub, asked);
            ends.then(|| refuse(StatusCode::INTERNAL_SERVER_ERROR, message, "the session could not be ended"))
        }),
    ),
    carried(
        "http.session.delete-or-405",
        "bad-request",
        "DELETE is answered with 400",
        HttpRequest(|hub, asked, message| {
            let ends = asked.method == Method::DELETE && is_live(hub, asked);
            ends.then(|| bad_request(message, "the session could not be ended"))
        }),
    ),
    carried(
        "http.session.delete-without-id",
        "",
        "DELETE without a session id is answered with 204",
        HttpRequest(|_, asked, _| {
            (asked.method == Method::DELETE && session(asked).is_none()).then(|| answer::empty(StatusCode::NO_CONTENT))
        }),
    ),
    carried(
        "http.session.delete-closes-streams",
        "",
        "the streams of an ended session stay open",
        Switch(&[Deviation::EndedSessionsKeepStreams]),
    ),
    carried(
        "security.session.id-unique",
        "",
        "session ids come round again",
        // Those that sessions in use have are left alone.
        SessionId(|count, _| (count > 12).then(|| format!("{:032x}", 0x5eed_f00d_u64 * (1 + count % 4)))),
    ),
    carried(
        "security.session.id-unguessable",
        "",
        "session ids are eight digits",
        SessionId(|_, random| Some(random[..8].to_owned())),
    ),
    carried(
        "security.session.id-unguessable",
        "time",
        "session ids are the time and little more",
        SessionId(|_, random| {
            let now = std::time::SystemTime::now().duration_since(std::time::UNIX_EPOCH).unwrap_or_default();
            Some(format!("{:026x}{}", now.as_millis(), &random[..2]))
        }),
    ),
    carried(
        "security.session.id-non-deterministic",
        "",
        "session ids count up",
        SessionId(|count, _| Some(format!("session-of-the-reference-{count:08}"))),
    ),
];

const NO_SESSION: &str = "there is no such session";
const MISSING: &str = "the header Mcp-Session-Id is missing";

/// The session id of a request.
fn session(asked: &Asked) -> Option<&str> {
    asked.headers.get(SESSION).and_then(|value| value.to_str().ok())
}

fn is_live(hub: &Hub, asked: &Asked) -> bool {
    session(asked).is_some_and(|session| hub.has_session(session))
}

fn is_ended(hub: &Hub, asked: &Asked) -> bool {
    session(asked).is_some_and(|session| hub.memory().ended.iter().any(|ended| ended == session))
}

/// Whether a request names a session that never was.
fn is_unknown(hub: &Hub, asked: &Asked, message: &Posted) -> bool {
    session(asked).is_some() && !is_live(hub, asked) && !is_ended(hub, asked) && message.is_request()
}

fn lacks_session(asked: &Asked, message: &Posted) -> bool {
    session(asked).is_none() && !opens(message) && message.is_request()
}

/// An empty result, as if there were the session.
fn served(message: &Posted) -> Answer {
    let result = json!({"jsonrpc": "2.0", "id": message.id(), "result": {}});
    answer::json(StatusCode::OK, result.to_string())
}

/// Keeps the session id back that the answer to initialize has.
fn withhold_session(hub: &Hub, mut answer: Answer, message: &Posted) -> Answer {
    if opens(message) {
        let issued = answer.headers_mut().remove(SESSION);
        hub.memory().late = issued.and_then(|id| id.to_str().ok().map(str::to_owned));
    }
    answer
}
