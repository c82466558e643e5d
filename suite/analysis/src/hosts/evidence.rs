//! What the conditions of the table look at: the tools of a server, what was found broken, and what was noticed on the wire.

use std::collections::BTreeSet;

use verdict::record::{Entry, HostPlace, Record};
use verdict::{Finding, Level, Status};

use super::condition::{Definition, places_in};
use super::table::{Fact, When};

/// The findings of the requirement's own level: what is advised against in its stead (a last word on the way out) harms no host.
fn counted(entry: &Entry) -> impl Iterator<Item = &Finding> {
    let advises = verdict::requirement(&entry.id).is_some_and(|requirement| requirement.level == Level::Advice);
    entry.findings.iter().filter(move |finding| advises || finding.level != Some(Level::Advice))
}

/// What is known of a server.
pub(super) struct Evidence<'r> {
    record: &'r Record,
    tools: Vec<Definition<'r>>,
}

impl<'r> Evidence<'r> {
    pub(super) fn new(record: &'r Record) -> Self {
        Self { record, tools: record.tools.iter().map(Definition::new).collect() }
    }

    /// The places at which the server is what a fact is about; none if nothing was seen that could show it.
    pub(super) fn places(&self, fact: &Fact) -> Option<Vec<HostPlace>> {
        self.of(&fact.when, &fact.id)
    }

    fn of(&self, when: &When, fact: &str) -> Option<Vec<HostPlace>> {
        match when {
            When::Answer(_) | When::Wire(_) | When::StartsAfter(_) => self.noticed(fact),
            When::Broken(ids) => self.broken(ids),
            When::Unseen(_) => None,
            When::Any(all) => {
                let known: Vec<Vec<HostPlace>> = all.iter().filter_map(|when| self.of(when, fact)).collect();
                (!known.is_empty()).then(|| known.into_iter().flatten().collect())
            }
            definitions => Some(places_in(definitions, &self.tools)),
        }
    }

    fn noticed(&self, fact: &str) -> Option<Vec<HostPlace>> {
        self.record.noticed.iter().find(|noticed| noticed.fact == fact).map(|noticed| noticed.places.clone())
    }

    fn broken(&self, ids: &[String]) -> Option<Vec<HostPlace>> {
        let entries: Vec<_> = self.record.requirements.iter().filter(|entry| ids.contains(&entry.id)).collect();
        let without = |id: &str| {
            entries.iter().any(|entry| entry.id == id && entry.status == Status::NotApplicable) || !self.holds_here(id)
        };
        if ids.iter().all(|id| without(id)) {
            return Some(vec![]);
        }
        let judged: Vec<_> =
            entries.into_iter().filter(|entry| matches!(entry.status, Status::Pass | Status::Fail)).collect();
        let places: BTreeSet<HostPlace> = judged
            .iter()
            .flat_map(|entry| counted(entry).map(|finding| (finding.tool.clone(), entry.id.clone())))
            .map(|(tool, at)| HostPlace { tool, at })
            .collect();
        (!judged.is_empty()).then(|| places.into_iter().collect())
    }

    /// Whether a requirement is one of the revision and transport of the run.
    fn holds_here(&self, id: &str) -> bool {
        let Some(requirement) = verdict::requirement(id) else { return false };
        requirement.holds_in(self.record.protocol) && requirement.binds(self.record.target.transport)
    }
}
