//! `tools/list` once more and without params, and the tools methods where tools are not declared.

use serde_json::json;
use verdict::Intent;

use crate::scenario::{Cx, Scenario, Stage};
use crate::survey::walk;

const LIST_NAME: &str = "tools/list";
const BARE_NAME: &str = "tools/list-without-params";
const UNDECLARED_NAME: &str = "tools/undeclared";

pub(super) const LIST: Scenario = Scenario {
    name: LIST_NAME,
    provokes: &["tools.capability.declared", "tools.capability.list-answered", "tools.list.deterministic-order"],
    stage: Stage::Shared,
    applies: |profile| profile.declares("tools"),
    run: |cx| Box::pin(list(cx)),
};

pub(super) const BARE: Scenario = Scenario {
    name: BARE_NAME,
    provokes: &["tools.list.accepts-missing-params"],
    stage: Stage::Shared,
    applies: |profile| profile.declares("tools") && profile.is_handshake(),
    run: |cx| Box::pin(provoke_bare(cx)),
};

pub(super) const UNDECLARED: Scenario = Scenario {
    name: UNDECLARED_NAME,
    provokes: &["tools.capability.declared", "tools.capability.undeclared-method-not-found"],
    stage: Stage::Shared,
    applies: |profile| !profile.declares("tools"),
    run: |cx| Box::pin(provoke_undeclared(cx)),
};

async fn list(cx: Cx) {
    walk(&cx.session, LIST_NAME, Intent::WalkAfter, "tools/list", "tools").await;
}

async fn provoke_bare(cx: Cx) {
    let ask = cx.session.ask("tools/list", json!({})).no_params();
    ask.probe(BARE_NAME, Intent::ToolsListBare, json!({})).send().await;
}

async fn provoke_undeclared(cx: Cx) {
    let list = cx.session.ask("tools/list", json!({})).probe(UNDECLARED_NAME, Intent::ToolsUndeclared, json!({}));
    let call = cx.session.ask("tools/call", json!({"name": "mcp_conform_no_such_tool", "arguments": {}}));
    let call = call.probe(UNDECLARED_NAME, Intent::ToolsUndeclared, json!({}));
    tokio::join!(list.send(), call.send());
}
