//! How long answers are worth waiting for, given what was waited for in vain, and what is not sent at all any more.

use std::time::{Duration, Instant};

use verdict::Purpose;
use verdict::transcript::Event;

use super::Session;
use crate::vain::{Awaited, Waiter};

impl Session {
    /// How long it is waited for what would be given this limit, given what was waited for in vain.
    pub(super) fn patience(&self, limit: Duration, awaited: Awaited) -> Duration {
        if self.0.outside.get() {
            return limit;
        }
        let waiter = match (self.is_careful(), self.is_confirm()) {
            (true, _) => Waiter::Alone,
            (false, true) => Waiter::Repeats,
            (false, false) => Waiter::Ordinary,
        };
        self.0.settings.learned.vain.patience(limit, awaited, waiter)
    }

    /// How long the first of several calls of any tool is waited for, given what was waited for in vain.
    pub(crate) fn first_answer_limit(&self) -> Duration {
        self.patience(self.limit(), Awaited::Call(Duration::ZERO))
    }

    /// Notes that something was waited for since then, and did not come.
    pub(crate) fn note_vain(&self, began: Instant) {
        self.0.settings.learned.vain.note(began);
    }

    /// As `until`, for what a tool may give late: it is waited for as in a repetition, given what was waited for in vain.
    pub(crate) async fn until_late(&self, from: usize, limit: Duration, wanted: impl FnMut(&[Event]) -> bool) -> bool {
        let vain = &self.0.settings.learned.vain;
        let limit = vain.patience(limit, Awaited::Call(Duration::ZERO), Waiter::Repeats);
        let began = Instant::now();
        let came = self.until(from, limit, wanted).await;
        if !came {
            vain.note(began);
        }
        came
    }

    /// What an answer waits for, given what is under way, and the tool that has to be run for it.
    pub(super) fn awaited(&self, tool: Option<&str>) -> Awaited {
        let until = self.0.in_flight.borrow().works_until();
        let others = until.map(|until| until.saturating_duration_since(Instant::now()));
        let own = tool.map(|tool| self.0.settings.learned.vain.work(tool));
        others.filter(|left| !left.is_zero()).max(own).map_or(Awaited::Quick, Awaited::Call)
    }

    /// How many times shorter a sign of life is waited for, given what is unanswered.
    pub(super) fn doubt(&self) -> u32 {
        let first = self.0.in_flight.borrow().first_unanswered();
        first.map_or(1, |text| self.0.settings.learned.doubt(&text))
    }

    /// Whether a message is not sent: other sessions were seen to be lost over it.
    pub(super) fn avoids(&self, bytes: &[u8]) -> bool {
        !self.is_confirm() && self.0.settings.learned.avoids(bytes, self.is_careful())
    }

    /// Whether no call of this tool is sent any more.
    pub(crate) fn avoids_calls_of(&self, tool: &str) -> bool {
        self.0.settings.learned.avoids_tool(tool)
    }

    /// One message at a time is sent, to find what fells the server.
    pub(super) fn is_careful(&self) -> bool {
        self.is_for(Purpose::Careful)
    }
}
