//! Calls as tasks (2025-11-25): of tools that allow it, that do not, and on servers that know no tasks.

use serde_json::{Value, json};
use verdict::Intent;

use super::{Call, send};
use crate::scenario::{Cx, Scenario, Stage};
use crate::{Arguments, ServerProfile, Tool};

const NAME: &str = "tools/task-calls";
/// Tools of each kind that are called.
const EACH: usize = 2;

pub(super) const SCENARIO: Scenario = Scenario {
    name: NAME,
    provokes: &[
        "tasks.capability.declared",
        "tasks.undeclared-ignored",
        "tasks.tool-support.forbidden-with-task",
        "tasks.tool-support.optional-both",
    ],
    stage: Stage::Shared,
    applies: |profile| profile.revision.traits().core_tasks && chosen(profile).next().is_some(),
    run: |cx| Box::pin(provoke_tasks(cx)),
};

fn support(tool: &Tool) -> &str {
    let execution = tool.definition.get("execution").and_then(|execution| execution.get("taskSupport"));
    execution.and_then(Value::as_str).unwrap_or("forbidden")
}

/// A few tools of each kind; where tasks are not declared only read-only ones, which run twice.
fn chosen(profile: &ServerProfile) -> impl Iterator<Item = &Tool> {
    let declared = profile.declares("tasks.requests.tools.call");
    let of = move |wanted: &'static str| {
        let fits = move |tool: &&Tool| support(tool) == wanted && tool.hints("readOnlyHint");
        profile.callable().filter(fits).take(EACH)
    };
    let optional = of("optional").filter(move |_| declared);
    of("forbidden").chain(optional)
}

async fn provoke_tasks(cx: Cx) {
    let mut calls = Vec::new();
    for tool in chosen(&cx.profile) {
        let Ok(arguments) = Arguments::of(tool, cx.profile.revision, &cx.options).valid else { continue };
        let about = json!({"tool": tool.name});
        let plain = json!({"name": tool.name, "arguments": arguments});
        let mut task = plain.clone();
        task["task"] = json!({});
        calls.push(Call { intent: Intent::ValidCall, about: about.clone(), params: plain });
        calls.push(Call { intent: Intent::TaskCall, about, params: task });
    }
    send(&cx.session, NAME, calls).await;
}
