//! Requests with progress tokens of either type, at their edges and at the same time; with none; and with what is no token.

use std::time::Duration;

use serde_json::{Value, json};
use tokio::task::JoinSet;
use verdict::Intent;

use crate::scenario::observations::{Sample, ToolObservations, meta};
use crate::scenario::{Cx, Scenario, Stage};
use crate::survey::LISTS;
use crate::{ServerProfile, Session};

const NAME: &str = "progress/tokens";
/// A tool that takes longer than this is called with fewer tokens.
const LONG: Duration = Duration::from_millis(400);

pub(super) const SCENARIO: Scenario = Scenario {
    name: NAME,
    provokes: &[
        "progress.only-when-requested",
        "progress.token-echo",
        "progress.token-string-and-integer",
        "progress.token-invalid-type",
        "progress.token-required",
        "progress.value-number",
        "progress.value-increases",
        "progress.total-number",
        "progress.total-plausible",
        "progress.message-string",
        "progress.message-useful",
        "progress.stops-after-response",
        "progress.before-error-response",
        "progress.concurrent-tokens",
        "progress.rate-limited",
        "progress.method-and-no-id",
    ],
    stage: Stage::Alone,
    applies: |_| true,
    run: |cx| Box::pin(provoke_tokens(cx)),
};

/// Calls of the reporting tool that are under way at once, at most.
const AT_ONCE: u32 = 10;

/// A token and what is special about it.
fn legal() -> [(&'static str, Value); 7] {
    [
        ("zero", json!(0)),
        ("empty", json!("")),
        ("negative", json!(-1)),
        ("one", json!(1)),
        ("string", json!("mcp-conform")),
        ("seven", json!(7)),
        ("digits", json!("42")),
    ]
}

async fn provoke_tokens(cx: Cx) {
    let Some(observations) = cx.observations().await else { return };
    let _turn = observations.turn().await;
    let (method, _) = list_or_ping(&cx.profile);
    for (kind, token) in legal() {
        let params = json!({"_meta": {"progressToken": token}});
        let ask = observations.session.ask(method, params);
        ask.probe(NAME, Intent::ProgressToken, json!({"kind": kind, "known": false})).send().await;
    }
    if let Some(sample) = observations.progressing() {
        call_reporting_tool(&observations, sample).await;
    }
    for token in [json!({"a": 1}), json!([1]), json!(true), Value::Null] {
        let params = json!({"_meta": {"progressToken": token}});
        // Not waited for: some drop it, which settling shows.
        observations.session.ask(method, params).probe(NAME, Intent::ProgressInvalid, json!({})).start();
    }
    observations.session.settle().await;
}

/// A list that the server offers, else the request for a sign of life.
fn list_or_ping(profile: &ServerProfile) -> (&'static str, &'static str) {
    let declared = LISTS.iter().find(|(_, _, capability)| profile.declares(capability));
    let liveness = profile.liveness();
    declared.map_or((liveness, ""), |(method, member, _)| (*method, *member))
}

/// Calls of a tool that is known to report progress, all at once: whatever is reported names its call by the token.
async fn call_reporting_tool(observations: &ToolObservations, sample: &Sample) {
    let few = if sample.took > LONG { 3 } else { legal().len() };
    let mut calls = JoinSet::new();
    // The pair first: with all tokens in one variable, the calls after it take the progress of both. Were it last, each of
    // the two could have the newest token for a while.
    for token in ["pair-a", "pair-b"] {
        begin(
            &mut calls,
            &observations.session,
            sample,
            json!({"progressToken": token}),
            Intent::ProgressPair,
            json!({}),
        );
    }
    for (kind, token) in legal().into_iter().take(few) {
        let about = json!({"kind": kind, "known": true});
        begin(&mut calls, &observations.session, sample, json!({"progressToken": token}), Intent::ProgressToken, about);
    }
    begin(&mut calls, &observations.session, sample, json!({}), Intent::ProgressNone, json!({}));
    while calls.join_next().await.is_some() {}
}

fn begin(calls: &mut JoinSet<()>, session: &Session, sample: &Sample, own: Value, intent: Intent, about: Value) {
    let (session, params) = (session.clone(), sample.params(meta(session, own)));
    // Some servers work calls off one by one.
    let limit = session.limit() + sample.took * AT_ONCE;
    calls.spawn_local(async move {
        session.ask("tools/call", params).probe(NAME, intent, about).limit(limit).send().await;
    });
}
