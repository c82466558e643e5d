//! Findings of two runs in one revision: what is fixed, new, changed, and no longer to be seen.

use serde::Serialize;
use verdict::Revision;

use super::side::{Entry, Run, Seen};

/// The findings that differ in one revision.
#[derive(Debug, Serialize)]
pub(crate) struct Findings {
    /// The revision.
    pub(crate) protocol: Revision,
    /// In the new one alone.
    pub(crate) new: Vec<Finding>,
    /// In the old one alone, and the requirement was judged again.
    pub(crate) fixed: Vec<Finding>,
    /// In both, and told otherwise: another level, or something else was seen.
    pub(crate) changed: Vec<Finding>,
    /// In the old one alone, and the requirement was not judged again: `now` is its status.
    pub(crate) unseen: Vec<Finding>,
    /// Requirements without findings whose status is another.
    pub(crate) statuses: Vec<Turn>,
}

/// A finding that differs.
#[derive(Debug, PartialEq, Eq, Serialize)]
pub(crate) struct Finding {
    /// The requirement.
    pub(crate) requirement: String,
    /// Its level: in the new one, else in the old one.
    pub(crate) level: String,
    /// Where and what.
    pub(crate) finding: String,
    /// What would have been right.
    pub(crate) expected: String,
    /// What was seen; in the old one if there is no other.
    pub(crate) actual: String,
    /// What was told of it before.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) before: Option<String>,
    /// The status of the requirement now, where it is not judged any more.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) now: Option<String>,
}

/// A requirement whose status is another.
#[derive(Debug, PartialEq, Eq, Serialize)]
pub(crate) struct Turn {
    pub(crate) requirement: String,
    pub(crate) before: String,
    pub(crate) now: String,
}

/// Compares them.
pub(crate) fn findings(old: &Run, new: &Run) -> Findings {
    let mut found = Findings {
        protocol: new.revision,
        new: vec![],
        fixed: vec![],
        changed: vec![],
        unseen: vec![],
        statuses: vec![],
    };
    let nothing = Entry { status: "unknown".to_owned(), ..Entry::default() };
    let (old, new) = match (&old.entries, &new.entries) {
        (Some(old), Some(new)) => (old, new),
        _ => (&old.steady, &new.steady),
    };
    for (id, entry) in new {
        let before = old.get(id).unwrap_or(&nothing);
        for (what, seen) in &entry.findings {
            match before.findings.get(what) {
                None => found.new.push(finding(id, entry, what, seen)),
                Some(was) if was != seen || before.level != entry.level => {
                    let told = format!("{}: {}", before.level, was.actual);
                    found.changed.push(Finding { before: Some(told), ..finding(id, entry, what, seen) });
                }
                Some(_) => {}
            }
        }
        // A requirement that the other one's catalogue does not have is no news of the server.
        let known = old.contains_key(id);
        // Where findings are told, they tell it.
        let untold = before.findings.is_empty() && entry.findings.is_empty();
        if known && before.status != entry.status && untold {
            let (before, now) = (before.status.clone(), entry.status.clone());
            found.statuses.push(Turn { requirement: id.clone(), before, now });
        }
    }
    for (id, entry) in old {
        let now = new.get(id);
        for (what, seen) in &entry.findings {
            match now {
                Some(now) if now.findings.contains_key(what) => {}
                Some(now) if matches!(now.status.as_str(), "pass" | "fail") => {
                    found.fixed.push(finding(id, entry, what, seen));
                }
                other => {
                    let now = Some(other.unwrap_or(&nothing).status.replace('_', " "));
                    found.unseen.push(Finding { now, ..finding(id, entry, what, seen) });
                }
            }
        }
    }
    found
}

fn finding(id: &str, entry: &Entry, what: &str, seen: &Seen) -> Finding {
    Finding {
        requirement: id.to_owned(),
        level: entry.level.clone(),
        finding: what.to_owned(),
        expected: seen.expected.clone(),
        actual: seen.actual.clone(),
        before: None,
        now: None,
    }
}

impl Findings {
    /// Nothing differs.
    pub(crate) fn is_empty(&self) -> bool {
        self.new.is_empty()
            && self.fixed.is_empty()
            && self.changed.is_empty()
            && self.unseen.is_empty()
            && self.statuses.is_empty()
    }
}
