//! JSON that is no valid request object. All of it is answered, if at all, with the same code and without an id, so it is
//! sent one by one: of errors that are made at the same time some servers lose one.

use std::time::Duration;

use serde_json::{Value, json};
use verdict::Intent;
use verdict::transcript::{Event, Kind};
use wire::write;

use super::{Cx, Scenario, Stage, always, list, request};

/// How long the errors may take.
const LATE: Duration = Duration::from_millis(100);

pub(super) const OBJECTS: Scenario = Scenario {
    name: "jsonrpc/invalid-requests",
    provokes: &[
        "jsonrpc.invalid-request.code",
        "jsonrpc.invalid-request.answered",
        "jsonrpc.invalid-request.not-executed",
        "jsonrpc.invalid-request.survives",
    ],
    stage: Stage::Rough,
    applies: always,
    run: |cx| Box::pin(provoke_objects(cx)),
};

pub(super) const PARAMS: Scenario = Scenario {
    name: "jsonrpc/params-not-object",
    provokes: &["jsonrpc.invalid-request.params-not-object"],
    stage: Stage::Rough,
    applies: always,
    run: |cx| Box::pin(provoke_params(cx)),
};

async fn provoke_objects(cx: Cx) {
    let id = || cx.session.fresh_id().to_string();
    let valid = || request(&cx, &id(), cx.profile.liveness());
    let probes = [
        ("number", "7".to_owned()),
        ("null", "null".to_owned()),
        ("boolean", "true".to_owned()),
        ("method-number", request(&cx, &id(), "1").replacen("\"method\":\"1\"", "\"method\":1", 1)),
        ("no-version", valid().replacen("\"jsonrpc\":\"2.0\",", "", 1)),
        ("version-1.0", valid().replacen("\"jsonrpc\":\"2.0\"", "\"jsonrpc\":\"1.0\"", 1)),
        // The last, for it may pass for a response, and nobody answers those.
        ("no-method", format!(r#"{{"jsonrpc":"2.0","id":{}}}"#, id())),
    ];
    cx.session.settle().await;
    let from = cx.session.mark();
    let own = cx.session.id();
    let replies = |events: &[Event]| events.iter().filter(|event| event.session == own && is_reply(event)).count();
    // Who keeps silent once is not waited for again.
    let mut answers = true;
    for (sent, (kind, text)) in (1..).zip(probes) {
        cx.session.raw(text).probe(OBJECTS.name, Intent::InvalidRequest, json!({"kind": kind})).send().await;
        answers = answers && cx.session.until(from, LATE, |events| replies(events) >= sent).await;
    }
}

fn is_reply(event: &Event) -> bool {
    matches!(&event.kind, Kind::Receive(receive) if receive.says("error") || receive.says("result"))
}

async fn provoke_params(cx: Cx) {
    let method = list(&cx.profile).map_or(cx.profile.liveness(), |(method, _)| method);
    let probes: [(&str, Value); 3] = [("array", json!([])), ("string", json!("x")), ("number", json!(7))];
    for (kind, params) in probes {
        let text = write::request(cx.session.fresh_id(), method, Some(&params));
        cx.session.raw(text).probe(PARAMS.name, Intent::ParamsNotObject, json!({"kind": kind})).send().await;
    }
}
