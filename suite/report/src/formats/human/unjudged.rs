//! Lines about what could not be judged, each with the flag that changes it.

use verdict::Status;
use verdict::record::{Record, Report, Withheld};

use crate::style::{Ink, Style, count, fold, printable};

/// Names listed before the rest is omitted.
const NAMES: usize = 4;

/// Columns of a line's own indentation that are kept.
const DEEPEST: usize = 8;

/// Returns lines about inconclusive requirements, notes, tools that were not called, and unobserved requirements.
pub(super) fn lines(records: &[&Record], style: &Style) -> String {
    let mut text = inconclusive(records, style);
    let mut lines = Vec::new();
    if let Some(record) = records.first() {
        lines.extend(record.assumed.iter().map(|assumed| format!("assumed: {assumed}")));
        let notes = record.incomplete.iter().chain(&record.notes);
        lines.extend(notes.map(|note| format!("note: {note}")));
        lines.extend(record.withheld.iter().map(|withheld| not_called(withheld, record.tools.len())));
    }
    lines.extend(not_observed(records));
    if !lines.is_empty() {
        text.push('\n');
    }
    for line in lines {
        text.push_str(&format!("  {}\n", paragraphs(&line, style.width)));
    }
    text
}

/// Folds each line of a text, and keeps its indentation.
fn paragraphs(text: &str, width: usize) -> String {
    let folded = text.lines().map(|line| {
        let own = (line.len() - line.trim_start().len()).min(DEEPEST);
        format!("{:own$}{}", "", fold(line, width, own + 4))
    });
    folded.collect::<Vec<_>>().join("\n  ")
}

/// Returns lines about requested revisions that the server does not support.
pub(super) fn unsupported_revisions(report: &Report, style: &Style) -> String {
    let Report::All(all) = report else { return String::new() };
    let lines = all.unspoken.iter().map(|unspoken| {
        let reason = unspoken.reason.lines().next().unwrap_or_default();
        format!("  {} was not judged: {}\n", unspoken.protocol, fold(reason, style.width, 4))
    });
    lines.collect()
}

fn inconclusive(records: &[&Record], style: &Style) -> String {
    let mut text = String::new();
    let mut shown: Vec<&str> = Vec::new();
    for entry in records.iter().flat_map(|record| &record.requirements) {
        if entry.status != Status::Inconclusive || shown.contains(&entry.id.as_str()) {
            continue;
        }
        shown.push(&entry.id);
        let reason = entry.reason.as_deref().unwrap_or("the evidence is ambiguous");
        let unclear = style.paint(Ink::Faint, "unclear");
        let line = fold(&format!("{}: {reason}", entry.id), style.width, 8);
        text.push_str(&format!("{unclear} {line}\n"));
    }
    if text.is_empty() { text } else { format!("\n{text}") }
}

fn not_called(withheld: &Withheld, of: usize) -> String {
    let names: Vec<String> = withheld.tools.iter().take(NAMES).map(|tool| printable(tool)).collect();
    let dots = if withheld.tools.len() > NAMES { ", ..." } else { "" };
    let verb = if withheld.tools.len() == 1 { "was" } else { "were" };
    let flag =
        withheld.flag.as_ref().map_or(String::new(), |flag| format!(". Call with {flag}, or one with --tool NAME"));
    let held = withheld.tools.len();
    let counted =
        if of > held { format!("{held} of {}", count(of, "tool", "tools")) } else { count(held, "tool", "tools") };
    format!("{counted} {verb} not called ({}{dots}): {}{flag}", names.join(", "), withheld.why)
}

fn not_observed(records: &[&Record]) -> Option<String> {
    let entries = records.iter().flat_map(|record| &record.requirements);
    let silent = entries.filter(|entry| entry.status == Status::NotObserved).map(|entry| entry.id.as_str());
    let ids: std::collections::HashSet<&str> = silent.collect();
    (!ids.is_empty()).then(|| {
        let counted = count(ids.len(), "requirement was", "requirements were");
        format!("{counted} not observed: `mcp-conform report --not-observed` says what would let them be seen")
    })
}
