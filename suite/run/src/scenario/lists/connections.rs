//! Two connections by turns, with other requests on one of them: the same lists for both (2026-07-28).

use serde_json::{Value, json};
use verdict::{Intent, Transport};

use crate::opening::Opening;
use crate::scenario::tools::{Call, send};
use crate::scenario::{Cx, Scenario, Stage};
use crate::survey::{LISTS, walk};
use crate::{Arguments, ServerProfile, Session, Wear};

const NAME: &str = "lists/connections";
/// Tools that are called in between.
const CALLS: usize = 4;

pub(super) const SCENARIO: Scenario = Scenario {
    name: NAME,
    provokes: &[
        "tools.list.not-per-connection",
        "tools.list.not-side-effect",
        "tools.list.deterministic-order",
        "resources.list.not-per-connection",
        "resources.list.not-side-effect",
        "prompts.list.not-per-connection",
        "prompts.list.not-side-effect",
    ],
    stage: Stage::Ordered,
    applies,
    run: |cx| Box::pin(provoke_connections(cx)),
};

fn applies(profile: &ServerProfile) -> bool {
    let any = LISTS.iter().any(|(_, _, capability)| profile.declares(capability));
    any && profile.revision.is_stateless()
}

/// Whether it comes soon, so that connections are worth keeping for it.
pub(crate) fn comes(cx: &Cx) -> bool {
    !cx.confirming && applies(&cx.profile) && SCENARIO.provokes.iter().any(|id| cx.wants(id))
}

async fn provoke_connections(cx: Cx) {
    let revision = cx.profile.revision;
    // On one that somebody had before, what changes the lists may have been sent already: on these no tool was called.
    let here = match cx.handed(&cx.for_lists, "lists here", Wear::Ordinary) {
        Some(here) => here,
        None => {
            let Ok(here) = cx.open_ready(Opening::new("lists here", revision)).await else { return };
            cx.opener.leased(here, revision, Wear::Last)
        }
    };
    let before = list(&cx.profile, &here).await;
    provoke_between(&cx, &here).await;
    let after = list(&cx.profile, &here).await;
    let there = match cx.handed(&cx.for_lists, "lists there", Wear::Ordinary) {
        // Nothing changes, and the main session lists the same: another process has nothing to tell.
        None if cx.profile.transport == Transport::Stdio && before == after && is_known(&cx.profile, &after) => None,
        None => {
            let there = cx.open_ready(Opening::new("lists there", revision)).await;
            there.ok().map(|session| cx.opener.leased(session, revision, Wear::Last))
        }
        there => there,
    };
    if let Some(there) = there {
        for session in [&there, &here, &there] {
            list(&cx.profile, session).await;
        }
        there.give_back().await;
    }
    here.give_back().await;
}

/// What is listed, by method.
type Lists = Vec<(&'static str, Vec<Value>)>;

async fn list(profile: &ServerProfile, session: &Session) -> Lists {
    let mut lists = Lists::new();
    for (method, member, capability) in LISTS {
        if profile.declares(capability) && method != "resources/templates/list" {
            let walk = walk(session, NAME, Intent::WalkAfter, method, member).await;
            lists.push((method, walk.entries));
        }
    }
    lists
}

/// Whether the main session listed the same at the beginning.
fn is_known(profile: &ServerProfile, lists: &Lists) -> bool {
    lists.iter().all(|(method, entries)| profile.entries(method) == entries)
}

/// Requests that must not change the lists: of other kinds, and calls of read-only tools.
async fn provoke_between(cx: &Cx, session: &Session) {
    for (capability, method) in [("prompts", "prompts/list"), ("resources", "resources/list")] {
        if cx.profile.declares(capability) {
            session.ask(method, json!({})).probe(NAME, Intent::InBetween, json!({})).send().await;
        }
    }
    if let Some(uri) = cx.profile.entries("resources/list").first().and_then(|entry| entry.get("uri")) {
        session.ask("resources/read", json!({"uri": uri})).probe(NAME, Intent::InBetween, json!({})).send().await;
    }
    let tools = cx.profile.callable().filter(|tool| tool.hints("readOnlyHint")).take(CALLS);
    let calls = tools.filter_map(|tool| {
        let arguments = Arguments::of(tool, cx.profile.revision, &cx.options).valid.ok()?;
        let params = json!({"name": tool.name, "arguments": arguments});
        Some(Call { intent: Intent::ValidCall, about: json!({"tool": tool.name}), params })
    });
    send(session, NAME, calls.collect()).await;
}
