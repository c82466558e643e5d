//! What an answer, or none, tells of the server: kept for this session and for others.

use serde_json::Value;
use verdict::Transport;
use verdict::probes::values::Reading;
use verdict::transcript::Kind;

use super::super::draft::Patience;
use super::super::in_flight::RequestOutcome;
use super::super::state::Health;
use super::LOST;
use super::waiting::Waiting;

impl Waiting<'_> {
    /// Keeps for all sessions whether the server does anything for this one.
    pub(super) fn note_service(&self, outcome: &RequestOutcome) {
        let (standstill, in_flight) = (&self.session.0.settings.learned.standstill, &self.session.0.in_flight);
        match outcome {
            _ if self.session.0.outside.get() => {}
            // Anything may refuse a request before the server sees it.
            outcome if outcome.result().is_some() => standstill.note_answer(),
            RequestOutcome::Status(status) if !judge::is_failure(*status) => {}
            RequestOutcome::Status(_) | RequestOutcome::Silent if in_flight.borrow().has_answers() => {
                standstill.note_ignored(self.began);
            }
            _ => {}
        }
    }

    /// Keeps for all sessions how soon an answer came.
    pub(super) fn note_answer(&self, prompt: bool, tool: Option<&str>, quick: Option<&str>, result: Option<&Value>) {
        let (learned, took) = (&self.session.0.settings.learned, self.began.elapsed());
        if let Some(tool) = tool {
            learned.vain.note_call(tool, took);
        }
        if prompt {
            learned.vain.note_answer(took);
            learned.note_pace(took);
        }
        let Some(method) = quick else { return };
        learned.answered.borrow_mut().insert(method.to_owned());
        if method == "server/discover" && result.is_some() {
            learned.undiscovered.set(None);
        }
        if matches!(method, "ping" | "server/discover") {
            learned.note_sign(took);
        } else if result.is_some_and(|result| result.get("nextCursor").is_none()) {
            learned.note_whole(method);
        }
    }

    /// Notes that nothing came on this channel: it is not waited for again before the session settles if answers get lost, or if a quick
    /// server was waited for in vain too often and what was sent on it had all the time there is for anything now.
    pub(super) fn give_up(&self, channel: u32) {
        let (session, began) = (self.session, self.began);
        let brief = session.open_limit();
        let had_all = || brief < session.limit() && began.elapsed() >= brief;
        if self.patience != Patience::Start && (session.loses_answers() || had_all()) {
            session.0.in_flight.borrow_mut().give_up(channel);
        }
    }

    /// Over HTTP no order proves that an answer is lost: the same request was answered before, and the server answers this session now.
    pub(super) fn note_missed(&self) {
        let inner = &self.session.0;
        if self.began.elapsed() < LOST {
            return;
        }
        if inner.in_flight.borrow().has_answered_after(self.began) {
            inner.note_lost();
        } else {
            inner.missed.set(inner.missed.get() + 1);
        }
    }

    /// Keeps for this session, and for others, that no answer came.
    pub(super) fn note_silence(&self, seq: u32, method: &str, quick: Option<&str>) {
        let session = self.session;
        let learned = &session.0.settings.learned;
        if self.patience == Patience::Start && !session.slowest_start().is_zero() {
            learned.unopened.set(true);
        }
        let known = learned.gives_no_errors();
        learned.note_silence(method);
        if learned.gives_no_errors() && !known {
            session.0.record_reading(Reading::NoErrors);
        }
        session.0.recorder.add(session.0.id.get(), Kind::GaveUp { request: seq });
        let never = |method| method == "server/discover" && learned.undiscovered.get().is_some();
        let answered = quick.is_some_and(|method| learned.answered.borrow().contains(method) && !never(method));
        if answered && self.began.elapsed() >= LOST && session.0.in_flight.borrow().has_answered_since(self.next) {
            session.0.note_lost();
        }
        // The next answer may be this one's.
        if session.0.in_flight.borrow().tells_by_order() && session.transport() != Transport::Http {
            session.0.worsen(Health::Unresponsive);
        }
    }
}
