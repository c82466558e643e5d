//! Progress reports of a run.

/// One step of a run.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Progress {
    /// A phase begins.
    Phase(&'static str),
    /// The server was found to speak this revision.
    Speaks {
        /// Its name and version.
        server: String,
        /// The revision that is judged now.
        revision: verdict::Revision,
    },
    /// Something has been waited for for long.
    Waits {
        /// The scenario, or the purpose of its session.
        name: String,
        /// What for.
        what: String,
        /// How long so far.
        long: std::time::Duration,
    },
    /// A scenario ended.
    Scenario {
        /// The revision that is judged; several may be at a time.
        revision: verdict::Revision,
        /// Which.
        name: &'static str,
        /// How many have ended in this revision.
        done: usize,
        /// How many there are.
        total: usize,
    },
}
