//! Completions that are malformed, and values that a careless server does not look at.

use serde_json::{Value, json};

use super::{Target, may_complete, targets};
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
    run: |cx| Box::pin(malformed(cx)),
};

async fn malformed(cx: Cx) {
    let anything = Target {
        intent: "complete-prompt",
        reference: json!({"type": "ref/prompt", "name": "mcp-conform-no-such"}),
        argument: "a".to_owned(),
        other: None,
    };
    let all = targets(&cx.profile);
    let target = all.first().unwrap_or(&anything);
    for (intent, kind, params) in requests(target) {
        let ask = cx.session.ask("completion/complete", params);
        ask.probe(NAME, intent, json!({"kind": kind})).send().await;
    }
    for (kind, value) in hostile() {
        let ask = cx.session.ask("completion/complete", target.params(&value));
        ask.probe(NAME, "complete-hostile", json!({"kind": kind})).send().await;
    }
}

fn requests(target: &Target) -> Vec<(&'static str, &'static str, Value)> {
    let (reference, name) = (&target.reference, &target.argument);
    let argument = json!({"name": name, "value": ""});
    let with = |reference: Value| json!({"ref": reference, "argument": argument});
    let of = |argument: Value| json!({"ref": reference, "argument": argument});
    vec![
        ("complete-unknown-type", "other", with(json!({"type": "ref/tool", "name": "x"}))),
        ("complete-unknown-type", "missing", with(json!({"name": "x"}))),
        ("complete-unknown-type", "string", with(json!("x"))),
        ("complete-argument-missing", "argument", json!({"ref": reference})),
        ("complete-argument-missing", "name", of(json!({"value": ""}))),
        ("complete-argument-missing", "value", of(json!({"name": name}))),
        ("complete-argument-wrong-type", "value", of(json!({"name": name, "value": 5}))),
        ("complete-argument-wrong-type", "name", of(json!({"name": null, "value": ""}))),
    ]
}

fn hostile() -> [(&'static str, String); 3] {
    [
        ("long", "x".repeat(LONG)),
        ("control", "a\u{0}\u{1b}[31m\r\n\u{7f}".to_owned()),
        ("traversal", "../../../../../../../../etc/pass".to_owned()),
    ]
}
