//! The header of the report, readable in five seconds, and its footer.

use verdict::Finding;
use verdict::record::{ByLevel, Entry, Record, Summary};

use crate::outcome::{Conclusion, Outcome};
use crate::style::{Ink, Style, clip, count, fold, printable};
use crate::violations;

/// Returns the header: the server, the revisions, the verdict and the counts.
pub(super) fn header(records: &[&Record], style: &Style) -> String {
    let mut text = String::new();
    if let Some(record) = records.first() {
        if is_embedded(records) {
            text.push_str(&format!("{}\n", style.paint(Ink::Warn, EMBEDDED)));
        }
        text.push_str(&format!("{}\n", style.paint(Ink::Strong, title(record, records))));
    }
    text.push_str(&format!("{}\n", verdict_line(records, style)));
    text.push_str(&fall(records, style));
    text.push('\n');
    for record in records {
        let revision = if records.len() > 1 { format!("{}  ", record.protocol) } else { String::new() };
        text.push_str(&format!("  {revision}{}\n", counts_line(&record.summary)));
    }
    text
}

/// Returns the footer: it repeats the verdict, which a long report scrolls off the terminal.
pub(super) fn footer(records: &[&Record], style: &Style) -> String {
    let millis: u64 = records.iter().map(|record| record.timing.wall_ms).sum();
    let requests: u64 = records.iter().map(|record| record.timing.requests).sum();
    let took = style.paint(Ink::Faint, format!("{requests} requests in {}.{} s", millis / 1000, millis % 1000 / 100));
    let embedded = if is_embedded(records) { format!("{}\n", style.paint(Ink::Warn, EMBEDDED)) } else { String::new() };
    format!("\n{}\n{took}\n{embedded}", verdict_line(records, style))
}

/// Characters shown of the input that felled the server.
const INPUT: usize = 200;

/// The first and the last line about the embedded server: nobody may take it for a verdict about their own.
const EMBEDDED: &str =
    "This is the embedded reference server. To test yours: mcp-conform run -- COMMAND, or mcp-conform run URL";

fn is_embedded(records: &[&Record]) -> bool {
    records.first().is_some_and(|record| record.target.embedded)
}

/// Says how often the server fell, and over which input: whatever else is wrong, anyone can end it.
fn fall(records: &[&Record], style: &Style) -> String {
    let falls = Outcome::of(records.iter().copied()).falls;
    let entries = records.iter().flat_map(|record| &record.requirements);
    let found = entries.filter_map(|entry| Some((entry, shortest_fall(entry)?)));
    // The gravest, and of these the one about what every client may send.
    let found = found.min_by_key(|(entry, finding)| finding.level_or(entry.level));
    if falls.count() == 0 && found.is_none() {
        return String::new();
    }
    let lead = style.paint(Ink::Bad, "THE SERVER FELL");
    let told = |(entry, finding): (&Entry, &Finding)| {
        if finding.under_way > 1 {
            return format!(" ({}) over one of {} messages that were under way\n", entry.id, finding.under_way);
        }
        let sent = finding.wire.iter().rev().find_map(|line| line.strip_prefix("> "));
        let input = sent.map(|text| clip(text, INPUT)).unwrap_or_default();
        format!(" ({}) over this input:\n  {}\n", entry.id, fold(&input, style.width, 4))
    };
    match (falls.count(), found) {
        (0, Some(found)) => format!("{lead}{}", told(found)),
        (number, None) => format!("{lead} {}: {}\n", times(number), falls.in_words()),
        (number, Some(found)) => {
            format!("{lead} {}: {}\nIt falls{}", times(number), falls.in_words(), told(found))
        }
    }
}

/// The gravest finding that fells the server, and of these the one of the fewest bytes: what is easiest to send, and to read.
fn shortest_fall(entry: &Entry) -> Option<&Finding> {
    let falls = entry.findings.iter().filter(|finding| finding.fell);
    falls.min_by_key(|finding| (finding.level_or(entry.level), finding.wire.iter().map(String::len).sum::<usize>()))
}

fn times(number: u32) -> String {
    match number {
        1 => "once".to_owned(),
        2 => "twice".to_owned(),
        _ => format!("{number} times"),
    }
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

fn verdict_line(records: &[&Record], style: &Style) -> String {
    let outcome = Outcome::of(records.iter().copied());
    let (ink, text) = verdict_text(&outcome, conforms(records));
    let known = outcome.known_in_words().filter(|_| outcome.conclusion != Conclusion::NothingNew);
    let known = known.map(|known| format!(" ({known})")).unwrap_or_default();
    let mut line = style.paint(ink, format!("{text}{known}"));
    if outcome.no_call_succeeded {
        line.push_str(&style.paint(Ink::Warn, "  (no tool call succeeded)"));
    }
    if records.iter().any(|record| record.partial) {
        line.push_str(&style.paint(Ink::Warn, "  (INTERRUPTED: the report is partial)"));
    }
    line
}

fn verdict_text(outcome: &Outcome, conforms: &str) -> (Ink, String) {
    let observed = count(outcome.judged, "requirement", "requirements");
    let found = outcome.violations();
    match outcome.conclusion {
        Conclusion::Trouble | Conclusion::NothingJudged => {
            (Ink::Bad, "NOTHING JUDGED: no requirement could be observed".to_owned())
        }
        Conclusion::DoesNotConform => (Ink::Bad, format!("DOES NOT CONFORM: {found}")),
        Conclusion::Unstable => {
            let times = times(outcome.falls.unrepeated);
            (Ink::Bad, format!("UNSTABLE: the server fell {times}, which could not be repeated; {found}"))
        }
        Conclusion::Partial => (Ink::Warn, format!("NOT JUDGED IN FULL: {observed} observed, {found}")),
        Conclusion::NothingNew => {
            let known = outcome.known_in_words().unwrap_or_default();
            // What is not required is no finding that anybody has to accept.
            match &outcome.open {
                ByLevel { should: 0, advice: 0, .. } => (Ink::Good, format!("no new findings ({known})")),
                ByLevel { should: 0, advice, .. } => {
                    (Ink::Good, format!("no new findings ({known}); {}", violations::advice(*advice)))
                }
                _ => (Ink::Warn, format!("no new MUST violations ({known}); {found}")),
            }
        }
        Conclusion::Warnings => (Ink::Warn, format!("{conforms}, with warnings: {found}")),
        Conclusion::Conforms => (Ink::Good, format!("{conforms}: {observed} observed, {found}")),
    }
}

/// Returns the positive verdict. Recorded sessions show little of a server, so theirs is limited to them.
fn conforms(records: &[&Record]) -> &'static str {
    if records.iter().any(|record| record.recorded) { "CONFORMS in the recorded sessions" } else { "CONFORMS" }
}

fn counts_line(summary: &Summary) -> String {
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
