//! Missing and ill-typed parameters of methods that the server offers.

use serde_json::json;
use verdict::Intent;

use super::{Cx, Scenario, Stage, all, list};
use crate::ServerProfile;

pub(super) const INVALID: Scenario = Scenario {
    name: "jsonrpc/params",
    provokes: &[
        "jsonrpc.invalid-params.code",
        "jsonrpc.invalid-params.no-result",
        "jsonrpc.invalid-params.missing-params",
        "jsonrpc.error.same-id",
    ],
    stage: Stage::Shared,
    applies: |profile| ["tools", "prompts", "resources", "completions"].iter().any(|feature| offers(profile, feature)),
    run: |cx| Box::pin(provoke_invalid(cx)),
};

pub(super) const CODES: Scenario = Scenario {
    name: "jsonrpc/codes",
    provokes: &["jsonrpc.error-codes.no-32002"],
    stage: Stage::Shared,
    applies: |profile| profile.revision.is_stateless() && offers(profile, "resources"),
    run: |cx| {
        Box::pin(async move {
            let ask = cx.session.ask("resources/read", json!({"uri": "mcp-conform:///no-such-resource"}));
            ask.probe(CODES.name, Intent::AbsentResource, json!({})).send().await;
        })
    },
};

fn offers(profile: &ServerProfile, feature: &str) -> bool {
    profile.declares(feature)
}

async fn provoke_invalid(cx: Cx) {
    // No tool runs: the call does not say which.
    let all_params = [
        ("tools", "tools/call", "name", json!({"arguments": {}})),
        ("prompts", "prompts/get", "name", json!({"name": []})),
        ("resources", "resources/read", "uri", json!({"uri": 5})),
    ];
    let all_params = all_params.into_iter().chain([(
        "completions",
        "completion/complete",
        "ref",
        json!({"ref": "mcp-conform", "argument": {"name": "name", "value": ""}}),
    )]);
    let offered: Vec<_> = all_params.filter(|(feature, ..)| offers(&cx.profile, feature)).collect();
    let cursor = list(&cx.profile).map(|(method, _)| (method, "cursor", json!({"cursor": 5})));
    let ill = offered.iter().map(|(_, method, kind, params)| (*method, *kind, params.clone())).chain(cursor);
    let ill = ill.map(|(method, kind, params)| {
        cx.session.ask(method, params).probe(INVALID.name, Intent::InvalidParams, json!({"kind": kind})).send()
    });
    let missing = offered.iter().map(|(_, method, ..)| {
        cx.session.ask(method, json!({})).no_params().probe(INVALID.name, Intent::MissingParams, json!({})).send()
    });
    tokio::join!(all(ill), all(missing));
}
