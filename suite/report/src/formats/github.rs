//! GitHub Actions workflow commands: findings as annotations.

use verdict::Level;
use verdict::record::{Entry, Origin, Record, Report};

use super::{Place, Setting};
use crate::causes::{Broken, broken, grouped, newest_first};
use crate::style::count;
use crate::whose::{blamed, breaks_too, help, in_brackets, known_sdk, name};

/// Annotations that GitHub shows of each kind; the rest appears only in the log.
const SHOWN: usize = 10;

/// Renders must and should findings as annotations: errors at the level that fails a run or above, else warnings. Each requirement
/// gets one; what the SDK of the server is to blame for gets one together.
#[must_use]
pub(super) fn github(report: &Report, at: &Setting<'_>) -> String {
    let mut text = String::new();
    for level in [Level::Must, Level::Should] {
        let broken = report.records().iter().flat_map(|record| {
            let wanted =
                move |entry: &&Entry| entry.is_open() && entry.level == level && blamed(record, entry).is_none();
            let entries = record.requirements.iter().filter(wanted);
            entries.map(move |entry| (record, entry))
        });
        let kind = kind(level, at);
        broken.take(SHOWN).for_each(|(record, entry)| text.push_str(&annotation(kind, record, entry, at)));
    }
    text + &of_sdk(report, at).unwrap_or_default()
}

fn kind(level: Level, at: &Setting<'_>) -> &'static str {
    if at.fail_on.is_some_and(|lowest| level <= lowest) { "error" } else { "warning" }
}

/// Renders what the SDK is to blame for: a line each, gravest first.
fn of_sdk(report: &Report, at: &Setting<'_>) -> Option<String> {
    let records = newest_first(report.records());
    let sdk = known_sdk(records.iter().copied())?;
    let theirs = |broken: &Broken<'_>| broken.entry.is_open() && broken.entry.origin == Some(Origin::Sdk);
    let groups = grouped(broken(&records).into_iter().filter(theirs).collect());
    let level = groups.first()?.level();
    let lines: Vec<String> = groups
        .iter()
        .filter_map(|group| {
            let helps = in_brackets(&help(group.cause?));
            Some(format!("{}: {}{helps}", group.level().as_str().to_uppercase(), group.cause?.title))
        })
        .collect();
    let (kind, accept) = match sdk.accepted {
        true => ("notice", ""),
        false => (kind(level, at), "\nWith --accept-sdk a run fails only for what is yours."),
    };
    let title = format!("Not yours: {} ({})", name(sdk), count(groups.len(), "cause", "causes"));
    let text = format!("{}:\n{}{accept}", breaks_too(sdk), lines.join("\n"));
    Some(command(kind, &at.place(true), &title, &text))
}

fn annotation(kind: &str, record: &Record, entry: &Entry, at: &Setting<'_>) -> String {
    let title = format!("{} ({}, MCP {})", entry.id, entry.level.as_str(), record.protocol);
    let first = entry.findings.iter().find(|finding| finding.known.is_none());
    let text = first.map_or(String::new(), |finding| {
        let tool = finding.tool.as_deref().map(|tool| format!("Tool {tool}: ")).unwrap_or_default();
        format!(
            "{tool}{}\nExpected: {}\nActual: {}\nReproduce: {}",
            finding.message, finding.expected, finding.actual, finding.reproduce
        )
    });
    command(kind, &at.place(false), &title, &text)
}

fn command(kind: &str, place: &Place, title: &str, text: &str) -> String {
    let Place { file, line } = place;
    format!("::{kind} file={},line={line},title={}::{}\n", property(file), property(title), data(text))
}

/// Escapes text so that a server cannot start a workflow command.
fn data(text: &str) -> String {
    text.replace('%', "%25").replace('\r', "%0D").replace('\n', "%0A")
}

fn property(text: &str) -> String {
    data(text).replace(':', "%3A").replace(',', "%2C")
}

#[cfg(test)]
mod tests {
    use super::github;
    use crate::formats::{Place, Setting};
    use crate::testing::{at, record};

    #[test]
    fn broken_requirements_are_annotations() {
        insta::assert_snapshot!(github(&record(), &at()));
    }

    #[test]
    fn what_the_sdk_is_to_blame_for_is_one_annotation_where_the_sdk_is_named() {
        let mut record = crate::testing::with_origins();
        let place = Place { file: "package.json".to_owned(), line: 7 };
        let render = |record| {
            let report = verdict::record::Report::One(Box::new(record));
            github(&report, &Setting { sdk_at: Some(&place), ..at() })
        };
        insta::assert_snapshot!(render(record.clone()));
        record.sdk.as_mut().expect("an SDK").accepted = true;
        assert!(render(record).contains("::notice file=package.json,line=7,title=Not yours"));
    }
}
