//! Resources that templates make of values that the server itself suggests.

use serde_json::{Map, Value, json};
use verdict::Intent;

use super::{TEMPLATES, templates_of};
use crate::scenario::completion::{may_complete, suggested};
use crate::scenario::{Cx, Scenario, Stage};
use crate::template::{expand, variables};

const NAME: &str = "resources/templates";

pub(super) const SCENARIO: Scenario = Scenario {
    name: NAME,
    provokes: &["resources.templates.readable", "resources.templates.mime-type-uniform"],
    stage: Stage::Shared,
    applies: |profile| may_complete(profile) && !profile.entries("resources/templates/list").is_empty(),
    run: |cx| Box::pin(provoke_templates(cx)),
};

async fn provoke_templates(cx: Cx) {
    for template in templates_of(&cx.profile).into_iter().take(TEMPLATES) {
        for uri in expanded_uris(&cx, template).await {
            let ask = cx.session.ask("resources/read", json!({"uri": uri}));
            ask.probe(NAME, Intent::TemplateRead, json!({"template": template})).send().await;
        }
    }
}

/// One uri for each of the first values of the last variable.
async fn expanded_uris(cx: &Cx, template: &str) -> Vec<String> {
    let Some(names) = variables(template) else { return Vec::new() };
    let reference = json!({"type": "ref/resource", "uri": template});
    let mut chosen = Map::new();
    let mut values: Vec<Vec<String>> = vec![Vec::new()];
    for name in names {
        let context = Value::Object(chosen.clone());
        let found = suggested(&cx.session, NAME, Intent::CompleteTemplate, &reference, name, &context).await;
        let Some(first) = found.first() else { return Vec::new() };
        chosen.insert(name.to_owned(), Value::String(first.clone()));
        // What was chosen first stays; the last variable takes several values.
        let before = values.swap_remove(0);
        values = found.into_iter().map(|value| [before.clone(), vec![value]].concat()).collect();
    }
    values.iter().map(|values| expand(template, values)).collect()
}
