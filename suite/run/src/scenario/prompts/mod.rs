//! The area `prompts`.

mod get;
mod malformed;
pub(in crate::scenario) mod values;

use serde_json::Value;

use super::Scenario;

/// The scenarios of this area.
pub(super) static SCENARIOS: &[Scenario] = &[get::SCENARIO, get::UNKNOWN, malformed::SCENARIO];

/// Prompts that are asked for in one run.
pub(crate) const PROMPTS: usize = 10;
/// A name that nobody offers.
const NOTHING: &str = "mcp-conform-no-such-prompt";

/// The arguments of a prompt, with whether each is required.
pub(crate) fn arguments(prompt: &Value) -> Vec<(&str, bool)> {
    let listed = prompt.get("arguments").and_then(Value::as_array).into_iter().flatten();
    listed
        .filter_map(|argument| {
            Some((argument.get("name")?.as_str()?, argument.get("required") == Some(&Value::Bool(true))))
        })
        .collect()
}
