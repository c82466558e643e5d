//! The area `completion`.

mod capability;
mod context;
mod malformed;
mod served;

use serde_json::Value;

use crate::{Case, Rule};

/// The rules of this area.
pub(super) static RULES: &[Rule] = &[capability::RULE, context::RULE, malformed::RULE, served::RULE];

/// The values suggested.
fn values<'v>(case: &Case<'v>) -> Option<&'v Vec<Value>> {
    case.result()?.get("completion")?.get("values")?.as_array()
}

/// Returns the reference and argument that are completed, as text.
fn target(case: &Case<'_>) -> String {
    let text = |value: Option<&Value>| value.and_then(Value::as_str).unwrap_or_default().to_owned();
    let reference = case.param("ref");
    let named = reference.and_then(|reference| reference.get("name").or(reference.get("uri")));
    format!("{} {}", text(named), text(case.param("argument").and_then(|argument| argument.get("name"))))
}
