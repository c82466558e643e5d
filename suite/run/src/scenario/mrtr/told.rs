//! States of which the configuration tells that they are good for once, or for a while: used twice, and too late.

use std::time::Duration;

use serde_json::{Value, json};
use verdict::Intent;

use super::Demand;
use crate::scenario::observations::Sample;
use crate::scenario::{Cx, Scenario, Stage};
use crate::{Opening, Session, Trigger};

const NAME: &str = "mrtr/told";
/// Rounds until a call has all that it asks for.
const ROUNDS: usize = 4;
/// Time added to the lifetime, for clocks that count in seconds.
const MARGIN: Duration = Duration::from_secs(1);

pub(super) const SCENARIO: Scenario = Scenario {
    name: NAME,
    provokes: &["mrtr.state-expires", "mrtr.state-single-use"],
    stage: Stage::Alone,
    applies: |profile| !profile.is_handshake() && profile.declares("tools"),
    run: |cx| Box::pin(provoke_told(cx)),
};

async fn provoke_told(cx: Cx) {
    let states = &cx.options.hints.states;
    if states.once.is_none() && states.expiring.is_none() {
        return;
    }
    let Ok(session) = cx.open_ready(Opening::new("told states", cx.profile.revision).full()).await else {
        return;
    };
    session.mirror(&cx.profile.tools);
    if let Some(trigger) = &states.once {
        once(&session, &sample(trigger)).await;
    }
    if let (Some(trigger), Some(lifetime)) = (&states.expiring, states.lifetime) {
        retry_after_lifetime(&session, &sample(trigger), lifetime).await;
    }
    session.kill().await;
}

fn sample(trigger: &Trigger) -> Sample {
    Sample { tool: trigger.call.clone(), arguments: trigger.arguments.clone(), ..Sample::default() }
}

async fn call(session: &Session, params: Value, intent: Intent) -> Option<Demand> {
    let outcome = session.ask("tools/call", params).probe(NAME, intent, json!({})).send().await;
    Demand::of(&outcome)
}

/// The params of the retry that ends a call with a state; every round before it is gone through.
async fn last_round(session: &Session, sample: &Sample, intent: Intent) -> Option<Value> {
    let mut demand = call(session, sample.params(json!({})), Intent::MrtrToldFirst).await?;
    for _ in 0..ROUNDS {
        let params = demand.params(sample, Value::Object(demand.responses()));
        let stated = demand.state.is_some();
        match call(session, params.clone(), intent).await {
            Some(next) => demand = next,
            None => return stated.then_some(params),
        }
    }
    None
}

async fn once(session: &Session, sample: &Sample) {
    if let Some(params) = last_round(session, sample, Intent::MrtrStateSpent).await {
        call(session, params, Intent::MrtrStateAgain).await;
    }
}

/// A first time at once, to see that the call can be completed.
async fn retry_after_lifetime(session: &Session, sample: &Sample, lifetime: Duration) {
    if last_round(session, sample, Intent::MrtrStateInTime).await.is_none() {
        return;
    }
    let Some(demand) = call(session, sample.params(json!({})), Intent::MrtrToldFirst).await else { return };
    if demand.state.is_some() {
        tokio::time::sleep(lifetime + MARGIN).await;
        call(session, demand.params(sample, Value::Object(demand.responses())), Intent::MrtrStateLate).await;
    }
}
