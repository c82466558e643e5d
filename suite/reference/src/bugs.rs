//! Bugs: what an author would be ashamed of and no scenario looks for, since it takes an input that nobody thought of. They
//! are there for `mcp-conform fuzz` to find.

use std::sync::{Mutex, MutexGuard, PoisonError};

use serde_json::{Value, json};

use crate::core::{About, Action, Connection, Edits, Interceptor, Kind, Payload};

/// A bug.
#[derive(Debug)]
pub struct Bug {
    /// How it is asked for.
    pub name: &'static str,
    /// The behavior, as a sentence about the server.
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

/// The bugs of a server, and what they remember.
pub(crate) struct Bugs {
    names: Vec<&'static str>,
    memory: Mutex<Memory>,
}

#[derive(Debug, Default)]
struct Memory {
    mute: bool,
    twice: bool,
    failed: Option<Value>,
}

impl Bugs {
    /// The bugs of these names.
    pub(crate) fn new(names: Vec<&'static str>) -> Self {
        Self { names, memory: Mutex::default() }
    }

    fn has(&self, name: &str) -> bool {
        self.names.contains(&name)
    }

    fn memory(&self) -> MutexGuard<'_, Memory> {
        self.memory.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Interceptor for Bugs {
    fn payload(&self, connection: &mut Connection, bytes: &[u8]) -> Payload {
        let value: Value = serde_json::from_slice(bytes).unwrap_or_default();
        let params = value.get("params").unwrap_or(&Value::Null);
        let meta = params.get("_meta").unwrap_or(&Value::Null);
        let token = meta.get("progressToken").filter(|token| !token.is_string() && !token.is_number());
        let uri = params.get("uri").and_then(Value::as_str).unwrap_or_default();
        if self.has("nested-meta") && depth(meta) >= 30
            || self.has("token-type") && token.is_some()
            || self.has("percent-nul") && uri.contains("%00")
        {
            connection.act(Action::Chatter("thread 'main' panicked at src/serve.rs: what is this?".to_owned()));
            connection.act(Action::Exit(101));
            return Payload::Dropped;
        }
        let cursor = params.get("cursor").and_then(Value::as_str).unwrap_or_default();
        let prototype = params.get("arguments").is_some_and(|arguments| arguments.get("__proto__").is_some());
        if self.has("long-cursor") && cursor.len() > 1_000 || self.has("proto-member") && prototype {
            loop {
                std::thread::park();
            }
        }
        let wide = value.as_array().is_some_and(|batch| batch.len() >= 5);
        let mut memory = self.memory();
        memory.mute |= self.has("wide-batch") && wide;
        memory.twice = self.has("null-params") && value.get("params") == Some(&Value::Null);
        if memory.mute { Payload::Dropped } else { Payload::AsIs }
    }

    fn message(&self, _connection: &Connection, about: &About<'_>, message: &mut Value, edits: &mut Edits) {
        let answers = matches!(about.kind, Kind::Result | Kind::Error);
        let mut memory = self.memory();
        if self.has("late-id") && answers {
            if message["id"].is_string() {
                if let Some(id) = memory.failed.take() {
                    message["id"] = id;
                }
            } else if about.kind == Kind::Error {
                memory.failed = Some(message["id"].clone());
            }
        }
        if self.has("kept-errors") && about.kind == Kind::Error {
            std::mem::forget(std::hint::black_box(vec![1_u8; 512 << 10]));
        }
        if self.has("long-method") && message["error"]["code"] == json!(-32_601) && about.method.len() > 200 {
            message["error"]["code"] = json!("-32601");
        }
        edits.twice |= answers && std::mem::take(&mut memory.twice);
    }
}

fn depth(value: &Value) -> usize {
    match value {
        Value::Array(items) => 1 + items.iter().map(depth).max().unwrap_or(0),
        Value::Object(members) => members.values().map(depth).max().unwrap_or(0),
        _ => 0,
    }
}
