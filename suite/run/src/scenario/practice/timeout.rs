//! A call that waits for something for longer than the tool's own time limit: the configuration names it.

use serde_json::json;
use verdict::Intent;

use crate::scenario::{Cx, Scenario, Stage};

const NAME: &str = "practice/timeout";
/// The tool's own limit may well be longer than the time limit of a request.
const PATIENCE: u32 = 3;

pub(super) const SCENARIO: Scenario = Scenario {
    name: NAME,
    provokes: &["practice.timeout.reported"],
    stage: Stage::Alone,
    applies: |profile| !profile.tools.is_empty(),
    run: |cx| Box::pin(run(cx)),
};

async fn run(cx: Cx) {
    let Some(trigger) = &cx.options.triggers.times_out else { return };
    let Some(session) = super::open_for_purpose(&cx, "practice").await else { return };
    let params = json!({"name": trigger.call, "arguments": trigger.arguments});
    let ask = session.ask("tools/call", params).probe(NAME, Intent::PracticeTimeout, json!({"tool": trigger.call}));
    ask.limit(session.limit() * PATIENCE).send().await;
    session.give_back().await;
}
