//! Where `_meta` objects stand in a message of the server.

use serde_json::Value;

use crate::Incoming;

/// Members that hold data of the author's own: a `_meta` in there is data too.
const DATA: [&str; 11] = [
    "_meta",
    "structuredContent",
    "inputSchema",
    "outputSchema",
    "requestedSchema",
    "capabilities",
    "arguments",
    "data",
    "input",
    "metadata",
    "inputResponses",
];

/// Levels that are looked into: the deepest `_meta` of the specification stands at the sixth.
const DEPTH: usize = 8;

/// The `_meta` objects of the result or the params, and of what they list.
pub(super) fn metas<'i>(incoming: &'i Incoming<'_>) -> Vec<&'i Value> {
    let mut found = Vec::new();
    if let Some(message) = incoming.message() {
        for body in [message.result(), message.params()].into_iter().flatten() {
            walk(body, 0, &mut found);
        }
    }
    found
}

/// The `_meta` of the result or the params alone.
pub(super) fn own_meta<'i>(incoming: &'i Incoming<'_>) -> Option<&'i Value> {
    let message = incoming.message()?;
    message.result().or(message.params())?.get("_meta")
}

fn walk<'i>(value: &'i Value, depth: usize, found: &mut Vec<&'i Value>) {
    if depth > DEPTH {
        return;
    }
    match value {
        Value::Object(members) => {
            found.extend(members.get("_meta"));
            for (name, member) in members {
                if !DATA.contains(&name.as_str()) {
                    walk(member, depth + 1, found);
                }
            }
        }
        Value::Array(items) => items.iter().for_each(|item| walk(item, depth + 1, found)),
        _ => {}
    }
}
