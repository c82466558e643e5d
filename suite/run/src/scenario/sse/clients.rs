//! Clients beside each other, with the same ids for different requests, and one after another has gone.

use serde_json::json;
use verdict::Intent;
use verdict::probes::values::After;

use crate::scenario::{Cx, Scenario, Stage};
use crate::{Opening, Session};

const NAME: &str = "sse/clients";
/// The purpose of a session that is opened once another one has been closed.
const AFTER: &str = "sse/after";

pub(crate) const SCENARIO: Scenario = Scenario {
    name: NAME,
    provokes: &[
        "sse.stream.endpoint-exists",
        "sse.stream.content-type",
        "sse.endpoint-event.sent",
        "sse.endpoint-event.first",
        "sse.endpoint-event.uri",
        "sse.endpoint-event.same-origin",
        "sse.post.endpoint-exists",
        "sse.post.notification-accepted",
        "sse.message.response-on-stream",
        "sse.multi.concurrent-clients",
        "sse.multi.responses-to-own-stream",
        "sse.shutdown.disconnect-ends-session",
    ],
    stage: Stage::Alone,
    applies: super::defined,
    run: |cx| {
        Box::pin(async move {
            several(&cx).await;
        })
    },
};

/// Whether the server serves several clients. What looks otherwise is tried once more.
pub(crate) async fn several(cx: &Cx) -> bool {
    if open_second_client(cx, false).await || !cx.session.is_down() && open_second_client(cx, true).await {
        provoke_after(cx).await;
        return !cx.session.is_down();
    }
    false
}

async fn open_second_client(cx: &Cx, again: bool) -> bool {
    let (one, other) = tokio::join!(client(cx, NAME, again), client(cx, NAME, again));
    let mut served = one.is_some() && other.is_some();
    if let (Some(one), Some(other)) = (&one, &other) {
        same_ids(cx, one, other).await;
    }
    served &= bystander(cx, After::Clients).await;
    for session in one.iter().chain(&other) {
        session.kill().await;
    }
    served
}

/// Others have closed their sessions: another one is opened.
async fn provoke_after(cx: &Cx) {
    let mut served = false;
    for again in [false, true] {
        if !served && let Some(session) = client(cx, AFTER, again).await {
            served = true;
            session.kill().await;
        }
    }
    bystander(cx, After::Leaving).await;
}

/// A session whose handshake came about within the ordinary time limit.
async fn client(cx: &Cx, purpose: &str, again: bool) -> Option<Session> {
    // With everything declared: some servers refuse clients that cannot do enough.
    let opening = Opening::new(purpose, cx.profile.revision).full();
    let session = cx.open(if again { opening.confirm() } else { opening }).await.ok()?;
    let revision = cx.profile.revision;
    let ready = async {
        if revision.is_handshake() {
            session.handshake(revision.as_str(), json!({}), None).await.is_ok()
        } else {
            session.discover().await.is_ok()
        }
    };
    if session.announced().await.is_err() {
        session.kill().await;
        return None;
    }
    match tokio::time::timeout(cx.options.timeout, ready).await {
        Ok(true) => return Some(session),
        Ok(false) => {}
        Err(_) => session.record_probe(NAME, Intent::NotGreeted, json!({})),
    }
    session.kill().await;
    None
}

/// Different requests with the same ids at the same time, and then the other way round.
async fn same_ids(cx: &Cx, one: &Session, other: &Session) {
    let Some(list) = cx.profile.walks.first() else { return };
    for (id, pings, lists) in [("\"mcp-conform-own-1\"", one, other), ("\"mcp-conform-own-2\"", other, one)] {
        let ping = pings.ask("ping", json!({})).id(id).probe(NAME, Intent::OwnStream, json!({}));
        let walk = lists.ask(list.method, json!({})).id(id);
        let walk = walk.probe(NAME, Intent::OwnStream, json!({"member": list.member}));
        tokio::join!(ping.send(), walk.send());
    }
}

/// Whether the client that was there all the time is still served.
async fn bystander(cx: &Cx, after: After) -> bool {
    if cx.session.is_down() {
        cx.session.record_probe(NAME, Intent::BystanderGone, json!({"after": after}));
        return false;
    }
    let ping = cx.session.ask("ping", json!({})).probe(NAME, Intent::Bystander, json!({"after": after}));
    ping.send().await.is_sign_of_life()
}
