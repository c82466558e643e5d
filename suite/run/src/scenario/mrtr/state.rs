//! `requestState` as an attacker would send it: made up, changed, or with another request; and from another connection.

use serde_json::{Value, json};
use verdict::Intent;

use super::{Demand, demanding, first};
use crate::opening::Opening;
use crate::scenario::observations::{Sample, ToolObservations};
use crate::scenario::{Cx, Scenario, Stage};

const NAME: &str = "mrtr/state";
/// Rounds until a state is expected.
const ROUNDS: usize = 3;

pub(super) const SCENARIO: Scenario = Scenario {
    name: NAME,
    provokes: &[
        "mrtr.state-garbage-handled",
        "mrtr.state-tampered-rejected",
        "mrtr.state-bound-to-request",
        "mrtr.state-bound-to-principal",
        "mrtr.retry-on-new-connection",
    ],
    stage: Stage::Alone,
    applies: |profile| {
        !profile.is_handshake() && ["tools", "prompts", "resources"].iter().any(|area| profile.declares(area))
    },
    run: |cx| Box::pin(provoke_states(cx)),
};

async fn provoke_states(cx: Cx) {
    let Some(observations) = cx.observations().await else { return };
    let _turn = observations.turn().await;
    let samples = demanding(&cx, &observations, NAME).await;
    for sample in &samples {
        garbage(&observations, sample).await;
        tampered(&observations, sample).await;
        retry_with_other_tool(&observations, sample).await;
        provoke_principal(&cx, &observations, sample).await;
    }
    if let Some(sample) = samples.first() {
        provoke_elsewhere(&cx, &observations, sample).await;
    }
}

async fn send(observations: &ToolObservations, sample: &Sample, intent: Intent, kind: &str, params: Value) {
    observations.session.ask(sample.method(), params).probe(NAME, intent, json!({"kind": kind})).send().await;
}

async fn garbage(observations: &ToolObservations, sample: &Sample) {
    let Some(demand) = first(observations, sample, NAME).await else { return };
    let huge = "x".repeat(100_000);
    for (kind, state) in [
        ("text", "mcp-conform"),
        ("invalid Base64", "%%%="),
        ("JSON", "{\"admin\":true}"),
        ("empty", ""),
        ("huge", huge.as_str()),
    ] {
        retry_with(observations, sample, &demand, kind, Some(json!(state))).await;
    }
    // Where that is as good, nothing depends on the state.
    if demand.state.is_some() {
        retry_with(observations, sample, &demand, "none", None).await;
    }
}

/// Responds to what is asked for with another state, or without one.
async fn retry_with(
    observations: &ToolObservations,
    sample: &Sample,
    demand: &Demand,
    kind: &str,
    state: Option<Value>,
) {
    let forged = Demand { requests: demand.requests.clone(), state };
    let params = forged.params(sample, Value::Object(forged.responses()));
    send(observations, sample, Intent::MrtrStateGarbage, kind, params).await;
}

/// The first demand that has a state and asks for something.
async fn with_state(observations: &ToolObservations, sample: &Sample) -> Option<Demand> {
    let mut demand = first(observations, sample, NAME).await?;
    for _ in 0..ROUNDS {
        if demand.state.as_ref().is_some_and(Value::is_string) {
            return Some(demand);
        }
        let params = demand.params(sample, Value::Object(demand.responses()));
        let ask = observations.session.ask(sample.method(), params).probe(NAME, Intent::MrtrRound, json!({}));
        demand = Demand::of(&ask.send().await)?;
    }
    None
}

async fn tampered(observations: &ToolObservations, sample: &Sample) {
    for place in ["start", "middle", "end"] {
        let Some(mut demand) = with_state(observations, sample).await else { return };
        let Some(state) = demand.state.as_ref().and_then(Value::as_str).map(|state| changed(state, place)) else {
            return;
        };
        demand.state = Some(json!(state));
        send(
            observations,
            sample,
            Intent::MrtrStateTampered,
            place,
            demand.params(sample, Value::Object(demand.responses())),
        )
        .await;
    }
}

/// One character is another.
fn changed(state: &str, place: &str) -> String {
    let mut letters: Vec<char> = state.chars().collect();
    let at = match place {
        "start" => 0,
        "middle" => letters.len() / 2,
        // The last one of Base64 may be without meaning.
        _ => letters.len().saturating_sub(3),
    };
    if let Some(letter) = letters.get_mut(at) {
        *letter = if *letter == 'A' { 'B' } else { 'A' };
    }
    letters.into_iter().collect()
}

/// With another tool that asks, too.
async fn retry_with_other_tool(observations: &ToolObservations, sample: &Sample) {
    let stateful = |sample: &&Sample| sample.result.as_ref().is_some_and(|result| result.get("requestState").is_some());
    let mut others = observations.samples.iter().filter(stateful);
    let Some(other) = others.find(|other| other.tool != sample.tool && sample.other.is_none()) else { return };
    let (Some(mine), Some(theirs)) = (with_state(observations, sample).await, first(observations, other, NAME).await)
    else {
        return;
    };
    // A tool that keeps no state has none to mistake.
    if theirs.state.is_none() {
        return;
    }
    retry_with(observations, other, &theirs, "none", None).await;
    let stolen = Demand { requests: theirs.requests, state: mine.state };
    send(
        observations,
        other,
        Intent::MrtrStateOther,
        "another tool",
        stolen.params(other, Value::Object(stolen.responses())),
    )
    .await;
}

/// By another user, whose own demand is met.
async fn provoke_principal(cx: &Cx, observations: &ToolObservations, sample: &Sample) {
    let Some(second) = cx.options.credentials.second.as_ref().filter(|_| cx.options.authorization().is_some()) else {
        return;
    };
    let Some(mine) = with_state(observations, sample).await else { return };
    let ask = |params: Value| {
        observations.session.ask(sample.method(), params).header("Authorization", Some(&second.header()))
    };
    let own = ask(sample.params(json!({}))).probe(NAME, Intent::MrtrSecondFirst, json!({})).send().await;
    if Demand::of(&own).is_some() {
        let stolen = mine.params(sample, Value::Object(mine.responses()));
        ask(stolen).probe(NAME, Intent::MrtrStateUser, json!({"kind": "another user"})).send().await;
    }
}

/// On a connection (on stdio a process) that knows nothing of the first.
async fn provoke_elsewhere(cx: &Cx, observations: &ToolObservations, sample: &Sample) {
    let Some(demand) = first(observations, sample, NAME).await else { return };
    let Ok(session) = cx.open_ready(Opening::new("another connection", cx.profile.revision).full()).await else {
        return;
    };
    session.mirror(&cx.profile.tools);
    let params = demand.params(sample, Value::Object(demand.responses()));
    session.ask(sample.method(), params).probe(NAME, Intent::MrtrElsewhere, json!({})).send().await;
    session.kill().await;
}
