//! Which shape a message has to have.

use serde_json::Value;
use verdict::Revision;
use wire::Kind;

use super::row::Shape;
use super::table::client::{REQUEST, REQUESTS};
use super::table::common::Entry;
use super::table::envelope;
use super::table::notifications::{NOTIFICATION, NOTIFICATIONS};
use super::table::results::{INPUT_REQUIRED, RESULTS, TASK_CREATED};

/// The envelope of a message of this kind; none for what is no message.
#[must_use]
pub fn envelope(kind: Kind) -> Option<&'static Shape> {
    match kind {
        Kind::Request => Some(&envelope::REQUEST),
        Kind::Notification => Some(&envelope::NOTIFICATION),
        Kind::Response => Some(&envelope::RESPONSE),
        Kind::Error => Some(&envelope::ERROR),
        Kind::Invalid => None,
    }
}

/// A request or notification of the server, as a whole message. A method that begins with `notifications/` is one whatever
/// else the message holds.
#[must_use]
pub fn message(method: &str, revision: Revision) -> &'static Shape {
    if method.starts_with("notifications/") {
        find(NOTIFICATIONS, method, revision).unwrap_or(&NOTIFICATION)
    } else {
        find(REQUESTS, method, revision).unwrap_or(&REQUEST)
    }
}

/// The result of a request with this method and these params; none if the revision does not have the method. The result
/// itself tells which of several kinds it is.
#[must_use]
pub fn result(method: &str, params: Option<&Value>, result: &Value, revision: Revision) -> Option<&'static Shape> {
    let plain = find(RESULTS, method, revision)?;
    let asks = result.get("resultType").and_then(Value::as_str) == Some("input_required");
    let augmented = params.is_some_and(|params| params.get("task").is_some());
    let created = result.get("task").is_some() && result.get("content").is_none();
    if revision.is_stateless() && asks && method != "server/discover" {
        Some(&INPUT_REQUIRED)
    } else if revision.traits().core_tasks && method == "tools/call" && augmented && created {
        Some(&TASK_CREATED)
    } else {
        Some(plain)
    }
}

/// Every method of every revision, of either side.
pub fn methods() -> impl Iterator<Item = &'static str> {
    [RESULTS, REQUESTS, NOTIFICATIONS].into_iter().flatten().map(|(name, _, _, _)| *name)
}

/// An error object whose code gives its data a shape.
#[must_use]
pub fn error(code: i64, revision: Revision) -> Option<&'static Shape> {
    let found = envelope::ERRORS.iter().find(|(known, of, _)| *known == code && *of == revision);
    found.map(|(_, _, shape)| shape)
}

fn find(entries: &'static [Entry], method: &str, revision: Revision) -> Option<&'static Shape> {
    let entry =
        entries.iter().find(|(name, from, until, _)| *name == method && *from <= revision && revision <= *until);
    entry.map(|(_, _, _, shape)| shape)
}
