//! Retries of a client that was asked for input: with the right responses, none, wrong ones or too many; and calls with other
//! capabilities.

use serde_json::{Value, json};
use verdict::Intent;
use wire::mcp::meta;

use super::{Demand, demanding, first};
use crate::scenario::observations::{Sample, ToolObservations};
use crate::scenario::{Cx, Scenario, Stage};

const NAME: &str = "mrtr/retry";
/// Rounds that are followed.
const ROUNDS: usize = 4;

pub(super) const SCENARIO: Scenario = Scenario {
    name: NAME,
    provokes: &[
        "mrtr.only-supported-methods",
        "mrtr.result-type",
        "mrtr.inputs-or-state",
        "mrtr.input-requests-object",
        "mrtr.input-requests-keys-unique",
        "mrtr.input-requests-methods",
        "mrtr.elicitation-form-params",
        "mrtr.elicitation-form-flat",
        "mrtr.elicitation-url-params",
        "mrtr.elicitation-mode-supported",
        "mrtr.elicitation-no-secrets-in-form",
        "mrtr.sampling-params",
        "mrtr.sampling-include-context",
        "mrtr.sampling-tools-declared",
        "mrtr.deprecated-features",
        "mrtr.request-state-string",
        "mrtr.capability-respected",
        "mrtr.no-capability-memory",
        "mrtr.retry-accepted",
        "mrtr.retry-state-only",
        "mrtr.missing-response-reasked",
        "mrtr.wrong-key-reasked",
        "mrtr.unexpected-ignored",
        "mrtr.responses-validated",
        "mrtr.malformed-responses-error",
        "mrtr.declined-handled",
        "mrtr.unsolicited-responses-ignored",
        "mrtr.abandoned-retry",
        "elicitation.request.url-https",
        "sampling.request.message-shape",
    ],
    stage: Stage::Alone,
    applies: |profile| {
        !profile.is_handshake() && ["tools", "prompts", "resources"].iter().any(|area| profile.declares(area))
    },
    run: |cx| Box::pin(provoke_retries(cx)),
};

async fn provoke_retries(cx: Cx) {
    let Some(observations) = cx.observations().await else { return };
    let _turn = observations.turn().await;
    unsolicited(&observations).await;
    let samples = demanding(&cx, &observations, NAME).await;
    for sample in &samples {
        capabilities(&observations, sample).await;
        retry_until_complete(&observations, sample).await;
        incomplete(&observations, sample).await;
        ill(&observations, sample).await;
        for _ in 0..3 {
            first(&observations, sample, NAME).await;
        }
        observations
            .session
            .ask(cx.profile.liveness(), json!({}))
            .probe(NAME, Intent::MrtrAfter, json!({}))
            .send()
            .await;
    }
}

/// An ordinary tool, with responses that nobody asked for.
async fn unsolicited(observations: &ToolObservations) {
    let plain =
        |sample: &&Sample| !sample.failed && sample.asks.is_empty() && sample.progress == 0 && sample.result.is_some();
    let Some(sample) = observations.samples.iter().find(plain) else { return };
    let mut params = sample.params(json!({}));
    params["inputResponses"] = json!({"x": {"action": "cancel"}});
    let ask = observations.session.ask("tools/call", params);
    ask.probe(NAME, Intent::MrtrUnsolicited, json!({"plain": true})).send().await;
}

/// Sends the call several times, with different capabilities declared.
async fn capabilities(observations: &ToolObservations, sample: &Sample) {
    for (intent, declared) in [
        (Intent::MrtrForgets, json!({})),
        (Intent::MrtrCapable, json!({"elicitation": {}})),
        (Intent::MrtrCapable, json!({"elicitation": {"url": {}}})),
        (Intent::MrtrCapable, json!({"sampling": {}})),
        (Intent::MrtrCapable, json!({"roots": {}})),
    ] {
        let params = sample.params(json!({meta::CLIENT_CAPABILITIES: declared}));
        observations.session.ask(sample.method(), params).probe(NAME, intent, json!({})).send().await;
    }
}

async fn send(
    observations: &ToolObservations,
    sample: &Sample,
    intent: Intent,
    kind: &str,
    params: Value,
) -> Option<Demand> {
    let ask = observations.session.ask(sample.method(), params).probe(NAME, intent, json!({"kind": kind}));
    Demand::of(&ask.send().await)
}

/// All that is asked for, round after round; the second time with something beside it.
async fn retry_until_complete(observations: &ToolObservations, sample: &Sample) {
    for intent in [Intent::MrtrRetry, Intent::MrtrExtra] {
        let mut demand = first(observations, sample, NAME).await;
        for _ in 0..ROUNDS {
            let Some(now) = demand else { break };
            let mut responses = now.responses();
            if intent == Intent::MrtrExtra {
                responses.insert("mcp-conform-extra".to_owned(), json!({"action": "cancel"}));
            }
            let alone = now.requests.is_empty();
            let brought = if alone { Value::Null } else { Value::Object(responses) };
            let intent = if alone { Intent::MrtrStateOnly } else { intent };
            demand = send(observations, sample, intent, "", now.params(sample, brought)).await;
        }
    }
}

async fn incomplete(observations: &ToolObservations, sample: &Sample) {
    let key = json!({"mcp-conform-other": {"action": "accept", "content": {}}});
    for (intent, responses) in [(Intent::MrtrMissing, json!({})), (Intent::MrtrWrongKey, key)] {
        let Some(demand) = first(observations, sample, NAME).await.filter(|demand| !demand.requests.is_empty()) else {
            return;
        };
        send(observations, sample, intent, "", demand.params(sample, responses)).await;
    }
}

/// Responses of the wrong form, and refusals.
async fn ill(observations: &ToolObservations, sample: &Sample) {
    let each = |demand: &Demand, value: &Value| -> Value {
        Value::Object(demand.requests.keys().map(|key| (key.clone(), value.clone())).collect())
    };
    let values = [("number", json!(12345)), ("null", Value::Null), ("unknown action", json!({"action": "perhaps"}))];
    for (kind, value) in values {
        let Some(demand) = first(observations, sample, NAME).await.filter(|demand| !demand.requests.is_empty()) else {
            return;
        };
        send(observations, sample, Intent::MrtrIllResponse, kind, demand.params(sample, each(&demand, &value))).await;
    }
    for (kind, responses) in [("array", json!([])), ("string", json!("x"))] {
        let Some(demand) = first(observations, sample, NAME).await else { return };
        send(observations, sample, Intent::MrtrIllResponses, kind, demand.params(sample, responses)).await;
    }
    for action in ["decline", "cancel"] {
        let Some(demand) = first(observations, sample, NAME).await else { return };
        let elicits =
            demand.requests.values().all(|request| request.get("method") == Some(&json!("elicitation/create")));
        if elicits && !demand.requests.is_empty() {
            send(
                observations,
                sample,
                Intent::MrtrDeclined,
                action,
                demand.params(sample, each(&demand, &json!({"action": action}))),
            )
            .await;
        }
    }
}
