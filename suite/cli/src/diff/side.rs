//! One side of a comparison: a stored report or a committed snapshot, brought into the same form.

use std::collections::BTreeMap;
use std::path::Path;

use serde_json::Value;
use verdict::Revision;
use verdict::record::{Record, Report};

use crate::failure::Failure;
use crate::stored;

/// What is known of a server.
#[derive(Debug)]
pub(crate) struct Side {
    /// The file, as the user named it.
    pub(crate) file: String,
    /// Name and version of the server.
    pub(crate) server: String,
    /// By revision.
    pub(crate) runs: Vec<Run>,
    /// Revisions that it is known not to speak.
    pub(crate) unspoken: Vec<Revision>,
}

/// What is known of it in one revision.
#[derive(Debug)]
pub(crate) struct Run {
    /// The revision.
    pub(crate) revision: Revision,
    /// Requirements by id, with all that was seen; none in a snapshot.
    pub(crate) entries: Option<BTreeMap<String, Entry>>,
    /// The same as a snapshot tells it.
    pub(crate) steady: BTreeMap<String, Entry>,
    /// The tools; none where the file does not hold them.
    pub(crate) tools: Option<Vec<Value>>,
}

/// A requirement.
#[derive(Debug, Default)]
pub(crate) struct Entry {
    /// The status, as snapshots name it.
    pub(crate) status: String,
    /// The level, of a broken one.
    pub(crate) level: String,
    /// Findings: where and what, with what was expected and what was seen.
    pub(crate) findings: BTreeMap<String, Seen>,
}

/// What a finding says beside its message.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Seen {
    pub(crate) expected: String,
    pub(crate) actual: String,
}

impl Side {
    /// Reads a report.json or a snapshot.
    pub(crate) fn read(path: &Path) -> Result<Self, Failure> {
        // A checkout may have turned line ends around.
        let text = stored::text(path)?.replace("\r\n", "\n");
        let file = path.display().to_string();
        if text.trim_start().starts_with('{') {
            return Ok(Self::of(file, &stored::report(path, &text)?));
        }
        let refuse = |reason: &str| Failure::file("read", path, reason);
        let body = text.strip_prefix('\u{feff}').unwrap_or(&text).strip_prefix("# mcp-conform snapshot");
        let body = body.ok_or_else(|| refuse("it is neither a report.json nor a snapshot of mcp-conform"))?;
        let head = body.split("\n\n").next().unwrap_or_default();
        let header = |name: &str| head.lines().find_map(|line| line.strip_prefix(name)).map(str::trim);
        let revision = header("protocol").and_then(|date| date.parse().ok());
        let revision = revision.ok_or_else(|| refuse("it is a snapshot without the line `protocol`"))?;
        let server = header("server").unwrap_or_default().to_owned();
        let run = Run { revision, entries: None, steady: entries(body), tools: None };
        Ok(Self { file, server, runs: vec![run], unspoken: vec![] })
    }

    fn of(file: String, report: &Report) -> Self {
        let records = report.records().iter().filter(|record| record.trouble.is_none());
        let server = records.clone().next().map(|record| format!("{} {}", record.server.name, record.server.version));
        let unspoken = match report {
            Report::All(all) => all.unspoken.iter().map(|unspoken| unspoken.protocol).collect(),
            Report::One(_) => vec![],
        };
        Self { file, server: server.unwrap_or_default().trim().to_owned(), runs: records.map(run).collect(), unspoken }
    }

    /// What is known in a revision.
    pub(crate) fn run(&self, revision: Revision) -> Option<&Run> {
        self.runs.iter().find(|run| run.revision == revision)
    }
}

fn run(record: &Record) -> Run {
    // One form to be compared: that of snapshots, and where no snapshot takes part all that was seen in the same form.
    let seen = entries(&report::outcome(record));
    let steady = entries(&report::snapshot(record));
    // What an interrupted run did not come to is not gone.
    let tools = (!record.partial).then(|| record.tools.clone());
    Run { revision: record.protocol, entries: Some(seen), steady, tools }
}

/// The requirements of a snapshot.
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

/// Two findings may differ in nothing but what was seen.
fn join(before: &str, more: &str) -> String {
    if before.is_empty() { more.to_owned() } else { format!("{before}; {more}") }
}
