//! A tool that takes its time, called several times at once: one call is left alone, the others are cancelled in the forms that
//! there are. Half a second after the cancellations, less for a quicker tool (the grace that what is under way is given), the
//! watch begins; it ends when the call that was left alone does. What looks wrong is done once more in a process of its own.

use std::time::Duration;

use serde_json::{Value, json};
use verdict::transcript::{Event, Kind};
use verdict::{Intent, Transport};
use wire::Message;

use crate::Session;
use crate::opening::Opening;
use crate::scenario::observations::{SlowCall, slow_call};
use crate::scenario::{Cx, Scenario, Stage};

const NAME: &str = "cancellation/slow";
/// How long what is under way may still arrive.
const GRACE: Duration = Duration::from_millis(500);
/// How long the call that is left alone is waited for at least, beyond what all of them take.
const LEAST: Duration = Duration::from_secs(2);
/// A process that takes so long to start is worth waiting for one that is there.
const DEAR: Duration = Duration::from_millis(100);
/// How long a tool is given to show the first sign of its work.
const START: Duration = Duration::from_millis(200);

pub(super) const SCENARIO: Scenario = Scenario {
    name: NAME,
    provokes: &[
        "cancellation.no-response-after",
        "cancellation.no-further-messages",
        "cancellation.stops-work",
        "cancellation.only-the-named-request",
        "cancellation.id-type-sensitive",
        "cancellation.reason-optional",
        "cancellation.without-request-meta",
    ],
    stage: Stage::Alone,
    applies: |_| true,
    run: |cx| Box::pin(provoke_slow(cx)),
};

async fn provoke_slow(cx: Cx) {
    let dear = cx.profile.transport == Transport::Stdio && cx.session.started_in() >= DEAR;
    let promise = (dear && !cx.confirming).then(|| cx.for_busy.promise());
    let Some(slow) = slow_call(&cx).await else { return };
    let Ok(session) = cx.open_ready(Opening::new("cancellation", cx.profile.revision)).await else { return };
    let ended = watch(&cx, &session, &slow).await;
    let mut left = if promise.is_some() { reusable(session, ended).await } else { end(session).await };
    if ended == Ended::Oddly && !cx.confirming {
        left = match left {
            Some(used) => {
                let used = used.repeated();
                let ended = watch(&cx, &used, &slow).await;
                reusable(used, ended).await
            }
            None => watch_afresh(&cx, &slow).await,
        };
    }
    if let Some(session) = left {
        cx.offer(&cx.for_busy, session).await;
    }
    drop(promise);
}

/// The session if it is as before, for others; else it is ended.
async fn reusable(session: Session, ended: Ended) -> Option<Session> {
    if ended != Ended::Unclear && session.settle().await {
        return Some(session);
    }
    end(session).await
}

async fn end(session: Session) -> Option<Session> {
    session.kill().await;
    None
}

/// The same as a repetition in a session of its own.
async fn watch_afresh(cx: &Cx, slow: &SlowCall) -> Option<Session> {
    let again = cx.open_ready(Opening::new("cancellation", cx.profile.revision).confirm()).await.ok()?;
    watch(cx, &again, slow).await;
    end(again).await
}

/// What became of the calls.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Ended {
    /// As cancellations may have it.
    InOrder,
    /// Otherwise, from a server that had read the cancellations by then, however much else goes on.
    Oddly,
    /// Otherwise.
    Unclear,
}

async fn watch(cx: &Cx, session: &Session, slow: &SlowCall) -> Ended {
    let call = &slow.params;
    session.mirror(&cx.profile.tools);
    let drops = !cx.profile.is_handshake() && cx.profile.transport == Transport::Http;
    let from = session.mark();
    let (control, _) = begin(session, call, Intent::SlowControl, json!({}));
    let mut cancelled = Vec::new();
    for (reason, meta) in forms(cx) {
        let about = json!({"reason": reason, "meta": meta});
        cancelled.push((begin(session, call, Intent::SlowCancelled, about), reason, meta));
    }
    let twin = (!drops).then(|| begin(session, call, Intent::SlowTwin, json!({})).0);
    let last = cancelled.last().map_or(control, |((id, _), ..)| *id);
    session
        .until(from, slow.part(START, 20), |events| {
            events_of_session(session, events).any(|kind| is_progress(kind, last))
        })
        .await;
    for ((id, channel), reason, meta) in &cancelled {
        if drops {
            session.abort_exchange(*channel);
        } else {
            cancel(session, json!(id), *reason, *meta).await;
        }
    }
    if let Some(twin) = twin {
        cancel(session, json!(twin.to_string()), true, false).await;
    }
    // Messages are read in order: who has answered this has read the cancellations.
    let read = session.fresh_id();
    let in_order = session.transport() == Transport::Stdio;
    if in_order {
        session.ask(cx.profile.liveness(), json!({})).id(read.to_string()).start();
    }
    tokio::time::sleep(slow.part(GRACE, 40)).await;
    session.record_probe(NAME, Intent::CancelGrace, json!({}));
    let were_read = in_order && answer_to(&session.heard(from), read).is_some();
    let grace = session.mark();
    let limit = session.paced(session.limit()).max(LEAST) + slow.in_turn(cancelled.len() + 2);
    session
        .until_late(from, limit, |events| {
            let ended = |id: i64| events_of_session(session, events).any(|kind| is_answer(kind, id));
            ended(control) && twin.is_none_or(ended)
        })
        .await;
    session.is_alive().await;
    session.record_probe(NAME, Intent::CancelOver, json!({}));
    let ids: Vec<i64> = cancelled.iter().map(|((id, _), ..)| *id).collect();
    let (heard, late) = (session.heard(from), session.heard(grace));
    let odd = answer_to(&heard, control).is_none() || ends_oddly(&heard, &late, &ids);
    match (odd, were_read) {
        (false, _) => Ended::InOrder,
        (true, true) => Ended::Oddly,
        (true, false) => Ended::Unclear,
    }
}

/// Whether calls that were cancelled were answered with an error, or some of them in vain, or went on.
fn ends_oddly(heard: &[(u32, Message)], late: &[(u32, Message)], cancelled: &[i64]) -> bool {
    let results = cancelled.iter().filter(|id| answer_to(heard, **id).is_some_and(|answer| answer.result().is_some()));
    let results = results.count();
    if results > 0 {
        return results < cancelled.len();
    }
    let beats = |message: &Message, id: i64| {
        let token = message.params().and_then(|params| params.get("progressToken"));
        message.method() == Some("notifications/progress") && token == Some(&token_of(id))
    };
    let goes_on = |id: &i64| late.iter().any(|(_, message)| beats(message, *id));
    cancelled.iter().any(|id| answer_to(heard, *id).is_some() || goes_on(id))
}

fn answer_to(heard: &[(u32, Message)], id: i64) -> Option<&Message> {
    heard
        .iter()
        .map(|(_, message)| message)
        .find(|message| message.is_answer() && message.member("id") == Some(&json!(id)))
}

fn token_of(id: i64) -> Value {
    json!(format!("slow-{id}"))
}

/// With a reason and without; on stdio in 2026-07-28 also with the `_meta` of a request.
fn forms(cx: &Cx) -> Vec<(bool, bool)> {
    let mut forms = vec![(true, false), (false, false)];
    if !cx.profile.is_handshake() && cx.profile.transport == Transport::Stdio {
        forms.push((true, true));
    }
    forms
}

fn begin(session: &Session, call: &Value, intent: Intent, about: Value) -> (i64, u32) {
    let id = session.fresh_id();
    let mut params = call.clone();
    params["_meta"] = json!({"progressToken": token_of(id)});
    let ask = session.ask("tools/call", params).id(id.to_string()).probe(NAME, intent, about);
    (id, ask.start())
}

async fn cancel(session: &Session, id: Value, reason: bool, meta: bool) {
    let mut params = json!({"requestId": id});
    if reason {
        params["reason"] = json!("nobody waits for it any more");
    }
    if meta {
        params["_meta"] = session.meta();
    }
    session.notify("notifications/cancelled", Some(&params)).probe(NAME, Intent::SlowCancel, json!({})).send().await;
}

/// Returns the events of this session.
fn events_of_session<'e>(session: &Session, events: &'e [Event]) -> impl Iterator<Item = &'e Kind> + use<'e> {
    let number = session.id();
    events.iter().filter(move |event| event.session == number).map(|event| &event.kind)
}

fn is_progress(kind: &Kind, id: i64) -> bool {
    matches!(kind, Kind::Receive(receive) if receive.text.contains(&token_of(id).to_string()))
}

fn is_answer(kind: &Kind, id: i64) -> bool {
    let Kind::Receive(receive) = kind else { return false };
    let parsed = wire::parse(receive.text.as_bytes(), &wire::Limits::default());
    parsed.messages().iter().any(|message| message.is_answer() && message.member("id") == Some(&json!(id)))
}
