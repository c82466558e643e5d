//! Requirements that were not observed, by what would let them be seen.

use std::borrow::Cow;
use std::cmp::Reverse;
use std::collections::HashSet;

use verdict::record::{Entry, Record};
use verdict::{Observe, Status, requirement};

use crate::causes::newest_first;

/// Requirements that the same thing would let be seen.
pub(crate) struct Unseen<'r> {
    /// What that is, as a sentence without its end.
    pub(crate) by: String,
    /// Nothing does: what they are about is not on the wire, each for its own reason.
    pub(crate) never: bool,
    /// What it takes besides, or why nothing does; empty if that is all there is to say. And the requirements of which this is so.
    pub(crate) parts: Vec<(Cow<'r, str>, Vec<&'r Entry>)>,
}

impl Unseen<'_> {
    /// How many requirements these are.
    pub(crate) fn count(&self) -> usize {
        self.parts.iter().map(|(_, all)| all.len()).sum()
    }

    /// A flag of `run` lets them be seen.
    fn is_unlocked(&self) -> bool {
        self.parts.iter().flat_map(|(_, all)| all).any(|entry| entry.unlocked_by.is_some())
    }
}

/// Returns the requirements that no record observed, those that a flag lets be seen first, then the largest groups; then those of which
/// each takes something else, and last those that nothing lets be seen.
pub(crate) fn unseen<'r>(records: impl IntoIterator<Item = &'r Record>) -> Vec<Unseen<'r>> {
    let records = newest_first(records);
    let all = || records.iter().flat_map(|record| &record.requirements);
    let judged = all().filter(|entry| matches!(entry.status, Status::Pass | Status::Fail));
    let mut done: HashSet<&str> = judged.map(|entry| entry.id.as_str()).collect();
    let mut groups: Vec<Unseen<'r>> = Vec::new();
    for entry in all().filter(|entry| entry.status == Status::NotObserved) {
        if done.insert(&entry.id) {
            enter(&mut groups, entry);
        }
    }
    let others = take_single(&mut groups);
    groups.sort_by_key(|group| (group.never, !group.is_unlocked(), Reverse(group.count())));
    let end = groups.iter().position(|group| group.never).unwrap_or(groups.len());
    groups.splice(end..end, others);
    for group in &mut groups {
        group.parts.sort_by_key(|(more, all)| (!more.is_empty(), Reverse(all.len())));
    }
    groups
}

fn enter<'r>(groups: &mut Vec<Unseen<'r>>, entry: &'r Entry) {
    let reason = entry.reason.as_deref().unwrap_or("no reason was recorded");
    let found = requirement(&entry.id);
    let because = found.filter(|found| found.observe == Observe::Untestable).and_then(|found| found.because);
    let takes = found.and_then(|found| found.fixture.or(found.takes));
    // A run may know better.
    let lacks = takes.filter(|_| found.is_some_and(|found| found.unobserved() == reason));
    let (by, more) = match (&entry.unlocked_by, because) {
        (_, Some(because)) => ("Nothing: it is not on the wire".to_owned(), because),
        (Some(flag), _) => (format!("Call more tools: {flag}"), takes.unwrap_or_default()),
        (None, _) => (sentence(lacks.unwrap_or(reason)), ""),
    };
    let at = groups.iter().position(|group| group.by == by).unwrap_or_else(|| {
        groups.push(Unseen { by, never: because.is_some(), parts: vec![] });
        groups.len() - 1
    });
    match groups[at].parts.iter_mut().find(|(known, _)| *known == more) {
        Some((_, all)) => all.push(entry),
        None => groups[at].parts.push((more.into(), vec![entry])),
    }
}

/// Takes out what would be groups of one, as one group: a heading for each hides the others.
fn take_single<'r>(groups: &mut Vec<Unseen<'r>>) -> Option<Unseen<'r>> {
    let is_single = |group: &Unseen<'_>| group.count() == 1 && !group.never && !group.is_unlocked();
    if groups.iter().filter(|group| is_single(group)).count() < 2 {
        return None;
    }
    let single = groups.extract_if(.., |group| is_single(group));
    let parts = single
        .flat_map(|group| group.parts.into_iter().map(move |(_, all)| (Cow::Owned(group.by.clone()), all)))
        .collect();
    Some(Unseen { by: "Other reasons, each for one requirement".to_owned(), never: false, parts })
}

fn sentence(text: &str) -> String {
    let mut letters = text.chars();
    letters.next().map_or_else(String::new, |first| first.to_uppercase().chain(letters).collect())
}

#[cfg(test)]
mod tests {
    use super::unseen;
    use crate::testing::unobserved;

    #[test]
    fn what_a_flag_shows_comes_first_and_what_nothing_shows_last() {
        let record = unobserved();
        let groups = unseen([&record]);
        let told: Vec<(&str, usize)> = groups.iter().map(|group| (group.by.as_str(), group.count())).collect();
        assert_eq!(
            told,
            [
                ("Call more tools: --calls all", 2),
                ("A tool that takes 0.3 seconds or more", 2),
                ("Other reasons, each for one requirement", 2),
                ("Nothing: it is not on the wire", 1),
            ]
        );
    }

    #[test]
    fn what_another_revision_showed_is_left_out() {
        let (record, mut other) = (unobserved(), unobserved());
        for entry in &mut other.requirements {
            entry.status = verdict::Status::Pass;
        }
        assert!(unseen([&record, &other]).is_empty());
    }
}
