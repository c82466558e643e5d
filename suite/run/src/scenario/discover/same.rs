//! Sends the same requests on a connection that has seen much and on fresh ones, by turns.

use serde_json::json;
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
    // Over HTTP a further one costs nothing.
    let fresher = match cx.profile.transport {
        Transport::Stdio => cx.lease_another(opening(), Wear::Ordinary).await,
        Transport::Http | Transport::Sse => cx.lease_new(opening(), Wear::Ordinary).await,
    };
    let Ok(fresher) = fresher else { return fresh.give_back().await };
    // All others are asked between these and the last of these.
    ask(&cx, &cx.session, Side::Busy).await;
    ask(&cx, &fresh, Side::Fresh).await;
    // Tools were called on the busy one, and may have changed what its process lists.
    let is_process = cx.profile.transport == Transport::Stdio;
    if is_process {
        mixed::use_up(&cx, &fresh, NAME).await;
        ask(&cx, &fresh, Side::Used).await;
    }
    ask(&cx, &fresher, Side::FreshAgain).await;
    ask(&cx, &cx.session, Side::BusyAgain).await;
    if is_process {
        ask(&cx, &fresh, Side::UsedAgain).await;
    }
    if is_process && connections::comes(&cx) {
        // The last one is taken first.
        cx.for_lists.pass_on(fresh).await;
        cx.for_lists.pass_on(fresher).await;
    } else {
        tokio::join!(fresh.give_back(), fresher.give_back());
    }
}

async fn ask(cx: &Cx, session: &Session, side: Side) {
    let lists = cx.profile.walks.iter().map(|walk| walk.method);
    let discover = (!session.is_undiscovered()).then_some("server/discover");
    let methods = discover.into_iter().chain(lists);
    all(methods.map(|method| {
        let ask = session.ask(method, json!({})).probe(NAME, Intent::SameOn, json!({"side": side}));
        ask.opening().send()
    }))
    .await;
}
