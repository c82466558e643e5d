//! Calls of tools that the server does not list.

use serde_json::json;
use verdict::Intent;

use super::{Call, send};
use crate::scenario::{Cx, Scenario, Stage};
use crate::{Arguments, ServerProfile, Tool};

const NAME: &str = "tools/unknown-tool";
const SWAP: &str = "tools/case-swapped";

pub(super) const SCENARIO: Scenario = Scenario {
    name: NAME,
    // What is said of an unknown name tells what a listed tool means by "not found".
    provokes: &["tools.call.unknown-tool", "tools.call.unknown-tool-code", "tools.call.listed-tool-known"],
    stage: Stage::Shared,
    applies: |profile| profile.declares("tools"),
    run: |cx| Box::pin(provoke_unknown(cx)),
};

pub(super) const SWAPPED: Scenario = Scenario {
    name: SWAP,
    provokes: &["tools.name.case-sensitive"],
    stage: Stage::Shared,
    applies: |profile| profile.revision.traits().tool_names && swapped(profile).is_some(),
    run: |cx| Box::pin(case_swapped(cx)),
};

async fn provoke_unknown(cx: Cx) {
    let listed = |name: &String| cx.profile.tools.iter().any(|tool| tool.name == *name);
    let names = (0..).map(|count: u32| format!("mcp_conform_no_such_tool_{count}"));
    let ordinary = names.into_iter().find(|name| !listed(name)).unwrap_or_default();
    let call = |kind: &str, name: String| Call {
        intent: Intent::UnknownTool,
        about: json!({"kind": kind}),
        params: json!({"name": name, "arguments": {}}),
    };
    let odd = [call("empty", String::new()), call("long", "x".repeat(200))];
    let odd = odd.into_iter().filter(|call| !listed(&call.params["name"].as_str().unwrap_or_default().to_owned()));
    let calls = std::iter::once(call("random", ordinary)).chain(odd).collect();
    send(&cx.session, NAME, calls).await;
}

/// A read-only tool, for a server that ignores case will run it, and its name with the case of all letters swapped.
fn swapped(profile: &ServerProfile) -> Option<(&Tool, String)> {
    let swap = |letter: char| {
        if letter.is_ascii_uppercase() { letter.to_ascii_lowercase() } else { letter.to_ascii_uppercase() }
    };
    let pairs = profile
        .callable()
        .filter(|tool| tool.hints("readOnlyHint"))
        .map(|tool| (tool, tool.name.chars().map(swap).collect::<String>()));
    pairs.into_iter().find(|(_, name)| !profile.tools.iter().any(|tool| tool.name == *name))
}

async fn case_swapped(cx: Cx) {
    let Some((tool, name)) = swapped(&cx.profile) else { return };
    let arguments = Arguments::of(tool, cx.profile.revision, &cx.options).valid.unwrap_or_else(|_| json!({}));
    let call = Call {
        intent: Intent::CaseSwappedTool,
        about: json!({"tool": tool.name}),
        params: json!({"name": name, "arguments": arguments}),
    };
    send(&cx.session, SWAP, vec![call]).await;
}
