//! The header of the report, readable in five seconds, and its footer.

use std::collections::HashSet;

use verdict::record::{ByLevel, Record, Summary};
use verdict::{Level, Status};

use super::Broken;
use crate::style::{Ink, Style, count, printable};
use crate::violations::violations;

/// Returns the header: the server, the revisions, the verdict and the counts.
pub(super) fn head(records: &[&Record], broken: &[Broken<'_>], style: &Style) -> String {
    let mut text = String::new();
    if let Some(record) = records.first() {
        text.push_str(&format!("{}\n", style.paint(Ink::Strong, title(record, records))));
    }
    text.push_str(&format!("{}\n\n", verdict(records, broken, style)));
    for record in records {
        let revision = if records.len() > 1 { format!("{}  ", record.protocol) } else { String::new() };
        text.push_str(&format!("  {revision}{}\n", counts(&record.summary)));
    }
    text
}

/// Returns the footer: it repeats the verdict, which a long report scrolls off the terminal.
pub(super) fn foot(records: &[&Record], broken: &[Broken<'_>], style: &Style) -> String {
    let millis: u64 = records.iter().map(|record| record.timing.wall_ms).sum();
    let requests: u64 = records.iter().map(|record| record.timing.requests).sum();
    let took = style.paint(Ink::Faint, format!("{requests} requests in {}.{} s", millis / 1000, millis % 1000 / 100));
    format!("\n{}\n{took}\n", verdict(records, broken, style))
}

fn title(record: &Record, records: &[&Record]) -> String {
    let server = &record.server;
    let name = match (server.name.as_str(), server.version.as_str()) {
        ("", _) => "unnamed server".to_owned(),
        (name, "") => name.to_owned(),
        (name, version) => format!("{name} {version}"),
    };
    let revisions: Vec<String> = records.iter().map(|record| record.protocol.to_string()).collect();
    let over = record.target.transport;
    format!("{} over {over}, judged against MCP {}", printable(&name), revisions.join(", "))
}

fn verdict(records: &[&Record], broken: &[Broken<'_>], style: &Style) -> String {
    let fails = level_counts(broken);
    let entries = records.iter().flat_map(|record| &record.requirements);
    let observed = entries.filter(|entry| matches!(entry.status, Status::Pass | Status::Fail));
    let judged = observed.map(|entry| entry.id.as_str()).collect::<HashSet<_>>().len();
    let mut line = if judged == 0 {
        style.paint(Ink::Bad, "NOTHING JUDGED: no requirement could be observed")
    } else if fails.must > 0 {
        style.paint(Ink::Bad, format!("DOES NOT CONFORM: {}", violations(&fails)))
    } else if fails.should > 0 {
        style.paint(Ink::Warn, format!("{}, with warnings: {}", conforms(records), violations(&fails)))
    } else {
        let observed = count(judged, "requirement", "requirements");
        style.paint(Ink::Good, format!("{}: {observed} observed, {}", conforms(records), violations(&fails)))
    };
    if records.iter().any(|record| record.partial) {
        line.push_str(&style.paint(Ink::Warn, "  (INTERRUPTED: the report is partial)"));
    }
    line
}

/// Returns the positive verdict. Recorded sessions show little of a server, so theirs is limited to them.
fn conforms(records: &[&Record]) -> &'static str {
    if records.iter().any(|record| record.recorded) { "CONFORMS in the recorded sessions" } else { "CONFORMS" }
}

fn level_counts(broken: &[Broken<'_>]) -> ByLevel {
    let count =
        |level| broken.iter().filter(|broken| broken.entry.level == level).count().try_into().unwrap_or(u32::MAX);
    ByLevel { must: count(Level::Must), should: count(Level::Should), advice: count(Level::Advice) }
}

fn counts(summary: &Summary) -> String {
    let by = &summary.fail_by_level;
    let fail = if summary.fail == 0 {
        "fail 0".to_owned()
    } else {
        format!("fail {} ({} must, {} should, {} advice)", summary.fail, by.must, by.should, by.advice)
    };
    let Summary { pass, not_observed, not_applicable, skipped, inconclusive, .. } = summary;
    let mut parts = vec![format!("pass {pass}"), fail];
    let rest = [
        ("inconclusive", inconclusive),
        ("not observed", not_observed),
        ("not applicable", not_applicable),
        ("skipped", skipped),
    ];
    parts.extend(rest.iter().filter(|(_, number)| **number > 0).map(|(name, number)| format!("{name} {number}")));
    parts.join("   ")
}
