//! A request being served.

use serde_json::{Value, json};

use crate::Revision;
use crate::error::RpcError;

/// A request, as its handler sees it.
#[derive(Debug, Clone)]
pub(crate) struct Call {
    /// Unlike the id it is unique, even if the client reuses ids.
    pub(crate) key: u64,
    pub(crate) id: Value,
    pub(crate) method: String,
    pub(crate) params: Value,
    pub(crate) revision: Revision,
    /// The payload the request came in.
    pub(crate) payload: u64,
    pub(crate) modern: Option<ModernMeta>,
    /// Who asks, where that is known: over HTTP with authorization.
    pub(crate) caller: Option<String>,
    /// The task that it is worked on as, once it has been answered.
    pub(crate) task: Option<String>,
}

/// The required part of `_meta` and what else of it matters, 2026-07-28.
#[derive(Debug, Clone, Default)]
pub(crate) struct ModernMeta {
    pub(crate) capabilities: Value,
    pub(crate) log_level: Option<usize>,
}

/// How a handler answers.
#[derive(Debug)]
pub(crate) enum Reply {
    /// A result that is final.
    Result(Value),
    /// A result of 2026-07-28 that asks for input.
    InputRequired(Value),
    Error(RpcError),
    /// The handler has seen to the answer itself, or there is none.
    Later,
}

/// A result that says that the call failed, and what to change.
pub(crate) fn failure(text: &str) -> Value {
    json!({"content": [{"type": "text", "text": text}], "isError": true})
}

impl From<RpcError> for Reply {
    fn from(error: RpcError) -> Self {
        Reply::Error(error)
    }
}

impl Call {
    /// The progress token, if there is a usable one.
    pub(crate) fn progress_token(&self) -> Option<&Value> {
        let token = self.params.get("_meta")?.get("progressToken")?;
        (token.is_string() || token.is_i64() || token.is_u64()).then_some(token)
    }

    /// The prompt, or the uri of the resource, asked for.
    pub(crate) fn subject(&self) -> Option<&str> {
        match self.method.as_str() {
            "prompts/get" => self.params.get("name")?.as_str(),
            "resources/read" => self.params.get("uri")?.as_str(),
            _ => None,
        }
    }

    /// The name of the tool called.
    pub(crate) fn tool(&self) -> Option<&str> {
        if self.method == "tools/call" { self.params.get("name")?.as_str() } else { None }
    }
}
