//! Observations of each tool, reported in one finding per requirement.

use std::collections::{BTreeMap, BTreeSet};

use verdict::Key;

use super::{finding, some};
use crate::{Case, Collector};

/// The wording of a finding about tools that break a requirement.
pub(super) struct Words {
    pub(super) id: &'static str,
    /// Follows "3 of 12 tools".
    pub(super) what: &'static str,
    pub(super) expected: &'static str,
}

/// Tools by requirement.
#[derive(Default)]
pub(super) struct Sheet {
    seen: BTreeMap<&'static str, BTreeSet<String>>,
    bad: BTreeMap<&'static str, BTreeSet<String>>,
    wire: BTreeMap<&'static str, Vec<String>>,
    fell: BTreeSet<&'static str>,
}

impl Sheet {
    /// One more thing seen of a tool; the first bad one is the evidence.
    pub(super) fn note(&mut self, id: &'static str, case: &Case<'_>, good: bool) {
        let tool = case.about_str(Key::Tool).or(case.tool()).unwrap_or_default().to_owned();
        self.seen.entry(id).or_default().insert(tool.clone());
        if !good {
            self.bad.entry(id).or_default().insert(tool);
            self.wire.entry(id).or_insert_with(|| case.wire());
        }
    }

    /// What was seen of a tool felled the server.
    pub(super) fn note_fall(&mut self, id: &'static str, case: &Case<'_>) {
        self.note(id, case, false);
        self.fell.insert(id);
    }

    /// Something good seen of a tool that no exchange tells by itself.
    pub(super) fn witness(&mut self, id: &'static str, tool: &str) {
        self.seen.entry(id).or_default().insert(tool.to_owned());
    }

    /// Whether something bad was seen of a tool.
    pub(super) fn is_bad(&self, id: &str, tool: &str) -> bool {
        self.bad.get(id).is_some_and(|tools| tools.contains(tool))
    }

    /// One finding for each requirement.
    pub(super) fn tell(mut self, collector: &mut Collector, words: &[Words]) {
        for Words { id, what, expected } in words {
            let seen = self.seen.get(id).map_or(0, BTreeSet::len);
            let Some(bad) = self.bad.get(id) else {
                collector.witness_times(id, u32::try_from(seen).unwrap_or(u32::MAX));
                continue;
            };
            let message = format!("{} of {seen} tools {what}.", bad.len());
            let mut finding = finding(message, expected, some(bad.iter().map(String::as_str)));
            finding.wire = self.wire.remove(id).unwrap_or_default();
            finding.fell = self.fell.contains(id);
            collector.fail(id, finding);
        }
    }
}
