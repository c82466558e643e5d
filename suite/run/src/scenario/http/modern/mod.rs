//! Streamable HTTP of 2026-07-28: headers varied one at a time, and what earlier revisions had.

mod gone;
mod names;
mod parameters;
mod responses;
mod streams;
mod variation;
mod versions;

use serde_json::{Value, json};
use verdict::Transport;

use crate::scenario::tools::is_repeatable;
use crate::scenario::{Cx, Scenario};
use crate::{Arguments, ServerProfile, Tool};

/// The scenarios of this revision.
pub(in crate::scenario) static SCENARIOS: &[Scenario] = &[
    versions::SCENARIO,
    names::SCENARIO,
    parameters::SCENARIO,
    gone::SCENARIO,
    streams::SCENARIO,
    responses::SCENARIO,
];

fn is_modern(profile: &ServerProfile) -> bool {
    profile.transport == Transport::Http && profile.revision.is_stateless()
}

/// Tools that may be called again and again, with arguments that they take; the fullest that there are.
fn tools(cx: &Cx) -> impl Iterator<Item = (&Tool, Value)> {
    let tools = cx.profile.callable().filter(|tool| is_repeatable(tool, &cx.options));
    tools.filter_map(|tool| {
        let arguments = Arguments::of(tool, cx.profile.revision, &cx.options);
        Some((tool, arguments.full.or(arguments.valid.ok())?))
    })
}

fn call(tool: &Tool, arguments: &Value) -> Value {
    json!({"name": tool.name, "arguments": arguments})
}

/// A text in the form that a header has for what it cannot carry.
fn encoded(text: &[u8]) -> String {
    use base64::Engine as _;
    format!("=?base64?{}?=", base64::engine::general_purpose::STANDARD.encode(text))
}
