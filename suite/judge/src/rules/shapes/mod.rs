//! The shape of every message that the server sent in the judged sessions, by the tables of [`crate::shapes`].
//!
//! Witnesses are members that are there and right; what is absent and optional shows nothing. Probes of unusual ids
//! excuse the id of the answer: it is the tester's own that was odd.

#[cfg(test)]
mod every;
mod finding;
mod frame;
mod heard;
mod ids;
mod message;
#[cfg(test)]
mod tests;

use std::collections::HashMap;

use crate::shapes::Report;
use crate::{Collector, Rule, View};

/// The rules of this area.
pub(super) static RULES: &[Rule] = &[Rule { name: "shapes/messages", judges: ids::JUDGES, judge }];

fn judge(view: &View<'_>, collector: &mut Collector) {
    let mut seen: HashMap<&'static str, u32> = HashMap::new();
    let mut report = Report::default();
    for session in view.judged() {
        let frames = frame::Frames::new(session);
        let turns = message::turns(session, view.revision);
        for incoming in &session.incoming {
            let heard = heard::Heard { view, session, incoming, turns };
            if frames.are_messages(incoming) && frame::is_single(&heard, collector) {
                message::examine(&heard, &mut report, collector);
                for id in report.seen.drain(..) {
                    *seen.entry(id).or_default() += 1;
                }
            }
        }
    }
    for (id, times) in seen.into_iter().filter(|(id, _)| !ids::ELSEWHERE.contains(id)) {
        collector.witness_times(id, times);
    }
}
