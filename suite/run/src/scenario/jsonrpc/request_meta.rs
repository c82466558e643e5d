//! `_meta` of 2026-07-28 with one thing varied at a time.
//!
//! Over HTTP each request stands alone. On stdio a server of both eras may take what names no version for an older
//! request, and the whole session with it: such requests go to a session of their own, after which nothing is asked.

use serde_json::{Value, json};
use verdict::transcript::{Event, Kind};
use verdict::{Intent, Revision, Transport};
use wire::mcp::meta;

use super::{Cx, Opening, Scenario, Stage, all, list};
use crate::Wear;

pub(super) const SERVED: Scenario = Scenario {
    name: "jsonrpc/request-meta",
    provokes: &[
        "jsonrpc.request-meta.client-info-optional",
        "jsonrpc.request-meta.client-info-no-influence",
        "jsonrpc.request-meta.empty-capabilities-accepted",
        "jsonrpc.request-meta.unknown-capability-tolerated",
    ],
    stage: Stage::Shared,
    applies: |profile| profile.revision.is_stateless(),
    run: |cx| Box::pin(provoke_served(cx)),
};

const REFUSED: &[&str] = &[
    "http.status.missing-meta-400",
    "discover.stateless.meta-not-inherited",
    "jsonrpc.request-meta.missing-meta",
    "jsonrpc.request-meta.missing-protocol-version",
    "jsonrpc.request-meta.missing-client-capabilities",
    "jsonrpc.request-meta.wrong-type",
    "jsonrpc.request-meta.optional-wrong-type",
];

pub(super) const REFUSED_HTTP: Scenario = Scenario {
    name: "jsonrpc/request-meta-refused",
    provokes: REFUSED,
    stage: Stage::Shared,
    applies: |profile| profile.revision.is_stateless() && profile.transport != Transport::Stdio,
    run: |cx| Box::pin(provoke_refused(cx)),
};

pub(super) const REFUSED_STDIO: Scenario = Scenario {
    name: "jsonrpc/request-meta-refused-on-stdio",
    provokes: &[
        "discover.stateless.meta-not-inherited",
        "jsonrpc.request-meta.missing-client-capabilities",
        "jsonrpc.request-meta.wrong-type",
        "jsonrpc.request-meta.optional-wrong-type",
    ],
    stage: Stage::Rough,
    applies: |profile| profile.revision.is_stateless() && profile.transport == Transport::Stdio,
    run: |cx| Box::pin(ill_typed(cx)),
};

pub(super) const UNVERSIONED_STDIO: Scenario = Scenario {
    name: "jsonrpc/request-without-version",
    provokes: &[
        "discover.stateless.meta-not-inherited",
        "jsonrpc.request-meta.missing-meta",
        "jsonrpc.request-meta.missing-protocol-version",
        "jsonrpc.request-meta.wrong-type",
    ],
    stage: Stage::Alone,
    applies: |profile| profile.may_disrupt && profile.revision.is_stateless() && profile.transport == Transport::Stdio,
    run: |cx| Box::pin(provoke_unversioned(cx)),
};

/// The two required fields, with changes; null takes a field away.
fn meta(revision: Revision, changes: &[(&str, Value)]) -> Value {
    let mut meta = json!({meta::PROTOCOL_VERSION: revision.as_str(), meta::CLIENT_CAPABILITIES: {}});
    for (key, value) in changes {
        meta[*key] = value.clone();
    }
    meta
}

fn without(revision: Revision, key: &str) -> Value {
    let mut meta = meta(revision, &[]);
    if let Some(members) = meta.as_object_mut() {
        members.retain(|name, _| name != key);
    }
    meta
}

async fn ask(cx: &Cx, method: &str, kind: &str, params: Option<Value>) {
    let ask = match params {
        Some(params) => cx.session.ask(method, params).bare(),
        None => cx.session.ask(method, Value::Null).bare().no_params(),
    };
    ask.probe(SERVED.name, Intent::RequestMeta, json!({"kind": kind})).send().await;
}

async fn provoke_served(cx: Cx) {
    let revision = cx.profile.revision;
    let other = json!({"name": "another-client", "version": "9.9.9", "title": "Another client"});
    let unknown = json!({"x-unknown": {}, "experimental": {"a": {}}, "extensions": {"com.example/none": {}}});
    let info = (meta::CLIENT_INFO, json!({"name": "mcp-conform", "version": "1"}));
    let metas = [
        ("no-client-info", meta(revision, &[])),
        ("other-client-info", meta(revision, &[(meta::CLIENT_INFO, other)])),
        ("empty-capabilities", meta(revision, std::slice::from_ref(&info))),
        ("unknown-capability", meta(revision, &[info, (meta::CLIENT_CAPABILITIES, unknown)])),
    ];
    let methods: Vec<&str> =
        std::iter::once("server/discover").chain(list(&cx.profile).map(|(method, _)| method)).collect();
    let pairs = methods.iter().flat_map(|method| metas.iter().map(move |(kind, meta)| (*method, *kind, meta.clone())));
    all(pairs.map(|(method, kind, meta)| ask(&cx, method, kind, Some(json!({"_meta": meta}))))).await;
}

/// Returns ill-formed `_meta` values that name the version.
fn ill_formed(revision: Revision) -> Vec<(&'static str, Value)> {
    vec![
        ("missing-capabilities", without(revision, meta::CLIENT_CAPABILITIES)),
        ("capabilities-array", meta(revision, &[(meta::CLIENT_CAPABILITIES, json!([]))])),
        ("capabilities-string", meta(revision, &[(meta::CLIENT_CAPABILITIES, json!(""))])),
        ("capabilities-null", meta(revision, &[(meta::CLIENT_CAPABILITIES, Value::Null)])),
        ("client-info-without-name", meta(revision, &[(meta::CLIENT_INFO, json!({"name": 1}))])),
        ("sampling-boolean", meta(revision, &[(meta::CLIENT_CAPABILITIES, json!({"sampling": true}))])),
    ]
}

/// Returns ill-formed `_meta` values that do not name the version.
fn versionless(revision: Revision) -> Vec<(&'static str, Value)> {
    vec![
        ("missing-version", without(revision, meta::PROTOCOL_VERSION)),
        ("version-number", meta(revision, &[(meta::PROTOCOL_VERSION, json!(20_260_728))])),
        ("meta-array", json!([])),
    ]
}

async fn discover_with(cx: &Cx, metas: Vec<(&'static str, Value)>) {
    all(metas.into_iter().map(|(kind, meta)| ask(cx, "server/discover", kind, Some(json!({"_meta": meta}))))).await;
}

async fn without_meta(cx: &Cx) {
    let methods: Vec<&str> =
        std::iter::once("server/discover").chain(list(&cx.profile).map(|(method, _)| method)).collect();
    let bare =
        methods.iter().flat_map(|method| [(*method, "missing-meta", Some(json!({}))), (*method, "no-params", None)]);
    all(bare.map(|(method, kind, params)| ask(cx, method, kind, params))).await;
}

async fn provoke_refused(cx: Cx) {
    discover_with(&cx, ill_formed(cx.profile.revision)).await;
    discover_with(&cx, versionless(cx.profile.revision)).await;
    without_meta(&cx).await;
}

async fn ill_typed(cx: Cx) {
    discover_with(&cx, ill_formed(cx.profile.revision)).await;
}

async fn provoke_unversioned(cx: Cx) {
    let opening = Opening::new(UNVERSIONED_STDIO.name, cx.profile.revision);
    let Ok(session) = cx.lease(opening, Wear::Malformed).await else { return };
    let own = Cx { session: session.session().clone(), ..cx };
    discover_with(&own, versionless(own.profile.revision)).await;
    without_meta(&own).await;
    session.give_back().await;
    // Only a server that refuses `initialize` is known to have no older revision to take these for.
    let asked = own.session.events(|events| events.iter().any(asks_to_initialize));
    if !asked && let Ok(session) = own.open(Opening::new(UNVERSIONED_STDIO.name, Revision::LATEST_HANDSHAKE)).await {
        session.initialize(Revision::LATEST_HANDSHAKE.as_str(), json!({}), None).await;
        session.kill().await;
    }
}

fn asks_to_initialize(event: &Event) -> bool {
    matches!(&event.kind, Kind::Send(send) if send.text.contains("\"initialize\""))
}
