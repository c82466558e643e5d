//! Requests in versions that do not exist.

use serde_json::json;
use verdict::Intent;

use super::{Cx, FUTURE, PAST, Scenario, Stage, ask_in, is_modern, prompt, resource};
use crate::scenario::jsonrpc::{all, list};

const NAME: &str = "discover/versions";

pub(super) const UNSUPPORTED: Scenario = Scenario {
    name: NAME,
    provokes: &[
        "discover.version.unsupported-code",
        "discover.version.unsupported-supported-list",
        "discover.version.unsupported-requested-echo",
        "discover.version.lists-agree",
        "discover.version.refused-not-listed",
        "discover.version.any-method",
        "http.version-header.unsupported",
    ],
    stage: Stage::Shared,
    applies: is_modern,
    run: |cx| Box::pin(provoke_unsupported(cx)),
};

async fn provoke_unsupported(cx: Cx) {
    let list = list(&cx.profile).map(|(method, _)| method);
    let mut requests = vec![
        ("discover", PAST, "server/discover", json!({})),
        ("discover", FUTURE, "server/discover", json!({})),
        ("unknown-method", PAST, "no/such-method", json!({})),
    ];
    requests.extend(list.map(|method| ("list", PAST, method, json!({}))));
    requests.extend(list.map(|method| ("list", FUTURE, method, json!({}))));
    requests.extend(resource(&cx).map(|params| ("other", PAST, "resources/read", params)));
    requests.extend(prompt(&cx).map(|params| ("other", FUTURE, "prompts/get", params)));
    all(requests.into_iter().map(|(kind, version, method, params)| {
        ask_in(&cx.session, version, method, params, (NAME, Intent::VersionUnsupported, json!({"kind": kind})))
    }))
    .await;
}
