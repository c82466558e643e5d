//! Declared features that no list shows to work, log levels and completions, and one that may be served undeclared.

use serde_json::{Value, json};
use tokio::task::JoinSet;
use verdict::Intent;

use crate::ServerProfile;
use crate::scenario::{Cx, Running, Scenario, Stage};

const NAME: &str = "lifecycle/declared";
/// Resources that are subscribed to though the server does not declare that it can be done.
const UNDECLARED: usize = 8;

pub(super) static SCENARIO: Scenario = Scenario {
    name: NAME,
    provokes: &["lifecycle.capabilities.declared-served"],
    stage: Stage::Shared,
    applies: |profile| profile.is_handshake(),
    run: |cx| -> Running { Box::pin(run(cx)) },
};

async fn run(cx: Cx) {
    let undeclared = cx.profile.declares("resources") && !cx.profile.declares("resources.subscribe");
    let subscribed = if undeclared { subscribe(&cx) } else { JoinSet::new() };
    if cx.profile.declares("logging") {
        let ask = cx.session.ask("logging/setLevel", json!({"level": "info"}));
        ask.probe(NAME, Intent::DeclaredLogLevel, json!({})).send().await;
    }
    if cx.profile.declares("completions")
        && let Some((reference, argument)) = completable(&cx.profile)
    {
        let params = json!({"ref": reference, "argument": {"name": argument, "value": ""}});
        cx.session.ask("completion/complete", params).probe(NAME, Intent::DeclaredCompletion, json!({})).send().await;
    }
    subscribed.join_all().await;
}

/// A server that takes subscriptions without declaring them sends updates that no capability announces. All at once and
/// first, so that what other scenarios bring about can be seen.
fn subscribe(cx: &Cx) -> JoinSet<()> {
    let mut asks = JoinSet::new();
    let uris = cx.profile.entries("resources/list").iter().filter_map(|resource| resource.get("uri")?.as_str());
    for uri in uris.take(UNDECLARED).map(str::to_owned) {
        let session = cx.session.clone();
        asks.spawn_local(async move {
            let ask = session.ask("resources/subscribe", json!({"uri": uri}));
            ask.probe(NAME, Intent::UndeclaredSubscribe, json!({})).send().await;
        });
    }
    asks
}

/// A prompt with an argument, or a template with a variable.
fn completable(profile: &ServerProfile) -> Option<(Value, String)> {
    let text = |value: &Value, member: &str| value.get(member).and_then(Value::as_str).map(str::to_owned);
    let prompt = |prompt: &Value| {
        let argument = text(prompt.get("arguments")?.get(0)?, "name")?;
        Some((json!({"type": "ref/prompt", "name": text(prompt, "name")?}), argument))
    };
    let template = |template: &Value| {
        let uri = text(template, "uriTemplate")?;
        let (_, rest) = uri.split_once('{')?;
        let name = rest.split_once('}')?.0.to_owned();
        let plain = name.chars().all(|character| character.is_ascii_alphanumeric() || character == '_');
        plain.then_some((json!({"type": "ref/resource", "uri": uri}), name))
    };
    let prompts = profile.entries("prompts/list").iter().find_map(prompt);
    prompts.or_else(|| profile.entries("resources/templates/list").iter().find_map(template))
}
