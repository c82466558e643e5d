//! Methods that a server does not have, and many requests at once.

use serde_json::{Value, json};
use verdict::{Intent, Transport};

use super::{Cx, Scenario, Stage, all, always};

pub(super) const UNKNOWN: Scenario = Scenario {
    name: "jsonrpc/methods",
    provokes: &[
        "http.status.unknown-method-404",
        "jsonrpc.method-not-found.code",
        "jsonrpc.method-not-found.wrong-direction",
        "jsonrpc.method-not-found.exact-name",
        "jsonrpc.method-not-found.notification-with-id",
        "jsonrpc.error.same-id",
        "jsonrpc.error.no-success-shape",
    ],
    stage: Stage::Shared,
    applies: always,
    run: |cx| Box::pin(provoke_unknown(cx)),
};

pub(super) const BURST: Scenario = Scenario {
    name: "jsonrpc/burst",
    provokes: &["jsonrpc.response.pipelined-all-answered"],
    stage: Stage::Shared,
    applies: always,
    run: |cx| Box::pin(provoke_burst(cx)),
};

/// Requests in one burst: enough to show a lost one, too few for a rate limit.
const BURSTS: usize = 20;

async fn provoke_unknown(cx: Cx) {
    let sampling =
        json!({"messages": [{"role": "user", "content": {"type": "text", "text": "Hello"}}], "maxTokens": 1});
    let elicitation =
        json!({"message": "Name?", "requestedSchema": {"type": "object", "properties": {"name": {"type": "string"}}}});
    let mut probes = vec![
        (Intent::UnknownMethod, "no/such-method", json!({})),
        (Intent::UnknownMethod, "com.example/none", json!({})),
        (Intent::UnknownMethod, "tools/nope", json!({})),
        (Intent::WrongDirection, "sampling/createMessage", sampling),
        (Intent::WrongDirection, "roots/list", json!({})),
        (Intent::WrongDirection, "elicitation/create", elicitation),
        (Intent::InexactMethod, "Tools/List", json!({})),
        (Intent::InexactMethod, "tools/list/", json!({})),
        (Intent::NotificationWithId, "notifications/cancelled", json!({"requestId": "none"})),
    ];
    if cx.profile.is_handshake() {
        probes.push((Intent::NotificationWithId, "notifications/initialized", json!({})));
    }
    // A header cannot carry the space.
    if cx.profile.transport != Transport::Http || cx.profile.revision.is_handshake() {
        probes.push((Intent::InexactMethod, " tools/list", json!({})));
    }
    let strings = probes.iter().take(2).cloned().map(|probe| (true, probe)).collect::<Vec<_>>();
    let numbers = probes.into_iter().map(|probe| (false, probe));
    all(numbers.chain(strings).map(|(string, (intent, method, params)): (bool, (Intent, &str, Value))| {
        let mut ask = cx.session.ask(method, params);
        if string {
            ask = ask.id(format!("\"s{}\"", cx.session.fresh_id()));
        }
        ask.probe(UNKNOWN.name, intent, json!({"kind": method})).send()
    }))
    .await;
}

async fn provoke_burst(cx: Cx) {
    let lists = cx.profile.walks.iter().map(|walk| walk.method);
    let methods = lists.chain(std::iter::repeat(cx.profile.liveness())).take(BURSTS);
    all(methods.map(|method| {
        cx.session.ask(method, json!({})).at_once().probe(BURST.name, Intent::Pipelined, Value::Null).send()
    }))
    .await;
}
