//! Calls that report progress and log while a subscription is open: neither belongs on its stream.

use serde_json::json;

use super::{end, everything, listen, offered};
use crate::flow::{Flow, Sample, meta};
use crate::scenario::{Cx, Scenario, Stage};

const NAME: &str = "subscriptions/beside-calls";

pub(super) const SCENARIO: Scenario = Scenario {
    name: NAME,
    provokes: &[
        "subscriptions.notifications.not-request-scoped",
        "progress.same-stream",
        "logging.per-request.not-on-listen",
        "jsonrpc.meta.subscription-id-only-on-listen",
    ],
    stage: Stage::Alone,
    applies: |offer| !offer.is_handshake() && offered(offer),
    run: |cx| Box::pin(beside(cx)),
};

async fn beside(cx: Cx) {
    let Some(flow) = cx.flow().await else { return };
    let samples: Vec<&Sample> = flow.progressing().into_iter().chain(flow.logging()).collect();
    if samples.is_empty() {
        return;
    }
    let _turn = flow.turn().await;
    let id = json!("mcp-conform-beside");
    let stream = listen(&flow.session, NAME, "listen-beside", json!({}), &id.to_string(), everything(&cx.offer)).await;
    flow.session.settle().await;
    for (at, sample) in samples.into_iter().enumerate() {
        call(&flow, sample, &format!("beside-{at}")).await;
    }
    flow.session.settle().await;
    end(&flow.session, stream, &id).await;
    flow.session.settle().await;
}

async fn call(flow: &Flow, sample: &Sample, token: &str) {
    let params = sample.params(meta(&flow.session, json!({"progressToken": token})));
    let limit = flow.session.limit() * 3;
    // A second one of the same kind, so that there is another stream to end up on.
    let other = sample.params(meta(&flow.session, json!({"progressToken": format!("{token}-other")})));
    let ask = |params| flow.session.ask("tools/call", params).probe(NAME, "call-beside", json!({})).limit(limit).send();
    tokio::join!(ask(params), ask(other));
}
