//! Tools that sample, called by a client that lets them offer tools to its model, whose answer is the use of one of them.

use serde_json::{Value, json};
use verdict::{Intent, Revision};
use wire::mcp::meta;

use crate::scenario::mrtr::Demand;
use crate::scenario::observations::Sample;
use crate::scenario::{Cx, Scenario, Stage};
use crate::{Opening, Profile, Session};

const NAME: &str = "sampling/tools";
/// Tools that are called.
const TOOLS: usize = 4;
/// Rounds that are followed.
const ROUNDS: usize = 4;

pub(super) const SCENARIO: Scenario = Scenario {
    name: NAME,
    provokes: &[
        "sampling.request.tools-declared",
        "sampling.request.tool-results-only",
        "sampling.request.tool-uses-answered",
        "mrtr.sampling-tools-declared",
    ],
    stage: Stage::Alone,
    applies: |profile| profile.revision.traits().sampling_tools,
    run: |cx| Box::pin(provoke_tools(cx)),
};

async fn provoke_tools(cx: Cx) {
    let Some(observations) = cx.observations().await else { return };
    // A tool that needs tools of the client's model fails for want of them.
    let wants = |sample: &&Sample| {
        let result = sample.result.as_ref().map(Value::to_string).unwrap_or_default();
        sample.failed && result.to_lowercase().contains("sampling")
    };
    let asking = observations.asking("sampling/createMessage").chain(observations.samples.iter().filter(wants));
    let samples: Vec<&Sample> = asking.take(TOOLS).collect();
    if samples.is_empty() {
        return;
    }
    let Ok(session) = cx.open_ready(Opening::new("sampling with tools", cx.profile.revision).tools()).await else {
        return;
    };
    session.mirror(&cx.profile.tools);
    for sample in samples {
        if cx.profile.is_handshake() {
            let params = json!({"name": sample.tool, "arguments": sample.arguments});
            session.ask("tools/call", params).probe(NAME, Intent::SampledWithTools, json!({})).send().await;
        } else {
            rounds(&session, sample).await;
        }
    }
    session.settle().await;
    session.kill().await;
}

/// In 2026-07-28 every round is a request.
async fn rounds(session: &Session, sample: &Sample) {
    let revision = session.revision().unwrap_or(Revision::LATEST);
    let declared = json!({meta::CLIENT_CAPABILITIES: Profile::Tools.capabilities(revision)});
    let mut params = sample.params(declared.clone());
    for _ in 0..ROUNDS {
        let outcome = session.ask("tools/call", params).probe(NAME, Intent::SampledWithTools, json!({})).send().await;
        let Some(demand) = Demand::of(&outcome) else { return };
        params = demand.params(sample, Value::Object(demand.responses_of(Profile::Tools)));
        params["_meta"] = declared.clone();
    }
}
