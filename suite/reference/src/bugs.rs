//! Bugs: what an author would be ashamed of and no scenario looks for, since it takes an input that nobody thought of. They
//! are there for `mcp-conform fuzz` to find.

use serde_json::{Value, json};

use crate::core::{About, Action, Connection, Kind};

/// A bug.
#[derive(Debug)]
pub struct Bug {
    /// How it is asked for.
    pub name: &'static str,
    /// What the server does.
    pub what: &'static str,
}

/// All bugs.
pub fn bugs() -> &'static [Bug] {
    BUGS
}

static BUGS: &[Bug] = &[
    bug("nested-meta", "arrays nested thirty deep in _meta are not survived"),
    bug("kept-errors", "of every error half a MB is kept"),
    bug("late-id", "the first answer to an id that is a string, after an error, carries the id of the error"),
    bug("long-cursor", "a cursor of more than a thousand characters is pondered for ever"),
    bug("token-type", "a progress token that is neither string nor number is not survived"),
    bug("proto-member", "arguments with a member __proto__ are pondered for ever"),
    bug("wide-batch", "after five messages in one array nothing is answered any more"),
    bug("null-params", "a request with null for params is answered twice"),
    bug("long-method", "the error for a long unknown method has its code as a string"),
    bug("percent-nul", "%00 in a URI is not survived"),
];

const fn bug(name: &'static str, what: &'static str) -> Bug {
    Bug { name, what }
}

/// What bugs remember.
#[derive(Debug, Default)]
pub(crate) struct Haunted {
    mute: bool,
    twice: bool,
    failed: Option<Value>,
}

/// Whether a payload is survived; if not, it is not served.
pub(crate) fn bears(connection: &mut Connection, bytes: &[u8]) -> bool {
    let has = |name| connection.server.settings.has_bug(name);
    let value: Value = serde_json::from_slice(bytes).unwrap_or_default();
    let params = value.get("params").unwrap_or(&Value::Null);
    let meta = params.get("_meta").unwrap_or(&Value::Null);
    let token = meta.get("progressToken").filter(|token| !token.is_string() && !token.is_number());
    let uri = params.get("uri").and_then(Value::as_str).unwrap_or_default();
    if has("nested-meta") && depth(meta) >= 30
        || has("token-type") && token.is_some()
        || has("percent-nul") && uri.contains("%00")
    {
        connection.act(Action::Chatter("thread 'main' panicked at src/serve.rs: what is this?".to_owned()));
        connection.act(Action::Exit(101));
        return false;
    }
    let cursor = params.get("cursor").and_then(Value::as_str).unwrap_or_default();
    let prototype = params.get("arguments").is_some_and(|arguments| arguments.get("__proto__").is_some());
    if has("long-cursor") && cursor.len() > 1_000 || has("proto-member") && prototype {
        loop {
            std::thread::park();
        }
    }
    let wide = value.as_array().is_some_and(|batch| batch.len() >= 5);
    let twice = value.get("params") == Some(&Value::Null);
    let (mutes, doubles) = (has("wide-batch") && wide, has("null-params") && twice);
    let mut state = connection.server.state();
    state.haunted.mute |= mutes;
    state.haunted.twice = doubles;
    !state.haunted.mute
}

fn depth(value: &Value) -> usize {
    match value {
        Value::Array(items) => 1 + items.iter().map(depth).max().unwrap_or(0),
        Value::Object(members) => members.values().map(depth).max().unwrap_or(0),
        _ => 0,
    }
}

/// What becomes of an answer; whether it is sent twice.
pub(crate) fn before_send(connection: &Connection, about: &About<'_>, message: &mut Value) -> bool {
    let has = |name| connection.server.settings.has_bug(name);
    let answers = matches!(about.kind, Kind::Result | Kind::Error);
    let mut state = connection.server.state();
    let failed = &mut state.haunted.failed;
    if has("late-id") && answers {
        if message["id"].is_string() {
            if let Some(id) = failed.take() {
                message["id"] = id;
            }
        } else if about.kind == Kind::Error {
            *failed = Some(message["id"].clone());
        }
    }
    if has("kept-errors") && about.kind == Kind::Error {
        std::mem::forget(std::hint::black_box(vec![1_u8; 512 << 10]));
    }
    if has("long-method") && message["error"]["code"] == json!(-32_601) && about.method.len() > 200 {
        message["error"]["code"] = json!("-32601");
    }
    answers && std::mem::take(&mut state.haunted.twice)
}
