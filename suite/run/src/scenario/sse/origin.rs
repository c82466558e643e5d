//! Requests of a page on a foreign site: to read the stream, and to post to it.

use serde_json::json;
use verdict::{Intent, Transport};

use crate::Opening;
use crate::scenario::{Cx, Scenario, Stage};

const NAME: &str = "sse/origin";
const FOREIGN: &str = "http://evil.example";

pub(super) const SCENARIO: Scenario = Scenario {
    name: NAME,
    provokes: &["security.origin.get-validated", "security.origin.sse-post-validated"],
    stage: Stage::Alone,
    applies: |profile| profile.transport == Transport::Sse && profile.is_handshake(),
    run: |cx| Box::pin(provoke_origin(cx)),
};

async fn provoke_origin(cx: Cx) {
    let Ok(session) = cx.open_ready(Opening::new(NAME, cx.profile.revision)).await else { return };
    let about = json!({"loopback": cx.is_loopback()});
    let reads = session.http("GET").bare_headers().header("Origin", Some(FOREIGN));
    let reply = reads.probe(NAME, Intent::ForeignReads, about.clone()).send().await;
    session.abort_exchange(reply.channel);
    let posts = session.ask("ping", json!({})).header("Origin", Some(FOREIGN));
    posts.probe(NAME, Intent::ForeignPosts, about).send().await;
    session.kill().await;
}
