//! Two connections by turns, with other requests on one of them: the same tools for both (2026-07-28).

use serde_json::json;
use verdict::Revision;

use super::{Call, send};
use crate::opener::Opening;
use crate::scenario::{Cx, Scenario, Stage};
use crate::survey::walk;
use crate::{Arguments, Session};

const NAME: &str = "tools/connections";
/// Tools that are called in between.
const CALLS: usize = 4;

pub(super) const SCENARIO: Scenario = Scenario {
    name: NAME,
    provokes: &["tools.list.not-per-connection", "tools.list.not-side-effect", "tools.list.deterministic-order"],
    stage: Stage::Alone,
    applies: |offer| offer.revision >= Revision::V2026_07_28 && offer.declares("tools"),
    run: |cx| Box::pin(connections(cx)),
};

async fn connections(cx: Cx) {
    let era = cx.offer.revision.era();
    let open = |purpose: &str| cx.open_ready(Opening::new(purpose, era));
    let (here, there) = tokio::join!(open("tools here"), open("tools there"));
    let (Ok(here), Ok(there)) = (here, there) else { return };
    list(&here).await;
    between(&cx, &here).await;
    list(&here).await;
    for session in [&there, &here, &there] {
        list(session).await;
    }
    here.kill().await;
    there.kill().await;
}

async fn list(session: &Session) {
    walk(session, NAME, "walk-after", "tools/list", "tools").await;
}

/// Requests that must not change the list: of other kinds, and calls of read-only tools.
async fn between(cx: &Cx, session: &Session) {
    for (capability, method) in [("prompts", "prompts/list"), ("resources", "resources/list")] {
        if cx.offer.declares(capability) {
            session.ask(method, json!({})).probe(NAME, "in-between", json!({})).send().await;
        }
    }
    if let Some(uri) = cx.offer.entries("resources/list").first().and_then(|entry| entry.get("uri")) {
        session.ask("resources/read", json!({"uri": uri})).probe(NAME, "in-between", json!({})).send().await;
    }
    let tools = cx.offer.callable().filter(|tool| tool.hints("readOnlyHint")).take(CALLS);
    let calls = tools.filter_map(|tool| {
        let arguments = Arguments::of(tool, cx.offer.revision, &cx.options).valid.ok()?;
        let params = json!({"name": tool.name, "arguments": arguments});
        Some(Call { intent: "valid-call", about: json!({"tool": tool.name}), params })
    });
    send(session, NAME, calls.collect()).await;
}
