//! HTTP of 2026-07-28 as faults will have it.

use bytes::Bytes;
use hyper::{HeaderMap, Method, StatusCode};
use serde_json::{Value, json};

use super::answer::{Answer, empty, plain, refusal, with};
use super::body::Content;
use super::check::Posted;
use super::headers::VERSION_HEADER;
use super::{Asked, legacy};
use crate::core::{Action, looks_modern};
use crate::error::RpcError;

/// Requests that never reach their route.
pub(super) fn early(asked: &Asked, message: &Posted, id: &str, variant: &str) -> Option<Answer> {
    let wrong = |why: &str| Some(refusal(StatusCode::BAD_REQUEST, message.id(), &RpcError::invalid_params(why)));
    let has = |name: &str| asked.headers.contains_key(name);
    if let Some(answer) = gone(asked, message, id, variant) {
        return Some(answer);
    }
    let method = message.method()?;
    match id {
        "discover.optional-for-client" if asked.fresh && method != "server/discover" => {
            wrong("server/discover comes first")
        }
        "discover.stateless.other-connection" if asked.fresh && method == "resources/read" => {
            wrong("this connection has not listed the resource")
        }
        "http.session.header-ignored" if has(legacy::SESSION) && is_modern(&asked.headers, message) => {
            Some(refusal(StatusCode::NOT_FOUND, message.id(), &RpcError::invalid_request("there is no such session")))
        }
        "http.resume.last-event-id-ignored" if has("last-event-id") => wrong("streams cannot be resumed"),
        "http.headers.whitespace-trimmed" | "http.param.name-case-insensitive" if asked.loud => {
            let error = RpcError::header_mismatch("a header is not what the body says");
            Some(refusal(StatusCode::BAD_REQUEST, message.id(), &error))
        }
        _ => None,
    }
}

fn is_modern(headers: &HeaderMap, message: &Posted) -> bool {
    headers.get(VERSION_HEADER).is_some_and(|version| version == "2026-07-28") && looks_modern(&message.value["params"])
}

/// A server without older revisions, and what it makes of clients that have no other.
fn gone(asked: &Asked, message: &Posted, id: &str, variant: &str) -> Option<Answer> {
    let ids = [
        "http.version-header.required",
        "http.get.removed-405",
        "http.delete.removed-405",
        "http.compat.legacy-initialize-400",
    ];
    if !ids.contains(&id) {
        return None;
    }
    match (&asked.method, message.method(), id, variant) {
        (&Method::GET, _, "http.get.removed-405", _) => Some(plain(StatusCode::NOT_FOUND, "Not Found")),
        (&Method::DELETE, _, "http.delete.removed-405", _) => Some(empty(StatusCode::OK)),
        (_, Some("initialize"), "http.compat.legacy-initialize-400", "") => {
            Some(refusal(StatusCode::NOT_FOUND, message.id(), &RpcError::unknown_method("initialize")))
        }
        (_, Some("initialize"), "http.compat.legacy-initialize-400", _) => {
            Some(plain(StatusCode::BAD_REQUEST, "Speak 2026-07-28."))
        }
        (_, Some("initialize"), ..) => {
            let error = RpcError::unsupported_version("2025-11-25", &["2026-07-28"]);
            Some(refusal(StatusCode::BAD_REQUEST, message.id(), &error))
        }
        _ => None,
    }
}

/// Answers that are changed on their way.
pub(super) fn late(answer: Answer, asked: &Asked, message: &Posted, id: &str, variant: &str) -> Answer {
    let modern = is_modern(&asked.headers, message);
    match (id, message.method()) {
        ("discover.result.connection-independent", Some("server/discover")) if !asked.fresh => {
            rewritten(answer, "A server to test testers with.", "A server that has seen you before.")
        }
        ("discover.stateless.lists-not-history-dependent", Some("prompts/list")) if !asked.fresh => {
            rewritten(answer, "\"prompts\":[", "\"prompts\":[{\"name\":\"again\"},")
        }
        ("http.session.not-minted", _) if modern => with(answer, legacy::SESSION, "0123456789abcdef"),
        ("http.sse.accel-buffering-header", _) => unhinted(answer),
        ("http.sse.response-arrives-modern", _) if modern => cut(answer, variant),
        _ => refused(answer, id, variant),
    }
}

/// Errors with another status, code or id than they should have.
fn refused(answer: Answer, id: &str, variant: &str) -> Answer {
    let Some(code) = code(&answer) else { return answer };
    match (id, variant, code) {
        ("http.headers.method-mismatch", "code", -32020) => rewritten(answer, "-32020", "-32600"),
        ("http.headers.mismatch-answers-id", how, -32020) => edited(answer, |body| match (how, body.as_object_mut()) {
            ("other", _) => body["id"] = json!("another"),
            (_, Some(members)) => {
                members.shift_remove("id");
            }
            _ => {}
        }),
        ("http.version-header.unsupported", "text", -32022) => plain(StatusCode::BAD_REQUEST, "Unsupported version"),
        ("http.status.unknown-method-404", "text", -32601) => plain(StatusCode::NOT_FOUND, "Not Found"),
        ("http.headers.method-mismatch", "status", -32020)
        | ("http.version-header.unsupported", _, -32022)
        | ("http.status.unknown-method-404", _, -32601)
        | ("http.status.missing-meta-400", _, -32602)
        | ("http.status.missing-capability-400", _, -32021) => {
            let mut answer = answer;
            *answer.status_mut() = StatusCode::OK;
            answer
        }
        _ => answer,
    }
}

fn code(answer: &Answer) -> Option<i64> {
    let Content::Whole(Some(body)) = answer.body() else { return None };
    serde_json::from_slice::<Value>(body).ok()?["error"]["code"].as_i64()
}

fn edited(answer: Answer, edit: impl FnOnce(&mut Value)) -> Answer {
    answer.map(|content| match content {
        Content::Whole(Some(body)) => {
            let mut value = serde_json::from_slice(&body).unwrap_or_default();
            edit(&mut value);
            Content::Whole(Some(Bytes::from(value.to_string())))
        }
        other => other,
    })
}

fn unhinted(mut answer: Answer) -> Answer {
    answer.headers_mut().remove("x-accel-buffering");
    answer
}

/// Streams of more than one message without the last, or with one more.
fn cut(answer: Answer, variant: &str) -> Answer {
    let late = variant == "late";
    answer.map(|content| match content {
        Content::Events(mut events) => {
            let is_response = |action: &Action| matches!(action, Action::Send(text) if text.contains("\"result\":"));
            if let Some(at) = events.first.iter().position(is_response) {
                if late {
                    let note = json!({"jsonrpc": "2.0", "method": "notifications/message",
                        "params": {"level": "info", "data": "It is over."}});
                    events.first.insert(at + 1, Action::Send(note.to_string()));
                } else {
                    events.first.remove(at);
                }
            }
            Content::Events(events)
        }
        other => other,
    })
}

/// The first occurrence of a text in a whole body, replaced.
fn rewritten(answer: Answer, from: &str, to: &str) -> Answer {
    answer.map(|content| match content {
        Content::Whole(Some(body)) => {
            let text = String::from_utf8_lossy(&body).replacen(from, to, 1);
            Content::Whole(Some(Bytes::from(text)))
        }
        other => other,
    })
}
