//! Requests about tasks that are not there, or on servers that have none; and requests other than calls that are to be tasks.

use serde_json::{Value, json};
use verdict::Intent;

use crate::scenario::{Cx, Scenario, Stage};
use crate::survey::LISTS;

const NAME: &str = "tasks/refused";
const OTHER_NAME: &str = "tasks/other-methods";

pub(super) const SCENARIO: Scenario = Scenario {
    name: NAME,
    provokes: &[
        "tasks.capability.declared",
        "tasks.capability.list-served",
        "tasks.capability.list-undeclared",
        "tasks.capability.cancel-undeclared",
        "tasks.get.unknown-id",
        "tasks.get.missing-id",
        "tasks.result.unknown-id",
        "tasks.cancel.unknown-id",
        "tasks.list.shape",
        "tasks.list.invalid-cursor",
        "tasks.create.invalid-tool",
        "tasks.errors.informative",
    ],
    stage: Stage::Shared,
    applies: |profile| profile.revision.traits().core_tasks,
    run: |cx| Box::pin(provoke_refused(cx)),
};

pub(super) const OTHERS: Scenario = Scenario {
    name: OTHER_NAME,
    provokes: &["tasks.undeclared-other-methods"],
    stage: Stage::Shared,
    applies: |profile| profile.revision.traits().core_tasks,
    run: |cx| Box::pin(provoke_others(cx)),
};

async fn provoke_refused(cx: Cx) {
    let random = format!("mcp-conform-{}", "0f3c1b7e9d5a4286");
    let ask = |method: &'static str, params: Value, intent: Intent, kind: &'static str| {
        cx.session.ask(method, params).probe(NAME, intent, json!({"kind": kind})).start();
    };
    ask("tasks/list", json!({}), Intent::TasksList, "");
    ask("tasks/get", json!({"taskId": random}), Intent::TaskUnknown, "random");
    ask("tasks/result", json!({"taskId": random}), Intent::TaskUnknown, "random");
    ask("tasks/cancel", json!({"taskId": random}), Intent::TaskUnknown, "random");
    if cx.profile.declares("tasks") {
        ask("tasks/get", json!({"taskId": ""}), Intent::TaskUnknown, "empty");
        ask("tasks/get", json!({}), Intent::TaskUnnamed, "no taskId");
        let bare = cx.session.ask("tasks/get", json!({})).no_params();
        bare.probe(NAME, Intent::TaskUnnamed, json!({"kind": "no params"})).start();
    }
    if cx.profile.declares("tasks.list") {
        ask("tasks/list", json!({"cursor": "mcp-conform-no-such-cursor"}), Intent::TasksInvalidCursor, "");
    }
    if cx.profile.declares(super::subject::CALLS) {
        let params = json!({"name": "mcp_conform_no_such_tool", "arguments": {}, "task": {}});
        let outcome =
            cx.session.ask("tools/call", params).probe(NAME, Intent::TaskOfUnknownTool, json!({})).send().await;
        let id = outcome.result().and_then(|result| result.get("task")?.get("taskId")?.as_str());
        if let Some(id) = id {
            cx.session
                .ask("tasks/result", json!({"taskId": id}))
                .probe(NAME, Intent::TaskResult, json!({}))
                .send()
                .await;
            cx.session.ask("tasks/get", json!({"taskId": id})).probe(NAME, Intent::TaskAfter, json!({})).send().await;
        }
    }
    cx.session.settle().await;
}

/// Lists, a prompt and a resource: once as ever, once with `task`.
async fn provoke_others(cx: Cx) {
    let mut asked: Vec<(&str, Value)> = LISTS
        .iter()
        .filter(|(_, _, capability)| cx.profile.declares(capability))
        .map(|(method, ..)| (*method, json!({})))
        .collect();
    let uri = cx.profile.entries("resources/list").iter().find_map(|entry| entry.get("uri"));
    asked.extend(uri.map(|uri| ("resources/read", json!({"uri": uri}))));
    let bare = |entry: &&Value| entry.get("arguments").and_then(Value::as_array).is_none_or(Vec::is_empty);
    let prompt = cx.profile.entries("prompts/list").iter().find(bare).and_then(|entry| entry.get("name"));
    asked.extend(prompt.map(|name| ("prompts/get", json!({"name": name}))));
    for (method, params) in asked {
        let mut task = params.clone();
        task["task"] = json!({"ttl": 60_000});
        cx.session.ask(method, params).probe(OTHER_NAME, Intent::OtherPlain, json!({})).start();
        cx.session.ask(method, task).probe(OTHER_NAME, Intent::OtherTask, json!({})).start();
    }
    cx.session.settle().await;
}
