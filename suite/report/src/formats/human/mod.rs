//! The report for people: the verdict, then the broken requirements, most severe first, then a line for each kind of thing
//! that could not be judged.

mod cause;
mod excerpt;
mod exchange;
mod finding;
mod generated;
mod hosts;
mod summary;
mod timing;
mod unjudged;
mod unseen;
mod whose;

pub use timing::timing;
pub use unseen::not_observed;

use verdict::Level;
use verdict::record::{Record, Report};

use crate::causes::{self, grouped, newest_first};
use crate::style::{Style, printable};

/// Renders the report of one run, or of one server in several revisions.
#[must_use]
pub(super) fn human(report: &Report, style: &Style) -> String {
    let records = newest_first(report.records());
    let mut text = summary::header(&records, style);
    text.push_str(&findings(&records, style));
    text.push_str(&hosts::section(&records, style));
    text.push_str(&generated::lines(&records, style));
    text.push_str(&unjudged::lines(&records, style));
    text.push_str(&unjudged::unsupported_revisions(report, style));
    text.push_str(&summary::footer(&records, style));
    text
}

/// Renders only the verdict and the counts.
#[must_use]
pub fn brief(report: &Report, style: &Style) -> String {
    summary::header(&newest_first(report.records()), style)
}

/// Renders a cause in full, if something that the report says failed has it.
#[must_use]
pub fn explain_cause(report: &Report, id: &str, style: &Style) -> Option<String> {
    let groups = grouped(causes::broken(&newest_first(report.records())));
    let found = groups.iter().find(|group| group.cause.is_some_and(|cause| cause.id == id))?;
    Some(cause::full_text(found, &mut Vec::new(), style))
}

fn findings(records: &[&Record], style: &Style) -> String {
    let all = causes::broken(records);
    let mut text = String::new();
    // Servers often repeat a warning: it is shown only once.
    let mut shown = Vec::new();
    let (known, open): (Vec<_>, Vec<_>) = all.into_iter().partition(|broken| broken.entry.known.is_some());
    let (folded, full): (Vec<_>, Vec<_>) =
        grouped(open).into_iter().partition(|group| group.level() == Level::Advice && !style.advice);
    text.push_str(&whose::sections(&full, records, &mut shown, style));
    if !known.is_empty() {
        let file = known.iter().find_map(|broken| broken.record.baseline.as_deref()).unwrap_or("the baseline");
        let lines: String = known.iter().map(|broken| finding::known_line(broken.entry, style)).collect();
        text.push_str(&format!("\nKnown, accepted in {}:\n{lines}", printable(file)));
    }
    let advice: String = folded.iter().map(|group| cause::one_line(group, style)).collect();
    if !advice.is_empty() {
        text.push_str(&format!(
            "\nAdvice (not required by the specification):\n{advice}        use --advice to show these in full\n"
        ));
    }
    text
}

#[cfg(test)]
mod tests {
    use verdict::Level;

    use super::human;
    use crate::style::Style;
    use crate::testing::{record, several};

    #[test]
    fn a_report_reads_like_this() {
        insta::assert_snapshot!(human(&record(), &Style::default()));
    }

    #[test]
    fn what_one_mend_would_mend_is_one() {
        let report = verdict::record::Report::One(Box::new(crate::testing::with_causes()));
        insta::assert_snapshot!(human(&report, &Style::default()));
    }

    #[test]
    fn what_the_sdk_is_to_blame_for_takes_a_line() {
        let report = verdict::record::Report::One(Box::new(crate::testing::with_origins()));
        insta::assert_snapshot!(human(&report, &Style::default()));
        let full = human(&report, &Style { sdk: true, ..Style::default() });
        assert!(!full.contains("--sdk-findings") && full.contains("reproduce mcp-conform run"), "{full}");
    }

    #[test]
    fn advice_is_shown_in_full_when_asked_for() {
        insta::assert_snapshot!(human(&record(), &Style { advice: true, width: 70, ..Style::default() }));
    }

    #[test]
    fn what_a_baseline_accepts_takes_a_line() {
        let report = crate::testing::accepted();
        insta::assert_snapshot!(human(&report, &Style::default()));
    }

    #[test]
    fn the_head_says_what_felled_the_server() {
        let verdict::record::Report::One(mut record) = record() else { panic!("one run") };
        let finding = record.requirements.iter_mut().find_map(|entry| entry.findings.first_mut());
        finding.expect("a finding").fell = true;
        let text = human(&verdict::record::Report::One(record), &Style::default());
        assert_eq!(text.lines().nth(2), Some("THE SERVER FELL (lifecycle.server.stays-up) over this input:"));
        assert!(text.lines().nth(3).is_some_and(|line| line.starts_with("  {\"jsonrpc\"")), "{text}");
    }

    #[test]
    fn the_head_names_no_input_where_several_may_have_felled_the_server() {
        let verdict::record::Report::One(mut record) = record() else { panic!("one run") };
        let finding = record.requirements.iter_mut().find_map(|entry| entry.findings.first_mut()).expect("a finding");
        (finding.fell, finding.under_way) = (true, 39);
        let text = human(&verdict::record::Report::One(record), &Style::default());
        let head = "THE SERVER FELL (lifecycle.server.stays-up) over one of 39 messages that were under way";
        assert_eq!(text.lines().nth(2), Some(head));
    }

    #[test]
    fn the_head_shows_the_gravest_fall_and_of_these_the_shortest() {
        let verdict::record::Report::One(mut record) = record() else { panic!("one run") };
        let entry = record.requirements.iter_mut().find(|entry| !entry.findings.is_empty()).expect("an entry");
        let falls = [(Level::Advice, "x"), (Level::Must, "a longer one"), (Level::Must, "a short one")];
        let of = |(level, text): (Level, &str)| {
            let mut finding = entry.findings[0].clone();
            (finding.level, finding.wire, finding.fell) = (Some(level), vec![format!("> {text}")], true);
            finding
        };
        entry.findings = falls.map(of).into();
        let text = human(&verdict::record::Report::One(record), &Style::default());
        assert_eq!(text.lines().nth(3), Some("  a short one"), "{text}");
    }

    #[test]
    fn revisions_share_a_report() {
        insta::assert_snapshot!(human(&several(), &Style::default()));
    }

    #[test]
    fn a_requirement_is_counted_once_at_its_gravest() {
        let mut report = several();
        let verdict::record::Report::All(all) = &mut report else { panic!("several runs") };
        for entry in &mut all.runs[1].requirements {
            entry.level = verdict::Level::Should;
        }
        let text = human(&report, &Style::default());
        assert!(text.contains("DOES NOT CONFORM: 4 causes (2 MUST, 2 SHOULD violations)"), "{text}");
        assert_eq!(text.matches("\nMUST    tools.call.unknown-tool\n").count(), 1, "{text}");
        assert!(!text.contains("SHOULD  tools.call.unknown-tool\n"), "{text}");
    }

    #[test]
    fn without_colour_there_is_no_escape_and_nothing_but_ascii_structure() {
        let plain = human(&record(), &Style::default());
        assert!(plain.is_ascii());
        let coloured = human(&record(), &Style { colour: true, ..Style::default() });
        assert!(coloured.contains("\u{1b}["));
        let stripped = coloured.replace("\u{1b}[0m", "").replace("\u{1b}[1m", "").replace("\u{1b}[2m", "");
        let stripped = stripped.replace("\u{1b}[31m", "").replace("\u{1b}[32m", "").replace("\u{1b}[33m", "");
        assert_eq!(stripped, plain);
    }
}
