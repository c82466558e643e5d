//! `completion/complete` where completions are not declared.

use serde_json::json;
use verdict::Intent;

use super::targets;
use crate::scenario::{Cx, Scenario, Stage};

const NAME: &str = "completion/undeclared";

pub(super) const SCENARIO: Scenario = Scenario {
    name: NAME,
    provokes: &["completion.capability-declared", "completion.undeclared"],
    stage: Stage::Shared,
    applies: |profile| profile.revision.traits().completions_capability && !profile.declares("completions"),
    run: |cx| Box::pin(provoke_undeclared(cx)),
};

async fn provoke_undeclared(cx: Cx) {
    let (kind, params) = match targets(&cx.profile).first() {
        Some(target) => ("offered", target.params("")),
        None => {
            let reference = json!({"type": "ref/prompt", "name": "mcp-conform-no-such"});
            ("random", json!({"ref": reference, "argument": {"name": "a", "value": ""}}))
        }
    };
    let ask = cx.session.ask("completion/complete", params);
    ask.probe(NAME, Intent::CompleteUndeclared, json!({"kind": kind})).send().await;
}
