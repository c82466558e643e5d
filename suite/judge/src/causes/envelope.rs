//! Messages that are none, or none that a server expects.

use wire::{Id, Kind, Message};

/// The members of messages.
const MEMBERS: [&str; 6] = ["jsonrpc", "id", "method", "params", "result", "error"];

/// Whether this is no JSON, no message, one whose envelope is wrong or odd, or one that is hard to read; `message` is what it is, if it
/// is one and stands there whole.
pub(super) fn is_malformed(text: &str, message: Option<&Message>) -> bool {
    let is_hard = text.contains('\u{fffd}') || is_deep(text);
    // Only what was cut may have been a message.
    is_hard || message.map_or(!is_cut(text), |message| !message.defects.is_empty() || is_odd(message))
}

/// Whether long evidence was cut.
pub(super) fn is_cut(text: &str) -> bool {
    text.ends_with(" bytes)")
}

/// Well-formed, but refused by strict readers, or by those that know only floating-point numbers.
fn is_odd(message: &Message) -> bool {
    let notifies = message.kind == Kind::Notification;
    let token = message.params().and_then(|params| params.pointer("/_meta/progressToken"));
    message.method().is_some_and(|method| method.starts_with("notifications/") != notifies)
        || message.id.as_ref().is_some_and(is_odd_id)
        || token.is_some_and(|token| !token.is_string() && !token.is_i64())
        || message.names().any(|name| !MEMBERS.contains(&name))
}

fn is_odd_id(id: &Id) -> bool {
    match id {
        Id::Integer(text) => text.parse::<i64>().map_or(true, |id| id.unsigned_abs() >= 1 << 53),
        Id::String(_) => false,
        _ => true,
    }
}

/// Nested deeper than messages are.
fn is_deep(text: &str) -> bool {
    text.contains(&"[".repeat(16)) || text.contains(&"{\"a\":".repeat(16))
}
