//! The area `tools`.

mod calls;
mod changes;
mod connections;
mod malformed;
mod requests;
mod tasks;
mod unknown;

use serde_json::Value;
use tokio::task::JoinSet;

use super::Scenario;
use crate::{Calls, Options, Outcome, Session, Tool};

/// The scenarios of this area.
pub(super) static SCENARIOS: &[Scenario] = &[
    unknown::SCENARIO,
    unknown::SWAPPED,
    requests::LIST,
    requests::UNDECLARED,
    requests::BARE,
    malformed::SCENARIO,
    calls::SCENARIO,
    tasks::SCENARIO,
    connections::SCENARIO,
    calls::AFTER,
    changes::SCENARIO,
];

/// Calls under way at the same time: enough to keep a server busy, few enough for one that works them off in turn.
const AT_ONCE: usize = 32;

/// A call to send, with its intent and what the rule has to know.
struct Call {
    intent: &'static str,
    about: Value,
    params: Value,
}

/// Whether a tool may be called again and again: it says that it changes nothing, or says nothing and the user allows it.
fn is_repeatable(tool: &Tool, options: &Options) -> bool {
    let silent = tool.definition.get("annotations").and_then(|annotations| annotations.get("readOnlyHint")).is_none();
    let allowed = options.calls == Calls::All || options.tools.contains(&tool.name);
    tool.callable && (tool.hints("readOnlyHint") || (silent && allowed))
}

/// Sends calls, many at a time; what came of each, in their order.
async fn send(session: &Session, scenario: &'static str, calls: Vec<Call>) -> Vec<Outcome> {
    let mut outcomes = Vec::with_capacity(calls.len());
    let mut calls = calls.into_iter().peekable();
    while calls.peek().is_some() && !session.is_down() {
        let mut under_way = JoinSet::new();
        for (at, call) in calls.by_ref().take(AT_ONCE).enumerate() {
            let session = session.clone();
            under_way.spawn_local(async move {
                let ask = session.ask("tools/call", call.params).probe(scenario, call.intent, call.about);
                (at, ask.send().await)
            });
        }
        let mut came = under_way.join_all().await;
        came.sort_by_key(|(at, _)| *at);
        outcomes.extend(came.into_iter().map(|(_, outcome)| outcome));
    }
    outcomes
}
