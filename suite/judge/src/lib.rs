//! Rules: pure functions from a transcript to verdicts. No I/O, no clock, no server.
//!
//! [`judge`] builds a [`View`] of the transcript (messages parsed, answers matched to what they answer), lets every rule
//! look at it, and turns what they say into one [`verdict::Verdict`] a requirement.

// For the instances that the tests of this crate share with those outside of it.
#[cfg(test)]
extern crate self as mcp_conform_judge;

mod assumed;
mod causes;
mod chronicle;
mod collector;
mod falls;
#[doc(hidden)]
pub mod fuzzing;
mod handle;
mod promise;
mod rule;
pub mod rules;
pub mod shapes;
mod tested;
#[cfg(test)]
mod testing;
mod view;

pub use causes::{Broken, causes, causes_of, signatures};
pub use collector::Collector;
pub use falls::{Cause, Fallen, Seen};
pub use handle::handle;
pub use promise::{Promise, promise};
pub use rule::Rule;
pub use rules::infer_intents;
pub use view::{
    Case, Closed, Exchange, ExchangeEnd, FAILURES, Fall, Incoming, LARGE, Session, Tool, View, called_tool, is_failure,
    is_malformed, is_ordinary, is_unreached, message_key,
};

use schema::Dialect;
use serde_json::Value;
use verdict::property::Tested;
use verdict::record::{Calls, Noticed, Span};
use verdict::transcript::Event;
use verdict::{Revision, Transport, Verdict};

/// The criteria that a transcript is judged by.
#[derive(Clone, Debug)]
pub struct Criteria {
    /// The revision whose requirements apply.
    pub revision: Revision,
    /// The transport the server was driven over.
    pub transport: Transport,
}

/// Exchanges from which on the rules are worth two threads.
const MANY: usize = 500;

/// Judges a transcript: one verdict for every requirement of the revision, in catalogue order.
#[must_use]
pub fn judge(events: &[Event], criteria: &Criteria) -> Vec<Verdict> {
    verdicts(&View::new(events, criteria), criteria)
}

/// Looks at a transcript for what is no part of the verdict.
pub type Look = fn(&View<'_>) -> Vec<Noticed>;

/// The outcome of judging a transcript.
#[derive(Clone, Debug)]
pub struct Judged {
    /// One verdict for every requirement of the revision, in catalogue order.
    pub verdicts: Vec<Verdict>,
    /// The tools as listed.
    pub tools: Vec<Value>,
    /// When each request was sent.
    pub timeline: Vec<Span>,
    /// The subjects that were tried with generated arguments.
    pub properties: Vec<Tested>,
    /// Calls of tools with valid arguments; none if there were none.
    pub calls: Option<Calls>,
    /// Where the server ended by itself, or stopped answering.
    pub falls: Vec<Fallen>,
    /// The messages over which processes fell that were sent one at a time.
    pub seen: Vec<Seen>,
    /// What somebody else noticed.
    pub noticed: Vec<Noticed>,
}

/// Judges a transcript and says what else it shows, and what somebody notices who looks at it, too.
#[must_use]
pub fn examine(events: &[Event], criteria: &Criteria, look: Option<Look>) -> Judged {
    let view = View::new(events, criteria);
    let tools = chronicle::tools(&view);
    let (timeline, properties) = (chronicle::timeline(&view, events), tested::tested(&view));
    let calls = tested::valid_calls(&view);
    Judged {
        verdicts: verdicts(&view, criteria),
        tools,
        timeline,
        properties,
        calls,
        falls: falls::of(&view),
        seen: falls::seen(&view),
        noticed: look.map(|look| look(&view)).unwrap_or_default(),
    }
}

fn verdicts(view: &View<'_>, criteria: &Criteria) -> Vec<Verdict> {
    let part = |number: usize, parts: usize| {
        let mut collector = Collector::new(criteria.revision, criteria.transport);
        rules::all().skip(number).step_by(parts).for_each(|rule| (rule.judge)(view, &mut collector));
        collector
    };
    let exchanges: usize = view.sessions.iter().map(|session| session.exchanges.len()).sum();
    let halves = || {
        std::thread::scope(|scope| {
            let other = scope.spawn(|| part(1, 2));
            let mut collector = part(0, 2);
            match other.join() {
                Ok(other) => collector.join(other),
                Err(panic) => std::panic::resume_unwind(panic),
            }
            collector
        })
    };
    let mut collector = if exchanges < MANY { part(0, 1) } else { halves() };
    rules::conclude(view, &mut collector);
    assumed::withdraw(view, &mut collector);
    collector.verdicts(view, &has_rule)
}

fn has_rule(id: &str) -> bool {
    rules::of(id).is_some()
}

/// Judges a transcript by the rules of some requirements only.
#[must_use]
pub fn judge_only(events: &[Event], criteria: &Criteria, wanted: &dyn Fn(&str) -> bool) -> Vec<Verdict> {
    let view = View::new(events, criteria);
    let mut collector = Collector::new(criteria.revision, criteria.transport);
    for rule in rules::all().filter(|rule| rule.judges.iter().any(|id| wanted(id))) {
        (rule.judge)(&view, &mut collector);
    }
    rules::conclude(&view, &mut collector);
    assumed::withdraw(&view, &mut collector);
    let mut verdicts = collector.verdicts(&view, &has_rule);
    verdicts.retain(|verdict| wanted(verdict.id));
    verdicts
}

/// The dialects in which a schema without `$schema` may be meant. From 2025-11-25 on that is 2020-12; before, none was the
/// default, and nothing breaks such a schema unless it breaks both.
#[must_use]
pub fn dialects(revision: Revision) -> &'static [Dialect] {
    if revision.traits().default_dialect_2020_12 {
        &[Dialect::Draft202012]
    } else {
        &[Dialect::Draft202012, Dialect::Draft7]
    }
}
