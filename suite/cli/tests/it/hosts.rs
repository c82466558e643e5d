//! What hosts do not take, in a run and by itself.

use serde_json::Value;

use crate::environment;
use crate::support::{Bench, CommandOutput};

/// A fact about a parameter that may be null, as a tool of this project's server has one.
const FACT: &str = "gemini-type-array";

fn judged(flags: &[&str]) -> (CommandOutput, Value) {
    let bench = Bench::new();
    let mut words = vec!["run", "--only", "tools.call.unknown-tool", "--protocol", "2025-11-25"];
    words.extend(flags);
    words.extend(["--", environment::own(), "serve", "--transport", "stdio"]);
    let output = bench.run(&words);
    let report = std::fs::read(bench.path().join("reports/report.json")).expect("a report");
    (output, serde_json::from_slice(&report).expect("JSON"))
}

#[test]
fn what_a_host_does_not_take_is_told_and_fails_only_where_asked_for() {
    let (plain, report) = judged(&["--hosts", "gemini-api"]);
    assert_eq!(plain.code, 0, "{}{}", plain.out, plain.err);
    assert!(plain.out.contains("CONFORMS") && plain.out.contains(FACT), "{}", plain.out);
    let fact =
        report["hosts"].as_array().and_then(|facts| facts.iter().find(|fact| fact["id"] == FACT)).expect("a fact");
    assert_eq!((&fact["hosts"], &fact["effect"]), (&serde_json::json!(["gemini-api"]), &"request fails".into()));
    assert_eq!(fact["where"][0]["at"], "/inputSchema/properties/floor");
    let (repeated, report) = judged(&[]);
    assert!(!repeated.out.contains("hosts") && report["hosts"] == serde_json::json!([]), "{}", repeated.out);
    let (failed, _) = judged(&["--hosts", "none", "--fail-on-host", "gemini-api"]);
    assert_eq!(failed.code, 1, "{}{}", failed.out, failed.err);
    assert!(failed.err.contains("--fail-on-host gemini-api: request fails (gemini-type-array)"), "{}", failed.err);
    let (other, report) = judged(&["--hosts", "none", "--fail-on-host", "zed"]);
    assert_eq!((other.code, report["hosts"].as_array().map(Vec::len)), (0, Some(1)), "{}", other.out);
}

#[test]
fn hosts_and_facts_are_listed_and_explained() {
    let run = |words: &[&str]| Bench::new().run(words);
    assert!(run(&["hosts"]).out.contains("* claude-code"));
    assert!(run(&["hosts", "gemini-api"]).out.contains(FACT));
    let explained = run(&["hosts", FACT]).out;
    assert!(
        explained.contains("mend      Make the parameter optional") && explained.contains("https://"),
        "{explained}"
    );
    let json: Value = serde_json::from_str(&run(&["hosts", FACT, "--format", "json"]).out).expect("JSON");
    assert_eq!(json["effect"], "request fails");
    let unknown = run(&["hosts", "claude-cod"]);
    assert_eq!(unknown.code, 2);
    assert!(unknown.err.contains("did you mean claude-code"), "{}", unknown.err);
    assert!(run(&["run", "--hosts", "vscod", "--embedded"]).err.contains("did you mean vscode"));
}
