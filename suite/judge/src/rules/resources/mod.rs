//! The area `resources`.

mod list;
mod malformed;
mod missing;
mod read;
mod size;
mod template;
mod traversal;

use serde_json::Value;

use super::lists::{RESOURCES, walks};
use crate::{Case, Rule, View};

/// The rules of this area.
pub(super) static RULES: &[Rule] =
    &[list::RULE, malformed::RULE, missing::RULE, read::RULE, size::RULE, template::RULE, traversal::RULE];

/// The uri that a `resources/read` asks for.
fn requested_uri<'v>(case: &Case<'v>) -> Option<&'v str> {
    case.param("uri").and_then(Value::as_str)
}

/// The entries of what was read.
fn contents<'v>(case: &Case<'v>) -> Option<&'v Vec<Value>> {
    case.result()?.get("contents")?.as_array()
}

/// How a resource was listed, by every walk that has it, with when the walk began.
fn listings<'v>(view: &'v View<'v>, uri: &str) -> Vec<(u32, &'v Value)> {
    let mut found = Vec::new();
    for walk in walks(view, &RESOURCES) {
        let entries = walk.entries().into_iter().filter(|entry| entry.name == uri);
        found.extend(entries.map(|entry| (walk.start(), entry.definition)));
    }
    found
}

/// The only entry of what was read.
fn only<'v>(case: &Case<'v>) -> Option<&'v Value> {
    match contents(case)?.as_slice() {
        [one] => Some(one),
        _ => None,
    }
}
