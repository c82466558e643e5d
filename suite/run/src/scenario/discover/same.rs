//! Sends the same requests on a connection that has seen much and on fresh ones, by turns.

use std::cell::RefCell;
use std::collections::BTreeMap;

use serde_json::{Value, json};
use verdict::probes::values::Side;
use verdict::{Intent, Transport};

use super::{Cx, Scenario, Stage, is_modern, mixed};
use crate::scenario::jsonrpc::all;
use crate::scenario::lists::connections;
use crate::{Opening, Session, Wear};

const NAME: &str = "discover/same";

pub(super) const SCENARIO: Scenario = Scenario {
    name: NAME,
    provokes: &[
        "discover.implemented",
        "discover.result.supported-versions",
        "discover.result.supported-versions-non-empty",
        "discover.result.supported-versions-unique",
        "discover.result.capabilities",
        "discover.result.capability-types",
        "discover.result.extension-identifiers",
        "discover.result.instructions",
        "discover.result.instructions-no-duplicates",
        "discover.result.result-type",
        "discover.result.ttl-ms",
        "discover.result.cache-scope",
        "discover.result.server-info",
        "discover.result.no-body-server-info",
        "discover.result.capabilities-served",
        "discover.result.connection-independent",
        "discover.stateless.lists-not-history-dependent",
    ],
    stage: Stage::Ordered,
    applies: is_modern,
    run: |cx| Box::pin(provoke_same(cx)),
};

async fn provoke_same(cx: Cx) {
    let opening = || Opening::new(NAME, cx.profile.revision);
    let Ok(fresh) = cx.lease_new(opening(), Wear::Ordinary).await else { return };
    let busy = ask(&cx, &cx.session, Side::Busy).await;
    let told = ask(&cx, &fresh, Side::Fresh).await;
    // Tools were called on the busy one, and may have changed what its process lists.
    let is_process = cx.profile.transport == Transport::Stdio;
    let used = if is_process {
        mixed::use_up(&cx, &fresh, NAME).await;
        Some(ask(&cx, &fresh, Side::Used).await)
    } else {
        None
    };
    // Where nothing differs, another process has nothing to tell. Over HTTP a further connection costs nothing.
    let differs = told != busy || used.is_some_and(|used| used != told);
    let fresher = match (is_process, differs) {
        (false, _) => cx.lease_new(opening(), Wear::Ordinary).await.ok(),
        (true, true) => cx.lease_another(opening(), Wear::Ordinary).await.ok(),
        (true, false) => None,
    };
    // All others are asked between the first and the last time that the busy one is, so that a change over time is seen as one.
    if let Some(fresher) = &fresher {
        ask(&cx, fresher, Side::FreshAgain).await;
        ask(&cx, &cx.session, Side::BusyAgain).await;
        if is_process {
            ask(&cx, &fresh, Side::UsedAgain).await;
        }
    }
    let passes_on = is_process && connections::comes(&cx);
    for lease in [fresher, Some(fresh)].into_iter().flatten() {
        if passes_on {
            // The last one is taken first.
            cx.for_lists.pass_on(lease).await;
        } else {
            lease.give_back().await;
        }
    }
}

/// What each of these requests was answered on one connection.
async fn ask(cx: &Cx, session: &Session, side: Side) -> BTreeMap<&'static str, Option<Value>> {
    let lists = cx.profile.walks.iter().map(|walk| walk.method);
    let discover = (!session.is_undiscovered()).then_some("server/discover");
    let methods: Vec<_> = discover.into_iter().chain(lists).collect();
    let told = RefCell::new(BTreeMap::new());
    all(methods.into_iter().map(async |method| {
        let ask = session.ask(method, json!({})).probe(NAME, Intent::SameOn, json!({"side": side}));
        let outcome = ask.opening().send().await;
        told.borrow_mut().insert(method, outcome.result().cloned());
    }))
    .await;
    told.into_inner()
}
