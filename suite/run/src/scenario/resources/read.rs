//! Reading what is listed, a handful.

use serde_json::{Value, json};
use tokio::task::JoinSet;
use verdict::Intent;

use super::listed_uris;
use crate::scenario::{Cx, Scenario, Stage};

const NAME: &str = "resources/read";
/// Resources that are read in one run.
const READS: usize = 10;
/// The size from which on a resource is left alone.
const HUGE: u64 = 2 << 20;

pub(super) const SCENARIO: Scenario = Scenario {
    name: NAME,
    provokes: &[
        "resources.read.contents-array",
        "resources.read.content-uri",
        "resources.read.text-or-blob",
        "resources.read.blob-base64",
        "resources.read.mime-type-string",
        "resources.read.meta-object",
        "resources.read.text-is-text",
        "resources.read.listed-readable",
        "resources.read.uri-echo",
        "resources.read.mime-matches-listing",
        "resources.read.result-type",
        "resources.read.internal-error-code",
        "resources.definition.size-matches",
    ],
    stage: Stage::Shared,
    applies: |profile| !profile.entries("resources/list").is_empty(),
    run: |cx| Box::pin(read(cx)),
};

async fn read(cx: Cx) {
    let entries = cx.profile.entries("resources/list");
    let huge = |uri: &str| {
        let entry = entries.iter().find(|entry| entry.get("uri").and_then(Value::as_str) == Some(uri));
        entry.and_then(|entry| entry.get("size")?.as_u64()).is_some_and(|size| size > HUGE)
    };
    let mut asks = JoinSet::new();
    for uri in listed_uris(&cx.profile).into_iter().filter(|uri| !huge(uri)).take(READS) {
        let (session, params) = (cx.session.clone(), json!({"uri": uri}));
        asks.spawn_local(async move {
            session.ask("resources/read", params).probe(NAME, Intent::ResourceRead, json!({})).send().await;
        });
    }
    asks.join_all().await;
}
