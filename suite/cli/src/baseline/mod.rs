//! Known findings: `--baseline FILE` accepts them; new ones, stale entries and expired ones fail.
//!
//! ```toml
//! [[finding]]
//! requirement = "tools.call.unknown-tool"
//! tool = "echo"             # optional: this tool only
//! place = "/inputSchema"    # optional: this place only
//! protocol = "2025-11-25"   # optional: this revision only
//! reason = "the SDK does it, typescript-sdk#1510"
//! expires = 2027-03-31      # optional: the last day on which it is accepted
//! ```

mod read;
mod update;

use jiff::civil::Date;
use verdict::record::{Entry, Record, Report};
use verdict::{Finding, Level, Revision, Status};

pub(crate) use read::read;
pub(crate) use update::update;

/// One known finding, or several of a kind.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Known {
    requirement: String,
    tool: Option<String>,
    place: Option<String>,
    protocol: Option<Revision>,
    reason: String,
    expires: Option<Date>,
    /// The line of the file on which it begins.
    line: usize,
}

/// What a report looks like in the light of a baseline.
#[derive(Debug, Default, PartialEq, Eq)]
pub(crate) struct Outcome {
    /// Findings that are accepted.
    known: usize,
    /// Findings that are not: revision, requirement, tool or place, message.
    new: Vec<String>,
    /// Entries that nothing matches any more.
    stale: Vec<String>,
    /// Entries whose day is past, although what they accept is still there.
    expired: Vec<String>,
}

impl Known {
    fn is_for(&self, record: &Record, entry: &Entry) -> bool {
        self.requirement == entry.id && self.protocol.is_none_or(|revision| revision == record.protocol)
    }

    fn matches(&self, finding: &Finding) -> bool {
        let same = |known: &Option<String>, seen: &Option<String>| known.is_none() || known == seen;
        same(&self.tool, &finding.tool) && same(&self.place, &finding.place)
    }

    fn is_over(&self, today: Date) -> bool {
        self.expires.is_some_and(|last| last < today)
    }
}

/// Holds the findings at `level` or a graver one against what is known.
pub(crate) fn compare(report: &Report, known: &[Known], level: Option<Level>, today: Date) -> Outcome {
    let mut outcome = Outcome::default();
    let mut used = vec![false; known.len()];
    for record in report.records() {
        for entry in record.requirements.iter().filter(|entry| entry.status == Status::Fail) {
            for finding in &entry.findings {
                let fits = |at: &usize| known[*at].is_for(record, entry) && known[*at].matches(finding);
                let fitting: Vec<usize> = (0..known.len()).filter(fits).collect();
                fitting.iter().for_each(|at| used[*at] = true);
                if fitting.iter().any(|at| !known[*at].is_over(today)) {
                    outcome.known += 1;
                } else if level.is_some_and(|level| finding.level.unwrap_or(entry.level) <= level) {
                    outcome.new.push(named(record, entry, finding));
                }
            }
        }
    }
    for (known, used) in known.iter().zip(used) {
        if used && known.is_over(today) {
            outcome.expired.push(known.told());
        } else if !used && was_judged(report, known) {
            outcome.stale.push(known.told());
        }
    }
    outcome
}

/// Whether the run could have found it again: what was left out, or not observed, makes nothing stale.
fn was_judged(report: &Report, known: &Known) -> bool {
    let judged = |record: &Record| {
        let whole = !record.partial && record.trouble.is_none();
        let mut entries = record.requirements.iter().filter(|entry| known.is_for(record, entry));
        whole && entries.any(|entry| matches!(entry.status, Status::Pass | Status::Fail))
    };
    report.records().iter().any(judged) || verdict::requirement(&known.requirement).is_none()
}

fn named(record: &Record, entry: &Entry, finding: &Finding) -> String {
    let at = finding.tool.as_ref().or(finding.place.as_ref()).map(|at| format!(" ({at})")).unwrap_or_default();
    format!("{} {}{at}: {}", record.protocol, entry.id, finding.message)
}

impl Known {
    fn told(&self) -> String {
        let at = self.tool.as_ref().or(self.place.as_ref()).map(|at| format!(" ({at})")).unwrap_or_default();
        let until = self.expires.map(|last| format!(", accepted until {last}")).unwrap_or_default();
        format!("line {}: {}{at}{until}", self.line, self.requirement)
    }
}

impl Outcome {
    /// Nothing new, nothing stale, nothing expired.
    pub(crate) fn is_clean(&self) -> bool {
        self.new.is_empty() && self.stale.is_empty() && self.expired.is_empty()
    }

    /// In words, for people.
    pub(crate) fn told(&self, file: &str) -> String {
        let mut text = format!("baseline {file}: {} known", self.known);
        let counts = [(&self.new, "new"), (&self.stale, "stale"), (&self.expired, "expired")];
        for (list, name) in counts.iter().filter(|(list, _)| !list.is_empty()) {
            text.push_str(&format!(", {} {name}", list.len()));
        }
        text.push_str(if self.is_clean() { ", none new, stale or expired\n" } else { "\n" });
        let parts = [
            (&self.new, "new", "mend it, or accept it: --update-baseline adds it, then write down the reason"),
            (&self.stale, "stale", "nothing like it was found: remove the entry, or let --update-baseline do it"),
            (&self.expired, "expired", "mend what it accepts, or set another date"),
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
