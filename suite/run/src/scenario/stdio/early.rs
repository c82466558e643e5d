//! What comes ahead of the handshake, in a process that then does for malformed input: a ping, which clients may send, and
//! `notifications/initialized`, which none does.

use std::time::Duration;

use serde_json::json;
use verdict::probes::values::Expect;
use verdict::{Intent, Purpose};

use super::{Cx, Scenario, Stage, spawned};
use crate::scenario::robust;
use crate::{Opening, Profile, Session};

const NAME: &str = "stdio/early";
const PING: &str = "ping.before-initialize";
const INITIALIZED: &str = "robust.out-of-order";

pub(super) const SCENARIO: Scenario = Scenario {
    name: NAME,
    provokes: &[PING, INITIALIZED],
    stage: Stage::Alone,
    applies: |profile| spawned(profile) && profile.is_handshake(),
    run: |cx| Box::pin(run(cx)),
};

/// How long a ping before the handshake is waited for, beside the time to start: many servers do not answer it, and need not.
const EARLY: Duration = Duration::from_secs(1);

async fn run(cx: Cx) {
    let initialized = cx.profile.may_disrupt && cx.wants(INITIALIZED);
    // What is repeated because it may have felled the server is sent alone.
    let pings = cx.wants(PING) && !(cx.confirming && initialized);
    let _promise = cx.for_rough.promise();
    let Ok(session) = cx.open_first(Opening::new(NAME, cx.profile.revision).full()).await else { return };
    if pings {
        let ping = session.ask("ping", json!({})).limit(session.limit().min(EARLY) + session.slowest_start() * 3 / 2);
        ping.probe(NAME, Intent::PingFirst, json!({})).send().await;
    }
    let session = if initialized { send_initialized(session).await } else { session };
    if !session.is_down() && session.handshake(cx.profile.revision.as_str(), json!({}), None).await.is_ok() {
        session.is_alive().await;
        session.settle().await;
        return cx.offer(&cx.for_rough, session).await;
    }
    session.kill().await;
}

/// `notifications/initialized` before `initialize`: judged as malformed input is.
async fn send_initialized(session: Session) -> Session {
    let session = session.renewed(Purpose::Robust.word(), Profile::Full);
    let early = robust::about(INITIALIZED, "initialized before initialize", Expect::Any);
    session.notify("notifications/initialized", None).probe(NAME, Intent::Robust, early).send().await;
    session
}
