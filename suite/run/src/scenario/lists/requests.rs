//! The lists of resources, templates and prompts without params, and their methods where the capability is not declared.

use serde_json::{Value, json};
use verdict::Intent;

use crate::scenario::{Cx, Scenario, Stage};

/// A name that nobody offers.
const NOTHING: &str = "mcp-conform-no-such";

pub(super) const RESOURCES: Scenario = Scenario {
    name: "resources/list-without-params",
    provokes: &["resources.list.accepts-missing-params", "resources.templates.accepts-missing-params"],
    stage: Stage::Shared,
    applies: |profile| profile.declares("resources") && profile.is_handshake(),
    run: |cx| Box::pin(provoke_bare(cx, RESOURCES.name, &RESOURCE_LISTS)),
};

pub(super) const PROMPTS: Scenario = Scenario {
    name: "prompts/list-without-params",
    provokes: &["prompts.list.accepts-missing-params"],
    stage: Stage::Shared,
    applies: |profile| profile.declares("prompts") && profile.is_handshake(),
    run: |cx| Box::pin(provoke_bare(cx, PROMPTS.name, &PROMPT_LISTS)),
};

pub(super) const NO_RESOURCES: Scenario = Scenario {
    name: "resources/undeclared",
    provokes: &["resources.capability.declared", "resources.capability.undeclared-method-not-found"],
    stage: Stage::Shared,
    applies: |profile| !profile.declares("resources"),
    run: |cx| {
        let read = ("resources/read", json!({"uri": format!("{NOTHING}://x")}));
        Box::pin(provoke_undeclared(
            cx,
            NO_RESOURCES.name,
            Intent::ResourcesUndeclared,
            [("resources/list", json!({})), read],
        ))
    },
};

pub(super) const NO_PROMPTS: Scenario = Scenario {
    name: "prompts/undeclared",
    provokes: &["prompts.capability.declared", "prompts.capability.undeclared-method-not-found"],
    stage: Stage::Shared,
    applies: |profile| !profile.declares("prompts"),
    run: |cx| {
        let get = ("prompts/get", json!({"name": NOTHING}));
        Box::pin(provoke_undeclared(cx, NO_PROMPTS.name, Intent::PromptsUndeclared, [("prompts/list", json!({})), get]))
    },
};

const RESOURCE_LISTS: [(&str, Intent); 2] =
    [("resources/list", Intent::ResourcesListBare), ("resources/templates/list", Intent::TemplatesListBare)];
const PROMPT_LISTS: [(&str, Intent); 1] = [("prompts/list", Intent::PromptsListBare)];

async fn provoke_bare(cx: Cx, scenario: &'static str, lists: &[(&str, Intent)]) {
    for (method, intent) in lists {
        cx.session.ask(method, json!({})).no_params().probe(scenario, *intent, json!({})).send().await;
    }
}

async fn provoke_undeclared(cx: Cx, scenario: &'static str, intent: Intent, requests: [(&str, Value); 2]) {
    let [list, other] =
        requests.map(|(method, params)| cx.session.ask(method, params).probe(scenario, intent, json!({})).send());
    tokio::join!(list, other);
}
