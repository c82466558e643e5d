//! A fresh connection (on stdio a fresh process): an ordinary request comes first on it, then what must not colour what
//! follows, and at the end what a server of both eras could take for an older client.

use serde_json::json;
use verdict::probes::values::Step;
use verdict::{Intent, Revision, Transport};

use super::{Cx, PAST, Scenario, Stage, ask_in, is_modern, legacy, mixed, resource, supported};
use crate::scenario::jsonrpc::list;
use crate::{Opening, RequestOutcome, Session, Wear};

const NAME: &str = "discover/fresh";

pub(super) const SCENARIO: Scenario = Scenario {
    name: NAME,
    provokes: &[
        "discover.optional-for-client",
        "discover.stateless.no-handshake",
        "discover.stateless.fresh-process",
        "discover.stateless.other-connection",
        "discover.stateless.interleaving",
        "discover.version.per-request",
        "discover.version.legacy-name-per-request",
        "discover.version.refused-not-listed",
        "discover.result.connection-independent",
    ],
    stage: Stage::Alone,
    applies: is_modern,
    run: |cx| Box::pin(provoke_fresh(cx)),
};

async fn provoke_fresh(cx: Cx) {
    let opening = Opening::new(NAME, cx.profile.revision);
    let Ok(session) = cx.lease_new(opening, Wear::Malformed).await else { return };
    if let Some((method, _)) = list(&cx.profile) {
        provoke_first(&cx, &session, method).await;
        turns(&session, method).await;
    } else {
        turns(&session, "server/discover").await;
    }
    mixed::mix(&cx, &session, NAME).await;
    older(&session).await;
    session.give_back().await;
    if cx.profile.transport == Transport::Http {
        provoke_elsewhere(&cx, false).await;
    }
}

/// A resource that another connection has listed, first thing; if that is refused, after a list of this connection too.
async fn provoke_elsewhere(cx: &Cx, confirm: bool) {
    let Some(params) = resource(cx) else { return };
    let opening = Opening::new(NAME, cx.profile.revision);
    let Ok(session) = cx.open(if confirm { opening.confirm() } else { opening }).await else { return };
    let read = |intent| session.ask("resources/read", params.clone()).probe(NAME, intent, json!({})).send();
    if read(Intent::ReadElsewhere).await.result().is_none() {
        session.ask("resources/list", json!({})).probe(NAME, Intent::InBetween, json!({})).send().await;
        let served = read(Intent::ReadAfterList).await.result().is_some();
        if served && !confirm {
            Box::pin(provoke_elsewhere(cx, true)).await;
        }
    }
    session.kill().await;
}

async fn provoke_first(cx: &Cx, session: &Session, method: &str) {
    let outcome = open_with(session, method).await;
    if outcome.result().is_some() {
        return;
    }
    session.ask("server/discover", json!({})).send().await;
    session.ask(method, json!({})).probe(NAME, Intent::AfterDiscover, json!({})).send().await;
    if outcome.error_code().is_none()
        && let Ok(again) = cx.open(Opening::new(NAME, cx.profile.revision).confirm()).await
    {
        open_with(&again, method).await;
        again.kill().await;
    }
}

/// The first message of a connection; a process takes its time to start.
async fn open_with(session: &Session, method: &str) -> RequestOutcome {
    session.ask(method, json!({})).probe(NAME, Intent::FirstMessage, json!({})).opening().send().await
}

/// A good version, a bad one, a good one.
async fn turns(session: &Session, method: &str) {
    let good = session.revision().unwrap_or(Revision::LATEST).as_str();
    for (step, version) in [(Step::Good, good), (Step::Bad, PAST), (Step::GoodAgain, good)] {
        ask_in(session, version, method, json!({}), (NAME, Intent::VersionTurn, json!({"step": step}))).await;
    }
}

/// Versions that are opened by a handshake, named by requests that stand alone.
async fn older(session: &Session) {
    let listed = supported(session).await;
    let mut versions: Vec<Revision> = legacy(&listed).collect();
    versions.retain(|version| *version != Revision::LATEST_HANDSHAKE);
    versions.push(Revision::LATEST_HANDSHAKE);
    for version in versions {
        let probe = (NAME, Intent::VersionUnsupported, json!({"kind": "older"}));
        ask_in(session, version.as_str(), "server/discover", json!({}), probe).await;
    }
}
