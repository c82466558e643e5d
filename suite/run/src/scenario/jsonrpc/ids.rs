//! Ids of every kind. Legal ones at the same time on the main session; what is no id apart.

use serde_json::json;
use verdict::probes::values::Step;
use verdict::{Intent, Transport};

use super::{Cx, Scenario, Stage, all, always, list, request};
use crate::opening::Opening;
use crate::{Session, Trouble};

pub(super) const LEGAL: Scenario = Scenario {
    name: "jsonrpc/ids",
    provokes: &[
        "jsonrpc.response.id-echo",
        "jsonrpc.response.id-edge-values",
        "jsonrpc.id.string-and-integer-accepted",
    ],
    stage: Stage::Shared,
    applies: always,
    run: |cx| Box::pin(provoke_legal(cx)),
};

pub(super) const REUSE: Scenario = Scenario {
    name: "jsonrpc/id-reuse",
    provokes: &["jsonrpc.id.reuse-after-response"],
    stage: Stage::Shared,
    applies: |profile| profile.revision.is_stateless() && list(profile).is_some(),
    run: |cx| Box::pin(provoke_reuse(cx)),
};

pub(super) const SHARED: Scenario = Scenario {
    name: "jsonrpc/id-shared",
    provokes: &["jsonrpc.id.scoped-to-connection"],
    stage: Stage::Alone,
    applies: |profile| profile.transport != Transport::Stdio && list(profile).is_some(),
    run: |cx| Box::pin(provoke_shared(cx)),
};

pub(super) const ODD: Scenario = Scenario {
    name: "jsonrpc/odd-ids",
    provokes: &[
        "jsonrpc.response.id-beyond-double",
        "jsonrpc.id.null-not-served",
        "jsonrpc.id.wrong-type-not-served",
        "jsonrpc.id.fractional",
        "jsonrpc.id.duplicate-in-flight",
    ],
    stage: Stage::Rough,
    applies: always,
    run: |cx| Box::pin(provoke_odd(cx)),
};

/// Numbers that no session reaches by counting.
const PAIR: &str = "4700001";
const REUSED: &str = "4700002";
const TWICE: &str = "4700003";

async fn provoke_legal(cx: Cx) {
    let long = format!("\"{}\"", "x".repeat(1024));
    let probes = [
        (Intent::IdPair, "integer", PAIR.to_owned()),
        (Intent::IdPair, "string", format!("\"{PAIR}\"")),
        (Intent::IdEdge, "zero", "0".to_owned()),
        (Intent::IdEdge, "negative", "-1".to_owned()),
        (Intent::IdEdge, "largest", "9007199254740991".to_owned()),
        (Intent::IdEdge, "empty", "\"\"".to_owned()),
        (Intent::IdEdge, "long", long),
        (Intent::IdEdge, "unicode", r#""ü日本\"\\""#.to_owned()),
        (Intent::IdEdge, "nul", r#""a\u0000b""#.to_owned()),
    ];
    all(probes.into_iter().map(|(intent, kind, id)| {
        let ask = cx.session.ask(cx.profile.liveness(), json!({})).id(id);
        ask.probe(LEGAL.name, intent, json!({"kind": kind})).send()
    }))
    .await;
}

async fn provoke_reuse(cx: Cx) {
    let Some((method, member)) = list(&cx.profile) else { return };
    let first = cx.session.ask(cx.profile.liveness(), json!({})).id(REUSED);
    first.probe(REUSE.name, Intent::IdReuse, json!({"step": Step::First})).send().await;
    let second = cx.session.ask(method, json!({})).id(REUSED);
    second.probe(REUSE.name, Intent::IdReuse, json!({"step": Step::Second, "member": member})).send().await;
}

async fn provoke_shared(cx: Cx) {
    let Some((method, member)) = list(&cx.profile) else { return };
    let (Ok(one), Ok(other)) = (another(&cx).await, another(&cx).await) else { return };
    let listed = one.ask(method, json!({})).id(PAIR).probe(SHARED.name, Intent::IdShared, json!({"member": member}));
    let alive = other.ask(cx.profile.liveness(), json!({})).id(PAIR).probe(SHARED.name, Intent::IdShared, json!({}));
    tokio::join!(listed.send(), alive.send());
    tokio::join!(one.kill(), other.kill());
}

/// A further session. Where requests stand alone nothing opens it, so its first id is the one that is probed.
async fn another(cx: &Cx) -> Result<Session, Trouble> {
    let opening = Opening::new(SHARED.name, cx.profile.revision);
    if cx.profile.is_handshake() { cx.open_ready(opening).await } else { cx.open(opening).await }
}

/// Groups whose errors without id could be confused are settled one by one.
async fn provoke_odd(cx: Cx) {
    let groups: [&[(Intent, &str, &str)]; 4] = [
        &[(Intent::IdBeyond, "16 digits", "9007199254740993"), (Intent::IdBeyond, "20 digits", "12345678901234567891")],
        &[(Intent::IdNull, "null", "null")],
        &[
            (Intent::IdWrongType, "boolean", "true"),
            (Intent::IdWrongType, "object", "{}"),
            (Intent::IdWrongType, "array", "[]"),
        ],
        &[
            (Intent::IdFractional, "1.5", "1.5"),
            (Intent::IdInFlight, "first", TWICE),
            (Intent::IdInFlight, "second", TWICE),
        ],
    ];
    for group in groups {
        for (intent, kind, id) in group {
            let raw = cx.session.raw(request(&cx, id, &cx.session.sign()));
            raw.probe(ODD.name, *intent, json!({"kind": kind})).send().await;
        }
        cx.session.settle().await;
    }
}
