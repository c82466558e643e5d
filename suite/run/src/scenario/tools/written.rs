//! Input schemas as their author wrote them, for the rule that compares them with those listed.

use serde_json::json;
use verdict::Intent;

use crate::scenario::{Cx, Scenario, Stage};

const NAME: &str = "tools/written";

pub(super) const SCENARIO: Scenario = Scenario {
    name: NAME,
    provokes: &["tools.input-schema.keywords-preserved"],
    stage: Stage::Shared,
    applies: |profile| profile.declares("tools"),
    run: |cx| Box::pin(provoke_written(cx)),
};

async fn provoke_written(cx: Cx) {
    for (tool, schema) in &cx.options.hints.schemas {
        cx.session.record_probe(NAME, Intent::SchemaTold, json!({"tool": tool, "schema": schema}));
    }
}
