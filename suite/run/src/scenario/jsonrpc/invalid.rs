//! JSON that is no valid request object. All of it is answered, if at all, with the same code, so it is sent in one go.

use std::time::Duration;

use serde_json::{Value, json};
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
    run: |cx| Box::pin(objects(cx)),
};

pub(super) const PARAMS: Scenario = Scenario {
    name: "jsonrpc/params-not-object",
    provokes: &["jsonrpc.invalid-request.params-not-object"],
    stage: Stage::Rough,
    applies: always,
    run: |cx| Box::pin(params(cx)),
};

async fn objects(cx: Cx) {
    let id = || cx.session.fresh_id().to_string();
    let valid = || request(&cx, &id(), cx.offer.liveness());
    let probes = [
        ("number", "7".to_owned()),
        ("null", "null".to_owned()),
        ("boolean", "true".to_owned()),
        ("method-number", request(&cx, &id(), "1").replacen("\"method\":\"1\"", "\"method\":1", 1)),
        ("no-method", format!(r#"{{"jsonrpc":"2.0","id":{}}}"#, id())),
        ("no-version", valid().replacen("\"jsonrpc\":\"2.0\",", "", 1)),
        ("version-1.0", valid().replacen("\"jsonrpc\":\"2.0\"", "\"jsonrpc\":\"1.0\"", 1)),
    ];
    cx.session.settle().await;
    let (from, sent) = (cx.session.mark(), probes.len());
    for (kind, text) in probes {
        cx.session.raw(text).probe(OBJECTS.name, "invalid-request", json!({"kind": kind})).send().await;
    }
    // Errors without an id may overtake each other, and the answer to what comes next.
    let own = cx.session.number();
    let errors = |events: &[Event]| events.iter().filter(|event| event.session == own && is_error(event)).count();
    cx.session.until(from, LATE, |events| errors(events) >= sent).await;
}

fn is_error(event: &Event) -> bool {
    matches!(&event.kind, Kind::Receive(receive) if receive.says("error"))
}

async fn params(cx: Cx) {
    let method = list(&cx.offer).map_or(cx.offer.liveness(), |(method, _)| method);
    let probes: [(&str, Value); 3] = [("array", json!([])), ("string", json!("x")), ("number", json!(7))];
    for (kind, params) in probes {
        let text = write::request(cx.session.fresh_id(), method, Some(&params));
        cx.session.raw(text).probe(PARAMS.name, "params-not-object", json!({"kind": kind})).send().await;
    }
}
