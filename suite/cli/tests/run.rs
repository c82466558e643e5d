//! `run` from end to end, against the embedded reference server.

mod support;

use support::{Bench, record, status};

#[test]
fn without_a_target_the_reference_server_is_judged_and_conforms() {
    let bench = Bench::new();
    let outcome = bench.run(&["run"]);
    assert_eq!(outcome.code, 0, "{}\n{}", outcome.out, outcome.err);
    assert!(outcome.out.contains("\nCONFORMS"), "{}", outcome.out);
    assert_eq!(outcome.err, "", "no progress where no terminal is");
    for name in ["report.json", "report.xml", "report.txt", "transcript.jsonl"] {
        let file = std::fs::read_to_string(bench.path().join("reports").join(name)).expect(name);
        assert!(!file.is_empty(), "{name}");
    }
    let names = std::fs::read_dir(bench.path().join("reports")).expect("the folder").count();
    assert_eq!(names, 4, "nothing half-written is left");
}

#[test]
fn the_record_names_every_requirement_of_the_revision_once() {
    for revision in verdict::Revision::ALL {
        let outcome = Bench::new().run(&["run", "--format", "json", "--protocol", revision.as_str()]);
        assert_eq!(outcome.code, 0, "{}", outcome.err);
        let record = record(&outcome);
        let ids: Vec<&str> = record["requirements"]
            .as_array()
            .expect("an array")
            .iter()
            .filter_map(|entry| entry["id"].as_str())
            .collect();
        let held = verdict::requirements().iter().filter(|requirement| requirement.holds_in(revision));
        assert_eq!(ids, held.map(|requirement| requirement.id).collect::<Vec<_>>());
        assert_eq!(record["protocol"], revision.as_str());
        assert_eq!(record["server"]["name"], "mcp-conform-reference");
    }
}

#[test]
fn every_revision_is_judged_with_all() {
    let bench = Bench::new();
    let outcome = bench.run(&["run", "--protocol", "all", "--format", "json"]);
    assert_eq!(outcome.code, 0, "{}", outcome.err);
    let report = record(&outcome);
    let runs: Vec<&str> =
        report["runs"].as_array().expect("runs").iter().filter_map(|run| run["protocol"].as_str()).collect();
    assert_eq!(runs, verdict::Revision::ALL.map(verdict::Revision::as_str));
    assert!(bench.path().join("reports/transcript.2025-11-25.jsonl").exists());
}

#[test]
fn only_narrows_the_run_down_and_the_rest_is_skipped() {
    let run = |args: &[&str]| {
        let outcome = Bench::new().run(&[&["run", "--format", "json", "--protocol", "2025-11-25"], args].concat());
        assert_eq!(outcome.code, 0, "{}", outcome.err);
        record(&outcome)
    };
    let passed = |record: &serde_json::Value| -> Vec<String> {
        let entries = record["requirements"].as_array().expect("requirements").iter();
        let passed = entries.filter(|entry| entry["status"] == "pass");
        passed.filter_map(|entry| entry["id"].as_str().map(str::to_owned)).collect()
    };
    let all = passed(&run(&[]));
    let wanted = all.first().expect("something passes");
    let narrow = run(&["--only", wanted]);
    assert_eq!(passed(&narrow), std::slice::from_ref(wanted));
    assert_eq!(status(&narrow, &all[1]), "skipped");
    let rest = run(&["--skip", wanted]);
    assert_eq!(status(&rest, wanted), "skipped");
    assert_eq!(passed(&rest), all[1..]);
}

#[test]
fn the_outcome_of_two_runs_is_one_snapshot() {
    let bench = Bench::new();
    let run = |act: &str| bench.run(&["run", "--quiet", "--protocol", "2025-11-25", "--snapshot", act]);
    let first = run("update");
    assert_eq!(first.code, 0, "{}", first.err);
    assert!(first.err.contains("wrote "), "{}", first.err);
    let second = run("check");
    assert_eq!(second.code, 0, "{}", second.out);
    let path = bench.path().join("reports/mcp-conform-reference.2025-11-25.snap");
    let stored = std::fs::read_to_string(&path).expect("written");
    let line = stored.lines().find(|line| line.ends_with("  pass")).expect("something passes");
    let other = line.replace("  pass", "  not_observed");
    std::fs::write(&path, stored.replace(line, &other)).expect("our file");
    let third = run("check");
    assert_eq!(third.code, 1, "{}", third.out);
    assert!(third.out.contains(&format!("-{other}\n+{line}\n")), "{}", third.out);
}

#[test]
fn standard_output_may_be_closed_early() {
    let bench = Bench::new();
    for format in ["human", "json", "junit"] {
        let mut child = bench.spawn(&["run", "--format", format]);
        drop(child.stdout.take());
        let outcome = bench.finish(child);
        assert_eq!(outcome.code, 0, "{}", outcome.err);
        assert_eq!(outcome.err, "");
    }
}

#[test]
fn values_of_headers_reach_no_report() {
    let bench = Bench::new().with("TOKEN", "Bearer s3cret-value");
    let mut server = bench.command(&["serve", "--transport", "http", "--port", "0"]);
    let mut server = server.stderr(std::process::Stdio::piped()).spawn().expect("it starts");
    let mut line = String::new();
    let stderr = server.stderr.take().expect("piped");
    std::io::BufRead::read_line(&mut std::io::BufReader::new(stderr), &mut line).expect("it says where it listens");
    let url = line.trim().strip_prefix("listening on ").expect("a URL").to_owned();
    let child = bench.spawn(&["run", "--header-env", "Authorization: TOKEN", "--protocol", "2025-11-25", &url]);
    let output = child.wait_with_output().expect("it ends");
    server.kill().expect("it is ours");
    server.wait().expect("it is ours");
    bench.assert_nothing_is_left();
    assert_eq!(output.status.code(), Some(0), "{}", String::from_utf8_lossy(&output.stdout));
    assert!(!String::from_utf8_lossy(&output.stdout).contains("s3cret"));
    for entry in std::fs::read_dir(bench.path().join("reports")).expect("the folder") {
        let path = entry.expect("an entry").path();
        assert!(!std::fs::read_to_string(&path).expect("text").contains("s3cret"), "{}", path.display());
    }
}

#[test]
fn a_tool_that_the_server_does_not_have_is_said() {
    let outcome =
        Bench::new().run(&["run", "--quiet", "--only", "tools.*", "--tool", "keep_notes", "--tool", "keep_note"]);
    assert_eq!(outcome.code, 0, "{}", outcome.err);
    assert_eq!(outcome.err, "note: the server lists no tool `keep_notes`; did you mean `keep_note`?\n");
}
