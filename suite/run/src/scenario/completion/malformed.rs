//! Completions that are malformed, and values that a careless server does not look at.

use serde_json::{Value, json};
use verdict::Intent;

use super::{Target, may_complete, targets};
use crate::scenario::jsonrpc::all;
use crate::scenario::{Cx, Scenario, Stage};

const NAME: &str = "completion/malformed";
/// Characters of a value that is too long for any purpose.
const LONG: usize = 64 << 10;

pub(super) const SCENARIO: Scenario = Scenario {
    name: NAME,
    provokes: &[
        "completion.ref.unknown-type",
        "completion.argument.missing",
        "completion.argument.wrong-type",
        "completion.inputs-validated",
    ],
    stage: Stage::Rough,
    applies: may_complete,
    run: |cx| Box::pin(provoke_malformed(cx)),
};

async fn provoke_malformed(cx: Cx) {
    let anything = Target {
        intent: Intent::CompletePrompt,
        reference: json!({"type": "ref/prompt", "name": "mcp-conform-no-such"}),
        argument: "a".to_owned(),
        other: None,
    };
    let known = targets(&cx.profile);
    let target = known.first().unwrap_or(&anything);
    all(requests(target).into_iter().map(|(intent, kind, params)| {
        let ask = cx.session.ask("completion/complete", params);
        ask.probe(NAME, intent, json!({"kind": kind})).send()
    }))
    .await;
    for (kind, value) in hostile() {
        let ask = cx.session.ask("completion/complete", target.params(&value));
        ask.probe(NAME, Intent::CompleteHostile, json!({"kind": kind})).send().await;
    }
}

fn requests(target: &Target) -> Vec<(Intent, &'static str, Value)> {
    let (reference, name) = (&target.reference, &target.argument);
    let argument = json!({"name": name, "value": ""});
    let with = |reference: Value| json!({"ref": reference, "argument": argument});
    let of = |argument: Value| json!({"ref": reference, "argument": argument});
    vec![
        (Intent::CompleteUnknownType, "other", with(json!({"type": "ref/tool", "name": "x"}))),
        (Intent::CompleteUnknownType, "missing", with(json!({"name": "x"}))),
        (Intent::CompleteUnknownType, "string", with(json!("x"))),
        (Intent::CompleteArgumentMissing, "argument", json!({"ref": reference})),
        (Intent::CompleteArgumentMissing, "name", of(json!({"value": ""}))),
        (Intent::CompleteArgumentMissing, "value", of(json!({"name": name}))),
        (Intent::CompleteArgumentWrongType, "value", of(json!({"name": name, "value": 5}))),
        (Intent::CompleteArgumentWrongType, "name", of(json!({"name": null, "value": ""}))),
    ]
}

fn hostile() -> [(&'static str, String); 3] {
    [
        ("long", "x".repeat(LONG)),
        ("control", "a\u{0}\u{1b}[31m\r\n\u{7f}".to_owned()),
        ("traversal", "../../../../../../../../etc/pass".to_owned()),
    ]
}
