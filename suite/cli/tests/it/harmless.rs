//! Which tools a run calls: those that say that they only read, unless the user says more.

use std::collections::BTreeSet;

use serde_json::Value;

use crate::support::{Bench, record};

/// The tools that a run called, generated calls and all, by their names.
fn called(bench: &Bench) -> BTreeSet<String> {
    let text = bench.transcript();
    let sent = text.lines().filter_map(|line| {
        let event: Value = serde_json::from_str(line).expect("an event");
        (event["event"] == "send").then(|| serde_json::from_str::<Value>(event["text"].as_str()?).ok()).flatten()
    });
    let names = sent.filter(|message| message["method"] == "tools/call").filter_map(|message| {
        let name = message.pointer("/params/name")?.as_str()?;
        Some(name.to_owned())
    });
    names.collect()
}

/// The listed tools for which `hint` holds.
fn listed(report: &Value, holds: impl Fn(&Value) -> bool) -> BTreeSet<String> {
    let tools = report["tools"].as_array().expect("tools").iter();
    tools
        .filter(|tool| holds(&tool["annotations"]))
        .map(|tool| tool["name"].as_str().expect("a name").to_owned())
        .collect()
}

/// The reference server as somebody's program.
fn run(bench: &Bench, more: &[&str]) -> Value {
    let own = env!("CARGO_BIN_EXE_mcp-conform");
    let start = ["run", "--format", "json", "--cases", "3", "--skip", "practice.*", "--fail-on", "never"];
    record(&bench.run(&[&start, more, &["--", own, "serve", "--transport", "stdio"]].concat()))
}

#[test]
fn only_tools_that_say_that_they_read_are_called_by_default() {
    let bench = Bench::new();
    let report = run(&bench, &[]);
    let reading = listed(&report, |hints| hints["readOnlyHint"] == true);
    let all = listed(&report, |_| true);
    let harmful: Vec<String> =
        called(&bench).intersection(&all).filter(|name| !reading.contains(*name)).cloned().collect();
    assert!(harmful.is_empty(), "called, though nothing says that they only read: {harmful:?}");
    assert!(called(&bench).is_superset(&reading), "tools that only read are called");
    let withheld = &report["withheld"][0];
    assert_eq!(withheld["tools"].as_array().expect("names").len(), all.len() - reading.len());
    assert_eq!(withheld["flag"], "--calls all", "one of them says nothing of itself: {withheld}");
    let requirements = report["requirements"].as_array().expect("an array").iter();
    let lost = requirements.filter(|entry| entry["reason"].as_str().is_some_and(|why| why.contains("--calls all")));
    assert!(lost.clone().count() > 0 && lost.clone().all(|entry| entry["status"] == "not_observed"));
}

#[test]
fn additive_calls_what_destroys_nothing_and_all_calls_everything() {
    let bench = Bench::new();
    let report = run(&bench, &["--calls", "additive"]);
    let harmless = listed(&report, |hints| hints["readOnlyHint"] == true || hints["destructiveHint"] == false);
    let all = listed(&report, |_| true);
    let of_server: BTreeSet<String> = called(&bench).intersection(&all).cloned().collect();
    assert_eq!(of_server, harmless);
    let bench = Bench::new();
    let report = run(&bench, &["--calls", "all"]);
    assert!(called(&bench).is_superset(&all) && report.get("withheld").is_none());
}

#[test]
fn safe_is_another_word_for_read_only() {
    let bench = Bench::new();
    let report = run(&bench, &["--calls", "safe", "--tool", "reference_keep_note"]);
    let mut allowed = listed(&report, |hints| hints["readOnlyHint"] == true);
    allowed.insert("reference_keep_note".to_owned());
    let of_server: BTreeSet<String> = called(&bench).intersection(&listed(&report, |_| true)).cloned().collect();
    assert_eq!(of_server, allowed);
}

#[test]
fn every_tool_of_the_embedded_server_is_called() {
    let bench = Bench::new();
    let report = record(&bench.run(&["run", "--format", "json", "--cases", "3", "--transcript"]));
    assert!(report.get("withheld").is_none() && called(&bench).is_superset(&listed(&report, |_| true)));
}

#[test]
fn a_tool_that_may_reach_the_world_outside_gets_five_generated_calls() {
    let own = env!("CARGO_BIN_EXE_mcp-conform");
    let cases = |more: &[&str]| {
        let start = ["run", "--format", "json", "--only", "tools.call.invalid-*", "--fail-on", "never"];
        let server = ["--", own, "serve", "--fault", "practice.annotations.present/open-world"];
        let report = record(&Bench::new().run(&[&start, more, &server].concat()));
        let of = |name: &str| {
            let tools = report["properties"].as_array().expect("generated calls").iter();
            tools.filter(|tool| tool["tool"] == name).map(|tool| tool["cases"].as_u64().expect("a number")).sum::<u64>()
        };
        let noted = report["notes"].to_string().contains("1 tool got at most 5 generated calls");
        (of("reference_get_version"), of("reference_weigh_parcel"), noted)
    };
    let (outside, inside, noted) = cases(&[]);
    assert!(outside == 5 && inside > 50 && noted, "{outside} {inside} {noted}");
    let (outside, _, noted) = cases(&["--cases", "30"]);
    assert!(outside > 5 && !noted, "{outside} {noted}");
}

#[test]
fn a_tool_name_that_the_server_does_not_have_ends_the_run_before_a_tool_is_called() {
    for (setting, place) in [
        ("tools = ['reference_keep_notes']\n", "--tool or `tools`"),
        ("never = ['reference_keep_notes']\n", "`never`"),
        ("[arguments.reference_keep_notes]\ntext = 'x'\n", "`[arguments]`"),
    ] {
        let bench = Bench::new();
        bench.file("mcp-conform.toml", setting);
        let outcome = bench.run(&["run"]);
        let told = format!(
            "error: {place}: the server does not list a tool named `reference_keep_notes`; did you mean `reference_keep_note`?\n"
        );
        assert_eq!((outcome.code, outcome.out.as_str(), outcome.err.as_str()), (2, "", told.as_str()));
        assert!(!bench.path().join("reports/report.json").exists(), "nothing was judged");
    }
}
