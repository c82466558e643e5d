//! SARIF 2.1.0 (OASIS): findings as code-scanning alerts, with help for each rule.
//!
//! A server has no source lines here, but alerts need a file: the caller names one (`anchor`). The logical location holds the
//! actual subject, a tool and a place.
//!
//! Each finding is a result, not each cause: an alert is known by its rule and place, and whoever dismissed one wants it to stay
//! dismissed when a further requirement is found to have the same cause. The cause begins the text of the alert and stands in its
//! properties; as a fingerprint it would make viewers take all results of a cause for one and the same.
//!
//! What the SDK of the server is to blame for is a note at the line that names the SDK.

mod hosts;

use std::collections::BTreeMap;

use serde_json::{Value, json};
use verdict::record::{Cause, Entry, Record, Report};
use verdict::{Finding, Level, Revision, Status, requirement};

use super::{Place, Setting};
use crate::causes::{lead, shared_cause};
use crate::link::link;
use crate::whose::{blame, blamed, name, purl};

/// The schema that the output follows.
const SCHEMA: &str = "https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json";
/// Limit of results per run in code-scanning services.
const MOST: usize = 5_000;

/// Renders SARIF.
#[must_use]
pub(super) fn sarif(report: &Report, at: &Setting<'_>) -> String {
    let runs: Vec<Value> = report.records().iter().map(|record| run(record, at)).collect();
    let log = json!({"$schema": SCHEMA, "version": "2.1.0", "runs": runs});
    serde_json::to_string_pretty(&log).unwrap_or_default() + "\n"
}

fn run(record: &Record, at: &Setting<'_>) -> Value {
    let broken: Vec<&Entry> = record.requirements.iter().filter(|entry| entry.status == Status::Fail).collect();
    let mut rules: Vec<Value> = broken.iter().map(|entry| rule(entry, record.protocol)).collect();
    let of_hosts = hosts::results(record, rules.len(), at.anchor);
    rules.extend(hosts::rules(record));
    let results = broken
        .iter()
        .enumerate()
        .flat_map(|(index, entry)| entry.findings.iter().map(move |finding| result(index, entry, finding, record, at)));
    let results: Vec<Value> = results.chain(of_hosts).take(MOST).collect();
    json!({
        "tool": {"driver": {
            "name": record.tool.name,
            "version": record.tool.version,
            "semanticVersion": record.tool.version,
            "informationUri": "https://github.com/mcp-conform/mcp-conform",
            "rules": rules,
        }},
        // Distinguishes the runs of several revisions.
        "automationDetails": {"id": format!("mcp-conform/{}/", record.protocol)},
        "invocations": [{"executionSuccessful": record.trouble.is_none() && !record.partial}],
        "results": results,
        "columnKind": "unicodeCodePoints",
        "properties": {
            "server": format!("{} {}", record.server.name, record.server.version).trim(),
            "protocol": record.protocol.as_str(),
        },
    })
}

fn rule(entry: &Entry, revision: Revision) -> Value {
    let found = requirement(&entry.id);
    let statement = found.map_or(entry.id.as_str(), |found| found.statement);
    let url = found.and_then(|found| link(found, revision));
    let explain = format!("Run `mcp-conform explain {}` for details.", entry.id);
    let varies = found.and_then(|found| found.varies_in(revision)).map(|varies| format!("In {revision}: {varies}."));
    let clause = url.as_ref().map(|url| format!("[Specification]({url})"));
    let parts = [Some(statement.to_owned()), varies, clause, Some(explain)];
    let markdown = parts.into_iter().flatten().collect::<Vec<_>>().join("\n\n");
    let text = url.as_ref().map_or(statement.to_owned(), |url| format!("{statement} See {url}"));
    let mut rule = json!({
        "id": entry.id,
        "shortDescription": {"text": statement},
        "fullDescription": {"text": statement},
        "help": {"text": text, "markdown": markdown},
        "defaultConfiguration": {"level": level(entry.level)},
        "properties": {
            "tags": ["mcp", entry.id.split('.').next().unwrap_or_default(), entry.level.as_str()],
            "precision": "very-high",
            "problem.severity": severity(entry.level),
        },
    });
    if let Some(url) = url {
        rule["helpUri"] = json!(url);
    }
    rule
}

fn result(index: usize, entry: &Entry, finding: &Finding, record: &Record, at: &Setting<'_>) -> Value {
    let cause = shared_cause(record, &entry.id);
    let sdk = blamed(record, entry);
    // What its author cannot mend is not to fail the checks of a repository.
    let grave = if sdk.is_some() { Level::Advice } else { finding.level.unwrap_or(entry.level) };
    let Place { file, line } = at.place(sdk.is_some());
    let mut logical = vec![json!({"name": entry.id, "kind": "requirement"})];
    logical.extend(finding.tool.iter().map(|tool| json!({"name": tool, "kind": "tool"})));
    logical.extend(sdk.map(|sdk| json!({"name": name(sdk), "fullyQualifiedName": purl(sdk), "kind": "package"})));
    logical.extend(finding.place.iter().map(|place| json!({"fullyQualifiedName": place, "kind": "member"})));
    let subject = finding.tool.as_deref().map(|tool| format!("Tool {tool}: ")).unwrap_or_default();
    let text = format!(
        "{}{}{subject}{} Expected: {}. Actual: {}. Reproduce: {}",
        blame(record, entry).unwrap_or_default(),
        lead(record, entry, finding),
        finding.message,
        finding.expected,
        finding.actual,
        finding.reproduce
    );
    let mut result = json!({
        "ruleId": entry.id,
        "ruleIndex": index,
        "level": level(grave),
        "message": {"text": text},
        "locations": [{
            "physicalLocation": {"artifactLocation": {"uri": file}, "region": {"startLine": line}},
            "logicalLocations": logical,
        }],
        // A finding keeps its alert across runs, whatever its evidence.
        "partialFingerprints": {"mcpConformFinding/v1": fingerprint(entry, finding)},
        "occurrenceCount": finding.count.max(1),
        "properties": evidence(entry, finding, cause),
    });
    if let Some(reason) = &finding.known {
        result["suppressions"] = json!([{"kind": "external", "status": "accepted", "justification": reason}]);
    }
    result
}

fn fingerprint(entry: &Entry, finding: &Finding) -> String {
    let part = |part: &Option<String>| part.clone().unwrap_or_default();
    [entry.id.clone(), part(&finding.tool), part(&finding.place), finding.message.clone()].join("\u{1f}")
}

fn evidence(entry: &Entry, finding: &Finding, cause: Option<&Cause>) -> Value {
    let mut bag = BTreeMap::new();
    bag.insert("wire", json!(finding.wire));
    if !finding.stderr.is_empty() {
        bag.insert("stderr", json!(finding.stderr));
    }
    if let Some(origin) = entry.origin {
        bag.insert("origin", json!(origin));
    }
    if let Some(cause) = cause {
        bag.insert("cause", json!({"id": cause.id, "title": cause.title, "mend": cause.mend}));
    }
    json!(bag)
}

fn level(level: Level) -> &'static str {
    match level {
        Level::Must => "error",
        Level::Should => "warning",
        Level::Advice => "note",
    }
}

fn severity(level: Level) -> &'static str {
    match level {
        Level::Must => "error",
        Level::Should => "warning",
        Level::Advice => "recommendation",
    }
}

#[cfg(test)]
mod tests {
    use serde_json::Value;

    use super::{Place, Setting, sarif};
    use crate::testing::{at, record, several};

    #[test]
    fn findings_are_results_with_rules() {
        insta::assert_snapshot!(sarif(&record(), &at()));
    }

    #[test]
    fn what_a_baseline_accepts_is_suppressed() {
        let report = crate::testing::accepted();
        let log: Value = serde_json::from_str(&sarif(&report, &at())).expect("JSON");
        for result in log["runs"][0]["results"].as_array().expect("results") {
            assert_eq!(result["suppressions"].is_array(), result["level"] == "error", "{result}");
        }
    }

    #[test]
    fn every_result_points_at_its_rule() {
        let log: Value = serde_json::from_str(&sarif(&several(), &at())).expect("JSON");
        let runs = log["runs"].as_array().expect("runs");
        assert_eq!(runs.len(), 2);
        for run in runs {
            let rules = &run["tool"]["driver"]["rules"];
            for result in run["results"].as_array().expect("results") {
                let at = usize::try_from(result["ruleIndex"].as_u64().expect("an index")).expect("small");
                assert_eq!(rules[at]["id"], result["ruleId"]);
            }
        }
    }

    #[test]
    fn results_of_one_cause_name_it_and_remain_results_of_their_own() {
        let report = verdict::record::Report::One(Box::new(crate::testing::with_causes()));
        let log: Value = serde_json::from_str(&sarif(&report, &at())).expect("JSON");
        let results = log["runs"][0]["results"].as_array().expect("results");
        let caused: Vec<&Value> =
            results.iter().filter(|result| result["properties"]["cause"]["id"] == "tool-error-0f0c6cdd").collect();
        let alone: Value = serde_json::from_str(&sarif(&record(), &at())).expect("JSON");
        assert_eq!(Some(results.len()), alone["runs"][0]["results"].as_array().map(Vec::len));
        assert_eq!(caused.len(), 3);
        let text = |result: &Value| result["message"]["text"].as_str().unwrap_or_default().to_owned();
        assert!(caused.iter().all(|result| text(result).starts_with("What does not exist is a tool that failed. ")));
    }

    #[test]
    fn what_the_sdk_is_to_blame_for_is_a_note_where_the_sdk_is_named() {
        let report = verdict::record::Report::One(Box::new(crate::testing::with_origins()));
        let place = Place { file: "package.json".to_owned(), line: 7 };
        let text = sarif(&report, &Setting { sdk_at: Some(&place), ..at() });
        let log: Value = serde_json::from_str(&text).expect("JSON");
        let results = log["runs"][0]["results"].as_array().expect("results");
        let of = |origin| results.iter().filter(move |result| result["properties"]["origin"] == origin);
        assert_eq!((of("sdk").count(), of("own").count()), (2, 8));
        for result in of("sdk") {
            let at = &result["locations"][0];
            assert_eq!(result["level"], "note");
            assert_eq!(at["physicalLocation"]["artifactLocation"]["uri"], "package.json");
            assert_eq!(at["physicalLocation"]["region"]["startLine"], 7);
            assert!(at["logicalLocations"].to_string().contains("pkg:npm/example-sdk@1.2.3"), "{at}");
        }
        assert!(of("own").all(|result| result["level"] == "warning"
            && result["locations"][0]["physicalLocation"]["artifactLocation"]["uri"] == "server.js"));
    }

    #[test]
    fn what_hosts_do_not_take_is_a_note_with_a_rule() {
        let report = verdict::record::Report::One(Box::new(crate::testing::with_hosts()));
        let log: Value = serde_json::from_str(&sarif(&report, &at())).expect("JSON");
        let run = &log["runs"][0];
        let results = run["results"].as_array().expect("results");
        let of_hosts: Vec<&Value> = results
            .iter()
            .filter(|result| result["ruleId"].as_str().is_some_and(|id| id.starts_with("hosts/")))
            .collect();
        assert_eq!(of_hosts.len(), 5);
        for result in of_hosts {
            let at = usize::try_from(result["ruleIndex"].as_u64().expect("an index")).expect("small");
            assert_eq!(
                (&run["tool"]["driver"]["rules"][at]["id"], &result["level"]),
                (&result["ruleId"], &"note".into())
            );
        }
    }
}
