//! Tools called by a client that can do nothing and by one that can do everything; where that makes a difference, by clients
//! in between.

use std::collections::BTreeMap;
use wire::mcp::code;

use serde_json::{Value, json};
use verdict::Intent;

use super::{CAPABILITIES, Cx, Scenario, Stage, is_modern};
use crate::scenario::tools::{Call, is_repeatable, send};
use crate::{Arguments, Profile, RequestOutcome};

const NAME: &str = "discover/capability";
/// The error for a capability that the client did not declare.
const MISSING: i64 = code::MISSING_CLIENT_CAPABILITY;

pub(super) const SCENARIO: Scenario = Scenario {
    name: NAME,
    provokes: &[
        "discover.missing-capability.code",
        "discover.missing-capability.data",
        "discover.missing-capability.really-missing",
        "discover.missing-capability.retry-with",
        "discover.stateless.capabilities-not-inherited",
        "discover.stateless.no-reliance-on-undeclared",
        "caching.input-required-without-hints",
        "http.status.missing-capability-400",
    ],
    stage: Stage::Shared,
    applies: |profile| is_modern(profile) && profile.callable().next().is_some(),
    run: |cx| Box::pin(provoke_capability(cx)),
};

/// A tool with arguments that it takes.
type Target = (String, Value);

async fn provoke_capability(cx: Cx) {
    let targets: Vec<Target> = cx
        .profile
        .callable()
        .filter(|tool| is_repeatable(tool, &cx.options))
        .filter_map(|tool| Some((tool.name.clone(), Arguments::of(tool, cx.profile.revision, &cx.options).valid.ok()?)))
        .collect();
    let all = Profile::Full.capabilities(cx.profile.revision);
    let none = targets.iter().map(|target| call(target, Intent::CapabilityNone, json!({"turn": 1}), json!({})));
    let none = send(&cx.session, NAME, none.collect()).await;
    let full = targets.iter().map(|target| call(target, Intent::CapabilityAll, json!({}), all.clone()));
    let full = send(&cx.session, NAME, full.collect()).await;
    let asking = targets.iter().zip(&full).filter(|(_, full)| full.result().is_some_and(asks));
    let again = asking.map(|(target, _)| call(target, Intent::CapabilityNone, json!({"turn": 2}), json!({})));
    send(&cx.session, NAME, again.collect()).await;
    let refused = targets.iter().zip(&none).filter_map(|(target, none)| Some((target, required(none)?)));
    let further = refused.flat_map(|(target, required)| between(target, required, &all));
    send(&cx.session, NAME, further.collect()).await;
}

/// The result asks for input.
fn asks(result: &Value) -> bool {
    result.get("inputRequests").is_some()
}

fn call((tool, arguments): &Target, intent: Intent, about: Value, capabilities: Value) -> Call {
    let params = json!({"name": tool, "arguments": arguments, "_meta": {CAPABILITIES: capabilities}});
    Call { intent, about, params }
}

/// Returns the capabilities that the error lists as missing.
fn required(outcome: &RequestOutcome) -> Option<&Value> {
    let RequestOutcome::Answer(message) = outcome else { return None };
    let required = message.error()?.get("data")?.get("requiredCapabilities")?;
    (message.error_code() == Some(MISSING) && required.is_object()).then_some(required)
}

/// With just what is missing, and with everything else.
fn between(target: &Target, required: &Value, all: &Value) -> Vec<Call> {
    let mut calls = vec![call(target, Intent::CapabilityListed, json!({}), required.clone())];
    let listed = |name: &str| required.get(name).is_some();
    let others: BTreeMap<&String, &Value> =
        all.as_object().into_iter().flatten().filter(|(name, _)| !listed(name)).collect();
    if !others.is_empty() {
        calls.push(call(target, Intent::CapabilityOthers, json!({}), json!(others)));
    }
    calls
}
