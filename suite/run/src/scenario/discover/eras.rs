//! A client of an older revision comes along: what does it meet?

use serde_json::json;
use verdict::transcript::Probe;
use verdict::{Intent, Revision, Transport};

use super::{Cx, Scenario, Stage, is_modern, legacy, supported};
use crate::scenario::jsonrpc::{all, list};
use crate::{Opening, RequestOutcome, Session};

const NAME: &str = "discover/eras";

pub(super) const SCENARIO: Scenario = Scenario {
    name: NAME,
    provokes: &[
        "discover.legacy.initialize-refusal-names-versions",
        "discover.legacy.initialize-error",
        "discover.legacy.dual-era-initialize",
        "discover.legacy.modern-after-initialize",
        "discover.result.supported-versions-work",
        "discover.stateless.no-handshake",
        "http.version-header.required",
        "http.get.removed-405",
        "http.delete.removed-405",
        "http.compat.legacy-initialize-400",
    ],
    stage: Stage::Alone,
    applies: is_modern,
    run: |cx| Box::pin(provoke_eras(cx)),
};

async fn provoke_eras(cx: Cx) {
    let Some((opened, revision)) = provoke_greeting(&cx).await else { return };
    let listed = supported(&cx.session).await;
    let mut versions: Vec<Revision> = legacy(&listed).filter(|version| Some(*version) != revision).collect();
    // Whether there are clients whose revision has no version header matters over HTTP alone.
    let oldest = Revision::V2025_03_26;
    if cx.profile.transport == Transport::Http && opened && !versions.contains(&oldest) {
        versions.push(oldest);
    }
    for version in versions {
        let Ok(session) = cx.open(Opening::new(NAME, Revision::LATEST_HANDSHAKE).full()).await else { return };
        session.initialize(version.as_str(), json!({}), None).await;
        session.kill().await;
    }
}

/// Whether a client of an older revision can open a session, and which revision it then has.
async fn provoke_greeting(cx: &Cx) -> Option<(bool, Option<Revision>)> {
    // Mostly one was opened already when it was found out what the server speaks.
    if let Some(session) = cx.opener.leases().take_older().await {
        session.record_probe(NAME, Intent::LegacyInitialize, json!({}));
        converse(cx, &session).await;
        session.kill().await;
        return Some((true, session.revision()));
    }
    let session = cx.open(Opening::new(NAME, Revision::LATEST_HANDSHAKE).full()).await.ok()?;
    let outcome = greet(&session).await;
    let opened = outcome.result().is_some();
    if opened {
        session.notify("notifications/initialized", None).send().await;
        converse(cx, &session).await;
    }
    session.kill().await;
    let answered = match outcome {
        RequestOutcome::Answer(_) => true,
        RequestOutcome::Status(status) => (400..500).contains(&status),
        RequestOutcome::Silent | RequestOutcome::Gone => false,
    };
    // Once is enough where nothing that is wrong gets an answer.
    if !answered
        && !cx.session.gives_no_errors()
        && let Ok(again) = cx.open(Opening::new(NAME, Revision::LATEST_HANDSHAKE).confirm()).await
    {
        greet(&again).await;
        again.kill().await;
    }
    Some((opened, session.revision()))
}

async fn greet(session: &Session) -> RequestOutcome {
    let probe = Probe::new(NAME, Intent::LegacyInitialize, json!({}));
    session.initialize(Revision::LATEST_HANDSHAKE.as_str(), json!({}), Some(probe)).await
}

/// Sends the requests that every session of an older revision can make.
async fn converse(cx: &Cx, session: &Session) {
    let listed = list(&cx.profile).map(|(method, _)| (method, Intent::AfterHandshake));
    let asks = listed.into_iter().chain([("ping", Intent::LegacyPing)]);
    all(asks.map(|(method, intent)| session.ask(method, json!({})).probe(NAME, intent, json!({})).send())).await;
    if cx.profile.transport == Transport::Http {
        let method = list(&cx.profile).map_or("server/discover", |(method, _)| method);
        cx.session.ask(method, json!({})).probe(NAME, Intent::ModernBesideSession, json!({})).send().await;
    }
}
