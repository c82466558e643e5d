//! The area `caching`. The lists are walked anyway; what is left are the contents of resources.

use serde_json::json;
use verdict::Intent;

use super::jsonrpc::all;
use super::{Cx, Scenario, Stage};

const NAME: &str = "caching/read";
/// Resources that are read.
const READ: usize = 3;

/// The scenarios of this area.
pub(super) static SCENARIOS: &[Scenario] = &[Scenario {
    name: NAME,
    // The lists are walked and the session is opened in any case.
    provokes: &[
        "caching.hints.server-discover",
        "caching.hints.tools-list",
        "caching.hints.prompts-list",
        "caching.hints.resources-list",
        "caching.hints.resources-templates-list",
        "caching.hints.resources-read",
        "caching.ttl-integer",
        "caching.ttl-non-negative",
        "caching.scope-enum",
        "caching.scope-uniform-over-pages",
    ],
    stage: Stage::Shared,
    applies: |profile| profile.revision.is_stateless(),
    run: |cx| Box::pin(read(cx)),
}];

async fn read(cx: Cx) {
    let uris = cx.profile.entries("resources/list").iter().filter_map(|entry| entry.get("uri")).take(READ);
    let reads = uris.map(|uri| {
        cx.session.ask("resources/read", json!({"uri": uri})).probe(NAME, Intent::ResourceRead, json!({})).send()
    });
    all(reads).await;
}
