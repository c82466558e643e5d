//! The area `tools`.

mod calls;
mod handles;
mod malformed;
mod requests;
mod tasks;
mod unknown;
mod written;

use std::time::{Duration, Instant};

use serde_json::Value;
use tokio::task::JoinSet;
use tokio::time::timeout;
use verdict::Intent;

use super::Scenario;
use crate::{Calls, Options, RequestOutcome, Session, Tool};

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
    calls::AFTER,
    handles::SCENARIO,
    written::SCENARIO,
];

/// Calls under way at the same time: enough to keep a server busy, few enough for one that works them off in turn.
const AT_ONCE: usize = 32;

/// A call to send, with its intent and what the rule has to know.
pub(super) struct Call {
    pub(super) intent: Intent,
    pub(super) about: Value,
    pub(super) params: Value,
}

/// Whether a tool may be called again and again: it says that it changes nothing, or says nothing and the user allows it.
pub(crate) fn is_repeatable(tool: &Tool, options: &Options) -> bool {
    let silent = tool.definition.get("annotations").and_then(|annotations| annotations.get("readOnlyHint")).is_none();
    let allowed = options.calls == Calls::All || options.tools.contains(&tool.name);
    tool.callable && (tool.hints("readOnlyHint") || (silent && allowed))
}

/// How long a tool may work on after the last of its fellows has answered; three times the slowest of them, if that is
/// longer. A tool that takes its time breaks nothing, so nobody waits for it: the call is cancelled. Where answers are known to get lost,
/// it is a third of that.
const QUIET: Duration = Duration::from_millis(300);
const SLOWER: u32 = 3;

/// Batches of calls in a row of which none is answered, after which no more are sent.
const VAIN: u32 = 2;

/// Sends calls, many at a time; what came of each, in their order.
pub(super) async fn send(session: &Session, scenario: &'static str, calls: Vec<Call>) -> Vec<RequestOutcome> {
    let mut outcomes = Vec::with_capacity(calls.len());
    let mut calls = calls.into_iter().peekable();
    // Where one message at a time is sent, the others would wait for it and be given up with it.
    let turns = session.takes_turns();
    let mut patience = session.first_answer_limit();
    let mut vain = 0;
    while calls.peek().is_some() && !session.is_down() && vain < VAIN {
        let at_once = if turns { 1 } else { AT_ONCE };
        if !turns {
            patience = session.first_answer_limit();
        }
        let came = together(session, scenario, calls.by_ref().take(at_once), &mut patience).await;
        let nothing = came.len() == AT_ONCE && !came.iter().any(RequestOutcome::is_sign_of_life);
        vain = if nothing { vain + 1 } else { 0 };
        outcomes.extend(came);
    }
    outcomes.extend(calls.map(|_| RequestOutcome::Silent));
    outcomes
}

/// Calls under way together, each given this long after the last answer; that is kept for those after them.
async fn together(
    session: &Session,
    scenario: &'static str,
    calls: impl Iterator<Item = Call>,
    patience: &mut Duration,
) -> Vec<RequestOutcome> {
    let began = Instant::now();
    let mut under_way = JoinSet::new();
    let mut ids = Vec::new();
    for (at, call) in calls.enumerate() {
        let (session, id) = (session.clone(), session.fresh_id());
        ids.push(id);
        under_way.spawn_local(async move {
            let ask = session.ask("tools/call", call.params).id(id.to_string());
            (at, ask.probe(scenario, call.intent, call.about).send().await)
        });
    }
    let mut came: Vec<Option<RequestOutcome>> = vec![None; ids.len()];
    while let Ok(Some(ended)) = timeout(*patience, under_way.join_next()).await {
        let Ok((at, outcome)) = ended else { continue };
        if outcome.is_sign_of_life() {
            let shorter = if session.loses_answers() { SLOWER } else { 1 };
            *patience = (QUIET.max(began.elapsed() * SLOWER) / shorter).min(session.limit());
        }
        came[at] = Some(outcome);
    }
    under_way.abort_all();
    if came.iter().all(Option::is_none) {
        session.note_vain(began);
    }
    for (id, _) in ids.iter().zip(&came).filter(|(_, outcome)| outcome.is_none()) {
        session.cancel(*id).await;
    }
    came.into_iter().map(|outcome| outcome.unwrap_or(RequestOutcome::Silent)).collect()
}
