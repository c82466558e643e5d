//! Tools that ask the client, called by one that can work on what it is asked for as a task: once it finishes its tasks, and
//! once it never does, until the server gives up.

use std::time::Duration;

use serde_json::{Value, json};
use tokio::task::JoinSet;
use verdict::Intent;

use super::subject::support;
use crate::opening::Opening;
use crate::scenario::jsonrpc::seems_to_ask;
use crate::scenario::observations::{Sample, ToolObservations, listed};
use crate::scenario::{Cx, Scenario, Stage};
use crate::{Arguments, ClientBehavior, Session, Tool};

const NAME: &str = "tasks/requestor";
const CANCEL: &str = "cancellation.sent.task-by-tasks-cancel";
/// Tools that are called.
const TOOLS: usize = 8;
/// How many times the limit of a request a call may take that waits for a task of the tester's.
const PATIENCE: u32 = 3;
/// How long after its time was up the server may take to say so.
const MARGIN: Duration = Duration::from_secs(2);
/// The requests that a client can work on as a task.
const ASKS: [&str; 2] = ["sampling/createMessage", "elicitation/create"];

pub(super) const SCENARIO: Scenario = Scenario {
    name: NAME,
    provokes: &["tasks.server-as-requestor.polling", CANCEL],
    stage: Stage::Alone,
    applies: |profile| profile.revision.traits().core_tasks && !profile.tools.is_empty(),
    run: |cx| Box::pin(run(cx)),
};

async fn run(cx: Cx) {
    let Some(observations) = cx.observations().await else { return };
    // Who never asks a client for anything has no tasks for it.
    if !observations.samples.iter().any(asks) && !cx.profile.callable().any(seems_to_ask) {
        return;
    }
    call(&cx, &observations, ClientBehavior::Serves, Intent::AsksAsTask, None).await;
    // Only the user knows whether to wait so long.
    let told = cx.options.hints.server_waits.map(|waits| waits + MARGIN);
    if told.is_some() || cx.options.only.iter().any(|glob| glob.starts_with(CANCEL)) {
        call(&cx, &observations, ClientBehavior::Dawdles, Intent::AsksEndlessTask, told).await;
    }
}

async fn call(
    cx: &Cx,
    observations: &ToolObservations,
    behavior: ClientBehavior,
    intent: Intent,
    limit: Option<Duration>,
) {
    let opening = Opening::new("tasks of the client", cx.profile.revision).tasks().behavior(behavior);
    let Ok(session) = cx.open_ready(opening).await else { return };
    let mut calls = JoinSet::new();
    for (tool, arguments) in chosen(cx, observations, &session).await {
        let session = session.clone();
        calls.spawn_local(async move {
            let about = json!({"tool": tool});
            let ask = session.ask("tools/call", json!({"name": tool, "arguments": arguments}));
            ask.probe(NAME, intent, about).limit(limit.unwrap_or(session.limit() * PATIENCE)).send().await;
        });
    }
    calls.join_all().await;
    session.settle().await;
    session.kill().await;
}

/// Tools that were seen to ask, or seem to; first those that only such a client is shown.
async fn chosen(cx: &Cx, observations: &ToolObservations, session: &Session) -> Vec<(String, Value)> {
    let mut listed = listed(cx, session).await;
    listed.retain(|tool| tool.callable && support(tool) != "required");
    listed.sort_by_key(|tool| cx.profile.tools.iter().any(|known| known.name == tool.name));
    let arguments = |tool: &Tool| {
        let sample = observations.samples.iter().find(|sample| sample.tool == tool.name);
        match sample.filter(|sample| asks(sample)) {
            Some(sample) => Some(sample.arguments.clone()),
            None if seems_to_ask(tool) => Arguments::of(tool, cx.profile.revision, &cx.options).valid.ok(),
            None => None,
        }
    };
    let chosen = listed.iter().filter_map(|tool| Some((tool.name.clone(), arguments(tool)?)));
    chosen.take(TOOLS).collect()
}

fn asks(sample: &Sample) -> bool {
    ASKS.iter().any(|method| sample.asks.iter().any(|asked| asked == method))
}
