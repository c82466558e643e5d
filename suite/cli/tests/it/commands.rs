//! `list`, `explain`, `completions`, `serve` and the help texts, as a user meets them.

use std::process::{Command, Stdio};

use crate::environment;
use crate::support::Bench;

fn conform(args: &[&str]) -> Command {
    let mut command = environment::conform();
    command.args(args);
    command
}

fn output(args: &[&str]) -> (i32, String, String) {
    let output = conform(args).output().expect("it starts");
    let text = |bytes: Vec<u8>| String::from_utf8(bytes).expect("UTF-8");
    (output.status.code().expect("no signal"), text(output.stdout), text(output.stderr))
}

#[test]
fn help_is_there_for_every_command() {
    for command in ["list", "explain", "fuzz", "replay", "report", "serve", "generate", "completions"] {
        let (code, out, _) = output(&[command, "--help"]);
        assert_eq!(code, 0);
        assert!(out.contains("Usage: mcp-conform"), "{command}");
        assert!(out.contains("Example"), "{command} --help shows no example");
        assert!(out.lines().all(|line| line.chars().count() <= 100), "{command} --help has long lines");
    }
}

#[test]
fn the_help_says_what_the_exit_codes_mean() {
    let (code, out, err) = output(&["--help"]);
    assert_eq!((code, err.as_str()), (0, ""));
    insta::assert_snapshot!(out);
}

#[test]
fn without_a_command_the_help_is_shown_and_the_usage_is_wrong() {
    assert_eq!(output(&[]).0, 2);
}

#[test]
fn the_list_names_every_requirement_once() {
    let (code, out, _) = output(&["list", "--format", "json"]);
    assert_eq!(code, 0);
    let rows: Vec<serde_json::Value> = serde_json::from_str(&out).expect("an array");
    let listed: Vec<&str> = rows.iter().filter_map(|row| row["id"].as_str()).collect();
    let known: Vec<&str> = verdict::requirements().iter().map(|requirement| requirement.id).collect();
    assert_eq!(listed, known);
    for key in ["level", "revisions", "observe", "rule", "scenarios"] {
        assert!(rows.iter().all(|row| row.get(key).is_some()), "{key}");
    }
    let unknown_tool = rows.iter().find(|row| row["id"] == "tools.call.unknown-tool").expect("listed");
    assert_eq!(unknown_tool["rule"], "tools/unknown");
}

#[test]
fn the_list_is_narrowed_by_area_level_revision_and_name() {
    let lines = |args: &[&str]| output(args).1.lines().map(str::to_owned).collect::<Vec<_>>();
    let of_area = lines(&["list", "--area", "ping"]);
    assert!(!of_area.is_empty() && of_area.iter().all(|line| line.starts_with("ping.")));
    let must = lines(&["list", "--area", "ping", "--level", "must", "--protocol", "2025-11-25"]);
    assert!(!must.is_empty() && must.iter().all(|line| line.contains(" must")));
    assert!(lines(&["list", "--area", "ping", "--protocol", "2026-07-28"]).len() < of_area.len());
    assert_eq!(lines(&["list", "--only", "tools.call.unknown-tool"]).len(), 1);
    assert!(lines(&["list", "--unjudged", "--only", "tools.call.unknown-tool"]).is_empty());
}

#[test]
fn wrong_names_are_refused_with_the_nearest_right_one() {
    for (args, hint) in [
        (&["list", "--only", "tools.call.unkown-tool"][..], "did you mean tools.call.unknown-tool"),
        (&["list", "--area", "tool"], "the areas are auth"),
        (&["list", "--protocol", "2025-06-19"], "the revisions are 2024-11-05"),
        (&["list", "--level", "may"], "expected must, should or advice"),
        (&["explain", "tools.call.unkown-tool"], "did you mean tools.call.unknown-tool"),
        (&["serve", "--fault", "no.such-fault"], "there is no fault"),
    ] {
        let (code, out, err) = output(args);
        assert_eq!((code, out.as_str()), (2, ""), "{args:?}");
        assert!(err.contains(hint), "{args:?}: {err}");
    }
}

#[test]
fn an_explanation_reads_like_this() {
    let (code, out, _) = output(&["explain", "ping.answered"]);
    assert_eq!(code, 0);
    // What judges it changes as rules and faults are added.
    let stable = out.split("\nHow it is tested").next().unwrap_or(&out);
    insta::assert_snapshot!(stable);
}

#[test]
fn a_cause_of_the_last_run_can_be_explained() {
    let bench = Bench::new();
    let server = ["--", environment::own(), "serve", "--transport", "stdio", "--fault", "tools.call.unknown-tool"];
    let run = ["run", "--only", "tools.call.*", "--protocol", "2025-11-25", "--format", "json", "--reports", "reports"];
    let report = bench.run(&[&run[..], &server[..]].concat());
    let report: serde_json::Value = serde_json::from_str(&report.out).expect("a report");
    let cause = report["causes"][0]["id"].as_str().expect("a cause");
    let shown = bench.run(&["explain", cause]);
    assert_eq!((shown.code, shown.err.as_str()), (0, ""), "{}", shown.out);
    let title = report["causes"][0]["title"].as_str().expect("a title");
    assert!(shown.out.contains(&title[..title.len().min(60)]) && shown.out.contains("reproduce"), "{}", shown.out);
    let as_json = bench.run(&["explain", cause, "--format", "json"]);
    assert_eq!(serde_json::from_str::<serde_json::Value>(&as_json.out).expect("JSON"), report["causes"][0]);
    assert_eq!(Bench::new().run(&["explain", cause]).code, 2, "there is no report in this folder");
}

#[test]
fn every_requirement_and_every_allowance_can_be_explained() {
    // One process an area would be slow for all 1,200; one of each kind is enough here.
    let kinds = verdict::requirements().iter().fold(Vec::<&verdict::Requirement>::new(), |mut kinds, requirement| {
        if !kinds.iter().any(|kind| kind.area == requirement.area && kind.observe == requirement.observe) {
            kinds.push(requirement);
        }
        kinds
    });
    let ids = kinds.iter().map(|kind| kind.id).chain(verdict::allowances().first().map(|allowance| allowance.id));
    for id in ids {
        let (code, out, err) = output(&["explain", id]);
        assert_eq!((code, err.as_str()), (0, ""), "{id}");
        let parts = ["\nLevel\n", "\nWhat it takes to observe it\n", "\nHow to fix a server\n"];
        let all = parts.iter().all(|part| out.contains(part));
        assert!(out.starts_with(id) && (all || verdict::requirement(id).is_none()), "{id}: {out}");
    }
}

#[test]
fn a_reader_who_has_seen_enough_is_no_failure() {
    let mut child = conform(&["list"]).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().expect("it starts");
    drop(child.stdout.take());
    let output = child.wait_with_output().expect("it ends");
    assert_eq!(output.status.code(), Some(0));
    assert!(!String::from_utf8_lossy(&output.stderr).contains("panicked"));
}

#[test]
fn completions_name_the_commands() {
    for shell in ["bash", "zsh", "fish", "powershell", "elvish"] {
        let (code, out, _) = output(&["completions", shell]);
        assert_eq!(code, 0);
        assert!(out.contains("explain"), "{shell}");
    }
}

#[test]
fn the_summary_counts_judged_requirements_by_area_and_revision() {
    let (code, out, _) = output(&["list", "--summary", "--area", "tools"]);
    assert_eq!(code, 0);
    assert!(out.starts_with("| area | 2024-11-05 |"), "{out}");
    assert!(out.lines().last().is_some_and(|line| line.starts_with("| **all** |")));
}

#[test]
fn a_wrong_and_a_right_exchange_are_shown_as_the_reference_server_has_them() {
    let shown = Bench::new().run(&["explain", "--exchange", "tools.call.unknown-tool"]);
    assert_eq!(shown.code, 0, "{}", shown.err);
    let (_, exchanges) = shown.out.split_once("A wrong and a right exchange").expect("a section");
    let (wrong, right) = exchanges.split_once("right:").expect("both");
    assert!(wrong.contains("isError") && right.contains("-32602"), "{exchanges}");
}

#[test]
fn what_is_about_http_is_shown_over_http() {
    let shown = Bench::new().run(&["explain", "--exchange", "http.endpoint.post"]);
    assert_eq!(shown.code, 0, "{}", shown.err);
    let (_, exchanges) = shown.out.split_once("A wrong and a right exchange").expect("a section");
    assert!(exchanges.contains("> POST") && exchanges.contains("right: "), "{exchanges}");
}

#[test]
fn an_explanation_shows_fixes_for_sdks() {
    let (code, out, _) = output(&["explain", "tools.call.unknown-tool"]);
    assert_eq!(code, 0);
    let (_, fixes) = out.split_once("\nWith an SDK\n").expect("a section");
    for part in
        ["TypeScript (@modelcontextprotocol/sdk", "Python 1 (mcp 1.", "\n      handlers[CallToolRequest] = checked\n"]
    {
        assert!(fixes.contains(part), "{part}: {fixes}");
    }
    let (_, json, _) = output(&["explain", "--format", "json", "tools.call.unknown-tool"]);
    let json: serde_json::Value = serde_json::from_str(&json).expect("JSON");
    assert_eq!((&json["mend"][0]["sdk"], &json["mend"][0]["tried"]), (&"TypeScript".into(), &true.into()));
    let why = json["why"].as_str().expect("a reason");
    assert!(out.contains(&why[..40]), "{why}");
}
