//! Where the server ended by itself or stopped answering: every fall of a run, and what is known of its cause.

use std::collections::HashSet;
use std::time::Duration;

use verdict::{Intent, Purpose};

use crate::view::{ends_properly, has_idled, is_malformed, may_have_idled};
use crate::{Exchange, ExchangeEnd, Session, View};

/// How long before a fall something can have been sent that brought it about.
const WINDOW: Duration = Duration::from_secs(3);

/// A fall, and what is known of its cause.
#[derive(Clone, Debug)]
pub struct Fallen {
    /// The session.
    pub session: u32,
    /// The process ended, or closed its output; else it only stopped answering.
    pub ended: bool,
    /// When, since the run began; of a server that stopped answering, when it was heard last.
    pub at: Duration,
    /// What is known of the cause.
    pub cause: Cause,
    /// It may have ended for want of work: only one that falls again over the same is known to have fallen.
    pub idled: bool,
    /// It ended, with success.
    pub properly: bool,
    /// Messages that may have brought it about, in the order of sending: positions in the transcript. What opened the session, and
    /// what asked for a sign of life, is not among them.
    pub before: Vec<u32>,
    /// Those of them that had no answer, or were owed none, when it fell.
    pub open: Vec<u32>,
}

/// What is known of the cause of a fall.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Cause {
    /// The server ended before it had answered anything.
    Start,
    /// Something came before that no client sends: malformed, or far too large.
    Malformed,
    /// A process that was sent one message at a time fell over the same, which no finding is about yet.
    Seen,
    /// A fresh process fell over the same, and a finding says so.
    Shown,
    /// It ended, and nothing was outstanding but requests that were cancelled at once, which a requirement of its own is about. Whether a fresh
    /// process falls over the same is chance.
    Raced,
    /// Nothing that was tried felled a fresh process.
    Unrepeated,
    /// Nothing yet.
    Unknown,
}

/// The falls of a run, in the order of the sessions. Sessions that only looked for the cause of one are left out.
pub(crate) fn of(view: &View<'_>) -> Vec<Fallen> {
    let seen: HashSet<String> = seen(view).into_iter().map(|seen| seen.key).collect();
    let fallen = view.sessions.iter().filter(|session| !is_search(session));
    fallen.filter_map(|session| fallen_of(view, session, &seen)).collect()
}

/// Whether a session only looks for what felled another.
fn is_search(session: &Session<'_>) -> bool {
    session.open.is_for(Purpose::Careful)
}

/// A message over which a process fell that was sent one at a time.
#[derive(Clone, Debug)]
pub struct Seen {
    /// The session.
    pub session: u32,
    /// The message: its position in the transcript.
    pub seq: u32,
    /// What it has in common with others that differ in their ids alone, see [`crate::message_key`].
    pub key: String,
    /// The process ended, or closed its output; else it only stopped answering.
    pub ended: bool,
    /// When the process fell, since the run began.
    pub at: Duration,
    /// Nothing else was sent before, or the message made a failing one simpler: a fresh process fell.
    pub fresh: bool,
}

/// Returns the messages over which processes fell that were sent one at a time.
pub(crate) fn seen(view: &View<'_>) -> Vec<Seen> {
    let last = |session: &Session<'_>| {
        let fall = session.fall?;
        let exchange =
            session.exchanges.iter().rev().find(|exchange| is_alone(exchange) && exchange.send.probe.is_some())?;
        let probes = session.exchanges.iter().filter(|exchange| exchange.send.probe.is_some()).count();
        let fresh = probes == 1 || session.open.confirm || is_odd(exchange);
        let key = exchange.key();
        Some(Seen { session: session.id, seq: exchange.seq, key, ended: fall.ended, at: fall.at, fresh })
    };
    view.sessions.iter().filter(|session| is_search(session)).filter_map(last).collect()
}

fn is_alone(exchange: &Exchange<'_>) -> bool {
    exchange.end == ExchangeEnd::Gone { alone: true }
}

/// No client sends it. The arguments of a call may be as large as the tool's schema lets them.
fn is_odd(exchange: &Exchange<'_>) -> bool {
    let probe = exchange.send.probe.as_ref();
    probe.is_some_and(is_malformed)
        || probe.is_none_or(|probe| probe.intent != Intent::PracticeInput)
            && !exchange.is_plain_request()
            && !exchange.asks_for_none()
}

fn has_answer(exchange: &Exchange<'_>) -> bool {
    !exchange.answers.is_empty()
}

fn is_raced(exchange: &Exchange<'_>) -> bool {
    let probe = exchange.send.probe.as_ref();
    probe.is_some_and(|probe| matches!(probe.intent, Intent::RaceRequest | Intent::RaceCancel))
}

/// A server may end a session by itself: with success, and without leaving a request unanswered.
fn ends_in_order(session: &Session<'_>) -> bool {
    let success = session.exit.is_some_and(|(_, exit)| exit.code == Some(0));
    let asked = |exchange: &Exchange<'_>| {
        matches!(exchange.end, ExchangeEnd::Gone { .. } | ExchangeEnd::GaveUp) && !exchange.asks_for_none()
    };
    success && !session.exchanges.iter().any(asked)
}

fn fallen_of(view: &View<'_>, session: &Session<'_>, seen: &HashSet<String>) -> Option<Fallen> {
    let properly = ends_properly(session);
    let idled = may_have_idled(session) || properly && view.sessions.iter().any(has_idled);
    let crosses = session.is_unrepeated() && idled;
    let fall = session.fall.filter(|_| !ends_in_order(session) && !crosses)?;
    let sent = view.connection(session).flat_map(|session| &session.exchanges);
    let sent = sent.filter(|exchange| exchange.seq < fall.seq && exchange.send.probe.is_some());
    let mut near: Vec<&Exchange<'_>> = sent.filter(|exchange| fall.at.saturating_sub(exchange.at) <= WINDOW).collect();
    near.sort_by_key(|exchange| exchange.seq);
    // What needs no answer, and came before somebody else had the connection, is done with: it was handed on giving answers.
    let own = session.exchanges.first().map_or(0, |first| first.seq);
    let done =
        |exchange: &Exchange<'_>| exchange.seq < own && (exchange.asks_for_none() || exchange.cancelled.is_some());
    let open = |exchange: &&&Exchange<'_>| {
        let unanswered = exchange.answers.is_empty() && exchange.unmatched.is_empty();
        unanswered && exchange.end != ExchangeEnd::Settled && !done(exchange)
    };
    // What waits behind something else was not looked at yet by a server that takes one after the other.
    let malformed = |waiting: &[&Exchange<'_>]| waiting.first().is_some_and(|first| is_odd(first));
    let waiting: Vec<&Exchange<'_>> = near.iter().filter(open).copied().collect();
    let cause = match () {
        () if !view.connection(session).flat_map(|session| &session.exchanges).any(has_answer) => Cause::Start,
        // A program that may have ended for want of work is asked again first.
        () if malformed(&waiting) && !idled || session.is_found() => Cause::Malformed,
        () if near.iter().any(|exchange| view.explains(exchange)) => Cause::Shown,
        // Silence may be load, until a repetition shows it.
        () if fall.ended && !waiting.is_empty() && waiting.iter().all(|exchange| is_raced(exchange)) => Cause::Raced,
        () if !seen.is_empty() && near.iter().any(|exchange| seen.contains(&exchange.key())) => Cause::Seen,
        () if session.is_unrepeated() => Cause::Unrepeated,
        () => Cause::Unknown,
    };
    let seqs = |all: &[&Exchange<'_>]| all.iter().map(|exchange| exchange.seq).collect();
    Some(Fallen {
        session: session.id,
        ended: fall.ended,
        cause,
        idled,
        properly,
        at: fall.at,
        before: seqs(&near),
        open: seqs(&waiting),
    })
}
