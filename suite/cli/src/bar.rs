//! What a finding must be to fail a run.

use verdict::Level;
use verdict::record::{Entry, Origin};

/// The findings that count.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Bar {
    /// The lowest level; none if no level fails.
    pub(crate) level: Option<Level>,
    /// Whether those do not count that the SDK of the server is to blame for.
    pub(crate) accept_sdk: bool,
}

impl Bar {
    /// Whether findings of this level of a failed requirement count.
    pub(crate) fn counts(self, entry: &Entry, level: Level) -> bool {
        let accepted = self.accept_sdk && entry.origin == Some(Origin::Sdk);
        !accepted && self.level.is_some_and(|lowest| level <= lowest)
    }
}

impl From<Option<Level>> for Bar {
    fn from(level: Option<Level>) -> Self {
        Self { level, accept_sdk: false }
    }
}
