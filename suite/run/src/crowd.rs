//! Whether a server loses calls because many of them are under way at once. Then they are sent one at a time: all of them are
//! answered, and nothing is waited for in vain.

use std::cell::Cell;

/// Calls under way at once that got no answer after which one at a time is tried, and calls sent so that get none after which that
/// is seen not to help.
const MANY: usize = 3;
const LONE: u32 = 2;

/// What is known, by all sessions together.
#[derive(Debug, Default)]
pub(crate) struct Crowd(Cell<State>);

#[derive(Clone, Copy, Debug, Default)]
enum State {
    #[default]
    Unknown,
    /// So many calls got no answer although each was alone.
    Suspect(u32),
    /// It loses those that are alone, too.
    Innocent,
}

impl Crowd {
    /// Notes calls that got no answer from a server that is alive.
    pub(crate) fn note_unanswered(&self, calls: usize) {
        self.0.set(match self.0.get() {
            State::Unknown if calls >= MANY => State::Suspect(0),
            State::Suspect(lone) if lone + 1 >= LONE => State::Innocent,
            State::Suspect(lone) => State::Suspect(lone + 1),
            known => known,
        });
    }

    /// Whether calls are to be sent one at a time.
    pub(crate) fn is_suspect(&self) -> bool {
        matches!(self.0.get(), State::Suspect(_))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn calls_are_alone_as_long_as_that_helps() {
        let crowd = Crowd::default();
        let after = |calls| {
            crowd.note_unanswered(calls);
            crowd.is_suspect()
        };
        assert_eq!([after(2), after(3), after(1), after(1), after(9)], [false, true, true, false, false]);
    }
}
