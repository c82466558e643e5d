//! HTTP answers, and how the core's outputs become one.

use std::collections::VecDeque;
use wire::mcp::code;

use bytes::Bytes;
use hyper::header::{HeaderName, HeaderValue};
use hyper::{Response, StatusCode};
use serde_json::{Value, json};
use tokio::sync::mpsc::UnboundedReceiver;

use super::body::{Content, Events, Hold};
use super::write::Writer;
use crate::core::Action;
use crate::error::RpcError;

pub(crate) type Answer = Response<Content>;

pub(crate) fn plain(status: StatusCode, text: &str) -> Answer {
    let answer = whole(status, Some(Bytes::from(text.to_owned())));
    with(answer, "content-type", "text/plain; charset=utf-8")
}

pub(crate) fn empty(status: StatusCode) -> Answer {
    whole(status, None)
}

/// A refusal with a JSON-RPC body; without an id if none is known.
pub(crate) fn refusal(status: StatusCode, id: Option<&Value>, error: &RpcError) -> Answer {
    let mut body = json!({"jsonrpc": "2.0"});
    if let Some(id) = id {
        body["id"] = id.clone();
    }
    body["error"] = error.to_value();
    json(status, body.to_string())
}

pub(crate) fn json(status: StatusCode, text: String) -> Answer {
    with(whole(status, Some(Bytes::from(text))), "content-type", "application/json")
}

fn whole(status: StatusCode, body: Option<Bytes>) -> Answer {
    let mut answer = Response::new(Content::Whole(body));
    *answer.status_mut() = status;
    answer
}

pub(crate) fn with(mut answer: Answer, name: &'static str, value: &str) -> Answer {
    if let Ok(value) = HeaderValue::from_str(value) {
        answer.headers_mut().insert(HeaderName::from_static(name), value);
    }
    answer
}

pub(super) fn stream(events: Events) -> Answer {
    let answer = Response::new(Content::Events(events));
    let answer = with(answer, "content-type", "text/event-stream");
    let answer = with(answer, "cache-control", "no-cache");
    with(answer, "x-accel-buffering", "no")
}

/// The choice between JSON and a stream.
pub(super) struct AnswerStyle {
    pub(super) modern: bool,
    pub(super) always_stream: bool,
    pub(super) always_json: bool,
    /// Errors without a status of their own come with 400.
    pub(super) strict_errors: bool,
    /// How events are written, if it comes to that.
    pub(super) writer: Writer,
}

/// Answers a POST with what the core has for it: one message as JSON, more as a stream, nothing as 202.
pub(super) async fn answer(mut actions: UnboundedReceiver<Action>, hold: Hold, style: AnswerStyle) -> Answer {
    let mut sent: VecDeque<Action> = VecDeque::new();
    loop {
        let action = match actions.try_recv() {
            Ok(action) => Some(action),
            Err(_) if sent.is_empty() || style.always_json => actions.recv().await,
            Err(_) => break,
        };
        if let Some(Action::Send(text)) = &action
            && style.writer.cuts_batches()
            && let Ok(texts) = serde_json::from_str::<Vec<Value>>(text)
        {
            sent.extend(texts.iter().rev().skip(1).map(|text| Action::Send(text.to_string())));
            sent.push_back(Action::End);
            break;
        }
        match action {
            Some(Action::End) => {
                let Some(Action::Send(text)) = sent.back() else { return empty(StatusCode::ACCEPTED) };
                let status = status(text, &style);
                let streams = style.always_stream && status == StatusCode::OK;
                if sent.len() == 1 && !streams || style.always_json || status != StatusCode::OK && sent.len() == 1 {
                    return json(status, text.clone());
                }
                sent.push_back(Action::End);
                break;
            }
            Some(action @ (Action::Send(_) | Action::Raw(_))) => {
                let listening = matches!(&action, Action::Send(text) if text.contains("subscriptions/acknowledged"));
                sent.push_back(action);
                if listening {
                    break;
                }
            }
            Some(_) => {}
            // The session has ended meanwhile.
            None => return empty(StatusCode::NOT_FOUND),
        }
    }
    stream(Events { actions, first: sent, writer: style.writer, _hold: hold })
}

/// The status that goes with a message: 2026-07-28 names some, malformed input is a bad request everywhere.
fn status(text: &str, style: &AnswerStyle) -> StatusCode {
    let code = serde_json::from_str::<Value>(text).ok().and_then(|message| message["error"]["code"].as_i64());
    match code {
        Some(code::PARSE_ERROR | code::INVALID_REQUEST) => StatusCode::BAD_REQUEST,
        Some(
            code::INVALID_PARAMS
            | code::HEADER_MISMATCH
            | code::MISSING_CLIENT_CAPABILITY
            | code::UNSUPPORTED_PROTOCOL_VERSION,
        ) if style.modern => StatusCode::BAD_REQUEST,
        Some(code::METHOD_NOT_FOUND) if style.modern => StatusCode::NOT_FOUND,
        Some(_) if style.strict_errors => StatusCode::BAD_REQUEST,
        _ => StatusCode::OK,
    }
}
