//! Writing a baseline: what is found again stays as it stands, comments and reasons included; what is gone is taken out;
//! what is new is added.

use std::collections::BTreeSet;

use toml_edit::{ArrayOfTables, DocumentMut, Item, Table, value};
use verdict::record::Report;
use verdict::{Level, Status};

use super::{Known, was_judged};

/// The head of a new file.
const HEAD: &str = "# Findings of mcp-conform that are known and accepted, each with the reason.\n";
/// The reason of what was added: to be replaced by a real one.
pub(super) const UNEXPLAINED: &str = "added by --update-baseline: say why it is accepted";

/// The new text of a baseline: `text` is the old one, `known` its entries.
pub(crate) fn update(text: &str, known: &[Known], report: &Report, level: Option<Level>) -> String {
    let mut document: DocumentMut = text.parse().unwrap_or_default();
    let list = document.entry("finding").or_insert(Item::ArrayOfTables(ArrayOfTables::new()));
    let Some(list) = list.as_array_of_tables_mut() else { return text.to_owned() };
    for at in (0..known.len()).rev() {
        if is_gone(&known[at], report) && at < list.len() {
            list.remove(at);
        }
    }
    for new in missing(known, report, level) {
        list.push(new.table());
    }
    let written = document.to_string();
    if text.trim().is_empty() { format!("{HEAD}{written}") } else { written }
}

fn is_gone(known: &Known, report: &Report) -> bool {
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

/// A finding to be added. The revision is named only where not all judged ones have it.
#[derive(Debug, PartialEq, Eq, PartialOrd, Ord)]
struct New {
    requirement: String,
    tool: Option<String>,
    place: Option<String>,
}

fn missing(known: &[Known], report: &Report, level: Option<Level>) -> BTreeSet<New> {
    let mut missing = BTreeSet::new();
    let Some(level) = level else { return missing };
    for record in report.records() {
        for entry in record.requirements.iter().filter(|entry| entry.status == Status::Fail) {
            for finding in &entry.findings {
                let accepted = known.iter().any(|known| known.is_for(record, entry) && known.matches(finding));
                if !accepted && finding.level.unwrap_or(entry.level) <= level {
                    let (tool, place) = (finding.tool.clone(), finding.place.clone());
                    missing.insert(New { requirement: entry.id.clone(), tool, place });
                }
            }
        }
    }
    missing
}

impl New {
    fn table(self) -> Table {
        let mut table = Table::new();
        table.insert("requirement", value(self.requirement));
        for (name, text) in [("tool", self.tool), ("place", self.place)] {
            if let Some(text) = text {
                table.insert(name, value(text));
            }
        }
        table.insert("reason", value(UNEXPLAINED));
        table
    }
}
