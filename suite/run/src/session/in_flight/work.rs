//! When the server answered last, and how long its tools may be at work.

use std::time::{Duration, Instant};

use wire::IdKey;

use super::InFlight;

/// Time limits after which even a server that works through earlier requests must have answered.
const BACKLOG: u32 = 4;

/// Returns the limit, counted from the last sign of work.
fn extended(last: Instant, began: Instant, limit: Duration) -> Duration {
    (last.saturating_duration_since(began) + limit).min(limit * BACKLOG)
}

impl InFlight {
    /// Notes that the request with this id was answered.
    pub(in crate::session) fn note_answer(&mut self, id: i64) {
        self.unanswered.remove(&id);
        self.last_answer = Some((id, Instant::now()));
    }

    /// Notes that a tool is called, which may be at work until then.
    pub(in crate::session) fn note_call(&mut self, key: IdKey, until: Instant) {
        self.calls.insert(key, until);
    }

    pub(in crate::session) fn note_returned(&mut self, key: &IdKey) {
        self.calls.remove(key);
    }

    /// Until when tools may be at work.
    pub(in crate::session) fn works_until(&self) -> Option<Instant> {
        self.calls.values().max().copied()
    }

    /// Whether the server has answered anything.
    pub(in crate::session) fn has_answers(&self) -> bool {
        self.last_answer.is_some()
    }

    /// Returns how long a request may wait that was sent at `began`, before the one with the id `next`, given that the server
    /// still answers earlier ones: a server that works through them one by one is slow, not silent.
    pub(in crate::session) fn backlog(&self, next: i64, began: Instant, limit: Duration) -> Duration {
        let last = self.last_answer.filter(|(id, _)| *id < next);
        last.map_or(Duration::ZERO, |(_, at)| extended(at, began, limit))
    }

    /// Whether a request was answered that was sent after the one that was about to be sent when `next` was the next id.
    pub(in crate::session) fn has_answered_since(&self, next: i64) -> bool {
        self.last_answer.is_some_and(|(id, _)| id >= next)
    }

    /// Whether anything was answered since then.
    pub(in crate::session) fn has_answered_after(&self, moment: Instant) -> bool {
        self.last_answer.is_some_and(|(_, at)| at > moment)
    }

    /// Notes that something came.
    pub(in crate::session) fn note_heard(&mut self) {
        self.last_heard = Some(Instant::now());
    }

    /// Returns how long a request may wait that was sent at `began`, given when the server was heard last.
    pub(in crate::session) fn at_work(&self, began: Instant, limit: Duration) -> Duration {
        self.last_heard.map_or(Duration::ZERO, |at| extended(at, began, limit))
    }
}
