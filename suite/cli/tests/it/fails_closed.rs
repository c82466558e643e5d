//! A run that judged nothing of the user's own, or not all of it, is never taken for a good one.

use serde_json::Value;

use crate::support::{Bench, record, status};

#[test]
fn in_ci_a_server_that_nobody_names_is_an_error() {
    for command in [&["run"][..], &["fuzz"], &["replay", "empty.jsonl"]] {
        let bench = Bench::new().with("CI", "true");
        bench.file("empty.jsonl", "{}\n");
        let outcome = bench.run(command);
        assert_eq!((outcome.code, outcome.out.as_str()), (2, ""), "{command:?}: {}", outcome.err);
        assert!(outcome.err.starts_with("error: no server given: "), "{}", outcome.err);
        assert!(!bench.path().join("reports/report.json").exists());
    }
    let asked = ["run", "--embedded", "--only", "tools.call.unknown-tool"];
    assert_eq!(Bench::new().with("CI", "true").run(&asked).code, 0);
    let named = ["run", "--only", "tools.call.unknown-tool", "--"];
    let own = [env!("CARGO_BIN_EXE_mcp-conform"), "serve"];
    assert_eq!(Bench::new().with("CI", "true").run(&[&named[..], &own].concat()).code, 0);
}

#[test]
fn the_first_and_the_last_line_say_that_it_was_the_embedded_server() {
    let narrow = ["run", "--only", "tools.call.unknown-tool"];
    let outcome = Bench::new().run(&narrow);
    let lines: Vec<&str> = outcome.out.lines().collect();
    for line in [lines.first(), lines.last()] {
        assert!(line.is_some_and(|line| line.starts_with("This is the embedded reference server.")), "{}", outcome.out);
    }
    assert!(lines[0].contains("mcp-conform run -- COMMAND"), "{}", lines[0]);
    let json = record(&Bench::new().run(&[&narrow[..], &["--format", "json"]].concat()));
    assert_eq!(json["target"]["embedded"], true);
    let own = ["--format", "json", "--", env!("CARGO_BIN_EXE_mcp-conform"), "serve"];
    let json = record(&Bench::new().run(&[&narrow[..], &own].concat()));
    assert_eq!(json["target"]["embedded"], Value::Null);
}

/// Requests with generated arguments, and all others.
fn requests(bench: &Bench) -> (usize, usize) {
    let text = bench.transcript();
    let sent = text.lines().filter(|line| line.contains("\"event\":\"send\""));
    let (generated, other): (Vec<&str>, Vec<&str>) = sent.partition(|line| line.contains("\"case\":"));
    (generated.len(), other.len())
}

#[test]
fn a_narrowed_run_makes_no_generated_calls_for_what_they_do_not_show() {
    let own = ["--", env!("CARGO_BIN_EXE_mcp-conform"), "serve"];
    let narrow = ["run", "--protocol", "2025-11-25", "--fail-on", "never", "--only"];
    let bench = Bench::new();
    bench.run(&[&narrow[..], &["lifecycle.*"], &own].concat());
    let (generated, other) = requests(&bench);
    assert!(generated == 0 && other > 50, "{generated} generated, {other} others");
    // Where the user asks for them they are made.
    let bench = Bench::new();
    bench.run(&[&narrow[..], &["lifecycle.*", "--cases", "3"], &own].concat());
    assert!(requests(&bench).0 > 0);
}

#[test]
fn globs_may_be_separated_by_commas() {
    let narrow = ["run", "--format", "json", "--only", "tools.call.unknown-tool,tools.call.missing-name"];
    let report = record(&Bench::new().run(&narrow));
    for id in ["tools.call.unknown-tool", "tools.call.missing-name"] {
        assert_eq!(status(&report, id), "pass");
    }
    assert_eq!(status(&report, "tools.call.result-type"), "skipped");
}

#[test]
fn a_narrowed_run_is_compared_with_the_snapshot_of_a_whole_one_but_makes_none() {
    let bench = Bench::new();
    let run =
        |more: &[&str]| bench.run(&[&["run", "--quiet", "--protocol", "2025-11-25", "--cases", "2"], more].concat());
    let narrow = ["--only", "tools.call.unknown-tool"];
    let refused = run(&[&narrow[..], &["--snapshot", "update"]].concat());
    assert_eq!(refused.code, 2, "{}", refused.out);
    assert!(refused.err.contains("--snapshot update needs a whole run"), "{}", refused.err);
    assert_eq!(run(&["--snapshot", "update"]).code, 0);
    let same = run(&[&narrow[..], &["--snapshot", "check"]].concat());
    assert_eq!(same.code, 0, "{}", same.out);
    let path = bench.path().join("reports/reference-mcp-server.2025-11-25.snap");
    let stored = std::fs::read_to_string(&path).expect("written");
    // Another version of the server alone is no difference.
    let older = stored.replacen("reference-mcp-server 0.1.0", "reference-mcp-server 0.0.9", 1);
    assert_ne!(older, stored);
    std::fs::write(&path, &older).expect("our file");
    assert_eq!(run(&[&narrow[..], &["--snapshot", "check"]].concat()).code, 0);
    std::fs::write(&path, older.replace("tools.call.unknown-tool  pass", "tools.call.unknown-tool  not_observed"))
        .expect("our file");
    let differs = run(&[&narrow[..], &["--snapshot", "check"]].concat());
    assert!(differs.code == 1 && differs.out.contains("+tools.call.unknown-tool  pass"), "{}", differs.out);
}
