//! Known findings: `--baseline FILE` accepts them; new findings, stale entries and expired entries fail.
//!
//! ```toml
//! [[finding]]
//! requirement = "tools.call.unknown-tool"
//! tool = "echo"             # optional: this tool only
//! place = "/inputSchema"    # optional: this place only
//! protocol = "2025-11-25"   # optional: this revision only
//! reason = "caused by the SDK, typescript-sdk#1510"
//! expires = 2027-03-31      # optional: the last day on which the finding is accepted
//!
//! [[finding]]
//! cause = "error-32603-1f2e3d4c"   # instead of a requirement: whatever has this cause
//! reason = "caused by the SDK, typescript-sdk#1510"
//! ```

mod read;
mod update;

use jiff::civil::Date;
use verdict::record::{Cause, Entry, Record, Report};
use verdict::{Finding, Revision, Status};

use crate::bar::Bar;

pub(crate) use read::read;
pub(crate) use update::update;

/// What an entry of a baseline names.
#[derive(Clone, Debug, PartialEq, Eq)]
enum Subject {
    /// A requirement, by its id.
    Requirement(String),
    /// Every requirement that this cause breaks.
    Cause(String),
}

/// An entry of a baseline: one known finding, or several of a kind.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct KnownFinding {
    subject: Subject,
    tool: Option<String>,
    place: Option<String>,
    protocol: Option<Revision>,
    reason: String,
    expires: Option<Date>,
    /// The line number of the entry in the file.
    line: usize,
}

/// A report compared with a baseline.
#[derive(Debug, Default, PartialEq, Eq)]
pub(crate) struct BaselineComparison {
    /// Number of accepted findings.
    accepted: usize,
    /// Findings that no entry accepts: revision, requirement, tool or place, message.
    new: Vec<String>,
    /// Entries that no longer match a finding.
    stale: Vec<String>,
    /// Entries past their date that still match a finding.
    expired: Vec<String>,
}

impl KnownFinding {
    fn is_for(&self, record: &Record, entry: &Entry) -> bool {
        self.covers(record.protocol) && self.subject.is(&entry.id, &record.causes)
    }

    fn covers(&self, protocol: Revision) -> bool {
        self.protocol.is_none_or(|revision| revision == protocol)
    }

    fn matches(&self, finding: &Finding) -> bool {
        let same = |known: &Option<String>, seen: &Option<String>| known.is_none() || known == seen;
        same(&self.tool, &finding.tool) && same(&self.place, &finding.place)
    }

    fn is_expired(&self, today: Date) -> bool {
        self.expires.is_some_and(|last| last < today)
    }
}

impl Subject {
    fn is(&self, id: &str, causes: &[Cause]) -> bool {
        match self {
            Self::Requirement(name) => name == id,
            Self::Cause(name) => {
                let mut named = causes.iter().filter(|cause| cause.id == *name);
                named.any(|cause| cause.requirements.iter().any(|broken| broken == id))
            }
        }
    }

    fn name(&self) -> &str {
        match self {
            Self::Requirement(name) | Self::Cause(name) => name,
        }
    }
}

/// Compares the findings that count with the entries of a baseline.
pub(crate) fn compare(report: &Report, known: &[KnownFinding], bar: Bar, today: Date) -> BaselineComparison {
    let mut comparison = BaselineComparison::default();
    let mut used = vec![false; known.len()];
    for record in report.records() {
        for entry in record.requirements.iter().filter(|entry| entry.status == Status::Fail) {
            for finding in &entry.findings {
                let fits = |at: &usize| known[*at].is_for(record, entry) && known[*at].matches(finding);
                let fitting: Vec<usize> = (0..known.len()).filter(fits).collect();
                fitting.iter().for_each(|at| used[*at] = true);
                if fitting.iter().any(|at| !known[*at].is_expired(today)) {
                    comparison.accepted += 1;
                } else if bar.counts(entry, finding.level_or(entry.level)) {
                    comparison.new.push(finding_line(record, entry, finding));
                }
            }
        }
    }
    for (known, used) in known.iter().zip(used) {
        if used && known.is_expired(today) {
            comparison.expired.push(known.location());
        } else if !used && was_judged(report, known) {
            comparison.stale.push(known.location());
        }
    }
    comparison
}

/// Marks the findings that entries of the baseline accept, with the reason, and the requirements of which all are accepted.
pub(crate) fn mark_known(report: &mut Report, known: &[KnownFinding], today: Date, file: &str) {
    for record in report.records_mut() {
        record.baseline = Some(file.to_owned());
        let known: Vec<&KnownFinding> =
            known.iter().filter(|known| known.covers(record.protocol) && !known.is_expired(today)).collect();
        for entry in record.requirements.iter_mut().filter(|entry| entry.status == Status::Fail) {
            let fitting: Vec<&&KnownFinding> =
                known.iter().filter(|known| known.subject.is(&entry.id, &record.causes)).collect();
            for finding in &mut entry.findings {
                let accepted = fitting.iter().find(|known| known.matches(finding));
                finding.known = accepted.map(|known| known.reason.clone());
            }
            let all = entry.findings.iter().all(|finding| finding.known.is_some());
            entry.known = entry.findings.first().filter(|_| all).and_then(|finding| finding.known.clone());
        }
    }
}

/// Returns whether the run could have found the finding again: skipped and unobserved requirements make nothing stale.
fn was_judged(report: &Report, known: &KnownFinding) -> bool {
    let judged = |record: &Record| {
        let whole = !record.partial && record.trouble.is_none();
        let mut entries = record.requirements.iter();
        whole
            && match &known.subject {
                Subject::Requirement(_) => entries
                    .any(|entry| known.is_for(record, entry) && matches!(entry.status, Status::Pass | Status::Fail)),
                // What it broke is not known any more: everything must have been tried.
                Subject::Cause(_) => {
                    known.covers(record.protocol) && entries.all(|entry| entry.status != Status::Skipped)
                }
            }
    };
    let unknown = matches!(&known.subject, Subject::Requirement(id) if verdict::requirement(id).is_none());
    report.records().iter().any(judged) || unknown
}

fn finding_line(record: &Record, entry: &Entry, finding: &Finding) -> String {
    let at = finding.tool.as_ref().or(finding.place.as_ref()).map(|at| format!(" ({at})")).unwrap_or_default();
    format!("{} {}{at}: {}", record.protocol, entry.id, finding.message)
}

impl KnownFinding {
    /// Returns the line of the entry, and what it accepts.
    fn location(&self) -> String {
        let at = self.tool.as_ref().or(self.place.as_ref()).map(|at| format!(" ({at})")).unwrap_or_default();
        let until = self.expires.map(|last| format!(", accepted until {last}")).unwrap_or_default();
        format!("line {}: {}{at}{until}", self.line, self.subject.name())
    }
}

impl BaselineComparison {
    /// Returns whether nothing is new, stale or expired.
    pub(crate) fn is_clean(&self) -> bool {
        self.new.is_empty() && self.stale.is_empty() && self.expired.is_empty()
    }

    /// Returns the comparison as text, with advice.
    pub(crate) fn message(&self, file: &str) -> String {
        let mut text = format!("baseline {file}: {} known", self.accepted);
        let counts = [(&self.new, "new"), (&self.stale, "stale"), (&self.expired, "expired")];
        for (list, name) in counts.iter().filter(|(list, _)| !list.is_empty()) {
            text.push_str(&format!(", {} {name}", list.len()));
        }
        text.push_str(if self.is_clean() { ", none new, stale or expired\n" } else { "\n" });
        let parts = [
            (&self.new, "new", "fix or accept it: --update-baseline adds an entry; then fill in the reason"),
            (&self.stale, "stale", "no finding matches: remove the entry, or run with --update-baseline"),
            (&self.expired, "expired", "fix the finding, or change the date"),
        ];
        for (list, name, advice) in parts.iter().filter(|(list, ..)| !list.is_empty()) {
            list.iter().for_each(|line| text.push_str(&format!("  {name}: {line}\n")));
            text.push_str(&format!("    {advice}\n"));
        }
        text
    }
}

#[cfg(test)]
mod tests;
