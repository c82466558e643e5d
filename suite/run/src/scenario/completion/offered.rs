//! Completing what is offered: every kind of reference, with and without a value, with and without a context; and what is not
//! offered.

use serde_json::{Value, json};
use tokio::task::JoinSet;
use verdict::Intent;
use verdict::probes::values;

use super::{Target, may_complete, targets};
use crate::scenario::{Cx, Scenario, Stage};

const NAME: &str = "completion/offered";
/// A name that nobody offers.
const NOTHING: &str = "mcp-conform-no-such";

pub(super) const SCENARIO: Scenario = Scenario {
    name: NAME,
    provokes: &[
        "completion.capability-declared",
        "completion.served",
        "completion.result.object",
        "completion.result.values",
        "completion.result.max-100",
        "completion.result.total",
        "completion.result.has-more",
        "completion.result.consistent",
        "completion.ref.prompt",
        "completion.ref.resource",
        "completion.argument.empty-value",
    ],
    stage: Stage::Shared,
    applies: may_complete,
    run: |cx| Box::pin(provoke_offered(cx)),
};

pub(super) const CONTEXT: Scenario = Scenario {
    name: "completion/context",
    provokes: &["completion.context.accepted", "completion.context.optional", "completion.context.unknown-tolerated"],
    stage: Stage::Shared,
    applies: may_complete,
    run: |cx| Box::pin(provoke_context(cx)),
};

pub(super) const UNKNOWN: Scenario = Scenario {
    name: "completion/unknown",
    provokes: &["completion.ref.unknown-prompt", "completion.ref.unknown-resource", "completion.argument.unknown-name"],
    stage: Stage::Shared,
    applies: may_complete,
    run: |cx| Box::pin(provoke_unknown(cx)),
};

async fn provoke_offered(cx: Cx) {
    let mut asks = JoinSet::new();
    for target in targets(&cx.profile) {
        for (kind, value) in [(values::Value::Empty, ""), (values::Value::Typed, "a")] {
            let (session, target) = (cx.session.clone(), target.clone());
            asks.spawn_local(async move {
                let ask = session.ask("completion/complete", target.params(value));
                ask.probe(NAME, target.intent, json!({"value": kind})).send().await;
            });
        }
        if target.intent == Intent::CompletePrompt && cx.profile.revision.traits().completion_context {
            let (session, mut target) = (cx.session.clone(), target);
            asks.spawn_local(async move {
                target.reference["title"] = json!("A title");
                let ask = session.ask("completion/complete", target.params(""));
                ask.probe(NAME, Intent::CompleteTitled, json!({})).send().await;
            });
        }
    }
    asks.join_all().await;
}

/// One prompt and one template: which of them the server completes is not known.
async fn provoke_context(cx: Cx) {
    let all = targets(&cx.profile);
    let first = |intent: Intent| all.iter().find(|target| target.intent == intent);
    for target in [first(Intent::CompletePrompt), first(Intent::CompleteTemplate)].into_iter().flatten() {
        for (kind, context) in contexts(&cx, target) {
            let mut params = target.params("");
            if let Some(context) = context {
                params["context"] = context;
            }
            let ask = cx.session.ask("completion/complete", params);
            ask.probe(CONTEXT.name, Intent::CompleteContext, json!({"kind": kind})).send().await;
        }
    }
}

fn contexts(cx: &Cx, target: &Target) -> Vec<(&'static str, Option<Value>)> {
    let other = target.other.as_ref().unwrap_or(&target.argument);
    let given = ("given", Some(json!({"arguments": {(other.as_str()): "a"}})));
    if !cx.profile.revision.traits().completion_context {
        return vec![("none", None), given];
    }
    vec![("none", None), ("empty", Some(json!({}))), ("no-arguments", Some(json!({"arguments": {}}))), given]
}

async fn provoke_unknown(cx: Cx) {
    let ask = |intent: Intent, reference: Value, argument: &str| {
        let params = json!({"ref": reference, "argument": {"name": argument, "value": ""}});
        let session = cx.session.clone();
        async move { session.ask("completion/complete", params).probe(UNKNOWN.name, intent, json!({})).send().await }
    };
    if cx.profile.declares("prompts") {
        ask(Intent::CompleteUnknownPrompt, json!({"type": "ref/prompt", "name": NOTHING}), "a").await;
    }
    if cx.profile.declares("resources") {
        let uri = format!("{NOTHING}://{{a}}");
        ask(Intent::CompleteUnknownTemplate, json!({"type": "ref/resource", "uri": uri}), "a").await;
    }
    if let Some(target) = targets(&cx.profile).first() {
        ask(Intent::CompleteUnknownArgument, target.reference.clone(), NOTHING).await;
    }
}
