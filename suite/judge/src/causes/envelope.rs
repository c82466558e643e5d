//! Messages that are none, or none that a server expects.

use serde_json::Value;

/// The members of messages.
const ENVELOPE: [&str; 6] = ["jsonrpc", "id", "method", "params", "result", "error"];

/// Whether this is no JSON, no message, one whose envelope is wrong or odd, or one that is hard to read; `message` is its JSON, if it
/// stands there whole.
pub(super) fn is_malformed(text: &str, message: Option<&Value>) -> bool {
    if text.contains('\u{fffd}') || is_deep(text) {
        return true;
    }
    // Only what was cut may have been a message.
    let Some(message) = message else { return !text.contains(" bytes)") };
    let Some(members) = message.as_object() else { return true };
    let fits = |name: &str, good: fn(&Value) -> bool| members.get(name).is_none_or(good);
    let token = message.pointer("/params/_meta/progressToken");
    !(message["jsonrpc"] == "2.0"
        && fits("method", Value::is_string)
        && fits("params", Value::is_object)
        && fits("id", is_plain_id)
        && message["method"].as_str().is_none_or(|method| asks(method) == members.contains_key("id"))
        && members.keys().all(|name| ENVELOPE.contains(&name.as_str()))
        && token.is_none_or(|token| token.is_string() || token.is_i64()))
}

fn asks(method: &str) -> bool {
    !method.starts_with("notifications/")
}

/// An id that a program with only floating-point numbers can read as well.
fn is_plain_id(id: &Value) -> bool {
    id.is_string() || id.as_i64().is_some_and(|id| id.unsigned_abs() < 1 << 53)
}

/// Nested deeper than messages are.
fn is_deep(text: &str) -> bool {
    text.contains(&"[".repeat(16)) || text.contains(&"{\"a\":".repeat(16))
}
