//! Rules: pure functions from a transcript to verdicts. No I/O, no clock, no server.
//!
//! [`judge`] builds a [`View`] of the transcript (messages parsed, answers matched to what they answer), lets every rule
//! look at it, and turns what they say into one [`verdict::Verdict`] a requirement.

mod bench;
mod rule;
pub mod rules;
#[cfg(test)]
mod testing;
mod view;

pub use bench::Bench;
pub use rule::Rule;
pub use view::{Case, End, Exchange, Incoming, Session, Tool, View};

use verdict::transcript::Event;
use verdict::{Revision, Transport, Verdict};

/// What a transcript is judged by.
#[derive(Clone, Debug)]
pub struct Bar {
    /// The revision whose requirements apply.
    pub revision: Revision,
    /// The transport the server was driven over.
    pub transport: Transport,
}

/// Judges a transcript: one verdict for every requirement of the revision, in catalogue order.
#[must_use]
pub fn judge(events: &[Event], bar: &Bar) -> Vec<Verdict> {
    let view = View::new(events, bar);
    let mut bench = Bench::new(bar.revision, bar.transport);
    for rule in rules::all() {
        (rule.judge)(&view, &mut bench);
    }
    bench.verdicts(&view)
}
