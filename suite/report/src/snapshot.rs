//! Snapshots: reports without anything that varies between runs, to be committed and compared.

use diffy::DiffOptions;
use verdict::record::Record;
use verdict::{Finding, Status};

/// Replaces a status that depends on chance inside the server.
const BY_CHANCE: &str = "by chance";

/// Renders a snapshot: a header, a line per requirement, indented findings. It omits statuses that depend on chance inside the
/// server, and findings of good practice: slow tools may not all have been called.
#[must_use]
pub fn snapshot(record: &Record) -> String {
    lines(record, true)
}

/// Renders a snapshot with every status and finding.
#[must_use]
pub fn full_snapshot(record: &Record) -> String {
    lines(record, false)
}

fn lines(record: &Record, steady: bool) -> String {
    let mut text = format!(
        "# mcp-conform snapshot\nserver    {} {}\nprotocol  {}\ntransport {}\n\n",
        record.server.name, record.server.version, record.protocol, record.target.transport
    );
    for entry in &record.requirements {
        let seen = !matches!(entry.status, Status::NotApplicable | Status::Skipped);
        let by_chance = || verdict::requirement(&entry.id).is_some_and(|requirement| requirement.chance.is_some());
        if seen && steady && by_chance() {
            text.push_str(&format!("{}  {BY_CHANCE}\n", entry.id));
            continue;
        }
        let level = if entry.status == Status::Fail { format!(" ({})", entry.level.as_str()) } else { String::new() };
        text.push_str(&format!("{}  {}{level}\n", entry.id, entry.status.as_str()));
        if steady && entry.id.starts_with("practice.") {
            continue;
        }
        let mut findings: Vec<String> = entry.findings.iter().map(finding).collect();
        // Pipelined requests are answered in any order.
        findings.sort();
        findings.dedup();
        text.push_str(&findings.concat());
    }
    text
}

fn finding(finding: &Finding) -> String {
    let place = [finding.tool.as_deref(), finding.place.as_deref()].into_iter().flatten().collect::<Vec<_>>().join(" ");
    let place = if place.is_empty() { place } else { format!("{place}: ") };
    let lines = [
        format!("  {place}{}", finding.message),
        format!("    expected {}", finding.expected),
        format!("    actual   {}", finding.actual),
    ];
    lines.iter().map(|line| format!("{}\n", one_line(line))).collect()
}

fn one_line(text: &str) -> String {
    crate::style::printable(text)
}

/// Returns the name of a snapshot file: server and revision, safe for any file system.
#[must_use]
pub fn file_name(record: &Record) -> String {
    let safe = |letter: char| if letter.is_ascii_alphanumeric() || "-_.".contains(letter) { letter } else { '-' };
    let name: String = record.server.name.chars().take(80).map(safe).collect();
    let name = name.trim_matches(['.', '-']);
    let name = if name.is_empty() { "server" } else { name };
    format!("{name}.{}.snap", record.protocol)
}

/// Returns a unified diff; `None` if nothing changed.
#[must_use]
pub fn diff(name: &str, stored: &str, now: &str) -> Option<String> {
    // A checkout may have converted the line endings.
    let stored = stored.replace("\r\n", "\n");
    if stored == now {
        return None;
    }
    let mut options = DiffOptions::new();
    options.set_context_len(2);
    options.set_original_filename(format!("{name} (stored)")).set_modified_filename(format!("{name} (this run)"));
    Some(options.create_patch(&stored, now).to_string())
}

/// Compares a run with a stored snapshot and returns a unified diff; `None` if nothing changed.
///
/// Another version of the server alone is no change. Of a run that left something out (`narrowed`), only what it judged is
/// compared.
#[must_use]
pub fn difference(name: &str, stored: &str, record: &Record, narrowed: bool) -> Option<String> {
    let judged = |id: &str| {
        let entry = record.requirements.iter().find(|entry| entry.id == id);
        entry.is_some_and(|entry| matches!(entry.status, Status::Pass | Status::Fail | Status::Inconclusive))
    };
    let keep = |id: &str| !narrowed || judged(id);
    let stored = with_server_line(&stored.replace("\r\n", "\n"), record);
    diff(name, &selected(&stored, keep), &selected(&snapshot(record), keep))
}

/// Gives a stored snapshot the server line of a run if both are of the same server.
fn with_server_line(stored: &str, record: &Record) -> String {
    let name = format!("server    {}", record.server.name);
    let same = |line: &str| line.strip_prefix(&name).is_some_and(|rest| rest.is_empty() || rest.starts_with(' '));
    let lines = stored.split_inclusive('\n').enumerate().map(|(at, line)| {
        if at == 1 && same(line.trim_end_matches('\n')) {
            format!("{name} {}\n", record.server.version)
        } else {
            line.to_owned()
        }
    });
    lines.collect()
}

/// Returns the header of a snapshot and the requirements that are to be kept.
fn selected(text: &str, keep: impl Fn(&str) -> bool) -> String {
    let Some((header, body)) = text.split_once("\n\n") else { return text.to_owned() };
    let mut selected = format!("{header}\n\n");
    let mut kept = true;
    for line in body.split_inclusive('\n') {
        if !line.starts_with(' ') {
            kept = keep(line.split_whitespace().next().unwrap_or_default());
        }
        if kept {
            selected.push_str(line);
        }
    }
    selected
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::single;

    #[test]
    fn a_new_version_is_no_difference_but_another_server_is() {
        let stored = snapshot(&single());
        let mut newer = single();
        newer.server.version = "2.0.0 beta".to_owned();
        assert_eq!(difference("x", &stored, &newer, false), None);
        newer.server.name = "exam".to_owned();
        assert!(difference("x", &stored, &newer, false).is_some());
    }

    #[test]
    fn a_narrowed_run_is_compared_where_it_judged() {
        let stored = snapshot(&single());
        let mut narrowed = single();
        for entry in narrowed.requirements.iter_mut().filter(|entry| entry.id != "tools.call.unknown-tool") {
            (entry.status, entry.findings) = (Status::Skipped, vec![]);
        }
        assert_eq!(difference("x", &stored, &narrowed, true), None);
        let entry = narrowed.requirements.iter_mut().find(|entry| entry.id == "tools.call.unknown-tool");
        let entry = entry.expect("it is there");
        (entry.status, entry.findings) = (Status::Pass, vec![]);
        let text = difference("x", &stored, &narrowed, true).expect("a difference");
        assert!(text.contains("-tools.call.unknown-tool  fail (must)\n"), "{text}");
        assert!(text.contains("+tools.call.unknown-tool  pass\n") && !text.contains("lifecycle"), "{text}");
    }

    #[test]
    fn a_snapshot_holds_nothing_that_changes() {
        let mut again = single();
        again.timing.wall_ms = 99_999;
        again.seed = 77;
        again.requirements.iter_mut().flat_map(|entry| &mut entry.findings).for_each(|finding| finding.wire.clear());
        assert_eq!(snapshot(&single()), snapshot(&again));
        insta::assert_snapshot!(snapshot(&single()));
    }

    #[test]
    fn the_file_is_named_after_server_and_revision() {
        let mut record = single();
        record.server.name = "../my server".to_owned();
        assert_eq!(file_name(&record), "my-server.2025-11-25.snap");
        record.server.name = "..".to_owned();
        assert_eq!(file_name(&record), "server.2025-11-25.snap");
    }

    #[test]
    fn a_diff_shows_what_changed_and_ignores_line_ends() {
        let before = snapshot(&single());
        assert_eq!(diff("x", &before.replace('\n', "\r\n"), &before), None);
        let after = before.replace("tools.call.unknown-tool-code  pass", "tools.call.unknown-tool-code  fail (should)");
        insta::assert_snapshot!(diff("x", &before, &after).expect("a change"));
    }
}
