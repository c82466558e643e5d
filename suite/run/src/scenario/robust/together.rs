//! Many at once: requests with ids of their own, two with the same; on stdio with nobody reading meanwhile.

use serde_json::json;
use tokio::task::JoinSet;
use verdict::probes::values::Expect;
use verdict::transcript::Kind;
use verdict::{Intent, Transport};

use super::{BOUND, Cx, INTENT, Scenario, Stage, allowed, open_for_inputs, thorough};
use crate::Session;
use crate::survey::LISTS;

const NAME: &str = "robust/together";

pub(super) const SCENARIO: Scenario = Scenario {
    name: NAME,
    provokes: &["robust.in-flight", "robust.reused-id", "robust.no-reader"],
    stage: Stage::Last,
    applies: allowed,
    run: |cx| Box::pin(run(cx)),
};

/// Requests at once, and when they are asked for by name.
const MANY: (usize, usize) = (100, 1_000);
/// Requests for a long list at once: more of the answers than any pipe takes.
const LISTS_AT_ONCE: usize = 10;

async fn run(cx: Cx) {
    // What fells it must do so again.
    if !all(&cx, false).await {
        all(&cx, true).await;
    }
}

/// Says whether the server still stands.
async fn all(cx: &Cx, confirm: bool) -> bool {
    let Some(session) = open_for_inputs(cx, confirm).await else { return true };
    if cx.wants("robust.reused-id") {
        provoke_reused(cx, &session).await;
    }
    if cx.wants("robust.in-flight") && !session.is_down() {
        let stdio = cx.profile.transport == Transport::Stdio;
        let many = if thorough(cx) && stdio { MANY.1 } else { MANY.0 };
        burst(&session, "robust.in-flight", &session.sign(), many).await;
        session.is_alive().await;
    }
    if cx.wants("robust.no-reader") && !session.is_down() && cx.profile.transport == Transport::Stdio {
        provoke_unread(cx, &session).await;
    }
    if !session.is_down() {
        session.settle().await;
    }
    let stands = !session.is_down();
    session.give_back().await;
    stands
}

async fn burst(session: &Session, of: &'static str, method: &str, count: usize) {
    let mut asks = JoinSet::new();
    for _ in 0..count {
        let (session, method) = (session.clone(), method.to_owned());
        asks.spawn_local(async move {
            let id = session.fresh_id().to_string();
            let about = json!({"of": of, "kind": "one of many", "expect": Expect::Once, "ids": [id]});
            session.ask(&method, json!({})).id(id).limit(session.limit() * 2).probe(NAME, INTENT, about).send().await;
        });
    }
    asks.join_all().await;
}

/// A list, and the request that every server answers, with one id.
async fn provoke_reused(cx: &Cx, session: &Session) {
    let Some((list, member, _)) = LISTS.iter().find(|(_, _, capability)| cx.profile.declares(capability)) else {
        return;
    };
    let id = session.fresh_id().to_string();
    for method in [*list, cx.profile.liveness()] {
        let about = json!({"of": "robust.reused-id", "kind": "two with one id", "expect": Expect::Pair, "ids": [id], "member": member});
        let mut params = json!({});
        if !cx.profile.is_handshake() {
            params["_meta"] = session.meta();
        }
        let text = wire::write::request(wire::write::IdText::raw(&id), method, Some(&params));
        session.raw(text).probe(NAME, INTENT, about).send().await;
    }
    session.settle().await;
}

/// Answers pile up, then reading goes on.
async fn provoke_unread(cx: &Cx, session: &Session) {
    const OF: &str = "robust.no-reader";
    let Some((list, ..)) = LISTS.iter().find(|(_, _, capability)| cx.profile.declares(capability)) else { return };
    let many = cx.profile.crowd(list, LISTS_AT_ONCE, MANY.0);
    let before = session.memory();
    session.hold(true);
    let held = session.clone();
    let reading = async {
        // By then everything was written that the pipe takes.
        tokio::time::sleep(std::time::Duration::from_millis(100)).await;
        let full = held.memory();
        held.hold(false);
        full
    };
    let from = session.mark();
    let ((), full) = tokio::join!(burst(session, OF, list, many), reading);
    session.is_alive().await;
    if let (Some(before), Some(full)) = (before, full.max(session.memory())) {
        let bytes = came(session, from).await as u64;
        let bound = BOUND.0 + BOUND.1 * (bytes >> 10);
        session.record_probe(
            NAME,
            Intent::Memory,
            json!({"of": OF, "grown": full.saturating_sub(before), "bound": bound}),
        );
    }
}

/// Bytes of all that came since then.
async fn came(session: &Session, from: usize) -> usize {
    let (own, mut bytes) = (session.id(), 0);
    session
        .until(from, std::time::Duration::ZERO, |events| {
            let texts = events.iter().filter(|event| event.session == own).filter_map(|event| match &event.kind {
                Kind::Receive(receive) => Some(receive.text.len()),
                _ => None,
            });
            bytes = texts.sum();
            true
        })
        .await;
    bytes
}
