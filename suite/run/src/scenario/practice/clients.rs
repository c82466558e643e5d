//! Several clients over HTTP: one whose call takes its time beside another, and many that drop their connections.

use std::time::Duration;

use serde_json::json;
use verdict::transcript::{Event, Kind};
use verdict::{Intent, Purpose, Transport};

use super::{allowed, open_for_purpose};
use crate::scenario::observations::slow_call;
use crate::scenario::{Cx, Scenario, Stage};
use crate::{Opening, Session, Wear};

const NAME: &str = "practice/clients";
const CUT: &str = "practice/dropped";
/// Connections that are dropped.
const DROPPED: usize = 100;
/// Those that are dropped together.
const BATCH: usize = 10;
/// How long a call is given to reach the server before another client asks for something, or it is dropped.
const AHEAD: Duration = Duration::from_millis(100);

pub(super) const SCENARIO: Scenario = Scenario {
    name: NAME,
    provokes: &["practice.load.concurrent-clients"],
    stage: Stage::Alone,
    applies: |profile| profile.transport != Transport::Stdio && !profile.tools.is_empty(),
    run: |cx| Box::pin(run(cx)),
};

pub(super) const CUTTING: Scenario = Scenario {
    name: CUT,
    provokes: &["practice.transport.cleanup"],
    stage: Stage::Last,
    applies: |profile| profile.transport == Transport::Http && allowed(profile),
    run: |cx| Box::pin(provoke_dropped(cx)),
};

async fn run(cx: Cx) {
    let Some(call) = slow_call(&cx).await else { return };
    let Some(one) = open_for_purpose(&cx, "practice").await else { return };
    let Ok(other) = cx.lease_another(Opening::new("practice", cx.profile.revision), Wear::Ordinary).await else {
        return;
    };
    let slow = one.ask("tools/call", call.params).probe(NAME, Intent::PracticeSlow, json!({})).send();
    let meanwhile = async {
        tokio::time::sleep(AHEAD).await;
        let method = cx.profile.liveness();
        other.ask(method, json!({})).probe(NAME, Intent::PracticeMeanwhile, json!({})).send().await;
    };
    tokio::join!(slow, meanwhile);
    one.give_back().await;
    other.give_back().await;
}

/// Drops each behind a request that has reached the server: those of a batch once the last of them is seen to be dealt with.
async fn provoke_dropped(cx: Cx) {
    let Some(session) = open_for_purpose(&cx, Purpose::Robust).await else { return };
    for _ in 0..DROPPED / BATCH {
        if session.is_down() {
            break;
        }
        let from = session.mark();
        let ask = || session.ask("tools/list", json!({})).probe(CUT, Intent::PracticeDropped, json!({})).verbatim();
        let channels: Vec<u32> = (0..BATCH).map(|_| ask().start()).collect();
        session.until(from, AHEAD, |events| is_met(events, &session, channels.last())).await;
        channels.into_iter().for_each(|channel| session.abort_exchange(channel));
    }
    session.ask(cx.profile.liveness(), json!({})).probe(CUT, Intent::PracticeAfter, json!({})).send().await;
    session.kill().await;
}

fn is_met(events: &[Event], session: &Session, channel: Option<&u32>) -> bool {
    let own = |event: &&Event| event.session == session.id();
    events
        .iter()
        .filter(own)
        .any(|event| matches!(&event.kind, Kind::Status { channel: met, .. } if Some(met) == channel))
}
