//! Tools that ask the client for something: with everything declared, and with one mode of elicitation alone.

use serde_json::json;
use verdict::{Intent, Revision};

use crate::opening::Opening;
use crate::scenario::{Cx, Scenario, Stage};

const NAME: &str = "elicitation/asked";
const MODES_NAME: &str = "elicitation/modes";
/// Tools that are called once more.
const TOOLS: usize = 4;

pub(super) const SCENARIO: Scenario = Scenario {
    name: NAME,
    provokes: &[
        "sampling.request.params",
        "sampling.request.message-shape",
        "sampling.request.tools-declared",
        "sampling.request.include-context",
        "elicitation.request.form-params",
        "elicitation.request.form-flat",
        "elicitation.request.no-secrets",
        "elicitation.request.url-params",
        "elicitation.request.url-https",
        "elicitation.request.mode-supported",
        "elicitation.url-required.error-data",
        "elicitation.complete.shape",
        "elicitation.complete.known-id",
    ],
    stage: Stage::Alone,
    applies: |profile| profile.is_handshake(),
    run: |cx| {
        Box::pin(async move {
            // Watching the tools is what provokes them.
            cx.observations().await;
        })
    },
};

pub(super) const MODES: Scenario = Scenario {
    name: MODES_NAME,
    provokes: &["elicitation.request.mode-supported"],
    stage: Stage::Alone,
    applies: |profile| profile.revision == Revision::V2025_11_25,
    run: |cx| Box::pin(provoke_modes(cx)),
};

/// A client of forms alone, and one of URLs alone.
async fn provoke_modes(cx: Cx) {
    let Some(observations) = cx.observations().await else { return };
    let asking: Vec<_> = observations.asking("elicitation/create").take(TOOLS).collect();
    if asking.is_empty() {
        return;
    }
    for opening in
        [Opening::new("forms only", cx.profile.revision).forms(), Opening::new("URLs only", cx.profile.revision).urls()]
    {
        let Ok(session) = cx.open_ready(opening).await else { continue };
        for sample in &asking {
            let params = json!({"name": sample.tool, "arguments": sample.arguments});
            session.ask("tools/call", params).probe(MODES_NAME, Intent::AskedInMode, json!({})).send().await;
        }
        session.settle().await;
        session.kill().await;
    }
}
