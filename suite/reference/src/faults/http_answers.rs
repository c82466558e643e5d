//! Parts of HTTP requests that faults look at, and answers that they give or change.

use bytes::Bytes;
use hyper::header::HeaderName;
use hyper::{Method, StatusCode};
use serde_json::Value;

use crate::core::{Action, looks_modern};
use crate::error::RpcError;
use crate::http::Asked;
use crate::http::answer::{Answer, refusal};
use crate::http::body::Content;
use crate::http::check::Posted;
use crate::http::headers::VERSION_HEADER;

pub(super) fn posts(asked: &Asked) -> bool {
    asked.method == Method::POST
}

pub(super) fn gets(asked: &Asked) -> bool {
    asked.method == Method::GET
}

/// Whether a message is initialize.
pub(super) fn opens(message: &Posted) -> bool {
    message.method() == Some("initialize")
}

/// A header, empty if there is none.
pub(super) fn header(asked: &Asked, name: HeaderName) -> &str {
    asked.headers.get(name).and_then(|value| value.to_str().ok()).unwrap_or_default()
}

/// Whether the header names the version without handshakes.
pub(super) fn names_modern(asked: &Asked) -> bool {
    asked.headers.get(VERSION_HEADER).is_some_and(|version| version == "2026-07-28")
}

/// Whether a request is one of 2026-07-28, by its header and its body.
pub(super) fn is_modern(asked: &Asked, message: &Posted) -> bool {
    names_modern(asked) && looks_modern(&message.value["params"])
}

/// A refusal of an invalid request.
pub(super) fn refuse(status: StatusCode, message: &Posted, why: &str) -> Answer {
    refusal(status, message.id(), &RpcError::invalid_request(why))
}

/// A refusal of an invalid request with status 400.
pub(super) fn bad_request(message: &Posted, why: &str) -> Answer {
    refuse(StatusCode::BAD_REQUEST, message, why)
}

/// A refusal of invalid params.
pub(super) fn refuse_params(message: &Posted, why: &str) -> Answer {
    refusal(StatusCode::BAD_REQUEST, message.id(), &RpcError::invalid_params(why))
}

/// The code of the JSON-RPC error that an answer holds.
pub(super) fn code(answer: &Answer) -> Option<i64> {
    let Content::Whole(Some(body)) = answer.body() else { return None };
    serde_json::from_slice::<Value>(body).ok()?["error"]["code"].as_i64()
}

/// Changes the status of an answer on a condition.
pub(super) fn with_status_if(applies: bool, mut answer: Answer, status: StatusCode) -> Answer {
    if applies {
        *answer.status_mut() = status;
    }
    answer
}

/// Changes the bytes of a whole body.
pub(super) fn rewrite_body(mut answer: Answer, change: impl FnOnce(String) -> Vec<u8>) -> Answer {
    if let Content::Whole(Some(bytes)) = answer.body_mut() {
        *bytes = Bytes::from(change(String::from_utf8_lossy(bytes).into_owned()));
    }
    answer
}

/// Changes the value of a whole body.
pub(super) fn edit_body(answer: Answer, edit: impl FnOnce(&mut Value)) -> Answer {
    rewrite_body(answer, |text| {
        let mut value = serde_json::from_str(&text).unwrap_or_default();
        edit(&mut value);
        value.to_string().into_bytes()
    })
}

/// Replaces the first occurrence of a text in a whole body.
pub(super) fn replace_text(answer: Answer, from: &str, to: &str) -> Answer {
    rewrite_body(answer, |text| text.replacen(from, to, 1).into_bytes())
}

/// Changes the messages with which a stream begins, if the response is among them; the number is its place.
pub(super) fn edit_stream(mut answer: Answer, edit: fn(&mut std::collections::VecDeque<Action>, usize)) -> Answer {
    let is_response = |action: &Action| matches!(action, Action::Send(text) if text.contains("\"result\":"));
    if let Content::Events(events) = answer.body_mut()
        && let Some(at) = events.first.iter().position(is_response)
    {
        edit(&mut events.first, at);
    }
    answer
}
