//! Every listed prompt, a bounded number: with what it requires, without an `arguments` member, without a required argument; and
//! one that nobody offers.

use serde_json::{Value, json};
use tokio::task::JoinSet;
use verdict::Intent;

use super::values::{Source, required};
use super::{NOTHING, PROMPTS, arguments};
use crate::scenario::{Cx, Scenario, Stage};

const NAME: &str = "prompts/get";

pub(super) const SCENARIO: Scenario = Scenario {
    name: NAME,
    provokes: &[
        "prompts.get.messages-array",
        "prompts.get.description-string",
        "prompts.get.message-role",
        "prompts.get.message-content-object",
        "prompts.get.content-known-type",
        "prompts.get.text-string",
        "prompts.get.image-encoded",
        "prompts.get.audio-encoded",
        "prompts.get.embedded-resource-uri",
        "prompts.get.embedded-resource-mime-type",
        "prompts.get.embedded-resource-body",
        "prompts.get.resource-link-valid",
        "prompts.get.annotations-valid",
        "prompts.get.result-type",
        "prompts.get.listed-gettable",
        "prompts.get.internal-error-code",
        "prompts.get.arguments-optional",
        "prompts.get.missing-required-argument",
        "prompts.get.validates-arguments",
    ],
    stage: Stage::Shared,
    applies: |profile| !profile.entries("prompts/list").is_empty(),
    run: |cx| Box::pin(provoke_every(cx)),
};

pub(super) const UNKNOWN: Scenario = Scenario {
    name: "prompts/unknown",
    provokes: &["prompts.get.unknown-name"],
    stage: Stage::Shared,
    applies: |profile| profile.declares("prompts"),
    run: |cx| Box::pin(provoke_unknown(cx)),
};

async fn provoke_every(cx: Cx) {
    let mut asks = JoinSet::new();
    for prompt in cx.profile.entries("prompts/list").iter().take(PROMPTS) {
        asks.spawn_local(provoke_one(cx.clone(), prompt.clone()));
    }
    asks.join_all().await;
}

async fn provoke_one(cx: Cx, prompt: Value) {
    let Some(name) = prompt.get("name").and_then(Value::as_str) else { return };
    let (values, source) = required(&cx, NAME, &prompt).await;
    let ask = |intent: Intent, params: Value, about: Value| {
        let session = cx.session.clone();
        async move { session.ask("prompts/get", params).probe(NAME, intent, about).send().await }
    };
    let params = json!({"name": name, "arguments": values});
    ask(Intent::PromptGet, params, json!({"values": source.value()})).await;
    if arguments(&prompt).iter().all(|(_, required)| !required) && source == Source::None {
        ask(Intent::PromptGetBare, json!({"name": name}), json!({})).await;
    }
    if let Some((argument, _)) = arguments(&prompt).iter().find(|(_, required)| *required) {
        let mut less = values.clone();
        if let Some(members) = less.as_object_mut() {
            members.remove(*argument);
        }
        let params = json!({"name": name, "arguments": less});
        ask(Intent::PromptMissingArgument, params, json!({"argument": argument})).await;
    }
}

async fn provoke_unknown(cx: Cx) {
    let ask = cx.session.ask("prompts/get", json!({"name": NOTHING, "arguments": {}}));
    ask.probe(UNKNOWN.name, Intent::PromptUnknown, json!({})).send().await;
}
