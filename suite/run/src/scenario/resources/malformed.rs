//! Reads that ask for nothing, or for what is no URI.

use serde_json::{Value, json};
use verdict::Intent;

use super::is_offered;
use crate::scenario::jsonrpc::all;
use crate::scenario::{Cx, Scenario, Stage};

const NAME: &str = "resources/malformed";
/// Characters of a uri that is too long for any purpose.
const LONG: usize = 64 << 10;

pub(super) const SCENARIO: Scenario = Scenario {
    name: NAME,
    provokes: &["resources.read.missing-uri", "resources.read.uri-not-string", "resources.read.uri-validated"],
    stage: Stage::Rough,
    applies: |profile| profile.declares("resources"),
    run: |cx| Box::pin(provoke_malformed(cx)),
};

async fn provoke_malformed(cx: Cx) {
    ask(&cx, Intent::ResourceMissingUri, "", json!({})).await;
    let kinds = [("number", json!(42)), ("null", Value::Null), ("object", json!({})), ("array", json!([]))];
    all(kinds.map(|(kind, uri)| ask(&cx, Intent::ResourceUriNotString, kind, json!({"uri": uri})))).await;
    let (hard, plain): (Vec<_>, Vec<_>) = strings()
        .into_iter()
        .filter(|(_, uri)| !is_offered(&cx.profile, uri))
        .partition(|(kind, _)| matches!(*kind, "nul" | "long"));
    let read = |(kind, uri): (&'static str, String)| ask(&cx, Intent::ResourceMalformedUri, kind, json!({"uri": uri}));
    all(plain.into_iter().map(read)).await;
    // What a server may fall over is sent alone: it is to blame for nothing else.
    for one in hard {
        read(one).await;
    }
}

fn strings() -> [(&'static str, String); 6] {
    [
        ("empty", String::new()),
        ("words", "not a uri".to_owned()),
        ("relative", "../etc/passwd".to_owned()),
        ("absolute", "/etc/passwd".to_owned()),
        ("nul", "mcp-conform-none://a\u{0}b".to_owned()),
        ("long", format!("mcp-conform-none://{}", "x".repeat(LONG))),
    ]
}

async fn ask(cx: &Cx, intent: Intent, kind: &str, params: Value) {
    cx.session.ask("resources/read", params).probe(NAME, intent, json!({"kind": kind})).send().await;
}
