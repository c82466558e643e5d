//! Every tool that may be called, with arguments that satisfy its inputSchema and with some that break one keyword each; and
//! the resources that results speak of. Tools that do not say that they change nothing come after everything else: they may
//! change what others look at.

use std::collections::BTreeSet;

use serde_json::{Value, json};
use tokio::task::JoinSet;
use verdict::Intent;

use super::{Call, is_repeatable, send};
use crate::opening::Opening;
use crate::scenario::{Cx, Scenario, Stage};
use crate::survey::walk;
use crate::{Arguments, RequestOutcome, Session, Tool};

const NAME: &str = "tools/calls";
const CHANGING: &str = "tools/changing-calls";
/// Resources that are read because results speak of them.
const RESOURCES: usize = 16;
/// Calls with broken arguments in one run.
const INVALID: usize = 1_000;

const PROVOKES: &[&str] = &[
    "tools.call.arguments-optional",
    "tools.call.listed-tool-known",
    "tools.call.valid-arguments-accepted",
    "tools.call.invalid-arguments-rejected",
    "tools.call.invalid-arguments-as-execution-error",
    "tools.call.invalid-arguments-code",
    "tools.call.result-type",
    "tools.error.execution-in-result",
    "tools.error.actionable-content",
    "tools.structured.present",
    "tools.structured.conforms",
    "tools.structured.text-twin",
    "tools.content.embedded-needs-resources",
    "tools.content.embedded-refetchable",
    "tools.content.link-fetchable",
    "tools.list-changed.sent",
    "tools.list-changed.list-follows",
    "tools.list-changed.only-if-declared",
    "tools.list-changed.shape",
    "jsonrpc.schema.default-dialect",
    "practice.errors.flagged",
    "practice.errors.helpful",
    "practice.response.size-limit",
    "practice.response.truncated-json-valid",
    "practice.response.truncation-flagged",
    "practice.response.truncation-guidance",
    "practice.response.truncation-metadata",
];

pub(super) const SCENARIO: Scenario = Scenario {
    name: NAME,
    provokes: PROVOKES,
    stage: Stage::Shared,
    applies: |profile| !profile.tools.is_empty(),
    run: |cx| Box::pin(provoke_steady(cx)),
};

pub(super) const AFTER: Scenario = Scenario {
    name: CHANGING,
    provokes: PROVOKES,
    stage: Stage::Ordered,
    applies: |profile| profile.callable().any(|tool| !tool.hints("readOnlyHint")),
    run: |cx| Box::pin(provoke_changing(cx)),
};

async fn provoke_steady(cx: Cx) {
    say_what_is_held_back(&cx);
    let tools = cx.profile.callable().filter(|tool| tool.hints("readOnlyHint"));
    call(&cx, NAME, tools).await;
}

async fn provoke_changing(cx: Cx) {
    let tools = cx.profile.callable().filter(|tool| !tool.hints("readOnlyHint"));
    call(&cx, CHANGING, tools).await;
    if cx.profile.revision.is_stateless() {
        compare(&cx).await;
    }
}

/// Lists the tools again, and if the list has changed, in a fresh session too: it must have changed for everybody.
async fn compare(cx: &Cx) {
    let now = walk(&cx.session, CHANGING, Intent::WalkAfter, "tools/list", "tools").await;
    if cx.profile.entries("tools/list") == now.entries {
        return;
    }
    if let Ok(fresh) = cx.open_ready(Opening::new("tools afterwards", cx.profile.revision)).await {
        walk(&fresh, CHANGING, Intent::WalkAfter, "tools/list", "tools").await;
        fresh.kill().await;
    }
}

async fn call(cx: &Cx, scenario: &'static str, tools: impl Iterator<Item = &Tool>) {
    let (mut valid, mut invalid) = (Vec::new(), Vec::new());
    for tool in tools {
        let arguments = Arguments::of(tool, cx.profile.revision, &cx.options);
        match &arguments.valid {
            Ok(fitting) => valid.extend(fitting_calls(tool, fitting, &arguments, is_repeatable(tool, &cx.options))),
            Err(why) => {
                cx.session.record_probe(scenario, Intent::ToolsWithoutArguments, json!({"tool": tool.name, "why": why}))
            }
        }
        invalid.extend(arguments.invalid.into_iter().map(|set| broken_call(tool, set)));
    }
    let outcomes = send(&cx.session, scenario, valid).await;
    invalid.truncate(INVALID);
    send(&cx.session, scenario, invalid).await;
    if cx.profile.declares("resources") {
        read_again(&cx.session, scenario, &outcomes).await;
    }
}

fn say_what_is_held_back(cx: &Cx) {
    let held: Vec<&str> =
        cx.profile.tools.iter().filter(|tool| !tool.callable).map(|tool| tool.name.as_str()).collect();
    if !held.is_empty() {
        cx.session.record_probe(NAME, Intent::ToolsHeldBack, json!({"names": held}));
    }
}

fn fitting_calls(tool: &Tool, fitting: &Value, arguments: &Arguments, repeatable: bool) -> Vec<Call> {
    let valid = |arguments: &Value| Call {
        intent: Intent::ValidCall,
        about: json!({"tool": tool.name}),
        params: json!({"name": tool.name, "arguments": arguments}),
    };
    let mut calls = vec![valid(fitting)];
    if !repeatable {
        return calls;
    }
    calls.extend(arguments.full.as_ref().map(valid));
    if arguments.takes_none {
        if *fitting != json!({}) {
            calls.push(valid(&json!({})));
        }
        let about = json!({"tool": tool.name});
        calls.push(Call { intent: Intent::CallWithoutArguments, about, params: json!({"name": tool.name}) });
    }
    calls
}

fn broken_call(tool: &Tool, set: crate::Invalid) -> Call {
    Call {
        intent: Intent::InvalidCall,
        about: json!({"tool": tool.name, "keyword": set.keyword, "at": set.at, "firm": set.firm}),
        params: json!({"name": tool.name, "arguments": set.arguments}),
    }
}

/// Reads what resource links and embedded resources name, each once.
async fn read_again(session: &Session, scenario: &'static str, outcomes: &[RequestOutcome]) {
    let mut found = BTreeSet::new();
    for result in outcomes.iter().filter_map(RequestOutcome::result) {
        for block in result.get("content").and_then(Value::as_array).into_iter().flatten() {
            let (intent, uri) = match block.get("type").and_then(Value::as_str) {
                Some("resource_link") => (Intent::LinkFetch, block.get("uri")),
                Some("resource") => {
                    (Intent::EmbeddedFetch, block.get("resource").and_then(|resource| resource.get("uri")))
                }
                _ => continue,
            };
            // Web addresses are for clients to fetch.
            let uri = uri.and_then(Value::as_str).filter(|uri| !uri.starts_with("http:") && !uri.starts_with("https:"));
            found.extend(uri.map(|uri| (intent, uri.to_owned())));
        }
    }
    let mut reads = JoinSet::new();
    for (intent, uri) in found.into_iter().take(RESOURCES) {
        let session = session.clone();
        reads.spawn_local(async move {
            session.ask("resources/read", json!({"uri": uri})).probe(scenario, intent, json!({})).send().await;
        });
    }
    reads.join_all().await;
}
