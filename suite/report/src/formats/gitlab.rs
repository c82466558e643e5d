//! GitLab code quality report: findings shown in merge requests.

use serde_json::{Value, json};
use verdict::record::{Entry, Record, Report};
use verdict::{Finding, Level};

use super::{Place, Setting};
use crate::causes::lead;
use crate::whose::blame;

/// Renders code quality JSON.
#[must_use]
pub(super) fn gitlab(report: &Report, at: &Setting<'_>) -> String {
    let mut all: Vec<Value> = Vec::new();
    for record in report.records() {
        let found =
            record.requirements.iter().flat_map(|entry| entry.findings.iter().map(move |finding| (entry, finding)));
        all.extend(found.map(|(entry, finding)| degradation(entry, finding, record, at)));
    }
    // GitLab merges findings with the same fingerprint.
    let mut seen = std::collections::HashSet::new();
    all.retain(|one| seen.insert(one["fingerprint"].to_string()));
    serde_json::to_string_pretty(&all).unwrap_or_else(|_| "[]".to_owned()) + "\n"
}

fn degradation(entry: &Entry, finding: &Finding, record: &Record, at: &Setting<'_>) -> Value {
    let blame = blame(record, entry);
    let Place { file, line } = at.place(blame.is_some());
    let information = finding.known.is_some() || blame.is_some();
    let protocol = record.protocol.as_str();
    let tool = finding.tool.as_deref().map(|tool| format!("Tool {tool}: ")).unwrap_or_default();
    let part = |part: &Option<String>| part.clone().unwrap_or_default();
    let place = [protocol, &entry.id, &part(&finding.tool), &part(&finding.place), &finding.message].join("\u{1f}");
    let known = finding.known.as_ref().map(|reason| format!("Known ({reason}): ")).unwrap_or_default();
    // Not part of the fingerprint: a finding stays the same when more, or less, is found to have its cause.
    let cause = lead(record, entry, finding);
    json!({
        "description": format!("{known}{}{cause}{tool}{} Expected: {}. Actual: {}. (MCP {protocol})", blame.unwrap_or_default(), finding.message, finding.expected, finding.actual),
        "check_name": entry.id,
        "fingerprint": fingerprint(&place),
        "severity": if information { "info" } else { severity(finding.level.unwrap_or(entry.level)) },
        "location": {"path": file, "lines": {"begin": line}},
    })
}

fn severity(level: Level) -> &'static str {
    match level {
        Level::Must => "critical",
        Level::Should => "minor",
        Level::Advice => "info",
    }
}

/// Returns an FNV-1a hash: a finding keeps its fingerprint across runs and machines.
fn fingerprint(text: &str) -> String {
    let hash =
        |seed: u64| text.bytes().fold(seed, |hash, byte| (hash ^ u64::from(byte)).wrapping_mul(0x0000_0100_0000_01b3));
    format!("{:016x}{:016x}", hash(0xcbf2_9ce4_8422_2325), hash(0x9ae1_6a3b_2f90_404f))
}

#[cfg(test)]
mod tests {
    use serde_json::Value;

    use super::{Place, Setting, gitlab};
    use crate::testing::{at, record, several};

    #[test]
    fn findings_are_degradations() {
        insta::assert_snapshot!(gitlab(&record(), &at()));
    }

    #[test]
    fn what_a_baseline_accepts_is_for_information() {
        let report = crate::testing::accepted();
        let all: Vec<Value> = serde_json::from_str(&gitlab(&report, &at())).expect("JSON");
        let known =
            all.iter().filter(|one| one["description"].as_str().is_some_and(|text| text.starts_with("Known (the SDK")));
        assert_eq!(known.clone().count(), 2);
        assert!(known.clone().all(|one| one["severity"] == "info"));
    }

    #[test]
    fn no_two_have_the_same_fingerprint() {
        let report = several();
        let all: Vec<Value> = serde_json::from_str(&gitlab(&report, &at())).expect("JSON");
        let prints: std::collections::HashSet<String> = all.iter().map(|one| one["fingerprint"].to_string()).collect();
        let entries = report.records().iter().flat_map(|record| &record.requirements);
        assert_eq!(prints.len(), entries.map(|entry| entry.findings.len()).sum::<usize>());
    }

    #[test]
    fn findings_of_one_cause_begin_with_it_and_keep_their_fingerprint() {
        let all = |record| -> Vec<Value> {
            let report = verdict::record::Report::One(Box::new(record));
            serde_json::from_str(&gitlab(&report, &at())).expect("JSON")
        };
        let (plain, caused) = (all(crate::testing::single()), all(crate::testing::with_causes()));
        let print = |one: &Value| one["fingerprint"].clone();
        assert!(plain.iter().map(print).eq(caused.iter().map(print)));
        let said =
            |one: &&Value| one["description"].as_str().is_some_and(|text| text.starts_with("What does not exist"));
        assert_eq!((plain.iter().filter(said).count(), caused.iter().filter(said).count()), (0, 3));
    }

    #[test]
    fn what_the_sdk_is_to_blame_for_is_for_information_where_the_sdk_is_named() {
        let report = verdict::record::Report::One(Box::new(crate::testing::with_origins()));
        let place = Place { file: "package.json".to_owned(), line: 7 };
        let text = gitlab(&report, &Setting { sdk_at: Some(&place), ..at() });
        let all: Vec<Value> = serde_json::from_str(&text).expect("JSON");
        let theirs: Vec<&Value> = all.iter().filter(|one| one["location"]["path"] == "package.json").collect();
        assert_eq!(theirs.len(), 2);
        let said = |one: &Value| {
            one["description"]
                .as_str()
                .is_some_and(|text| text.starts_with("Not yours: the smallest server on example-sdk"))
        };
        assert!(theirs.iter().all(|one| said(one) && one["severity"] == "info"), "{theirs:?}");
    }
}
