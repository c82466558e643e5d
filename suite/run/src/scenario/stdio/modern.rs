//! `server/discover` ahead of `initialize`, as clients of both eras ask; then SIGTERM.

use std::time::Duration;
use wire::mcp::code;

use serde_json::{Value, json};
use verdict::Intent;
use verdict::transcript::Probe;

use super::{Cx, Scenario, Stage, spawned};
use crate::{Opening, RequestOutcome, Session, Wear};

const NAME: &str = "stdio/modern-probe";

pub(super) const SCENARIO: Scenario = Scenario {
    name: NAME,
    provokes: &["stdio.compat.survives-modern-probe", "stdio.shutdown.sigterm"],
    stage: Stage::Alone,
    applies: spawned,
    run: |cx| Box::pin(provoke_modern(cx)),
};

/// How long an answer is waited for that older servers may owe nobody.
const SILENCE: Duration = Duration::from_secs(1);

async fn provoke_modern(cx: Cx) {
    let opening = || Opening::new(NAME, cx.profile.revision);
    if cx.profile.is_handshake() {
        // Mostly one was asked already when it was found out what the server speaks.
        if let Some(session) = cx.lease_refused(opening(), Wear::Ordinary) {
            initialize(&cx, &session).await;
            session.give_back().await;
        } else if let Ok(session) = cx.lease_new(opening(), Wear::Ordinary).await {
            ask_both(&cx, &session).await;
            session.give_back().await;
        }
    }
    if let Ok(session) = cx.lease(opening(), Wear::Any).await {
        sigterm(&session).await;
    }
}

async fn ask_both(cx: &Cx, session: &Session) {
    let params = json!({"_meta": session.meta()});
    let discover = session.ask("server/discover", params).limit(session.limit().min(SILENCE));
    let outcome = discover.probe(NAME, Intent::ModernProbe, Value::Null).send().await;
    // A server that speaks both is not asked for both on one process.
    if outcome.result().is_some() || is_modern(&outcome) {
        return;
    }
    initialize(cx, session).await;
}

async fn initialize(cx: &Cx, session: &Session) {
    let probe = Probe::new(NAME, Intent::InitializeAfterModernProbe, Value::Null);
    session.initialize(cx.profile.revision.as_str(), json!({}), Some(probe)).await;
    if session.revision().is_some() {
        session.notify("notifications/initialized", None).send().await;
        session.is_alive().await;
    }
}

/// Errors that only 2026-07-28 has.
fn is_modern(outcome: &RequestOutcome) -> bool {
    outcome
        .error_code()
        .is_some_and(|code| (code::UNSUPPORTED_PROTOCOL_VERSION..=code::HEADER_MISMATCH).contains(&code))
}

async fn sigterm(session: &Session) {
    session.record_probe(NAME, Intent::Sigterm, json!({}));
    session.terminate(session.limit()).await;
}
