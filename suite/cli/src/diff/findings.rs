//! Compares the findings of two runs in one revision: new, fixed, changed, and no longer judged.

use serde::Serialize;
use verdict::Revision;

use super::side::{Entry, Evidence, Run};

/// The differences between the findings in one revision.
#[derive(Debug, Serialize)]
pub(crate) struct Findings {
    /// The revision.
    pub(crate) protocol: Revision,
    /// Findings of the new run only.
    pub(crate) new: Vec<Finding>,
    /// Findings of the old run only, whose requirement was judged again.
    pub(crate) fixed: Vec<Finding>,
    /// Findings of both runs with a different level or different evidence.
    pub(crate) changed: Vec<Finding>,
    /// Findings of the old run only, whose requirement was not judged again: `now` is its status.
    pub(crate) unseen: Vec<Finding>,
    /// Requirements without findings whose status changed.
    pub(crate) statuses: Vec<StatusChange>,
}

/// A finding that differs.
#[derive(Debug, PartialEq, Eq, Serialize)]
pub(crate) struct Finding {
    /// The requirement.
    pub(crate) requirement: String,
    /// Its level in the new run, else in the old run.
    pub(crate) level: String,
    /// The place and the message.
    pub(crate) finding: String,
    /// The expected behaviour.
    pub(crate) expected: String,
    /// The actual behaviour: in the new run, else in the old run.
    pub(crate) actual: String,
    /// Level and actual behaviour in the old run.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) before: Option<String>,
    /// The status of the requirement now, if it is no longer judged.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) now: Option<String>,
}

/// A requirement whose status changed.
#[derive(Debug, PartialEq, Eq, Serialize)]
pub(crate) struct StatusChange {
    pub(crate) requirement: String,
    pub(crate) before: String,
    pub(crate) now: String,
}

/// Compares the findings of two runs.
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
                    let summary = format!("{}: {}", before.level, was.actual);
                    found.changed.push(Finding { before: Some(summary), ..finding(id, entry, what, seen) });
                }
                Some(_) => {}
            }
        }
        // A requirement missing from the other catalogue says nothing about the server.
        let known = old.contains_key(id);
        // Findings, where there are any, show the change already.
        let without_findings = before.findings.is_empty() && entry.findings.is_empty();
        if known && before.status != entry.status && without_findings {
            let (before, now) = (before.status.clone(), entry.status.clone());
            found.statuses.push(StatusChange { requirement: id.clone(), before, now });
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

fn finding(id: &str, entry: &Entry, what: &str, seen: &Evidence) -> Finding {
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
    /// Returns whether nothing differs.
    pub(crate) fn is_empty(&self) -> bool {
        self.new.is_empty()
            && self.fixed.is_empty()
            && self.changed.is_empty()
            && self.unseen.is_empty()
            && self.statuses.is_empty()
    }
}
