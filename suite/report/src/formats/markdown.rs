//! Markdown for job summaries and pull-request comments: the verdict, counts by revision, and folded findings.

use std::fmt::Write as _;

use verdict::record::{Cause, Entry, Falls, HostFact, Origin, Record, Report};
use verdict::{Finding, Level, Status, requirement};

use crate::causes::{Group, broken, grouped};
use crate::hosts::Matrix;
use crate::link::link;
use crate::outcome::Outcome;
use crate::style::{clip, count, printable};
use crate::whose::{help, smallest};

/// Size limit: a comment may have 65,536 characters. Findings beyond it are counted, not shown.
const ROOM: usize = 60_000;
/// Limit of tools in the table of hosts.
const ROWS: usize = 50;
/// Limits of lines in an exchange and of characters in a line.
const WIRE: (usize, usize) = (40, 600);

/// Renders Markdown.
#[must_use]
pub(super) fn markdown(report: &Report) -> String {
    let mut text = heading(report);
    text.push_str(&counts_table(report));
    let mut left = 0;
    for record in report.records() {
        let open = broken(&[record]).into_iter().filter(|broken| broken.entry.is_open()).collect();
        let (theirs, groups): (Vec<Group<'_>>, Vec<Group<'_>>) = grouped(open)
            .into_iter()
            .partition(|group| group.origin() == Origin::Sdk && group.level() != Level::Advice);
        for level in [Level::Must, Level::Should] {
            left += findings(&mut text, report, record, &groups, level);
        }
        text.push_str(&of_sdk(record, &theirs));
    }
    if left > 0 {
        let _ = writeln!(text, "\n{left} more causes: see the full report.");
    }
    text.push_str(&known_findings(report));
    text.push_str(&advice(report));
    text.push_str(&hosts(report));
    text
}

/// Lists what the SDK of the server is to blame for, a line each.
fn of_sdk(record: &Record, groups: &[Group<'_>]) -> String {
    let Some(sdk) = record.sdk.as_ref().filter(|_| !groups.is_empty()) else { return String::new() };
    let lines: Vec<String> = groups
        .iter()
        .filter_map(|group| {
            let (cause, ids) = (group.cause?, group.broken.iter().map(|broken| format!("`{}`", broken.entry.id)));
            let helps: String = help(cause).iter().map(|help| format!("; {help}")).collect();
            let (level, title) = (group.level().as_str().to_uppercase(), escape_markdown(&cause.title));
            Some(format!("- {level} {title} ({}{helps})", ids.collect::<Vec<_>>().join(", ")))
        })
        .collect();
    let title = escape_html(&smallest(sdk));
    let summary = format!("Not yours: {title} breaks this too ({})", count(lines.len(), "cause", "causes"));
    format!("\n<details><summary>{summary}</summary>\n\n{}\n\n</details>\n", lines.join("\n"))
}

fn heading(report: &Report) -> String {
    let outcome = Outcome::of(report.records());
    let verdict = escape_markdown(&outcome.in_words());
    let server = report.records().first().map(|record| format!("{} {}", record.server.name, record.server.version));
    let server = server.map(|name| name.trim().to_owned()).filter(|name| !name.is_empty());
    let server = escape_markdown(&server.unwrap_or_else(|| "The server".to_owned()));
    let embedded = report.records().iter().any(|record| record.target.embedded);
    let server = if embedded { format!("{server} (the embedded reference server, not yours)") } else { server };
    let trouble = report.records().iter().find_map(|record| record.trouble.as_deref());
    let trouble = trouble.map(|why| format!("\n{}\n", code_block(why))).unwrap_or_default();
    let shares =
        outcome.shares_in_words().map(|shares| format!("\n{}\n", escape_markdown(&shares))).unwrap_or_default();
    format!("## mcp-conform: {server} {verdict}\n{trouble}{shares}{}", fell(&outcome.falls))
}

/// Says how often the server fell: whatever else is wrong, anyone can end it.
fn fell(falls: &Falls) -> String {
    match falls.count() {
        0 => String::new(),
        number => format!("\n**The server fell** ({number}): {}\n", falls.in_words()),
    }
}

fn counts_table(report: &Report) -> String {
    let mut text =
        "\n| revision | pass | MUST violations | SHOULD violations | advice | not observed |\n|---|--:|--:|--:|--:|--:|\n"
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

/// Writes the causes whose gravest violation has this level, and returns the number of those that did not fit.
fn findings(text: &mut String, report: &Report, record: &Record, groups: &[Group<'_>], level: Level) -> usize {
    let several = report.records().len() > 1;
    let (mut left, mut first) = (0, true);
    for group in groups.iter().filter(|group| group.level() == level) {
        let shown = match (group.shared(), group.broken.first()) {
            (Some(cause), _) => cause_details(group, cause),
            (None, Some(broken)) => finding_details(broken.entry, record),
            (None, None) => continue,
        };
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

/// Renders a cause of several violations, with the exchange that shows it best.
fn cause_details(group: &Group<'_>, cause: &Cause) -> String {
    let mut text = format!("\n<details><summary>{}</summary>\n\n", escape_html(&cause.title));
    let ours = cause.requirements.iter().any(|id| requirement(id).is_some_and(|found| found.mend == cause.mend));
    // Our own text is Markdown; what is expected of a server may quote it.
    let _ = writeln!(text, "- mend: {}", if ours { cause.mend.clone() } else { escape_markdown(&cause.mend) });
    let ids: Vec<String> =
        group.broken.iter().map(|broken| format!("`{}` ({})", broken.entry.id, broken.entry.level.as_str())).collect();
    let _ = writeln!(text, "- breaks {}", ids.join(", "));
    let _ = writeln!(text, "- cause `{}`", cause.id);
    if let Some((_, shown)) = group.shown() {
        let _ = writeln!(text, "- expected: {}", escape_markdown(&shown.expected));
        let _ = writeln!(text, "- actual: {}", escape_markdown(&shown.actual));
    }
    text + &evidence(&cause.wire, &cause.reproduce)
}

fn finding_details(entry: &Entry, record: &Record) -> String {
    let open: Vec<&Finding> = entry.findings.iter().filter(|finding| finding.known.is_none()).collect();
    let Some(finding) = open.first() else { return String::new() };
    let mut text =
        format!("\n<details><summary><code>{}</code> {}</summary>\n\n", entry.id, escape_html(&finding.message));
    let _ = writeln!(text, "- expected: {}", escape_markdown(&finding.expected));
    let _ = writeln!(text, "- actual: {}", escape_markdown(&finding.actual));
    let tools: Vec<&str> = open.iter().filter_map(|finding| finding.tool.as_deref()).collect();
    if !tools.is_empty() {
        let _ = writeln!(text, "- tools: {}", escape_markdown(&clip(&tools.join(", "), WIRE.1)));
    }
    if let Some(place) = &finding.place {
        let _ = writeln!(text, "- at: {}", escape_markdown(place));
    }
    if open.len() > 1 {
        let _ = writeln!(text, "- {} findings in all", open.len());
    }
    if let Some(found) = requirement(&entry.id).filter(|found| !found.mend.is_empty()) {
        let _ = writeln!(text, "- mend: {}", found.mend);
    }
    if let Some(url) = requirement(&entry.id).and_then(|found| link(found, record.protocol)) {
        let _ = writeln!(text, "- [specification]({url})");
    }
    text + &evidence(&finding.wire, &finding.reproduce)
}

/// Renders the exchange and the command that repeats it, and ends the details.
fn evidence(wire: &[String], reproduce: &str) -> String {
    let mut text = String::new();
    if !wire.is_empty() {
        let lines: Vec<String> = wire.iter().take(WIRE.0).map(|line| clip(line, WIRE.1)).collect();
        let _ = writeln!(text, "\n{}", code_block(&lines.join("\n")));
    }
    if !reproduce.is_empty() {
        let _ = writeln!(text, "\nReproduce:\n\n{}", code_block(reproduce));
    }
    text + "\n</details>\n"
}

/// Lists what the baseline accepts, a line each.
fn known_findings(report: &Report) -> String {
    let mut lines: Vec<String> = Vec::new();
    for entry in report.records().iter().flat_map(|record| &record.requirements) {
        let Some(reason) = entry.known.as_deref().filter(|_| entry.status == Status::Fail) else { continue };
        let line = format!("- `{}` ({}): {}", entry.id, entry.level.as_str(), escape_markdown(reason));
        if !lines.contains(&line) {
            lines.push(line);
        }
    }
    if lines.is_empty() {
        return String::new();
    }
    format!("\n<details><summary>Known and accepted: {}</summary>\n\n{}\n\n</details>\n", lines.len(), lines.join("\n"))
}

fn advice(report: &Report) -> String {
    let Some(record) = report.records().last() else { return String::new() };
    let open = broken(&[record]).into_iter().filter(|broken| broken.entry.is_open()).collect();
    // Advice with a graver cause stands there.
    let (groups, graver): (Vec<Group<'_>>, Vec<Group<'_>>) =
        grouped(open).into_iter().partition(|group| group.level() == Level::Advice);
    let elsewhere =
        graver.iter().flat_map(|group| &group.broken).filter(|one| one.entry.level == Level::Advice).count();
    let lines: Vec<String> = groups
        .iter()
        .flat_map(|group| &group.broken)
        .filter_map(|broken| Some((broken.entry, broken.entry.findings.first()?)))
        .map(|(entry, finding)| format!("- `{}` {}", entry.id, escape_markdown(&finding.message)))
        .collect();
    if lines.is_empty() {
        return String::new();
    }
    let more = if elsewhere > 0 { format!(" ({elsewhere} more under the causes above)") } else { String::new() };
    format!("\n<details><summary>Advice: {}{more}</summary>\n\n{}\n\n</details>\n", lines.len(), lines.join("\n"))
}

/// Lists what hosts do not take, and what becomes of each tool.
fn hosts(report: &Report) -> String {
    let Some(record) = report.records().last().filter(|record| !record.hosts.is_empty()) else { return String::new() };
    let line = |fact: &HostFact| {
        let only_if = fact.only_if.as_ref().map(|only_if| format!(", if {only_if}")).unwrap_or_default();
        let hosts = fact.hosts_with_effects();
        format!("- {}{only_if} ({hosts}): {} `{}`", fact.effect, escape_markdown(&fact.what), fact.id)
    };
    let lines: Vec<String> = record.hosts.iter().map(line).collect();
    let table = Matrix::of(record).map(|matrix| matrix_table(&matrix)).unwrap_or_default();
    let summary = format!("What hosts do not take as it is (not part of the verdict): {}", lines.len());
    format!("\n<details><summary>{summary}</summary>\n\n{}\n{table}\n</details>\n", lines.join("\n"))
}

fn matrix_table(matrix: &Matrix<'_>) -> String {
    let mut text = format!("\n| tool | {} |\n|---|{}\n", matrix.hosts.join(" | "), "---|".repeat(matrix.hosts.len()));
    for (tool, cells) in matrix.rows.iter().take(ROWS) {
        let _ = writeln!(text, "| {} | {} |", escape_markdown(tool), cells.join(" | "));
    }
    if let Some(more) = matrix.rows.len().checked_sub(ROWS).filter(|more| *more > 0) {
        let _ = writeln!(text, "\n{more} more tools: see the full report.");
    }
    text
}

/// Renders a code block that its content cannot end.
fn code_block(text: &str) -> String {
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

fn escape_html(text: &str) -> String {
    printable(text).replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;").replace('@', "&#64;")
}

#[cfg(test)]
mod tests {
    use super::{code_block, escape_markdown, markdown};
    use crate::testing::{record, several};

    #[test]
    fn findings_are_folded_under_their_level() {
        insta::assert_snapshot!(markdown(&record()));
    }

    #[test]
    fn what_one_mend_would_mend_is_one() {
        let text = markdown(&verdict::record::Report::One(Box::new(crate::testing::with_causes())));
        assert!(text.contains("<summary>What does not exist is a tool that failed.</summary>"), "{text}");
        assert!(
            text.contains(
                "- breaks `lifecycle.server.stays-up` (must), `tools.call.unknown-tool` (must), `practice.tools.described` (advice)"
            ),
            "{text}"
        );
        assert!(text.contains("- expected: ") && text.contains("- actual: "), "{text}");
        assert!(!text.contains("<summary>Advice"), "what has a graver cause is not said twice: {text}");
    }

    #[test]
    fn what_the_sdk_is_to_blame_for_is_folded() {
        let text = markdown(&verdict::record::Report::One(Box::new(crate::testing::with_origins())));
        assert!(
            text.contains("\nyours 1 \\(1 SHOULD\\); example-sdk 1.2.3: 1 cause \\(2 MUST\\), 1 piece of advice\n"),
            "{text}"
        );
        let (own, theirs) =
            text.split_once("<summary>Not yours: the smallest server on example-sdk 1.2.0 (the nearest version that is known) breaks").expect("a section");
        assert!(
            theirs.contains("- MUST What does not exist is a tool that failed. (`lifecycle.server.stays-up`"),
            "{theirs}"
        );
        assert!(theirs.contains("; upgrade to 1.3.0; https://github.com/example/sdk/issues/1)"), "{theirs}");
        assert!(!own.contains("What does not exist is a tool that failed."), "{own}");
    }

    #[test]
    fn a_server_that_fell_is_told_of_before_the_counts() {
        let mut record = crate::testing::single();
        record.falls = Some(verdict::record::Falls { ended: 2, ..Default::default() });
        let text = markdown(&verdict::record::Report::One(Box::new(record)));
        let (head, _) = text.split_once("| revision").expect("a table");
        assert!(head.contains("**The server fell** (2): 2 processes ended; each time another was started"), "{head}");
    }

    #[test]
    fn what_a_baseline_accepts_takes_a_line() {
        let text = markdown(&crate::testing::accepted());
        assert!(
            text.starts_with(
                "## mcp-conform: example 1.2.3 has no new MUST violations \\(2 known, accepted in known.toml\\)\n"
            ),
            "{text}"
        );
        assert!(text.contains("- `tools.call.unknown-tool` (must): the SDK does it"), "{text}");
        assert!(!text.contains("### MUST violations"), "{text}");
    }

    #[test]
    fn revisions_stand_side_by_side() {
        insta::assert_snapshot!(markdown(&several()));
    }

    #[test]
    fn what_a_server_says_has_no_power_over_the_page() {
        assert_eq!(escape_markdown("[x](y) @all"), "\\[x\\]\\(y\\) \\@all");
        assert!(code_block("a ``` b").starts_with("````\n"));
    }

    #[test]
    fn what_hosts_do_not_take_is_folded_with_a_table() {
        let text = markdown(&verdict::record::Report::One(Box::new(crate::testing::with_hosts())));
        let (_, section) = text
            .split_once("<summary>What hosts do not take as it is (not part of the verdict): 5<")
            .expect("a section");
        for part in [
            "- request fails (host-a, host-b): A tool is such that \\<every-request\\>. `every-request`",
            "- request fails, if the moon is full (host-b): ",
            "| tool | host-a | host-b |",
            "| a | request | request |",
        ] {
            assert!(section.contains(part), "{part}: {section}");
        }
    }
}
