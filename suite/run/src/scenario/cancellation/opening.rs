//! `initialize` and its cancellation at once, which no client may send, and `initialize` again: in a session that nothing else is judged by.

use serde_json::json;
use verdict::transcript::{Event, Kind};
use verdict::{Intent, Transport};
use wire::Message;

use crate::opening::Opening;
use crate::scenario::auth::opening;
use crate::scenario::{Cx, Scenario, Stage};
use crate::session::RequestOutcome;
use crate::{Session, Wear};

const NAME: &str = "cancellation/initialize";
/// The requirement.
pub(in crate::scenario) const CANCELLED: &str = "cancellation.initialize-not-cancelled";
const ID: &str = "\"mcp-conform-initialize\"";

pub(super) const SCENARIO: Scenario = Scenario {
    name: NAME,
    provokes: &[CANCELLED],
    stage: Stage::Alone,
    // On stdio it is done in a process with other oddities ahead of the handshake.
    applies: |profile| profile.is_handshake() && profile.may_disrupt && profile.transport != Transport::Stdio,
    run: |cx| Box::pin(provoke_over_http(cx)),
};

async fn provoke_over_http(cx: Cx) {
    let purpose = Opening::new(NAME, cx.profile.revision).outside();
    let Ok(session) = cx.open_first(purpose).await else { return };
    session.located().await;
    let ask = opening(&session, cx.profile.revision).id(ID).limit(session.limit() * 2);
    let ask = ask.probe(NAME, Intent::InitializeCancelled, json!({}));
    tokio::join!(ask.send(), cancel(&session));
    session.kill().await;
}

async fn cancel(session: &Session) {
    let params = json!({"requestId": "mcp-conform-initialize", "reason": "a probe"});
    let cancel = session.notify("notifications/cancelled", Some(&params));
    cancel.probe(NAME, Intent::InitializeCancel, json!({})).send().await;
}

/// In a process to which nothing else was said.
pub(in crate::scenario) async fn provoke_alone(cx: &Cx) {
    let purpose = Opening::new(NAME, cx.profile.revision).outside();
    let Ok(session) = cx.lease_new(purpose, Wear::Malformed).await else { return };
    provoke_cancelled(cx, &session).await;
    session.give_back().await;
}

/// The same on a connection on which other things were said ahead of the handshake. Gives it back if the handshake came about: else that
/// may be due to those.
pub(in crate::scenario) async fn try_cancelled(cx: &Cx, session: Session) -> Option<Session> {
    let session = session.renewed_outside(NAME);
    // What was cancelled may still be answered: not where others would wonder whose answer that is.
    if provoke_cancelled(cx, &session).await && session.settle().await {
        return Some(session);
    }
    session.kill().await;
    None
}

/// Says whether the client is connected at the end.
async fn provoke_cancelled(cx: &Cx, session: &Session) -> bool {
    let from = session.mark();
    let ask = opening(session, cx.profile.revision).id(ID).limit(session.limit() * 2);
    // Both go out in one write.
    ask.probe(NAME, Intent::InitializeCancelled, json!({})).start();
    cancel(session).await;
    // Some start slowly where much goes on.
    let limit = (session.limit() * 2).max(session.slowest_start() * 3);
    // Which of the two the server sees first is a matter of luck; whether one can still connect is not.
    let again = opening(session, cx.profile.revision).limit(limit);
    let again = again.probe(NAME, Intent::InitializeCancelled, json!({})).send().await;
    let answer = match again {
        RequestOutcome::Answer(message) if message.result().is_some() => Some(message),
        // Some take one alone, or their time before they open.
        _ => {
            if session.settle().await {
                session.until(from, session.limit(), |events| is_answered(events, session.id())).await;
            }
            first_answer(session, from)
        }
    };
    if answer.is_none_or(|answer| session.settle_opening(&answer).is_none()) {
        return false;
    }
    session.notify("notifications/initialized", None).send().await;
    session.revision() == Some(cx.profile.revision)
}

/// The result of the one that was cancelled.
fn first_answer(session: &Session, from: usize) -> Option<Message> {
    let mut heard = session.heard(from).into_iter().map(|(_, message)| message);
    heard.find(|message| message.member("id") == Some(&json!("mcp-conform-initialize")) && message.result().is_some())
}

fn is_answered(events: &[Event], session: u32) -> bool {
    events.iter().any(|event| {
        event.session == session
            && matches!(&event.kind, Kind::Receive(receive) if receive.text.contains("mcp-conform-initialize"))
    })
}
