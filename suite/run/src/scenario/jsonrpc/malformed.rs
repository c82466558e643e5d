//! Input that is no JSON, without anything in it that could be read as an id.

use serde_json::json;
use verdict::{Intent, Transport};

use super::{Cx, Scenario, Stage, always, with_unknown};

pub(super) const JSON: Scenario = Scenario {
    name: "jsonrpc/malformed-json",
    provokes: &[
        "jsonrpc.parse-error.code",
        "jsonrpc.parse-error.id",
        "jsonrpc.parse-error.answered-on-http",
        "jsonrpc.parse-error.answered-on-stdio",
        "jsonrpc.parse-error.survives",
        "jsonrpc.robustness.invalid-utf8",
    ],
    stage: Stage::Rough,
    applies: always,
    run: |cx| Box::pin(json_of(cx)),
};

async fn json_of(cx: Cx) {
    let stdio = cx.profile.transport == Transport::Stdio;
    cx.session.settle().await;
    // The truncated one comes last: some readers wait for the rest of it.
    for (kind, text) in [
        ("bare word", "mcp-conform"),
        ("unbalanced", r#"{"jsonrpc":"2.0"]]"#),
        ("truncated", r#"{"jsonrpc":"2.0","method":"#),
    ] {
        cx.session.raw(text).probe(JSON.name, Intent::MalformedJson, json!({"kind": kind})).send().await;
    }
    if !stdio {
        cx.session.raw("").probe(JSON.name, Intent::MalformedJson, json!({"kind": "empty body"})).send().await;
        return;
    }
    cx.session.settle().await;
    for (kind, text) in [("empty line", ""), ("line of spaces", "   ")] {
        cx.session.raw(text).probe(JSON.name, Intent::BlankLine, json!({"kind": kind})).send().await;
        cx.session.settle().await;
    }
    // The request is whole but for one byte: `\u00ff` of another encoding.
    let text = with_unknown(&cx, "\"?\"");
    let bytes: Vec<u8> = text.bytes().map(|byte| if byte == b'?' { 0xff } else { byte }).collect();
    cx.session.raw(bytes).probe(JSON.name, Intent::InvalidUtf8, json!({})).send().await;
}
