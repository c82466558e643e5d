//! Calls that report progress and log while a subscription is open: neither belongs on its stream.

use serde_json::json;
use verdict::Intent;

use super::{end, everything, listen, offers_subscriptions};
use crate::scenario::observations::{Sample, ToolObservations, meta};
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
    applies: |profile| !profile.is_handshake() && offers_subscriptions(profile),
    run: |cx| Box::pin(provoke_beside(cx)),
};

async fn provoke_beside(cx: Cx) {
    let Some(observations) = cx.observations().await else { return };
    let samples: Vec<&Sample> = observations.progressing().into_iter().chain(observations.logging()).collect();
    if samples.is_empty() {
        return;
    }
    let _turn = observations.turn().await;
    let id = json!("mcp-conform-beside");
    let stream =
        listen(&observations.session, NAME, Intent::ListenBeside, json!({}), &id.to_string(), everything(&cx.profile))
            .await;
    observations.session.settle().await;
    for (at, sample) in samples.into_iter().enumerate() {
        call(&observations, sample, &format!("beside-{at}")).await;
    }
    observations.session.settle().await;
    end(&observations.session, stream, &id).await;
    observations.session.settle().await;
}

async fn call(observations: &ToolObservations, sample: &Sample, token: &str) {
    let params = sample.params(meta(&observations.session, json!({"progressToken": token})));
    let limit = observations.session.limit() * 3;
    // A second one of the same kind, so that there is another stream to end up on.
    let other = sample.params(meta(&observations.session, json!({"progressToken": format!("{token}-other")})));
    let ask = |params| {
        observations.session.ask("tools/call", params).probe(NAME, Intent::CallBeside, json!({})).limit(limit).send()
    };
    tokio::join!(ask(params), ask(other));
}
