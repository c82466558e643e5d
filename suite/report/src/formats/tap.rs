//! TAP 13, for the test harnesses of many languages: a line per requirement.
//!
//! Every status but pass and fail is skipped with its reason. Broken advice, what a baseline accepts, and what the SDK is to blame
//! for where that is accepted, is `not ok` with TODO, which a harness reports without failing.

use std::fmt::Write;

use verdict::record::{Entry, Record, Report};
use verdict::{Level, Status};

use crate::style::printable;
use crate::whose::{self, blamed};

/// Renders TAP.
#[must_use]
pub(super) fn tap(report: &Report) -> String {
    let several = report.records().len() > 1;
    let count: usize = report.records().iter().map(|record| record.requirements.len()).sum();
    let mut text = format!("TAP version 13\n1..{count}\n");
    let mut number = 0;
    for record in report.records() {
        for entry in &record.requirements {
            number += 1;
            let revision = if several { format!("{} ", record.protocol) } else { String::new() };
            // Writing to a string cannot fail.
            let _ = writeln!(text, "{}", line(record, entry, number, &revision));
            text.push_str(&diagnostics(entry));
        }
        if let Some(trouble) = &record.trouble {
            let _ = writeln!(text, "# {}", printable(trouble));
        }
    }
    text
}

fn line(record: &Record, entry: &Entry, number: usize, revision: &str) -> String {
    let name = format!("{revision}{}", entry.id);
    match (entry.status, entry.level) {
        (Status::Pass, _) => format!("ok {number} - {name}"),
        (Status::Fail, _) if entry.known.is_some() => {
            let reason = entry.known.as_deref().unwrap_or_default();
            format!("not ok {number} - {name} # TODO {}", directive(&format!("known: {reason}")))
        }
        (Status::Fail, Level::Advice) => format!("not ok {number} - {name} # TODO advice"),
        (Status::Fail, level) => {
            let blame = blamed(record, entry);
            let todo = if blame.is_some_and(|sdk| sdk.accepted) { " # TODO accepted" } else { "" };
            let whose = blame.map(|sdk| format!(", not yours: {}", directive(&whose::name(sdk)))).unwrap_or_default();
            format!("not ok {number} - {name} ({}{whose}){todo}", level.as_str())
        }
        (status, _) => {
            let reason = entry.reason.as_deref().unwrap_or_default();
            let status = status.as_str().replace('_', " ");
            format!("ok {number} - {name} # SKIP {}", directive(&format!("{status}: {reason}")))
        }
    }
}

/// Escapes text for a directive, so that it cannot start another one.
fn directive(text: &str) -> String {
    printable(text).replace('#', "\\#")
}

/// Renders the findings as a YAML block with strings as JSON.
fn diagnostics(entry: &Entry) -> String {
    if entry.findings.is_empty() {
        return String::new();
    }
    let mut text = "  ---\n  findings:\n".to_owned();
    for finding in &entry.findings {
        let members = [
            ("message", Some(finding.message.as_str())),
            ("tool", finding.tool.as_deref()),
            ("at", finding.place.as_deref()),
            ("expected", Some(finding.expected.as_str())),
            ("actual", Some(finding.actual.as_str())),
            ("repeat", Some(finding.reproduce.as_str())),
        ];
        let given = members.iter().filter_map(|(name, value)| Some((name, (*value)?)));
        for (at, (name, value)) in given.enumerate() {
            let lead = if at == 0 { "    - " } else { "      " };
            let _ = writeln!(text, "{lead}{name}: {}", serde_json::Value::from(value));
        }
    }
    text + "  ...\n"
}

#[cfg(test)]
mod tests {
    use super::tap;
    use crate::testing::{record, several};

    #[test]
    fn a_line_a_requirement() {
        insta::assert_snapshot!(tap(&record()));
    }

    #[test]
    fn the_plan_counts_all_revisions() {
        let text = tap(&several());
        let count = text.lines().filter(|line| line.starts_with("ok ") || line.starts_with("not ok ")).count();
        assert!(text.contains(&format!("\n1..{count}\n")) && text.contains(" - 2025-06-18 "), "{text}");
    }

    #[test]
    fn what_the_sdk_is_to_blame_for_names_it_and_is_todo_where_accepted() {
        let mut record = crate::testing::with_origins();
        let render = |record| tap(&verdict::record::Report::One(Box::new(record)));
        let name = "tools.call.unknown-tool (must, not yours: example-sdk 1.2.3)";
        let ends = |text: &str, end: &str| text.lines().any(|line| line.ends_with(&format!("{name}{end}")));
        assert!(ends(&render(record.clone()), ""));
        record.sdk.as_mut().expect("an SDK").accepted = true;
        assert!(ends(&render(record), " # TODO accepted"));
    }
}
