//! The area `prompts`.

mod get;
mod list;
mod malformed;

use serde_json::Value;

use crate::{Case, Rule};

/// The rules of this area.
pub(super) static RULES: &[Rule] = &[get::RULE, list::RULE, malformed::RULE];

/// The prompt that a `prompts/get` names.
fn requested_prompt<'v>(case: &Case<'v>) -> Option<&'v str> {
    case.param("name").and_then(Value::as_str)
}
