//! What faults make of requests for log messages and progress.

use serde_json::{Value, json};

use super::intercept::{invalid, refused};
use crate::core::{Call, Connection, Reply};
use crate::methods::LEVELS;

const LOG_LEVEL: &str = "io.modelcontextprotocol/logLevel";

pub(super) fn intercept(connection: &Connection, call: &mut Call, id: &str, variant: &str) -> Option<Reply> {
    let sets = call.method == "logging/setLevel";
    let token = call.params.get("_meta").and_then(|meta| meta.get("progressToken"));
    match (id, variant) {
        ("logging.set-level.accepted", _) if sets => refused(-32601, "Method not found"),
        ("logging.set-level.undeclared", "code") if sets => invalid("logging is not available"),
        ("logging.per-request.invalid-level", how) if !is_legal(call) => {
            if how == "code" {
                return refused(-32603, "the log level could not be read");
            }
            call.params["_meta"][LOG_LEVEL] = json!("info");
            None
        }
        ("logging.per-request.every-level", _) if level(call) == Some(&json!("notice")) => invalid("unknown log level"),
        ("mrtr.abandoned-retry", _) if call.method == "server/discover" && connection.server.state().demands > 12 => {
            Some(Reply::Later)
        }
        ("mrtr.unsolicited-responses-ignored", _) if call.tool() == Some("version") || call.tool() == Some("echo") => {
            call.params.get("inputResponses").and_then(|_| invalid("inputResponses was not asked for"))
        }
        (_, how) if id.starts_with("subscriptions.") => subscriptions(call, id, how),
        ("progress.token-string-and-integer", "") if token == Some(&json!(0)) => invalid("progressToken is missing"),
        _ => None,
    }
}

fn level(call: &Call) -> Option<&Value> {
    call.params.get("_meta")?.get(LOG_LEVEL)
}

fn is_legal(call: &Call) -> bool {
    level(call).is_none_or(|level| level.as_str().is_some_and(|level| LEVELS.contains(&level)))
}

fn subscriptions(call: &mut Call, id: &str, how: &str) -> Option<Reply> {
    let listens = call.method == "subscriptions/listen";
    let old = ["resources/subscribe", "resources/unsubscribe"].contains(&call.method.as_str());
    let filter = call.params.get("notifications").cloned();
    let ill = filter.as_ref().is_some_and(|filter| !is_filter(filter));
    match id {
        "subscriptions.listen.implemented" if listens => refused(-32601, "Method not found"),
        "subscriptions.listen.missing-filter" if listens && filter.is_none() => let_pass(call, how),
        "subscriptions.listen.bad-filter-types" if listens && ill => let_pass(call, how),
        "subscriptions.resource.subscribe-accepted" if call.method == "resources/subscribe" => {
            refused(-32601, "Method not found")
        }
        "subscriptions.resource.unsubscribe-accepted" if call.method == "resources/unsubscribe" => {
            refused(-32601, "Method not found")
        }
        "subscriptions.resource.missing-uri" if old && !call.params["uri"].is_string() => {
            if how == "code" {
                refused(-32603, "uri could not be read")
            } else {
                Some(Reply::Result(json!({})))
            }
        }
        "subscriptions.old-methods-removed" if old => Some(Reply::Result(json!({}))),
        _ => None,
    }
}

/// Takes an ill filter for one of nothing, or refuses it by another code.
fn let_pass(call: &mut Call, how: &str) -> Option<Reply> {
    if how == "code" {
        return refused(-32603, "the filter could not be read");
    }
    call.params["notifications"] = json!({});
    None
}

fn is_filter(filter: &Value) -> bool {
    let Some(members) = filter.as_object() else { return false };
    members
        .iter()
        .all(|(name, value)| if name == "resourceSubscriptions" { value.is_array() } else { value.is_boolean() })
}
