//! Arrays of messages: many forms in 2025-03-26, one from 2025-06-18 on, none in 2024-11-05.

use serde_json::json;
use verdict::Batching;
use verdict::{Intent, Revision};
use wire::write;

use super::{Cx, Scenario, Stage, list, request};
use crate::opening::Opening;

pub(super) const SERVED: Scenario = Scenario {
    name: "jsonrpc/batch",
    provokes: &[
        "jsonrpc.batch.accepted",
        "jsonrpc.batch.notifications-get-nothing",
        "jsonrpc.batch.only-notifications",
        "jsonrpc.batch.response-array",
        "jsonrpc.batch.empty",
        "jsonrpc.batch.invalid-element",
    ],
    stage: Stage::Rough,
    applies: |profile| profile.revision.traits().batching == Batching::Required,
    run: |cx| Box::pin(provoke_served(cx)),
};

pub(super) const SINGLE: Scenario = Scenario {
    name: "jsonrpc/batch-of-one",
    provokes: &["jsonrpc.batch.not-served"],
    stage: Stage::Rough,
    applies: |profile| profile.revision.traits().batching == Batching::Removed,
    run: |cx| Box::pin(provoke_single(cx)),
};

pub(super) const INITIALIZE: Scenario = Scenario {
    name: "jsonrpc/batch-with-initialize",
    provokes: &["jsonrpc.batch.initialize-refused"],
    stage: Stage::Alone,
    applies: |profile| profile.revision.traits().batching == Batching::Required && profile.may_disrupt,
    run: |cx| Box::pin(provoke_initialize(cx)),
};

async fn provoke_served(cx: Cx) {
    let ask = |method: &str| request(&cx, &cx.session.fresh_id().to_string(), method);
    let sign = cx.session.sign();
    let ping = || ask(&sign);
    let listed = list(&cx.profile).map_or_else(&ping, |(method, _)| ask(method));
    let unknown = |name: &str| write::notification(name, None);
    let kinds = [
        ("requests", vec![ping(), listed]),
        ("mixed", vec![ping(), unknown("notifications/x-unknown"), ping()]),
        ("notifications", vec![unknown("notifications/x-unknown"), unknown("notifications/y-unknown")]),
        ("empty", vec![]),
        ("invalid", vec!["1".to_owned(), ping(), r#"{"foo":1}"#.to_owned()]),
    ];
    for (kind, messages) in kinds {
        let raw = cx.session.raw(write::batch(&messages));
        raw.probe(SERVED.name, Intent::Batch, json!({"kind": kind})).send().await;
        cx.session.settle().await;
    }
}

async fn provoke_single(cx: Cx) {
    let text = request(&cx, &cx.session.fresh_id().to_string(), &cx.session.sign());
    let raw = cx.session.raw(write::batch(&[text]));
    raw.probe(SINGLE.name, Intent::Batch, json!({"kind": "single"})).send().await;
}

async fn provoke_initialize(cx: Cx) {
    let Ok(session) = cx.open(Opening::new(INITIALIZE.name, Revision::LATEST_HANDSHAKE)).await else { return };
    let params = session.introduction_params(cx.profile.revision.as_str());
    let text = write::batch(&[write::request(session.fresh_id(), "initialize", Some(&params))]);
    session.raw(text).probe(INITIALIZE.name, Intent::Batch, json!({"kind": "initialize"})).send().await;
    session.settle().await;
    session.kill().await;
}
