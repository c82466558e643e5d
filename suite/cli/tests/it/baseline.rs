//! A baseline from its making to its end: made, held, stale, and no shelter for what is new.

use crate::support::{Bench, CommandOutput};

/// A run over the embedded server with a fault, judged in its area only, with further flags.
fn run(bench: &Bench, fault: &str, flags: &[&str]) -> CommandOutput {
    let program = assert_cmd::cargo::cargo_bin("mcp-conform").display().to_string();
    let mut args = vec!["run", "--protocol", "2025-11-25"];
    args.extend(["--only", "tools.call.unknown-tool", "--only", "tools.call.missing-name"]);
    args.extend(["--baseline", "known.toml"]);
    args.extend(flags);
    args.extend(["--", &program, "serve"]);
    if !fault.is_empty() {
        args.extend(["--fault", fault]);
    }
    bench.run(&args)
}

#[test]
fn what_is_known_passes_until_it_is_gone_and_what_is_new_fails() {
    let bench = Bench::new();
    let missing = run(&bench, "tools.call.unknown-tool", &[]);
    assert_eq!(missing.code, 2, "{}", missing.err);
    assert!(missing.err.contains("--update-baseline"), "{}", missing.err);

    let made = run(&bench, "tools.call.unknown-tool", &["--update-baseline"]);
    assert_eq!(made.code, 0, "{}\n{}", made.out, made.err);
    let file = std::fs::read_to_string(bench.path().join("known.toml")).expect("it was written");
    assert!(file.contains("requirement = \"tools.call.unknown-tool\""), "{file}");

    let held = run(&bench, "tools.call.unknown-tool", &[]);
    assert_eq!(held.code, 0, "{}", held.out);
    assert!(held.out.contains("baseline known.toml: 1 known, none new, stale or expired\n"), "{}", held.out);
    let lines: Vec<&str> = held.out.lines().collect();
    assert_eq!(lines[1], "no new findings (1 known, accepted in known.toml)");
    assert!(!held.out.contains("CONFORMS"), "{}", held.out);
    let folded = "MUST    tools.call.unknown-tool  added by --update-baseline";
    assert!(lines.iter().any(|line| line.starts_with(folded)), "{}", held.out);
    let stored = |name: &str| std::fs::read_to_string(bench.path().join("reports").join(name)).expect(name);
    let record: serde_json::Value = serde_json::from_str(&stored("report.json")).expect("JSON");
    let entries = record["requirements"].as_array().expect("requirements").iter();
    let known: Vec<&str> =
        entries.filter(|entry| entry["known"].is_string()).filter_map(|entry| entry["id"].as_str()).collect();
    assert_eq!((known, record["baseline"].as_str()), (vec!["tools.call.unknown-tool"], Some("known.toml")));
    assert!(!stored("report.xml").contains("<failure") && stored("report.sarif").contains("\"suppressions\""));
    assert!(stored("badge.json").contains("1 MUST violation (known)"), "{}", stored("badge.json"));

    let mended = run(&bench, "", &[]);
    assert_eq!(mended.code, 1, "{}", mended.out);
    assert!(mended.out.contains("stale: line 2: tools.call.unknown-tool"), "{}", mended.out);

    let other = run(&bench, "tools.call.missing-name", &["--format", "json"]);
    assert_eq!(other.code, 1, "{}", other.err);
    assert!(other.err.contains("new: 2025-11-25 tools.call.missing-name"), "{}", other.err);
    serde_json::from_str::<serde_json::Value>(&other.out).expect("standard output is one document");
}
