//! Calls that are no calls.

use serde_json::{Value, json};
use verdict::Intent;

use super::{Call, is_repeatable, send};
use crate::scenario::{Cx, Scenario, Stage};

const NAME: &str = "tools/malformed-calls";

pub(super) const SCENARIO: Scenario = Scenario {
    name: NAME,
    provokes: &[
        "tools.call.missing-name",
        "tools.call.missing-params",
        "tools.call.name-not-string",
        "tools.call.arguments-not-object",
    ],
    stage: Stage::Rough,
    applies: |profile| profile.declares("tools"),
    run: |cx| Box::pin(provoke_malformed(cx)),
};

async fn provoke_malformed(cx: Cx) {
    if cx.profile.is_handshake() {
        let ask = cx.session.ask("tools/call", json!({})).no_params();
        ask.probe(NAME, Intent::CallMissingParams, json!({})).send().await;
    }
    let mut calls = vec![Call { intent: Intent::CallMissingName, about: json!({}), params: json!({"arguments": {}}) }];
    for (kind, name) in [("number", json!(42)), ("null", Value::Null), ("object", json!({})), ("array", json!([]))] {
        let params = json!({"name": name, "arguments": {}});
        calls.push(Call { intent: Intent::CallNameNotString, about: json!({"kind": kind}), params });
    }
    calls.extend(wrong_arguments(&cx));
    send(&cx.session, NAME, calls).await;
}

/// Of a tool that does no harm: a server that does not look would run it.
fn wrong_arguments(cx: &Cx) -> Vec<Call> {
    let Some(tool) = cx.profile.callable().find(|tool| is_repeatable(tool, &cx.options)) else { return Vec::new() };
    let kinds = [("array", json!([])), ("string", json!("x")), ("number", json!(1)), ("boolean", json!(true))];
    let call = |(kind, arguments): (&str, Value)| Call {
        intent: Intent::CallArgumentsNotObject,
        about: json!({"kind": kind, "tool": tool.name}),
        params: json!({"name": tool.name, "arguments": arguments}),
    };
    kinds.into_iter().map(call).collect()
}
