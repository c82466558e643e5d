//! What comes ahead of the handshake, in a process that then does for malformed input: a ping, which clients may send, then
//! `notifications/initialized`, which none does, and an `initialize` that is cancelled, which none may. Only where the handshake does not
//! come about is each done in a process of its own.

use std::time::Duration;

use serde_json::json;
use verdict::probes::values::Expect;
use verdict::{Intent, Purpose};

use super::{Cx, Scenario, Stage, spawned};
use crate::scenario::cancellation::opening::{self, CANCELLED};
use crate::scenario::robust;
use crate::{Opening, Profile, Session, Trouble};

const NAME: &str = "stdio/early";
const PING: &str = "ping.before-initialize";
const INITIALIZED: &str = "robust.out-of-order";

pub(super) const SCENARIO: Scenario = Scenario {
    name: NAME,
    provokes: &[PING, INITIALIZED, CANCELLED],
    stage: Stage::Alone,
    applies: |profile| spawned(profile) && profile.is_handshake(),
    run: |cx| Box::pin(run(cx)),
};

/// How long a ping before the handshake is waited for, beside the time to start: many servers do not answer it, and need not.
const EARLY: Duration = Duration::from_secs(1);

async fn run(cx: Cx) {
    let initialized = cx.profile.may_disrupt && cx.wants(INITIALIZED);
    let cancelled = cx.profile.may_disrupt && cx.wants(CANCELLED) && !cx.confirming;
    // What is repeated because it may have felled the server is sent alone.
    let pings = cx.wants(PING) && !(cx.confirming && initialized);
    if !pings && !initialized {
        if cancelled {
            opening::provoke_alone(&cx).await;
        }
        return;
    }
    let promise = cx.for_rough.promise();
    let Ok(session) = open(&cx).await else { return };
    if pings {
        ping(&session).await;
    }
    let session = if initialized { send_initialized(session).await } else { session };
    if !cancelled {
        return shake_hands(&cx, session).await;
    }
    if let Some(session) = opening::try_cancelled(&cx, session).await {
        let session = session.renewed(NAME, Profile::Full);
        return offer(&cx, session).await;
    }
    if initialized && let Ok(session) = open(&cx).await {
        shake_hands(&cx, send_initialized(session).await).await;
    }
    drop(promise);
    opening::provoke_alone(&cx).await;
}

async fn open(cx: &Cx) -> Result<Session, Trouble> {
    cx.open_first(Opening::new(NAME, cx.profile.revision).full()).await
}

async fn ping(session: &Session) {
    let ping = session.ask("ping", json!({})).limit(session.limit().min(EARLY) + session.slowest_start() * 3 / 2);
    ping.probe(NAME, Intent::PingFirst, json!({})).send().await;
}

async fn shake_hands(cx: &Cx, session: Session) {
    if !session.is_down() && session.handshake(cx.profile.revision.as_str(), json!({}), None).await.is_ok() {
        return offer(cx, session).await;
    }
    session.kill().await;
}

/// Leaves it to malformed input, with a sign of life on record.
async fn offer(cx: &Cx, session: Session) {
    session.is_alive().await;
    session.settle().await;
    cx.offer(&cx.for_rough, session).await;
}

/// `notifications/initialized` before `initialize`: judged as malformed input is.
async fn send_initialized(session: Session) -> Session {
    let session = session.renewed(Purpose::Robust.word(), Profile::Full);
    let early = robust::about(INITIALIZED, "initialized before initialize", Expect::Any);
    session.notify("notifications/initialized", None).probe(NAME, Intent::Robust, early).send().await;
    session
}
