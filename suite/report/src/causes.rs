//! Broken requirements by their cause, over all revisions that were judged.

use verdict::record::{Cause, Entry, Record};
use verdict::{Finding, Level, Status};

/// A broken requirement.
pub(crate) struct Broken<'r> {
    pub(crate) entry: &'r Entry,
    /// The record it is shown from: the newest in which its level is highest.
    pub(crate) record: &'r Record,
    /// Further revisions in which it is broken.
    pub(crate) also: Vec<String>,
}

impl<'r> Broken<'r> {
    /// What it is broken by. Every record that this program reads names a cause for each.
    fn cause(&self) -> Option<&'r Cause> {
        self.record.causes.iter().find(|cause| cause.requirements.contains(&self.entry.id))
    }
}

/// What one mend would mend.
pub(crate) struct Group<'r> {
    pub(crate) cause: Option<&'r Cause>,
    /// The requirements it breaks, the gravest first; never none.
    pub(crate) broken: Vec<Broken<'r>>,
}

impl<'r> Group<'r> {
    /// The gravest level that it breaks.
    pub(crate) fn level(&self) -> Level {
        self.broken.iter().map(|broken| broken.entry.level).min().unwrap_or(Level::Advice)
    }

    /// What it is called if it breaks more than one requirement.
    pub(crate) fn shared(&self) -> Option<&'r Cause> {
        self.cause.filter(|_| self.broken.len() > 1)
    }

    /// The requirement and the finding whose exchange the cause shows, else the first that there is.
    pub(crate) fn shown(&self) -> Option<(&Broken<'r>, &'r Finding)> {
        let all = || {
            let findings = |broken: &'r Entry| broken.findings.iter();
            self.broken.iter().flat_map(move |broken| findings(broken.entry).map(move |finding| (broken, finding)))
        };
        let is = |finding: &Finding| {
            self.cause.is_some_and(|cause| finding.wire == cause.wire && finding.reproduce == cause.reproduce)
        };
        all().find(|(_, finding)| is(finding)).or_else(|| all().next())
    }
}

/// Returns what breaks a requirement, if it breaks others of the record as well.
pub(crate) fn shared_cause<'r>(record: &'r Record, id: &str) -> Option<&'r Cause> {
    let mut shared = record.causes.iter().filter(|cause| cause.requirements.len() > 1);
    shared.find(|cause| cause.requirements.iter().any(|broken| broken == id))
}

/// Returns what begins the text of a finding: the title of a cause that it shares with others, unless it says the same itself.
pub(crate) fn lead(record: &Record, entry: &Entry, finding: &Finding) -> String {
    let cause = shared_cause(record, &entry.id).filter(|cause| cause.title != finding.message);
    cause.map(|cause| format!("{} ", cause.title)).unwrap_or_default()
}

/// Returns the records, newest revision first: readers start fixing there.
pub(crate) fn newest_first<'r>(records: impl IntoIterator<Item = &'r Record>) -> Vec<&'r Record> {
    let mut records: Vec<&Record> = records.into_iter().collect();
    records.sort_by_key(|record| std::cmp::Reverse(record.protocol));
    records
}

/// Returns the broken requirements, most severe first, each once however many revisions break it.
pub(crate) fn broken<'r>(records: &[&'r Record]) -> Vec<Broken<'r>> {
    let mut all: Vec<Broken<'r>> = Vec::new();
    for record in records {
        for entry in record.requirements.iter().filter(|entry| entry.status == Status::Fail) {
            match all.iter_mut().find(|broken| broken.entry.id == entry.id) {
                // What is accepted in one revision only is shown as it is in the other.
                Some(broken)
                    if (entry.known.is_some(), entry.level) < (broken.entry.known.is_some(), broken.entry.level) =>
                {
                    broken.also.insert(0, broken.record.protocol.to_string());
                    (broken.entry, broken.record) = (entry, record);
                }
                Some(broken) => broken.also.push(record.protocol.to_string()),
                None => all.push(Broken { entry, record, also: vec![] }),
            }
        }
    }
    // The sort is stable: within a level the catalogue order is kept.
    all.sort_by_key(|broken| broken.entry.level);
    all
}

/// Returns these by their cause, in their order. A cause has one id in all revisions.
pub(crate) fn grouped<'r>(all: Vec<Broken<'r>>) -> Vec<Group<'r>> {
    let mut groups: Vec<Group<'r>> = Vec::new();
    for broken in all {
        let cause = broken.cause();
        let same =
            |group: &&mut Group<'r>| cause.is_some_and(|cause| group.cause.is_some_and(|other| other.id == cause.id));
        match groups.iter_mut().find(same) {
            Some(group) => group.broken.push(broken),
            None => groups.push(Group { cause, broken: vec![broken] }),
        }
    }
    groups
}

/// Returns how many causes break a must or a should that no baseline accepts.
pub(crate) fn open_causes<'r>(records: impl IntoIterator<Item = &'r Record>) -> usize {
    let open = |broken: &Broken<'_>| broken.entry.known.is_none() && broken.entry.level != Level::Advice;
    let broken = broken(&newest_first(records));
    grouped(broken.into_iter().filter(open).collect()).len()
}

#[cfg(test)]
mod tests {
    use super::{lead, open_causes};
    use crate::testing::{accepted, several, single, with_causes};

    #[test]
    fn what_has_one_cause_counts_once() {
        assert_eq!(open_causes([&single()]), 3);
        assert_eq!(open_causes([&with_causes()]), 2);
        assert_eq!(open_causes(accepted().records()), 1);
        assert_eq!(open_causes(several().records()), 3);
    }

    #[test]
    fn a_title_that_is_the_sentence_of_a_finding_is_not_said_twice() {
        let mut record = with_causes();
        let entry = record.requirements[3].clone();
        assert_eq!(lead(&record, &entry, &entry.findings[0]), "What does not exist is a tool that failed. ");
        record.causes[0].title.clone_from(&entry.findings[0].message);
        assert_eq!(lead(&record, &entry, &entry.findings[0]), "");
    }
}
