//! The area `practice`: what nothing demands and clients are glad of. Only tools are called that may be called again and
//! again, on sessions of their own.

mod clients;
mod definitions;
mod effects;
mod errors;
mod inputs;
mod keys;
mod lists;
mod load;
mod slow;
mod timeout;

use serde_json::Value;
use verdict::Purpose;

use super::tools::is_repeatable;
use super::{Cx, Scenario};
use crate::opening::Opening;
use crate::{Arguments, Lease, ServerProfile, Tool, Wear};

/// The scenarios of this area.
pub(super) static SCENARIOS: &[Scenario] = &[
    definitions::SCENARIO,
    lists::SCENARIO,
    effects::SCENARIO,
    inputs::SCENARIO,
    load::SCENARIO,
    errors::SCENARIO,
    clients::SCENARIO,
    clients::CUTTING,
    slow::SCENARIO,
    timeout::SCENARIO,
    keys::SCENARIO,
];

/// Malformed input only goes to programs, loopback URLs, and where the user gave leave.
fn allowed(profile: &ServerProfile) -> bool {
    profile.may_disrupt && !profile.tools.is_empty()
}

/// Tools that may be called again and again, with arguments that fit.
fn repeatable(cx: &Cx) -> Vec<(&Tool, Value)> {
    let tools = cx.profile.callable().filter(|tool| is_repeatable(tool, &cx.options));
    tools.filter_map(|tool| Some((tool, Arguments::of(tool, cx.profile.revision, &cx.options).valid.ok()?))).collect()
}

/// The described parameters of a tool.
fn properties(tool: &Tool) -> impl Iterator<Item = (&str, &Value)> {
    let properties = tool.input_schema().and_then(|schema| schema.get("properties")).and_then(Value::as_object);
    properties.into_iter().flatten().map(|(name, schema)| (name.as_str(), schema))
}

/// A name without what styles differ in.
fn normalized_name(name: &str) -> String {
    name.chars().filter(|letter| letter.is_alphanumeric()).flat_map(char::to_lowercase).collect()
}

/// A session in the judged revision. What is sent on one for the purpose `robust` only this area looks at.
async fn open_for_purpose(cx: &Cx, purpose: impl AsRef<str>) -> Option<Lease> {
    let wear = if Purpose::of(purpose.as_ref()) == Some(Purpose::Robust) { Wear::Malformed } else { Wear::Ordinary };
    let session = cx.lease(Opening::new(purpose, cx.profile.revision), wear).await.ok()?;
    session.mirror(&cx.profile.tools);
    Some(session)
}
