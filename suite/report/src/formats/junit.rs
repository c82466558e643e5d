//! JUnit XML for continuous integration: a suite per area, a case per requirement.
//!
//! A broken must or should is a failure whose type is the level. Advice, what a baseline accepts, what the SDK is to blame for
//! where that is accepted, and every other status but pass are skipped with the reason, so that an incomplete run does not look complete. What breaks several requirements names
//! the failure of each: services that group failures by their message show them as one.

use quick_junit::{NonSuccessKind, Report as Suites, TestCase, TestCaseStatus, TestSuite, XmlString};
use verdict::record::{Entry, Record, Report};
use verdict::{Finding, Level, Status, requirement};

use crate::causes::shared_cause;
use crate::link::link;
use crate::whose::{blame, blamed, name};

/// Renders JUnit XML.
#[must_use]
pub(super) fn junit(report: &Report) -> String {
    let mut suites = Suites::new("mcp-conform");
    let several = report.records().len() > 1;
    for record in report.records() {
        for (area, entries) in areas(record) {
            let name = if several { format!("{area} {}", record.protocol) } else { area.to_owned() };
            suites.add_test_suite(suite(&name, &entries, record));
        }
    }
    // Writing to memory fails only on malformed names, which this crate makes safe.
    suites.to_string().unwrap_or_default()
}

fn areas(record: &Record) -> Vec<(&str, Vec<&Entry>)> {
    let mut areas: Vec<(&str, Vec<&Entry>)> = Vec::new();
    for entry in &record.requirements {
        let area = entry.id.split('.').next().unwrap_or(&entry.id);
        match areas.iter_mut().find(|(name, _)| *name == area) {
            Some((_, entries)) => entries.push(entry),
            None => areas.push((area, vec![entry])),
        }
    }
    areas
}

fn suite(name: &str, entries: &[&Entry], record: &Record) -> TestSuite {
    let mut suite = TestSuite::new(name);
    suite.add_property(("protocol", record.protocol.as_str()));
    suite.add_property(("server", format!("{} {}", record.server.name, record.server.version).as_str()));
    for entry in entries {
        let mut case = TestCase::new(entry.id.as_str(), status(entry, record));
        case.set_classname(name);
        suite.add_test_case(case);
    }
    suite
}

fn status(entry: &Entry, record: &Record) -> TestCaseStatus {
    match entry.status {
        Status::Pass => TestCaseStatus::success(),
        // CI shows a failure in red: advice is none, nor is what the baseline accepts.
        Status::Fail if entry.known.is_some() => {
            skipped("known", &format!("known: {}", entry.known.as_deref().unwrap_or_default()))
        }
        Status::Fail if entry.level == Level::Advice => {
            let message = entry.findings.first().map_or("broken", |finding| finding.message.as_str());
            skipped("advice", &format!("advice: {message}"))
        }
        Status::Fail if blamed(record, entry).is_some_and(|sdk| sdk.accepted) => {
            skipped("sdk", blame(record, entry).unwrap_or_default().trim_end())
        }
        Status::Fail => failure(entry, record),
        status => {
            let reason = entry.reason.as_deref().unwrap_or("no reason recorded");
            skipped(status.as_str(), &format!("{}: {reason}", status.as_str().replace('_', " ")))
        }
    }
}

fn skipped(kind: &str, message: &str) -> TestCaseStatus {
    let mut skipped = TestCaseStatus::skipped();
    skipped.set_type(kind).set_message(message);
    skipped
}

fn failure(entry: &Entry, record: &Record) -> TestCaseStatus {
    let first = entry.findings.iter().find(|finding| finding.known.is_none());
    let own = first.map_or("broken", |finding| finding.message.as_str());
    let shared = shared_cause(record, &entry.id);
    let message = shared.map_or(own.to_owned(), |cause| format!("{} (cause {})", cause.title, cause.id));
    let message = blamed(record, entry).map_or(message.clone(), |sdk| format!("Not yours ({}): {message}", name(sdk)));
    let open = entry.findings.iter().filter(|finding| finding.known.is_none());
    let mut texts: Vec<String> =
        blame(record, entry).map(|blame| blame + "\n").into_iter().chain(open.map(text)).collect();
    if let Some(url) = requirement(&entry.id).and_then(|found| link(found, record.protocol)) {
        texts.push(format!("spec: {url}\n"));
    }
    let mut failure = TestCaseStatus::non_success(NonSuccessKind::Failure);
    failure
        .set_type(entry.level.as_str())
        .set_message(message.as_str())
        .set_description(XmlString::new(texts.join("\n")));
    failure
}

fn text(finding: &Finding) -> String {
    let mut text = format!("{}\n", finding.message);
    let mut line = |name: &str, value: &str| text.push_str(&format!("{name}: {value}\n"));
    if let Some(tool) = &finding.tool {
        line("tool", tool);
    }
    if let Some(place) = &finding.place {
        line("at", place);
    }
    line("expected", &finding.expected);
    line("actual", &finding.actual);
    for wire in &finding.wire {
        text.push_str(&format!("{wire}\n"));
    }
    if !finding.reproduce.is_empty() {
        text.push_str(&format!("reproduce: {}\n", finding.reproduce));
    }
    text
}

#[cfg(test)]
mod tests {
    use super::junit;
    use crate::testing::{record, several};

    #[test]
    fn a_suite_an_area_and_a_case_a_requirement() {
        insta::assert_snapshot!(junit(&record()));
    }

    #[test]
    fn neither_advice_nor_what_a_baseline_accepts_is_a_failure() {
        let xml = junit(&crate::testing::accepted());
        assert!(
            xml.contains("<skipped message=\"known: the SDK does it, typescript-sdk#1510\" type=\"known\""),
            "{xml}"
        );
        assert!(xml.contains("<skipped message=\"advice: A tool has no description.\" type=\"advice\""), "{xml}");
        assert_eq!((xml.matches("<failure").count(), xml.matches("type=\"must\"").count()), (1, 0), "{xml}");
    }

    #[test]
    fn suites_of_several_revisions_have_names_of_their_own() {
        let xml = junit(&several());
        assert!(
            xml.contains("<testsuite name=\"tools 2025-11-25\"")
                && xml.contains("<testsuite name=\"tools 2025-06-18\"")
        );
    }

    #[test]
    fn failures_of_one_cause_have_one_message() {
        let report = verdict::record::Report::One(Box::new(crate::testing::with_causes()));
        let message = "message=\"What does not exist is a tool that failed. (cause tool-error-0f0c6cdd)\"";
        assert_eq!(junit(&report).matches(message).count(), 2, "advice is no failure");
    }

    #[test]
    fn what_the_sdk_is_to_blame_for_names_it_and_fails_unless_it_is_accepted() {
        let mut record = crate::testing::with_origins();
        let render = |record| junit(&verdict::record::Report::One(Box::new(record)));
        let xml = render(record.clone());
        assert_eq!(xml.matches("message=\"Not yours (example-sdk 1.2.3): What does not exist").count(), 2, "{xml}");
        assert!(xml.contains("breaks this too (upgrade to 1.3.0; https://github.com/example/sdk/issues/1)"), "{xml}");
        record.sdk.as_mut().expect("an SDK").accepted = true;
        let xml = render(record);
        assert_eq!((xml.matches("<failure").count(), xml.matches("type=\"sdk\"").count()), (1, 2), "{xml}");
    }
}
