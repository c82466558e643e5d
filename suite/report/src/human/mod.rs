//! The report for people: who was judged and how it went, then what is broken, the gravest first, then one line for
//! each kind of thing that could not be judged.

mod finding;
mod summary;
mod unjudged;

use verdict::record::{Record, Report};
use verdict::{Level, Status};

use crate::Style;

/// The report of one run, or of one server in several revisions.
#[must_use]
pub fn human(report: &Report, style: &Style) -> String {
    let mut records: Vec<&Record> = report.records().iter().collect();
    // The newest revision first: that is where a reader starts mending.
    records.sort_by_key(|record| std::cmp::Reverse(record.protocol));
    let mut text = summary::head(&records, style);
    for level in [Level::Must, Level::Should, Level::Advice] {
        text.push_str(&broken(&records, level, style));
    }
    text.push_str(&unjudged::lines(&records, style));
    text.push_str(&unjudged::unspoken(report, style));
    text.push_str(&summary::foot(&records, style));
    text
}

/// Nothing but the verdict and the counts.
#[must_use]
pub fn brief(report: &Report, style: &Style) -> String {
    let mut records: Vec<&Record> = report.records().iter().collect();
    records.sort_by_key(|record| std::cmp::Reverse(record.protocol));
    summary::head(&records, style)
}

/// What is broken at one level. A requirement broken in several revisions is shown once, in the newest.
fn broken(records: &[&Record], level: Level, style: &Style) -> String {
    let mut shown: Vec<&str> = Vec::new();
    let mut text = String::new();
    for record in records {
        for entry in record.requirements.iter().filter(|entry| entry.status == Status::Fail && entry.level == level) {
            if shown.contains(&entry.id.as_str()) {
                continue;
            }
            shown.push(&entry.id);
            let place = finding::Place { record, also: also(records, record, &entry.id) };
            text.push_str(&finding::show(entry, &place, style));
        }
    }
    if level == Level::Advice && !style.advice && !shown.is_empty() {
        return format!("\n{text}        --advice shows these in full\n");
    }
    text
}

/// The other revisions in which the same requirement is broken.
fn also(records: &[&Record], here: &Record, id: &str) -> Vec<String> {
    let others = records.iter().filter(|record| record.protocol != here.protocol);
    let fails =
        |record: &&&Record| record.requirements.iter().any(|entry| entry.id == id && entry.status == Status::Fail);
    others.filter(fails).map(|record| record.protocol.to_string()).collect()
}

#[cfg(test)]
mod tests {
    use crate::testing::{record, several};
    use crate::{Style, human};

    #[test]
    fn a_report_reads_like_this() {
        insta::assert_snapshot!(human(&record(), &Style::default()));
    }

    #[test]
    fn advice_is_shown_in_full_when_asked_for() {
        insta::assert_snapshot!(human(&record(), &Style { advice: true, width: 70, ..Style::default() }));
    }

    #[test]
    fn revisions_share_a_report() {
        insta::assert_snapshot!(human(&several(), &Style::default()));
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
