//! Whose a finding is, and a gate that fails only on what is the author's.

use serde_json::Value;

use crate::environment;
use crate::support::{Bench, CommandOutput};

/// An SDK whose smallest server refuses a call without a name with -32603, and keeps what this project's server breaks besides.
const SDK: &str = "npm:@modelcontextprotocol/sdk@1.32.2";

fn judged(faults: &[&str], flags: &[&str]) -> (Bench, CommandOutput) {
    let bench = Bench::new();
    let mut words = vec!["run", "--only", "tools.call.*", "--cases", "0", "--protocol", "2025-11-25"];
    words.extend(flags);
    words.extend(["--", environment::own(), "serve", "--transport", "stdio"]);
    words.extend(faults.iter().flat_map(|fault| ["--fault", *fault]));
    let output = bench.run(&words);
    (bench, output)
}

#[test]
fn what_the_sdk_is_to_blame_for_fails_unless_it_is_accepted() {
    let faults = ["tools.call.missing-name"];
    let (_, plain) = judged(&faults, &["--sdk", SDK]);
    assert_eq!(plain.code, 1, "{}{}", plain.out, plain.err);
    let head = "DOES NOT CONFORM: nothing of yours; @modelcontextprotocol/sdk 1.32.2: 1 cause (1 MUST)";
    assert!(plain.out.contains(head), "{}", plain.out);
    let (_, accepted) = judged(&faults, &["--sdk", SDK, "--accept-sdk"]);
    assert_eq!(accepted.code, 0, "{}{}", accepted.out, accepted.err);
    assert!(accepted.out.contains(head), "the verdict stays: {}", accepted.out);
    let (_, unknown) = judged(&faults, &["--accept-sdk"]);
    assert_eq!(unknown.code, 1, "without an SDK nothing is called its own: {}", unknown.out);
}

#[test]
fn what_is_the_authors_fails_beside_what_is_the_sdks() {
    let faults = ["tools.call.missing-name", "tools.call.missing-params/silent"];
    let (bench, both) = judged(&faults, &["--sdk", SDK, "--accept-sdk"]);
    assert_eq!(both.code, 1, "{}{}", both.out, both.err);
    assert!(
        both.out.contains("DOES NOT CONFORM: yours 1 (1 MUST); @modelcontextprotocol/sdk 1.32.2: 1 cause (1 MUST)"),
        "{}",
        both.out
    );
    let report = std::fs::read(bench.path().join("reports/report.json")).expect("a report");
    let report: Value = serde_json::from_slice(&report).expect("JSON");
    let origin = |id: &str| {
        let entries = report["requirements"].as_array().expect("a list");
        entries.iter().find(|entry| entry["id"] == id).map(|entry| entry["origin"].clone())
    };
    assert_eq!(origin("tools.call.missing-name"), Some("sdk".into()));
    assert_eq!(origin("tools.call.missing-params"), Some("own".into()));
    assert_eq!((&report["sdk"]["how"], &report["sdk"]["profile"]), (&"told".into(), &"1.32.2".into()));
}

#[test]
fn a_baseline_needs_no_entry_for_what_the_sdk_is_to_blame_for() {
    let faults = ["tools.call.missing-name", "tools.call.missing-params/silent"];
    let flags = ["--sdk", SDK, "--accept-sdk", "--baseline", "known.toml", "--update-baseline"];
    let (bench, output) = judged(&faults, &flags);
    assert_eq!(output.code, 0, "{}{}", output.out, output.err);
    let known = std::fs::read_to_string(bench.path().join("known.toml")).expect("a baseline");
    assert!(known.contains("tools.call.missing-params") && !known.contains("tools.call.missing-name"), "{known}");
}

#[test]
fn a_name_that_is_no_sdk_is_refused() {
    let refused = Bench::new().run(&["run", "--sdk", "left-pad@1.0.0", "--embedded"]);
    assert_eq!(refused.code, 2);
    assert!(refused.err.contains("mcp-conform sdk list"), "{}", refused.err);
    let list = Bench::new().run(&["sdk", "list", "@modelcontextprotocol/sdk"]);
    assert!(list.out.contains("tools.call.missing-name  error -32603: missing or mistyped parameters"), "{}", list.out);
}
