//! Requests for prompts that are malformed, and values that a careless server does not look at.

use serde_json::{Value, json};
use verdict::Intent;

use super::values::required;
use super::{NOTHING, arguments};
use crate::scenario::jsonrpc::all;
use crate::scenario::{Cx, Scenario, Stage};

const NAME: &str = "prompts/malformed";
/// Characters of a value that is too long for any purpose.
const LONG: usize = 1 << 20;

pub(super) const SCENARIO: Scenario = Scenario {
    name: NAME,
    provokes: &[
        "prompts.get.missing-name",
        "prompts.get.name-not-string",
        "prompts.get.argument-not-string",
        "prompts.get.arguments-not-object",
        "prompts.get.validates-arguments",
    ],
    stage: Stage::Rough,
    applies: |profile| profile.declares("prompts"),
    run: |cx| Box::pin(provoke_malformed(cx)),
};

async fn provoke_malformed(cx: Cx) {
    ask(&cx, Intent::PromptMissingName, "", json!({"arguments": {}})).await;
    let kinds = [("number", json!(42)), ("null", Value::Null), ("object", json!({}))];
    all(kinds.map(|(kind, name)| ask(&cx, Intent::PromptNameNotString, kind, json!({"name": name, "arguments": {}}))))
        .await;
    let prompts = cx.profile.entries("prompts/list");
    let Some(name) = prompts.iter().find_map(|prompt| prompt.get("name")?.as_str()) else { return };
    let kinds = [("string", json!("x")), ("array", json!([])), ("null", Value::Null)];
    let with = |value: Value| json!({"name": name, "arguments": value});
    all(kinds.map(|(kind, value)| ask(&cx, Intent::PromptArgumentsNotObject, kind, with(value)))).await;
    let requires = |prompt: &&Value| arguments(prompt).iter().any(|(_, required)| *required);
    if let Some(prompt) = prompts.iter().find(requires) {
        wrong_values(&cx, prompt).await;
    }
}

async fn wrong_values(cx: &Cx, prompt: &Value) {
    let name = prompt.get("name").and_then(Value::as_str).unwrap_or(NOTHING);
    let Some((argument, _)) = arguments(prompt).into_iter().find(|(_, required)| *required) else { return };
    let (values, _) = required(cx, NAME, prompt).await;
    let with = |value: Value| {
        let mut values = values.clone();
        values[argument] = value;
        json!({"name": name, "arguments": values})
    };
    let kinds = [("number", json!(42)), ("object", json!({})), ("array", json!([])), ("null", Value::Null)];
    all(kinds.map(|(kind, value)| ask(cx, Intent::PromptArgumentNotString, kind, with(value)))).await;
    for (kind, value) in [("control", "a\u{0}\u{1b}[31m\r\n\u{7f}".to_owned()), ("long", "x".repeat(LONG))] {
        ask(cx, Intent::PromptHostileArgument, kind, with(Value::String(value))).await;
    }
}

async fn ask(cx: &Cx, intent: Intent, kind: &str, params: Value) {
    cx.session.ask("prompts/get", params).probe(NAME, intent, json!({"kind": kind})).send().await;
}
