//! The area `logging`.

mod levels;
mod requests;
mod sessions;

use serde_json::{Value, json};
use verdict::{Intent, Revision};

use super::Scenario;
use crate::scenario::observations::{ToolObservations, meta};
use crate::{Arguments, Options, Tool};

/// The scenarios of this area.
pub(super) static SCENARIOS: &[Scenario] =
    &[levels::UNDECLARED, levels::LEVELS, requests::SCENARIO, sessions::SCENARIO];

/// Returns invalid levels, each with what is wrong with it.
fn illegal() -> [(&'static str, Value); 4] {
    [("unknown", json!("loud")), ("upper case", json!("INFO")), ("empty", json!("")), ("number", json!(3))]
}

/// A made-up secret.
const CANARY: &str = "mcp-conform-canary-7Qz";

/// Calls a tool that takes a secret, with one that can be recognised.
async fn canary(
    observations: &ToolObservations,
    scenario: &str,
    tools: &[Tool],
    options: &Options,
    revision: Revision,
) {
    let watched = |tool: &&Tool| observations.samples.iter().any(|sample| sample.tool == tool.name);
    let found = tools.iter().filter(watched).find_map(|tool| {
        let made = Arguments::of(tool, revision, options);
        let mut arguments = made.full.or(made.valid.ok())?;
        let properties = tool.input_schema()?.get("properties")?.as_object()?;
        let (name, _) =
            properties.iter().find(|(name, schema)| is_secret(name) && schema.get("type") == Some(&json!("string")))?;
        arguments[name] = json!(CANARY);
        Some(json!({"name": tool.name, "arguments": arguments, "_meta": meta(&observations.session, json!({}))}))
    });
    if let Some(params) = found {
        let ask = observations.session.ask("tools/call", params);
        ask.probe(scenario, Intent::LogCanary, json!({"canary": CANARY})).send().await;
    }
}

fn is_secret(name: &str) -> bool {
    let name = name.to_ascii_lowercase().replace(['-', '_'], "");
    ["password", "secret", "apikey", "accesstoken", "privatekey"].iter().any(|word| name.contains(word))
}
