//! Methods that 2026-07-28 no longer has, with params that were valid before.

use serde_json::json;
use verdict::Intent;

use super::{Scenario, Stage, is_modern};
use crate::scenario::jsonrpc::all;

const NAME: &str = "discover/removed";

pub(super) const SCENARIO: Scenario = Scenario {
    name: NAME,
    provokes: &[
        "discover.removed.ping",
        "discover.removed.logging-setlevel",
        "discover.removed.tasks-core",
        "http.status.unknown-method-404",
    ],
    stage: Stage::Shared,
    applies: is_modern,
    run: |cx| {
        Box::pin(async move {
            let none = json!({"taskId": "no-such-task"});
            let methods = [
                ("ping", json!({})),
                ("logging/setLevel", json!({"level": "info"})),
                ("tasks/list", json!({})),
                ("tasks/result", none.clone()),
                ("tasks/get", none.clone()),
                ("tasks/cancel", none),
            ];
            all(methods.map(|(method, params)| {
                cx.session.ask(method, params).probe(NAME, Intent::RemovedMethod, json!({})).send()
            }))
            .await;
        })
    },
};
