//! Updates a baseline: matching entries stay as they are, comments and reasons included; stale entries are removed, and
//! entries for new findings are added.

use std::collections::BTreeSet;

use toml_edit::{ArrayOfTables, DocumentMut, Item, Table, value};
use verdict::Status;
use verdict::record::Report;

use crate::bar::Bar;

use super::{KnownFinding, was_judged};

/// The header of a new file.
const HEAD: &str = "# Known findings of mcp-conform, each with the reason why it is accepted.\n";
/// The placeholder reason of an added entry.
const PLACEHOLDER: &str = "added by --update-baseline: state why it is accepted";

/// Returns the updated text of a baseline: `text` is the old one, `known` its entries.
pub(crate) fn update(text: &str, known: &[KnownFinding], report: &Report, bar: Bar) -> String {
    let mut document: DocumentMut = text.parse().unwrap_or_default();
    let list = document.entry("finding").or_insert(Item::ArrayOfTables(ArrayOfTables::new()));
    let Some(list) = list.as_array_of_tables_mut() else { return text.to_owned() };
    for at in (0..known.len()).rev() {
        if is_stale(&known[at], report) && at < list.len() {
            list.remove(at);
        }
    }
    for new in missing_entries(known, report, bar) {
        list.push(new.table());
    }
    let written = document.to_string();
    if text.trim().is_empty() { format!("{HEAD}{written}") } else { written }
}

fn is_stale(known: &KnownFinding, report: &Report) -> bool {
    let found = report.records().iter().any(|record| {
        let mut entries = record.requirements.iter();
        entries.any(|entry| {
            entry.status == Status::Fail
                && known.is_for(record, entry)
                && entry.findings.iter().any(|finding| known.matches(finding))
        })
    });
    !found && was_judged(report, known)
}

/// An entry to add.
#[derive(Debug, PartialEq, Eq, PartialOrd, Ord)]
struct NewEntry {
    requirement: String,
    tool: Option<String>,
    place: Option<String>,
}

fn missing_entries(known: &[KnownFinding], report: &Report, bar: Bar) -> BTreeSet<NewEntry> {
    let mut missing = BTreeSet::new();
    for record in report.records() {
        for entry in record.requirements.iter().filter(|entry| entry.status == Status::Fail) {
            for finding in &entry.findings {
                let accepted = known.iter().any(|known| known.is_for(record, entry) && known.matches(finding));
                if !accepted && bar.counts(entry, finding.level_or(entry.level)) {
                    let (tool, place) = (finding.tool.clone(), finding.place.clone());
                    missing.insert(NewEntry { requirement: entry.id.clone(), tool, place });
                }
            }
        }
    }
    missing
}

impl NewEntry {
    fn table(self) -> Table {
        let mut table = Table::new();
        table.insert("requirement", value(self.requirement));
        for (name, text) in [("tool", self.tool), ("place", self.place)] {
            if let Some(text) = text {
                table.insert(name, value(text));
            }
        }
        table.insert("reason", value(PLACEHOLDER));
        table
    }
}
