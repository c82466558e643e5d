//! What came of a call, and what it was made with.

use serde_json::{Value, json};

use crate::Case;

/// The outcome of a call.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Came {
    /// A result that is no error.
    Plain,
    /// A result with isError true.
    ToolError,
    /// A JSON-RPC error, or over HTTP a bare 4xx.
    Error,
    /// A handle for a task.
    Task,
    /// A result of another kind: more input is wanted, or an extension's.
    Other,
    /// No answer.
    Nothing,
}

pub(super) fn came(case: &Case<'_>) -> Came {
    let Some(result) = case.result() else {
        let refused = case.error().is_some() || case.status().is_some_and(|status| (400..500).contains(&status));
        return if refused { Came::Error } else { Came::Nothing };
    };
    let kind = result.get("resultType").and_then(Value::as_str);
    if kind.is_some_and(|kind| kind != "complete") {
        Came::Other
    } else if result["task"].is_object() && result.get("content").is_none() {
        Came::Task
    } else if case.is_tool_error() {
        Came::ToolError
    } else {
        Came::Plain
    }
}

/// The arguments of a call; left out is the same as empty.
pub(super) fn arguments(case: &Case<'_>) -> Value {
    case.param("arguments").cloned().unwrap_or_else(|| json!({}))
}
