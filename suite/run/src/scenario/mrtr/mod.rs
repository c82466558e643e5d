//! The area `mrtr`: requests of 2026-07-28 that ask for input first.

mod retry;
mod state;
mod told;

use serde_json::{Map, Value, json};
use verdict::Intent;

use super::prompts::values::required;
use super::{Cx, Scenario};
use crate::scenario::observations::{Sample, ToolObservations};
use crate::{Profile, RequestOutcome};

/// The scenarios of this area.
pub(super) static SCENARIOS: &[Scenario] = &[retry::SCENARIO, state::SCENARIO, told::SCENARIO];

/// Tools that are led through all of it.
const TOOLS: usize = 3;
/// Prompts, and resources, that are asked for once to see whether they ask back.
const OTHERS: usize = 8;

/// A demand for input.
pub(in crate::scenario) struct Demand {
    requests: Map<String, Value>,
    state: Option<Value>,
}

impl Demand {
    pub(in crate::scenario) fn of(outcome: &RequestOutcome) -> Option<Self> {
        let result = outcome.result().filter(|result| result.get("resultType") == Some(&json!("input_required")))?;
        let requests = result.get("inputRequests").and_then(Value::as_object).cloned().unwrap_or_default();
        Some(Self { requests, state: result.get("requestState").cloned() })
    }

    /// A response to everything that is asked for, as a client gives it that declared everything.
    fn responses(&self) -> Map<String, Value> {
        self.responses_of(Profile::Full)
    }

    /// Returns the responses of a client with this profile, without those to requests that it refuses.
    pub(in crate::scenario) fn responses_of(&self, profile: Profile) -> Map<String, Value> {
        let respond = |request: &Value| {
            let method = request.get("method").and_then(Value::as_str).unwrap_or_default();
            profile.response(method, request.get("params"))
        };
        self.requests.iter().filter_map(|(key, request)| Some((key.clone(), respond(request)?))).collect()
    }

    /// The params of a retry.
    pub(in crate::scenario) fn params(&self, sample: &Sample, responses: Value) -> Value {
        let mut params = sample.params(json!({}));
        if !responses.is_null() {
            params["inputResponses"] = responses;
        }
        if let Some(state) = &self.state {
            params["requestState"] = state.clone();
        }
        params
    }
}

/// Tools that answered with a demand for input, and one prompt and one resource that do.
async fn demanding(cx: &Cx, observations: &ToolObservations, scenario: &str) -> Vec<Sample> {
    let demands = |sample: &&Sample| {
        sample.result.as_ref().is_some_and(|result| result.get("resultType") == Some(&json!("input_required")))
    };
    let mut samples: Vec<Sample> = observations.samples.iter().filter(demands).take(TOOLS).cloned().collect();
    let mut prompts = Vec::new();
    for prompt in cx.profile.entries("prompts/list").iter().take(OTHERS) {
        let (arguments, _) = required(cx, scenario, prompt).await;
        prompts.push(("prompts/get", json!({"name": prompt.get("name"), "arguments": arguments})));
    }
    let uris = cx.profile.entries("resources/list").iter().filter_map(|entry| entry.get("uri")).take(OTHERS);
    let reads: Vec<(&'static str, Value)> = uris.map(|uri| ("resources/read", json!({"uri": uri}))).collect();
    for others in [prompts, reads] {
        for other in others {
            let sample = Sample { other: Some(other), ..Sample::default() };
            if first(observations, &sample, scenario).await.is_some() {
                samples.push(sample);
                break;
            }
        }
    }
    samples
}

/// The call as at first.
async fn first(observations: &ToolObservations, sample: &Sample, scenario: &str) -> Option<Demand> {
    let ask = observations.session.ask(sample.method(), sample.params(json!({})));
    Demand::of(&ask.probe(scenario, Intent::MrtrFirst, json!({})).send().await)
}
