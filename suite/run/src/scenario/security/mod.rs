//! From where a server can be used: foreign pages, foreign names, other addresses. Only servers on this machine are
//! probed.

mod beyond;
mod origin;
mod users;

use serde_json::{Value, json};
use verdict::{Intent, Transport};

use crate::Opening;
use crate::scenario::{Cx, Running, Scenario, Stage};

const NAME: &str = "security/strangers";

pub(super) static SCENARIOS: &[Scenario] = &[STRANGERS, users::SCENARIO];

const STRANGERS: Scenario = Scenario {
    name: NAME,
    provokes: &[
        "security.origin.foreign-rejected",
        "security.origin.status-403",
        "security.origin.rebinding-pair",
        "security.origin.lookalikes-rejected",
        "security.origin.get-validated",
        "security.origin.delete-validated",
        "security.origin.null-rejected",
        "security.origin.malformed-rejected",
        "security.origin.absent-accepted",
        "security.origin.no-reflection",
        "security.host.foreign-rejected",
        "security.bind.loopback-only",
        "security.auth.connections-authenticated",
        "security.tls.remote",
        "security.csrf.simple-content-type",
        "security.local.access-restricted",
    ],
    stage: Stage::Alone,
    applies: |profile| profile.transport == Transport::Http,
    run: |cx| -> Running { Box::pin(run(cx)) },
};

async fn run(cx: Cx) {
    let Some(url) = cx.opener.url().cloned() else { return };
    let Ok(session) = cx.open(Opening::new("outside", cx.profile.revision).outside()).await else { return };
    let here = wire::is_loopback(url.host());
    session.record_probe(NAME, Intent::Target, json!({"loopback": here, "https": url.scheme() == "https"}));
    if cx.options.authorization().is_some() {
        session.record_probe(NAME, Intent::AuthGiven, Value::Null);
    }
    if here {
        origin::probe(&cx, &session, &url).await;
        beyond::probe(&cx, &url).await;
    } else {
        origin::control(&cx, &session).await;
    }
    session.kill().await;
}
