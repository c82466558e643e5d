//! Tools that did not end while they were watched and said nothing: called once more, with a progress token and patience.

use serde_json::json;
use tokio::task::JoinSet;
use verdict::Intent;

use crate::scenario::{Cx, Scenario, Stage};

const NAME: &str = "practice/slow";
const ANSWERS: &str = "practice.timeout.answers";
/// Tools that are waited for.
const TOOLS: usize = 3;

pub(super) const SCENARIO: Scenario = Scenario {
    name: NAME,
    provokes: &[ANSWERS, "practice.progress.long-operations"],
    stage: Stage::Alone,
    applies: |profile| !profile.tools.is_empty(),
    run: |cx| Box::pin(run(cx)),
};

async fn run(cx: Cx) {
    let Some(observations) = cx.observations().await else { return };
    let silent = |sample: &&crate::scenario::observations::Sample| {
        sample.unended && sample.progress == 0 && sample.asks.is_empty()
    };
    let samples: Vec<_> = observations.samples.iter().filter(silent).take(TOOLS).cloned().collect();
    if samples.is_empty() {
        return;
    }
    let Some(session) = super::open_for_purpose(&cx, "practice").await else { return };
    // Whoever asks for it by name has the time.
    let patient = cx.options.only.iter().any(|glob| glob.starts_with(ANSWERS));
    let mut calls = JoinSet::new();
    for sample in samples {
        let session = session.clone();
        calls.spawn_local(async move {
            let id = session.fresh_id();
            let params = sample.params(json!({"progressToken": format!("long-{id}")}));
            let about = json!({"tool": sample.tool, "patient": patient});
            let limit = session.limit() * if patient { 3 } else { 1 };
            let ask = session.ask("tools/call", params).id(id.to_string()).limit(limit);
            ask.probe(NAME, Intent::PracticeLong, about).send().await;
        });
    }
    calls.join_all().await;
    session.give_back().await;
}
