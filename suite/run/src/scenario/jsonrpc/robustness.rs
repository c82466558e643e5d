//! Odd but harmless input that a server should outlive.

use serde_json::{Value, json};
use verdict::Intent;
use wire::mcp::code;
use wire::write;

use super::{Cx, Scenario, Stage, always, with_unknown};

pub(super) const ODD: Scenario = Scenario {
    name: "jsonrpc/robustness",
    provokes: &[
        "jsonrpc.robustness.stray-response",
        "jsonrpc.robustness.deep-nesting",
        "jsonrpc.robustness.large-message",
    ],
    stage: Stage::Rough,
    applies: always,
    run: |cx| Box::pin(provoke_odd(cx)),
};

/// Nested arrays of the deep message.
const LEVELS: usize = 5_000;
/// Characters of the large one.
const LARGE: usize = 4 << 20;

async fn provoke_odd(cx: Cx) {
    let strays = [
        ("result", write::response(write::IdText::raw("\"mcp-conform-none\""), &json!({}))),
        (
            "error",
            write::error(
                Some(write::IdText::raw("\"mcp-conform-none\"")),
                code::METHOD_NOT_FOUND,
                "Method not found",
                None,
            ),
        ),
    ];
    for (kind, text) in strays {
        cx.session.raw(text).probe(ODD.name, Intent::StrayResponse, json!({"kind": kind})).send().await;
    }
    cx.session.settle().await;
    let nested = format!("{}{}", "[".repeat(LEVELS), "]".repeat(LEVELS));
    cx.session.raw(with_unknown(&cx, &nested)).probe(ODD.name, Intent::DeepNesting, Value::Null).send().await;
    cx.session.settle().await;
    let large = with_unknown(&cx, &format!("\"{}\"", "x".repeat(LARGE)));
    cx.session.raw(large).probe(ODD.name, Intent::LargeMessage, Value::Null).send().await;
    cx.session.settle().await;
}
