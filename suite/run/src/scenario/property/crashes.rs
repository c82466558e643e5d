//! Requests that crash the server, or get no answer: each candidate alone in a fresh session, then simpler ones of its kind, each
//! fall in a fresh session again.

use std::time::{Duration, Instant};

use serde_json::{Map, Value, json};

use super::drive::Drive;
use super::open;
use crate::{RequestOutcome, Session};

/// Sessions opened for one fall.
const SESSIONS: usize = 24;
/// Time for one fall, and for one call that is not answered.
const TIME: Duration = Duration::from_secs(8);
/// How long a call that is answered by no means is waited for while it is made simple; twenty times the slowest, if longer.
const LATE: Duration = Duration::from_millis(250);
/// Unanswered calls waited for while one is made simple.
const WAITS: usize = 12;
/// Tools of which this is done: where calls of more of them have no answer, that is one fault of the server.
const EXAMINED: u32 = 2;

/// The outcome of a call that was sent alone.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Fate {
    Answered,
    /// No answer in time, but a sign of life.
    Late,
    Fell,
}

impl Drive<'_> {
    /// Looks for the case that felled the server among those that had no answer then.
    pub(super) async fn find(&mut self, open_cases: &[usize]) {
        let began = Instant::now();
        let mut session: Option<Session> = None;
        for case in open_cases {
            if began.elapsed() >= TIME {
                break;
            }
            let arguments = self.set.cases[*case].arguments.clone();
            let Some(current) = self.fresh(session.take()).await else { return };
            let fate = self.alone(&current, *case, &arguments, "step", current.limit()).await;
            if fate == Fate::Fell {
                current.kill().await;
                self.fall_simply(*case, arguments, began).await;
                return;
            }
            session = Some(current);
        }
        if let Some(session) = session {
            session.kill().await;
        }
    }

    async fn fresh(&self, session: Option<Session>) -> Option<Session> {
        match session.filter(|session| !session.is_down()) {
            Some(session) => Some(session),
            None => open(self.cx, true).await.ok(),
        }
    }

    /// Simpler calls that fell the server too.
    async fn fall_simply(&self, case: usize, arguments: Value, began: Instant) {
        let made = &self.set.cases[case];
        let Some(kind) = self.set.kind(made) else { return };
        let mut best = arguments.clone();
        let mut shrinking = kind.shrink(arguments);
        let (mut failed, mut left) = (true, SESSIONS);
        let mut session: Option<Session> = None;
        while left > 0 && began.elapsed() < TIME {
            let Some(simpler) = shrinking.next(failed) else { break };
            failed = false;
            if !self.set.is_like(made, &simpler) {
                continue;
            }
            let Some(current) = self.fresh(session.take()).await else { return };
            if self.alone(&current, case, &simpler, "step", current.limit()).await == Fate::Fell {
                current.kill().await;
                (failed, best) = (true, simpler);
                left -= 1;
            } else {
                session = Some(current);
            }
        }
        if let Some(session) = session {
            session.kill().await;
        }
        if let Ok(last) = open(self.cx, true).await {
            self.alone(&last, case, &best, "minimal", last.limit()).await;
            last.kill().await;
        }
    }

    /// The first case that got no answer although others are answered at once: alone, with all the time there is.
    pub(super) async fn examine_late(&mut self) {
        let Some(case) = self.late.first().copied().filter(|_| self.is_quick()) else { return };
        let began = Instant::now();
        let made = self.set.cases[case].clone();
        // Why it has no answer is known of a server that loses some, and why a wrong one has none of one that never gives an error.
        if self.session.loses_answers()
            || made.broken.is_some() && self.session.gives_no_errors()
            || self.cx.opener.learned().examined.get() >= EXAMINED
        {
            return;
        }
        let limit = LATE.max(self.slowest() * 20).min(self.session.limit());
        let mut best = made.arguments.clone();
        if self.subject.is_limited(&self.cx.options) {
            return self.confirm_late(case, &best).await;
        }
        let Ok(session) = open(self.cx, true).await else { return };
        if self.alone(&session, case, &best, "step", limit).await == Fate::Late
            && let Some(kind) = self.set.kind(&made)
        {
            let mut shrinking = kind.shrink(best.clone());
            let (mut failed, mut left) = (true, WAITS);
            while left > 0 && began.elapsed() < TIME && !session.is_down() {
                let Some(simpler) = shrinking.next(failed) else { break };
                failed = self.set.is_like(&made, &simpler)
                    && self.alone(&session, case, &simpler, "step", limit).await == Fate::Late;
                if failed {
                    best = simpler;
                    left -= 1;
                }
            }
            self.confirm_late(case, &best).await;
        }
        session.kill().await;
    }

    /// In a fresh session, with all the time there is.
    async fn confirm_late(&self, case: usize, arguments: &Value) {
        let examined = &self.cx.opener.learned().examined;
        examined.set(examined.get() + 1);
        if let Some(last) = self.fresh(None).await {
            self.alone(&last, case, arguments, "minimal", last.limit()).await;
            last.kill().await;
        }
    }

    async fn alone(&self, session: &Session, case: usize, arguments: &Value, mark: &str, limit: Duration) -> Fate {
        // Only what was given all the time there is counts as unanswered.
        let whole = limit >= session.limit();
        let more = Map::from_iter([(mark.to_owned(), json!(true)), ("alone".to_owned(), json!(whole))]);
        let outcome = self.lone(session, case, arguments, more, limit).await;
        if session.is_down() || !session.is_alive().await {
            return Fate::Fell;
        }
        match outcome {
            RequestOutcome::Silent => Fate::Late,
            RequestOutcome::Gone => Fate::Fell,
            RequestOutcome::Answer(_) | RequestOutcome::Status(_) => Fate::Answered,
        }
    }
}
