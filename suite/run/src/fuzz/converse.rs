//! One conversation on an open session: everything is sent at once, then a sign of life, then what is owed is awaited.

use std::collections::HashSet;
use std::pin::pin;
use std::time::{Duration, Instant};

use tokio::sync::oneshot::Receiver;
use tokio::sync::oneshot::error::TryRecvError;
use tokio::time::{Instant as Clock, timeout, timeout_at};
use verdict::Intent;
use verdict::transcript::Kind;
use wire::{IdKey, Limits, parse};

use super::ids::renumbered;
use crate::{RequestOutcome, Session};

/// How long a server may be late with what it need not say.
const GRACE: Duration = Duration::from_millis(2);
/// How long an answer may come after the sign of life before the conversation is left for the next one.
const BRIEF: Duration = Duration::from_millis(40);
/// Requests that are answered when something happens, which may be never.
const LASTING: [&str; 2] = ["subscriptions/listen", "tasks/result"];

/// How a conversation ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum ConversationEnd {
    /// The server goes on.
    Fine,
    /// It ended by itself.
    Ended,
    /// It gives no sign of life.
    Hung,
}

/// The outcome of a conversation.
#[derive(Clone, Copy, Debug)]
pub(super) struct Conversation {
    /// Its first event in the transcript of the session.
    pub(super) from: usize,
    /// How it ended.
    pub(super) end: ConversationEnd,
    /// How long it took.
    pub(super) took: Duration,
}

/// An answer that may still come.
#[derive(Debug)]
pub(super) struct Owed {
    seq: u32,
    answer: Receiver<RequestOutcome>,
}

/// How to speak on a session.
#[derive(Clone, Copy, Debug)]
pub(super) struct Pacing {
    /// No two conversations of one session have the same.
    pub(super) number: i64,
    /// How long the server may take for a sign of life.
    pub(super) life: Duration,
    /// Nothing is owed from before, so that silence means something.
    pub(super) clear: bool,
}

/// Has a conversation on the session; gives what is not answered soon, too.
pub(super) async fn converse(session: &Session, lines: &[Vec<u8>], pacing: Pacing) -> (Conversation, Vec<Owed>) {
    let (from, began, number) = (session.mark(), Instant::now(), pacing.number);
    let lines: Vec<Vec<u8>> = lines.iter().map(|line| renumbered(line, number)).collect();
    let given_up = cancelled(&lines);
    let mut owed = Vec::new();
    let mut all = true;
    for line in &lines {
        let (seq, answer) = session.raw(line.clone()).probe("fuzz", Intent::Fuzz, serde_json::Value::Null).begin();
        match asks(line) {
            Asks::One(key) if !given_up.contains(&key) => owed.push(Owed { seq, answer }),
            Asks::Nothing => {}
            _ => all = false,
        }
    }
    let alive = lives(session, pacing.life).await;
    let mut late = Vec::new();
    if alive {
        let until = Clock::now() + BRIEF;
        for mut one in owed {
            match timeout_at(until, &mut one.answer).await {
                Ok(Ok(RequestOutcome::Answer(_) | RequestOutcome::Status(_))) => {}
                Ok(_) => all = false,
                Err(_) => late.push(one),
            }
        }
        settle(session, all && late.is_empty() && pacing.clear).await;
    }
    let end = match () {
        () if alive => ConversationEnd::Fine,
        () if session.has_ended().await => ConversationEnd::Ended,
        () => ConversationEnd::Hung,
    };
    (Conversation { from, end, took: began.elapsed() }, late)
}

/// A sign of life within this time, in two stretches: if it was the tester who was busy, the answer is there for the second.
async fn lives(session: &Session, life: Duration) -> bool {
    let mut alive = pin!(session.is_alive());
    for _ in 0..2 {
        if let Ok(alive) = timeout(life / 2, &mut alive).await {
            return alive;
        }
    }
    false
}

impl Owed {
    /// Whether it may still come.
    pub(super) fn is_open(&mut self) -> bool {
        matches!(self.answer.try_recv(), Err(TryRecvError::Empty))
    }
}

/// Waits for what may still come, and gives it up when the limit is over; whether everything came.
pub(super) async fn wait(session: &Session, owed: Vec<Owed>) -> bool {
    let (until, mut all) = (Clock::now() + session.limit(), true);
    for one in owed {
        match timeout_at(until, one.answer).await {
            Ok(Ok(RequestOutcome::Answer(_) | RequestOutcome::Status(_))) => {}
            Ok(_) => all = false,
            Err(_) => {
                session.add(Kind::GaveUp { request: one.seq });
                all = false;
            }
        }
    }
    all
}

/// Silence is believed where nothing is on its way.
async fn settle(session: &Session, all: bool) {
    let upto = u32::try_from(session.mark()).unwrap_or(u32::MAX).saturating_sub(1);
    tokio::time::sleep(GRACE).await;
    if all {
        session.add(Kind::Settled { upto });
    }
}

enum Asks {
    /// For an answer, and nothing is wrong with it.
    One(IdKey),
    /// For none.
    Nothing,
    /// Who knows.
    Oddly,
}

fn asks(line: &[u8]) -> Asks {
    let parsed = parse(line, &Limits { bytes: 80 << 20, ..Limits::default() });
    let [message] = parsed.messages() else { return Asks::Oddly };
    let key = message.id.as_ref().and_then(wire::Id::key);
    let lasts = message.method().is_some_and(|method| LASTING.contains(&method));
    match (message.kind, key) {
        (wire::Kind::Request, Some(key)) if message.defects.is_empty() && !parsed.repeats() && !lasts => Asks::One(key),
        (wire::Kind::Notification | wire::Kind::Response | wire::Kind::Error, _) if message.defects.is_empty() => {
            Asks::Nothing
        }
        _ => Asks::Oddly,
    }
}

/// The requests that the conversation takes back.
fn cancelled(lines: &[Vec<u8>]) -> HashSet<IdKey> {
    let mut taken = HashSet::new();
    for line in lines {
        for message in parse(line, &Limits::default()).messages() {
            let id = message.params().and_then(|params| params.get("requestId"));
            taken.extend(id.and_then(|id| wire::Id::from_raw(&id.to_string()).key()));
        }
    }
    taken
}
