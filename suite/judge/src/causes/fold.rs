//! What breaks with something else is folded beneath it: a general requirement beneath the particular one, a consequence beneath its
//! cause.

use verdict::{Finding, requirement};

use super::mark::{Mark, expected_code};
use super::shown::Shown;
use super::{Broken, Group};

/// Folds groups beneath those that explain them.
pub(super) fn fold(mut groups: Vec<Group<'_>>) -> Vec<Group<'_>> {
    let beneath = beneath(&groups);
    // A group may stand beneath one that itself is folded: the last of them keeps all.
    let top = |mut at: usize| {
        while let Some(next) = beneath[at] {
            at = next;
        }
        at
    };
    for at in 0..groups.len() {
        let top = top(at);
        if top != at {
            let folded = std::mem::take(&mut groups[at].broken);
            groups[top].folded.extend(folded);
        }
    }
    groups.retain(|group| !group.broken.is_empty());
    groups
}

/// For each group the one that explains it; no chain of them ends where it began.
fn beneath(groups: &[Group<'_>]) -> Vec<Option<usize>> {
    let mut beneath = vec![None; groups.len()];
    for (at, group) in groups.iter().enumerate() {
        let explains = |other: usize| other != at && groups[other].explains(group);
        beneath[at] = (0..groups.len()).find(|other| explains(*other) && !leads(&beneath, *other, at));
    }
    beneath
}

fn leads(beneath: &[Option<usize>], mut from: usize, to: usize) -> bool {
    while from != to {
        match beneath[from] {
            Some(next) => from = next,
            None => return false,
        }
    }
    true
}

impl Group<'_> {
    /// Whether each requirement of the other group breaks with one of this, or the same place of the server speaks in both.
    fn explains(&self, other: &Self) -> bool {
        self.speaks_like(other)
            || other.broken.iter().all(|one| self.broken.iter().any(|particular| explains(particular, one)))
    }

    /// Whether parameters are refused here in the words that make the other a group.
    fn speaks_like(&self, other: &Self) -> bool {
        let (Mark::Error { code, words, .. }, Mark::Error { words: own, instead, .. }) = (&other.mark, &self.mark)
        else {
            return false;
        };
        let said = |finding| Mark::said(finding).is_some_and(|(also, text)| also == *code && text == *words);
        let fits = |finding: &Finding| {
            Shown::of(&finding.wire).sent.is_none() || instead.is_some() && expected_code(finding) == *instead
        };
        own.is_empty()
            && !words.is_empty()
            && other.broken.iter().flat_map(|one| one.findings).all(fits)
            && self.broken.iter().flat_map(|one| one.findings).any(said)
    }
}

fn explains(particular: &Broken<'_>, one: &Broken<'_>) -> bool {
    let besides = requirement(particular.id).is_some_and(|found| found.also_breaks.contains(&one.id));
    besides && one.gravest().all(|finding| particular.findings.iter().any(|shown| meet(shown, finding)))
}

/// Whether two findings may be about the same thing. What only the server said has no request to tell it by.
fn meet(one: &Finding, other: &Finding) -> bool {
    let same = |a: &Option<String>, b: &Option<String>| a.is_some() && a == b;
    if same(&one.tool, &other.tool) || same(&one.place, &other.place) {
        return true;
    }
    if one.wire.iter().any(|line| other.wire.iter().any(|also| without_id(line) == without_id(also))) {
        return true;
    }
    match (Shown::of(&one.wire).method(), Shown::of(&other.wire).method()) {
        (Some(method), Some(also)) => method == also,
        _ => one.tool.is_none() || other.tool.is_none(),
    }
}

/// The line without the id of the message, which is another in each session.
fn without_id(line: &str) -> String {
    let Some((before, after)) = line.split_once("\"id\":") else { return line.to_owned() };
    let rest = after.find([',', '}']).map_or(after, |end| &after[end..]);
    format!("{before}{rest}")
}
