//! One side of a comparison: a stored report or a committed snapshot, in a common form.

use std::collections::BTreeMap;
use std::path::Path;

use serde_json::Value;
use verdict::Revision;
use verdict::record::{Cause, Record, Report};

use crate::failure::Failure;
use crate::files;

/// A report or snapshot to compare.
#[derive(Debug)]
pub(crate) struct Side {
    /// The file, as the user named it.
    pub(crate) file: String,
    /// Name and version of the server.
    pub(crate) server: String,
    /// The runs, one for each revision.
    pub(crate) runs: Vec<Run>,
    /// Revisions that the server does not support, as far as the file says.
    pub(crate) unspoken: Vec<Revision>,
}

/// The part of a side about one revision.
#[derive(Debug)]
pub(crate) struct Run {
    /// The revision.
    pub(crate) revision: Revision,
    /// Requirements by id with all evidence; none in a snapshot.
    pub(crate) entries: Option<BTreeMap<String, Entry>>,
    /// Requirements by id, reduced to the content of a snapshot.
    pub(crate) steady: BTreeMap<String, Entry>,
    /// What broke the requirements; none in a snapshot.
    pub(crate) causes: Option<Vec<Cause>>,
    /// The tools; none if the file does not contain them.
    pub(crate) tools: Option<Vec<Value>>,
}

/// The verdict on a requirement.
#[derive(Debug, Default)]
pub(crate) struct Entry {
    /// The status as spelled in snapshots.
    pub(crate) status: String,
    /// The level, if the requirement is broken.
    pub(crate) level: String,
    /// Evidence by place and message of the finding.
    pub(crate) findings: BTreeMap<String, Evidence>,
}

/// The evidence of a finding: expected and actual behavior.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Evidence {
    pub(crate) expected: String,
    pub(crate) actual: String,
}

impl Side {
    /// Reads a report.json or a snapshot.
    pub(crate) fn read(path: &Path) -> Result<Self, Failure> {
        // A checkout may have converted the line endings.
        let text = files::read_text(path)?.replace("\r\n", "\n");
        let file = path.display().to_string();
        if text.trim_start().starts_with('{') {
            return Ok(Self::from_report(file, &files::parse_report(path, &text)?));
        }
        let refuse = |reason: &str| Failure::file("read", path, reason);
        let body = text.strip_prefix('\u{feff}').unwrap_or(&text).strip_prefix("# mcp-conform snapshot");
        let body = body.ok_or_else(|| refuse("neither a report.json nor a snapshot of mcp-conform"))?;
        let head = body.split("\n\n").next().unwrap_or_default();
        let header = |name: &str| head.lines().find_map(|line| line.strip_prefix(name)).map(str::trim);
        let revision = header("protocol").and_then(|date| date.parse().ok());
        let revision = revision.ok_or_else(|| refuse("the snapshot has no `protocol` line"))?;
        let server = header("server").unwrap_or_default().to_owned();
        let run = Run { revision, entries: None, steady: entries(body), causes: None, tools: None };
        Ok(Self { file, server, runs: vec![run], unspoken: vec![] })
    }

    fn from_report(file: String, report: &Report) -> Self {
        let records = report.records().iter().filter(|record| record.trouble.is_none());
        let server = records.clone().next().map(|record| format!("{} {}", record.server.name, record.server.version));
        let unspoken = match report {
            Report::All(all) => all.unspoken.iter().map(|unspoken| unspoken.protocol).collect(),
            Report::One(_) => vec![],
        };
        Self { file, server: server.unwrap_or_default().trim().to_owned(), runs: records.map(run).collect(), unspoken }
    }

    /// Returns the run in a revision.
    pub(crate) fn run(&self, revision: Revision) -> Option<&Run> {
        self.runs.iter().find(|run| run.revision == revision)
    }
}

fn run(record: &Record) -> Run {
    // Snapshots are compared in their own form; two reports in the same form with all evidence.
    let seen = entries(&report::full_snapshot(record));
    let steady = entries(&report::snapshot(record));
    // Tools that an interrupted run did not reach are not gone.
    let tools = (!record.partial).then(|| record.tools.clone());
    Run { revision: record.protocol, entries: Some(seen), steady, causes: Some(record.causes.clone()), tools }
}

/// Parses the requirements of a snapshot.
fn entries(text: &str) -> BTreeMap<String, Entry> {
    let mut entries: BTreeMap<String, Entry> = BTreeMap::new();
    let (mut id, mut headline) = (String::new(), String::new());
    let body = text.split_once("\n\n").map_or("", |(_, body)| body);
    for line in body.lines().map(str::trim_end) {
        let entry = entries.entry(id.clone());
        if let Some(expected) = line.strip_prefix("    expected ") {
            entry.or_default().findings.entry(headline.clone()).or_default().expected = expected.to_owned();
        } else if let Some(actual) = line.strip_prefix("    actual   ") {
            let seen = entry.or_default().findings.entry(headline.clone()).or_default();
            seen.actual = join(&seen.actual, actual);
        } else if let Some(finding) = line.strip_prefix("  ") {
            headline = finding.to_owned();
            entry.or_default().findings.entry(headline.clone()).or_default();
        } else if let Some((name, status)) = line.split_once("  ") {
            id = name.to_owned();
            let (status, level) = status.split_once(" (").unwrap_or((status, ""));
            let (status, level) = (status.to_owned(), level.trim_end_matches(')').to_owned());
            entries.insert(id.clone(), Entry { status, level, findings: BTreeMap::new() });
        }
    }
    entries.remove("");
    entries
}

/// Joins the actual behavior of findings that differ in nothing else.
fn join(before: &str, more: &str) -> String {
    if before.is_empty() { more.to_owned() } else { format!("{before}; {more}") }
}
