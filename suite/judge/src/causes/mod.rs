//! From findings to causes: failed requirements that one mend would mend belong together.
//!
//! Each requirement gets one mark, by the finding that says most about it: what kind of answer came to what kind of request. One mark
//! is one cause. Then what a requirement breaks besides, by the catalogue, is folded beneath it where both show it in the same place.
//! Where in doubt, requirements stay apart.

mod envelope;
mod fold;
mod mark;
mod params;
mod shown;
mod signature;
mod telling;
mod words;

use verdict::record::{Cause, Record};
use verdict::{Finding, Level, Status, requirement};

use mark::Mark;
pub use signature::signatures;

/// A failed requirement.
#[derive(Clone, Copy, Debug)]
pub struct Broken<'f> {
    /// Its id.
    pub id: &'f str,
    /// Its level in this run.
    pub level: Level,
    /// How it was broken, the gravest first.
    pub findings: &'f [Finding],
}

impl<'f> Broken<'f> {
    /// The findings that make it as grave as it is.
    fn gravest(&self) -> impl Iterator<Item = &'f Finding> + use<'f> {
        let level = self.level;
        let gravest = self.findings.iter().map(|finding| finding.level_or(level)).min();
        self.findings.iter().filter(move |finding| Some(finding.level_or(level)) == gravest)
    }
}

/// The causes of failed requirements, the gravest first; each requirement stands in exactly one.
#[must_use]
pub fn causes(broken: &[Broken<'_>]) -> Vec<Cause> {
    let mut groups: Vec<Group<'_>> = Vec::new();
    for one in broken {
        let mark = Mark::of(one);
        match groups.iter_mut().find(|group| group.mark == mark) {
            Some(group) => group.broken.push(*one),
            None => groups.push(Group { mark, broken: vec![*one], folded: Vec::new() }),
        }
    }
    let mut causes: Vec<Cause> = fold::fold(groups).iter().map(Group::cause).collect();
    causes.sort_by_key(|cause| cause.level);
    causes
}

/// The causes of what failed in a run.
#[must_use]
pub fn causes_of(record: &Record) -> Vec<Cause> {
    let failed = record.requirements.iter().filter(|entry| entry.status == Status::Fail);
    let broken: Vec<Broken<'_>> =
        failed.map(|entry| Broken { id: &entry.id, level: entry.level, findings: &entry.findings }).collect();
    causes(&broken)
}

/// Requirements with one mark, in the order of the catalogue.
struct Group<'f> {
    mark: Mark,
    broken: Vec<Broken<'f>>,
    /// What those break besides.
    folded: Vec<Broken<'f>>,
}

impl<'f> Group<'f> {
    fn cause(&self) -> Cause {
        let (first, shown) = self.best();
        let all = || self.broken.iter().chain(&self.folded);
        Cause {
            id: self.mark.id(first.id),
            title: self.title(shown),
            level: all().map(|one| one.level).min().unwrap_or(first.level),
            origin: verdict::record::Origin::Unknown,
            requirements: all().map(|one| one.id.to_owned()).collect(),
            mend: self.mend(first, shown),
            upstream: None,
            workaround: None,
            mended_in: None,
            wire: shown.map(|finding| finding.wire.clone()).unwrap_or_default(),
            reproduce: shown.map(|finding| finding.reproduce.clone()).unwrap_or_default(),
        }
    }

    /// The gravest requirement, and the finding that shows the cause best: one with a request and an answer, in few bytes.
    fn best(&self) -> (Broken<'f>, Option<&'f Finding>) {
        let gravest = self.broken.iter().min_by_key(|one| one.level).copied().unwrap_or(self.broken[0]);
        let shows = |finding: &&Finding| {
            let bytes: usize = finding.wire.iter().map(String::len).sum();
            (Mark::of_finding(finding) != self.mark, finding.wire.len() < 2, bytes)
        };
        (gravest, gravest.findings.iter().min_by_key(shows))
    }

    fn title(&self, shown: Option<&Finding>) -> String {
        let own = shown.map(|finding| finding.message.clone()).unwrap_or_default();
        if self.broken.len() < 2 {
            return own;
        }
        self.mark.title().unwrap_or(own)
    }

    fn mend(&self, first: Broken<'_>, shown: Option<&Finding>) -> String {
        let general = self.mark.mend().filter(|_| self.broken.len() > 1);
        let own = requirement(first.id).map(|found| found.mend).filter(|mend| !mend.is_empty());
        let expected = || shown.map(|finding| format!("Expected: {}.", finding.expected)).unwrap_or_default();
        general.or(own).map_or_else(expected, str::to_owned)
    }
}

#[cfg(test)]
mod tests;
