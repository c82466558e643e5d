//! Many sessions, opened at the same time and ended again: their ids are looked at.

use std::time::Duration;

use serde_json::{Value, json};
use tokio::task::JoinSet;
use verdict::{Intent, Revision};

use super::is_legacy;
use crate::Session;
use crate::opening::Opening;
use crate::scenario::{Cx, Scenario, Stage};

const NAME: &str = "http/minting";
/// Sessions opened, and how many of them at the same time.
const SESSIONS: usize = 20;
const AT_ONCE: usize = 10;
/// How long the stream that answers initialize may stay open.
const LEISURE: Duration = Duration::from_secs(1);

pub(super) const SCENARIO: Scenario = Scenario {
    name: NAME,
    provokes: &[
        "security.session.id-unique",
        "security.session.id-unguessable",
        "security.session.id-non-deterministic",
        "http.session.visible-ascii",
    ],
    stage: Stage::Alone,
    applies: |profile| is_legacy(profile) && profile.may_disrupt,
    run: |cx| Box::pin(run(cx)),
};

async fn run(cx: Cx) {
    if cx.session.http_session().is_none() {
        return;
    }
    let Ok(session) = cx.open_ready(Opening::new(NAME, Revision::LATEST_HANDSHAKE)).await else { return };
    for _ in 0..SESSIONS / AT_ONCE {
        let mut opening = JoinSet::new();
        for _ in 0..AT_ONCE {
            opening.spawn_local(mint(session.clone(), cx.profile.revision.as_str()));
        }
        opening.join_all().await;
    }
    session.close(Duration::ZERO).await;
}

async fn mint(session: Session, version: &'static str) {
    let params = session.introduction_params(version);
    let id = session.fresh_id();
    let text = json!({"jsonrpc": "2.0", "id": id, "method": "initialize", "params": params}).to_string();
    let reply = session.http("POST").bare_headers().body(text).probe(NAME, Intent::Mint, Value::Null).send().await;
    if let Some(minted) = reply.header("Mcp-Session-Id") {
        // A session that is ended takes its streams with it, the answer to initialize among them.
        session.ends(reply.channel, LEISURE).await;
        let delete = session.http("DELETE").bare_headers().header("Mcp-Session-Id", Some(minted));
        delete.probe(NAME, Intent::MintEnd, Value::Null).send().await;
    }
}
