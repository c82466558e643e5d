//! Markdown for job summaries and pull-request comments: the verdict, counts by revision, and folded findings.

use std::fmt::Write as _;

use verdict::record::{Entry, Record, Report};
use verdict::{Finding, Level, Status, requirement};

use crate::link::link;
use crate::style::{clip, printable};

/// Size limit: a comment may have 65,536 characters. Findings beyond it are counted, not shown.
const ROOM: usize = 60_000;
/// Limits of lines in an exchange and of characters in a line.
const WIRE: (usize, usize) = (40, 600);

/// Renders Markdown.
#[must_use]
pub(super) fn markdown(report: &Report) -> String {
    let mut text = head(report);
    text.push_str(&counts(report));
    let mut left = 0;
    for record in report.records() {
        for level in [Level::Must, Level::Should] {
            left += findings(&mut text, report, record, level);
        }
    }
    if left > 0 {
        let _ = writeln!(text, "\n{left} more broken requirements: see the full report.");
    }
    text.push_str(&advice(report));
    text
}

fn head(report: &Report) -> String {
    let fails = report.fails();
    let broken = fails.must + fails.should;
    let verdict = match () {
        () if report.records().iter().any(|record| record.trouble.is_some()) => "could not be judged",
        () if fails.must > 0 => "does not conform",
        () if broken > 0 => "conforms, with warnings",
        () => "conforms",
    };
    let server = report.records().first().map(|record| format!("{} {}", record.server.name, record.server.version));
    let server = server.map(|name| name.trim().to_owned()).filter(|name| !name.is_empty());
    let server = escape_markdown(&server.unwrap_or_else(|| "The server".to_owned()));
    let trouble = report.records().iter().find_map(|record| record.trouble.as_deref());
    let trouble = trouble.map(|why| format!("\n{}\n", fenced(why))).unwrap_or_default();
    format!("## mcp-conform: {server} {verdict}\n{trouble}")
}

fn counts(report: &Report) -> String {
    let mut text =
        "\n| revision | pass | MUST violations | SHOULD violations | suggestions | not observed |\n|---|--:|--:|--:|--:|--:|\n"
            .to_owned();
    for record in report.records() {
        let (sum, fails) = (&record.summary, &record.summary.fail_by_level);
        let partial = if record.partial { " (partial)" } else { "" };
        let revision = record.protocol;
        let counts =
            [sum.pass, fails.must, fails.should, fails.advice, sum.not_observed].map(|count| count.to_string());
        let _ = writeln!(text, "| {revision}{partial} | {} |", counts.join(" | "));
    }
    text
}

/// Writes the findings of one level and returns the number of those that did not fit.
fn findings(text: &mut String, report: &Report, record: &Record, level: Level) -> usize {
    let broken = record.requirements.iter().filter(|entry| entry.status == Status::Fail && entry.level == level);
    let several = report.records().len() > 1;
    let (mut left, mut first) = (0, true);
    for entry in broken {
        let shown = folded(entry, record);
        if text.len() + shown.len() > ROOM {
            left += 1;
            continue;
        }
        if std::mem::take(&mut first) {
            let revision = if several { format!(" in {}", record.protocol) } else { String::new() };
            let _ = writeln!(text, "\n### {} violations{revision}", level.as_str().to_uppercase());
        }
        text.push_str(&shown);
    }
    left
}

fn folded(entry: &Entry, record: &Record) -> String {
    let Some(finding) = entry.findings.first() else { return String::new() };
    let mut text = format!("\n<details><summary><code>{}</code> {}</summary>\n\n", entry.id, html(&finding.message));
    let _ = writeln!(text, "- expected: {}", escape_markdown(&finding.expected));
    let _ = writeln!(text, "- actual: {}", escape_markdown(&finding.actual));
    let tools: Vec<&str> = entry.findings.iter().filter_map(|finding| finding.tool.as_deref()).collect();
    if !tools.is_empty() {
        let _ = writeln!(text, "- tools: {}", escape_markdown(&clip(&tools.join(", "), WIRE.1)));
    }
    if let Some(place) = &finding.place {
        let _ = writeln!(text, "- at: {}", escape_markdown(place));
    }
    if entry.findings.len() > 1 {
        let _ = writeln!(text, "- {} findings in all", entry.findings.len());
    }
    if let Some(url) = requirement(&entry.id).and_then(|found| link(found, record.protocol)) {
        let _ = writeln!(text, "- [specification]({url})");
    }
    if !finding.wire.is_empty() {
        let _ = writeln!(text, "\n{}", fenced(&exchange(finding)));
    }
    if !finding.reproduce.is_empty() {
        let _ = writeln!(text, "\nReproduce:\n\n{}", fenced(&finding.reproduce));
    }
    text.push_str("\n</details>\n");
    text
}

fn exchange(finding: &Finding) -> String {
    let lines: Vec<String> = finding.wire.iter().take(WIRE.0).map(|line| clip(line, WIRE.1)).collect();
    lines.join("\n")
}

fn advice(report: &Report) -> String {
    let Some(record) = report.records().last() else { return String::new() };
    let broken =
        record.requirements.iter().filter(|entry| entry.status == Status::Fail && entry.level == Level::Advice);
    let lines: Vec<String> = broken
        .filter_map(|entry| Some((entry, entry.findings.first()?)))
        .map(|(entry, finding)| format!("- `{}` {}", entry.id, escape_markdown(&finding.message)))
        .collect();
    if lines.is_empty() {
        return String::new();
    }
    format!("\n<details><summary>Suggestions: {}</summary>\n\n{}\n\n</details>\n", lines.len(), lines.join("\n"))
}

/// Renders a code block that its content cannot end.
fn fenced(text: &str) -> String {
    let text = text.lines().map(printable).collect::<Vec<_>>().join("\n");
    let longest = text.split(|letter| letter != '`').map(str::len).max().unwrap_or(0);
    let fence = "`".repeat(longest.max(2) + 1);
    format!("{fence}\n{text}\n{fence}")
}

/// Escapes text from a server so that it cannot contain markup.
#[must_use]
pub fn escape_markdown(text: &str) -> String {
    let mut safe = String::new();
    for letter in printable(text).chars() {
        if "\\`*_{}[]<>()#+!|@~$".contains(letter) {
            safe.push('\\');
        }
        safe.push(letter);
    }
    safe
}

fn html(text: &str) -> String {
    printable(text).replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;").replace('@', "&#64;")
}

#[cfg(test)]
mod tests {
    use super::{escape_markdown, fenced, markdown};
    use crate::testing::{record, several};

    #[test]
    fn findings_are_folded_under_their_level() {
        insta::assert_snapshot!(markdown(&record()));
    }

    #[test]
    fn revisions_stand_side_by_side() {
        insta::assert_snapshot!(markdown(&several()));
    }

    #[test]
    fn what_a_server_says_has_no_power_over_the_page() {
        assert_eq!(escape_markdown("[x](y) @all"), "\\[x\\]\\(y\\) \\@all");
        assert!(fenced("a ``` b").starts_with("````\n"));
    }
}
