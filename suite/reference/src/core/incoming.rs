//! From bytes to messages: what a payload holds, and which of it can be served.

use serde_json::Value;
use wire::{Content, Limits, Unreadable};

/// A payload as read.
#[derive(Debug)]
pub(crate) enum Incoming {
    /// Nothing but white space.
    Blank,
    /// Not JSON.
    Unreadable,
    One(Message),
    Batch(Vec<Message>),
}

/// One JSON value, by what it is in JSON-RPC.
#[derive(Debug)]
pub(crate) enum Message {
    Request { id: Value, method: String, params: Value, unusual: Unusual },
    Notification { method: String, params: Value },
    Response { id: Value, outcome: Result<Value, Value> },
    Invalid { why: &'static str, id: Value, method: Option<String>, params: Value },
}

/// Oddities of a request that are harmless, but that faults make something of.
#[derive(Debug, Default, Clone, Copy)]
pub(crate) struct Unusual {
    pub(crate) extra_member: bool,
}

/// Limits of a payload: as much as a peer may send, since it is a tester that sends it.
const LIMITS: Limits = Limits { bytes: 64 << 20, depth: wire::MAX_DEPTH, values: 4_000_000 };

pub(crate) fn read(bytes: &[u8]) -> Incoming {
    match wire::parse(bytes, &LIMITS).content {
        Content::Unreadable(Unreadable::Empty) => Incoming::Blank,
        Content::Unreadable(_) => Incoming::Unreadable,
        Content::Batch(messages) => {
            Incoming::Batch(messages.into_iter().map(wire::Message::into_value).map(classify).collect())
        }
        Content::One(message) => Incoming::One(classify(message.into_value())),
    }
}

fn classify(value: Value) -> Message {
    let Value::Object(mut object) = value else {
        return Message::Invalid { why: "not an object", id: Value::Null, method: None, params: Value::Null };
    };
    let version_is_right = object.get("jsonrpc").and_then(Value::as_str) == Some("2.0");
    let has_method = object.contains_key("method");
    let known = ["jsonrpc", "id", "method", "params", "result", "error"];
    let unusual = Unusual { extra_member: object.keys().any(|k| !known.contains(&k.as_str())) };
    let id = object.remove("id");
    let params = object.remove("params");
    // Whatever its version: an answer to an answer would be answered again.
    if !has_method && let Some(id) = &id {
        if let Some(result) = object.remove("result") {
            return Message::Response { id: id.clone(), outcome: Ok(result) };
        }
        if let Some(error) = object.remove("error") {
            return Message::Response { id: id.clone(), outcome: Err(error) };
        }
    }
    let method = object.remove("method").and_then(|m| m.as_str().map(str::to_owned));
    let why = if !version_is_right {
        Some("jsonrpc is not \"2.0\"")
    } else if has_method && (object.contains_key("result") || object.contains_key("error")) {
        Some("a method stands beside an outcome")
    } else if method.is_none() {
        Some("there is no method that is a string")
    } else if id.as_ref().is_some_and(|id| !is_id(id)) {
        Some("the id is neither a string nor an integer")
    } else {
        None
    };
    match (why, method, id) {
        (None, Some(method), Some(id)) => {
            Message::Request { id, method, params: params.unwrap_or(Value::Null), unusual }
        }
        (None, Some(method), None) => Message::Notification { method, params: params.unwrap_or(Value::Null) },
        (why, method, id) => Message::Invalid {
            why: why.unwrap_or("not a request"),
            id: id.unwrap_or(Value::Null),
            method,
            params: params.unwrap_or(Value::Null),
        },
    }
}

/// Strings and integers that can be echoed exactly.
pub(crate) fn is_id(id: &Value) -> bool {
    id.is_string() || id.is_i64() || id.is_u64()
}
