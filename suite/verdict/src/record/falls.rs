//! How often the server fell.

use serde::{Deserialize, Serialize};

/// How often the server ended by itself or stopped answering, and had to be started again. What only looked for the cause of such a
/// fall is not counted.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Falls {
    /// Processes that ended by themselves, or connections that the server closed.
    pub ended: u32,
    /// Sessions in which it stopped answering for good.
    pub silent: u32,
    /// Those of both that came after malformed input.
    pub malformed: u32,
    /// Those of both that came after well-formed messages which fell no fresh process.
    pub unrepeated: u32,
}

impl Falls {
    /// All of them.
    #[must_use]
    pub fn count(&self) -> u32 {
        self.ended + self.silent
    }

    /// Says how it fell and over what; each time it was started again.
    #[must_use]
    pub fn in_words(&self) -> String {
        let Self { ended, silent, malformed, unrepeated } = *self;
        let all = [
            (ended, if ended == 1 { "process ended" } else { "processes ended" }),
            (silent, "stopped answering"),
            (malformed, "of these after malformed input"),
            (unrepeated, "not repeatable"),
        ];
        let said = all.iter().filter(|(number, _)| *number > 0);
        let told: Vec<String> = said.map(|(number, what)| format!("{number} {what}")).collect();
        format!("{}; each time another was started", told.join(", "))
    }

    /// Adds those of another run.
    pub fn add(&mut self, other: &Self) {
        self.ended += other.ended;
        self.silent += other.silent;
        self.malformed += other.malformed;
        self.unrepeated += other.unrepeated;
    }
}
