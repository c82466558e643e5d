//! `run` from end to end, against the embedded reference server.

use crate::support::{Bench, CommandOutput, Served, record, status};

/// Two requirements that one quick scenario provokes: what is read from any traffic needs all of it.
const QUICK: &str = "tools.call.unknown-*";

#[test]
fn without_a_target_the_reference_server_is_judged_and_conforms() {
    let bench = Bench::new();
    let outcome = bench.run(&["run"]);
    assert_eq!(outcome.code, 0, "{}\n{}", outcome.out, outcome.err);
    assert!(outcome.out.contains("\nCONFORMS"), "{}", outcome.out);
    assert_eq!(outcome.err, "", "no progress where no terminal is");
    let written = [
        "badge.json",
        "gl-code-quality-report.json",
        "report.html",
        "report.json",
        "report.md",
        "report.sarif",
        "report.tap",
        "report.txt",
        "report.xml",
    ];
    for name in written {
        let file = std::fs::read_to_string(bench.path().join("reports").join(name)).expect(name);
        assert!(!file.is_empty(), "{name}");
    }
    let names = std::fs::read_dir(bench.path().join("reports")).expect("the folder").count();
    assert_eq!(names, written.len(), "nothing half-written is left");
}

#[test]
fn the_record_names_every_requirement_of_the_revision_once() {
    for revision in verdict::Revision::ALL {
        // What is not judged is named, too.
        let start = ["run", "--format", "json", "--only", QUICK, "--protocol"];
        let outcome = Bench::new().run(&[&start[..], &[revision.as_str()]].concat());
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
        assert_eq!(record["server"]["name"], "reference-mcp-server");
    }
}

#[test]
fn every_revision_is_judged_with_all() {
    let bench = Bench::new();
    let outcome = bench.run(&["run", "--protocol", "all", "--only", QUICK, "--format", "json", "--transcript"]);
    assert_eq!(outcome.code, 0, "{}", outcome.err);
    let report = record(&outcome);
    let runs: Vec<&str> =
        report["runs"].as_array().expect("runs").iter().filter_map(|run| run["protocol"].as_str()).collect();
    assert_eq!(runs, verdict::Revision::ALL.map(verdict::Revision::as_str));
    assert!(bench.path().join("reports/transcript.2025-11-25.jsonl.gz").exists());
}

#[test]
fn silence_is_doubted_and_shown_again_in_a_fresh_session_of_each_revision() {
    let own = env!("CARGO_BIN_EXE_mcp-conform");
    let judged = ["run", "--protocol", "all", "--only", "ping.prompt", "--timeout", "1", "--format", "json"];
    let server = ["--", own, "serve", "--transport", "stdio", "--fault", "ping.prompt"];
    let report = record(&Bench::new().run(&[&judged[..], &server].concat()));
    let runs = report["runs"].as_array().expect("runs");
    assert!(runs.len() > 2, "{report}");
    for run in runs.iter().filter(|run| run["protocol"] != "2026-07-28") {
        assert_eq!(status(run, "ping.prompt"), "fail", "{}", run["protocol"]);
    }
}

#[test]
fn a_server_that_falls_is_blamed_for_it_in_the_revision_that_felled_it_alone() {
    const FATAL: &str = "pagination.invalid-cursor-graceful";
    let served = Served::start(&["--fault", FATAL]);
    let outcome = Bench::new().run(&["run", "--protocol", "all", "--only", FATAL, "--format", "json", &served.url]);
    let report = record(&outcome);
    let runs = report["runs"].as_array().expect("runs");
    assert_eq!(runs.len(), 5, "{report}");
    let fell = runs.iter().filter(|run| status(run, FATAL) == "fail").count();
    let told = |run: &&serde_json::Value| run["notes"].to_string().contains("fell while another revision was judged");
    assert_eq!((fell, runs.iter().filter(told).count()), (1, 4), "{report}");
}

/// Many messages are under way when it ends: none of them is blamed, and the server is not in order.
#[test]
fn a_server_at_a_url_that_ends_during_a_run_never_passes() {
    let served = Served::start(&["--protocol", "2025-03-26", "--fault", "lifecycle.version.counter-offer/exit"]);
    let outcome = Bench::new().run(&["run", "--protocol", "2025-03-26", "--format", "json", &served.url]);
    let report = record(&outcome);
    assert_eq!((outcome.code, report["causes"].as_array().map(Vec::len)), (1, Some(1)), "{}", report["causes"]);
    let requirements = report["requirements"].as_array().expect("requirements");
    let failed: Vec<_> =
        requirements.iter().filter(|entry| entry["status"] == "fail").map(|entry| &entry["id"]).collect();
    let right = ["jsonrpc.response.every-request-answered", "lifecycle.version.counter-offer"];
    assert!(failed.iter().all(|id| right.iter().any(|right| id == right)), "{failed:?}");
}

#[test]
fn the_critical_path_adds_up_to_the_wall_time() {
    let outcome = Bench::new().run(&["run", "--only", QUICK, "--timing", "--format", "json"]);
    assert_eq!(outcome.code, 0, "{}", outcome.err);
    assert!(outcome.err.starts_with("Critical path in "), "{}", outcome.err);
    let timing = record(&outcome)["timing"].clone();
    let number = |of: &serde_json::Value, name: &str| of[name].as_u64().expect(name);
    let parts = ["starting_us", "answers_us", "silence_us", "own_us"];
    let steps = timing["steps"].as_array().expect("steps");
    let sum: u64 = steps.iter().flat_map(|step| parts.map(|part| number(step, part))).sum();
    let wall = number(&timing, "wall_ms");
    assert!((sum / 1_000).abs_diff(wall) <= 5, "{timing}");
    let whole: u64 = ["starting_ms", "waiting_ms", "own_ms"].map(|part| number(&timing, part)).iter().sum();
    assert!(whole.abs_diff(wall) <= 5, "{timing}");
    // This server starts in less than a millisecond.
    assert!(steps.iter().any(|step| number(step, "starting_us") > 0), "{timing}");
}

#[test]
fn only_narrows_the_run_down_and_the_rest_is_skipped() {
    let run = |args: &[&str]| {
        let start = ["run", "--format", "json", "--cases", "2", "--protocol", "2025-11-25"];
        let outcome = Bench::new().run(&[&start, args].concat());
        assert_eq!(outcome.code, 0, "{}", outcome.err);
        record(&outcome)
    };
    let passed = |record: &serde_json::Value| -> Vec<String> {
        let entries = record["requirements"].as_array().expect("requirements").iter();
        let passed = entries.filter(|entry| entry["status"] == "pass");
        passed.filter_map(|entry| entry["id"].as_str().map(str::to_owned)).collect()
    };
    let area = ["--only", QUICK];
    let all = passed(&run(&area));
    let wanted = all.first().expect("something passes");
    let narrow = run(&["--only", wanted]);
    assert_eq!(passed(&narrow), std::slice::from_ref(wanted));
    assert_eq!(status(&narrow, &all[1]), "skipped");
    let rest = run(&[&area[..], &["--skip", wanted]].concat());
    assert_eq!((status(&rest, wanted), status(&rest, "ping.answered")), ("skipped", "skipped"));
    assert_eq!(passed(&rest), all[1..]);
}

#[test]
fn the_outcome_of_two_runs_is_one_snapshot() {
    let bench = Bench::new();
    let run = |act: &str| bench.run(&["run", "--quiet", "--cases", "5", "--protocol", "2025-11-25", "--snapshot", act]);
    let first = run("update");
    assert_eq!(first.code, 0, "{}", first.err);
    assert!(first.err.contains("wrote "), "{}", first.err);
    let second = run("check");
    assert_eq!(second.code, 0, "{}", second.out);
    let path = bench.path().join("reports/reference-mcp-server.2025-11-25.snap");
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
    for format in ["human", "json", "junit", "sarif", "markdown", "html"] {
        let mut child = bench.spawn(&["run", "--only", QUICK, "--format", format]);
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
    let start = ["run", "--header-env", "Authorization: TOKEN", "--protocol", "2025-11-25", "--only", QUICK];
    let child = bench.spawn(&[&start[..], &[url.as_str()]].concat());
    let output = child.wait_with_output().expect("it ends");
    server.kill().expect("it is ours");
    server.wait().expect("it is ours");
    bench.assert_nothing_is_left();
    assert_eq!(output.status.code(), Some(0), "{}", String::from_utf8_lossy(&output.stdout));
    assert!(!String::from_utf8_lossy(&output.stdout).contains("s3cret"));
    for entry in std::fs::read_dir(bench.path().join("reports")).expect("the folder") {
        let path = entry.expect("an entry").path();
        if path.extension().is_none_or(|extension| extension != "gz") {
            assert!(!std::fs::read_to_string(&path).expect("text").contains("s3cret"), "{}", path.display());
        }
    }
    assert!(!bench.transcript().contains("s3cret"));
}

/// The embedded reference server, judged by what generated calls show.
fn generated(bench: &Bench, fault: &str, more: &[&str]) -> CommandOutput {
    let own = env!("CARGO_BIN_EXE_mcp-conform");
    let start = ["run", "--protocol", "2025-11-25", "--only", "tools.call.invalid-*", "--fail-on", "never"];
    bench.run(&[&start, more, &["--", own, "serve", "--transport", "stdio", "--fault", fault]].concat())
}

const FAULT: &str = "tools.call.invalid-arguments-rejected/enum-case";

#[test]
fn what_fails_is_made_simple_kept_and_found_again_with_few_cases() {
    let bench = Bench::new();
    let outcome = generated(&bench, FAULT, &["--format", "json", "--seed", "3"]);
    let first = record(&outcome);
    let findings = |record: &serde_json::Value| {
        let all = record["requirements"].as_array().expect("an array");
        let entry = all.iter().find(|entry| entry["id"] == "tools.call.invalid-arguments-rejected").expect("judged");
        entry["findings"].as_array().expect("an array").clone()
    };
    let found = findings(&first);
    let finding = found.iter().find(|finding| finding["tool"] == "reference_weigh_parcel").expect("a finding");
    let generated_call = &finding["generated"];
    assert_eq!(generated_call["minimal"], true, "{finding}");
    let arguments = generated_call["call"]["arguments"].as_object().expect("arguments");
    assert_eq!(arguments.keys().collect::<Vec<_>>(), ["service"], "nothing but what is wrong is left");
    assert_eq!((&generated_call["seed"], &generated_call["cases"]), (&3.into(), &100.into()));
    let repeat = finding["reproduce"].as_str().expect("a command");
    assert!(repeat.contains("--tool reference_weigh_parcel --seed 3 --cases 100"), "{repeat}");
    let kept = bench.path().join("reports/property-counterexamples.json");
    assert!(std::fs::read_to_string(&kept).expect("kept").contains("weigh_parcel"));
    let again = record(&generated(&bench, FAULT, &["--format", "json", "--cases", "1"]));
    assert!(!findings(&again).is_empty(), "what failed before is tried first");
}

#[test]
fn without_cases_nothing_is_generated_and_the_same_seed_repeats_a_run() {
    let none = record(&generated(&Bench::new(), FAULT, &["--format", "json", "--cases", "0"]));
    assert!(none.get("properties").is_none());
    let calls = |seed: &str| {
        let bench = Bench::new();
        generated(&bench, FAULT, &["--cases", "6", "--seed", seed]);
        let text = bench.transcript();
        let events = text.lines().map(|line| serde_json::from_str::<serde_json::Value>(line).expect("an event"));
        let first = |event: &serde_json::Value| {
            event["probe"]["about"]["case"].is_u64() && event["probe"]["about"]["step"].is_null()
        };
        let sent = events.filter(first).map(|event| {
            let message: serde_json::Value =
                event["text"].as_str().and_then(|text| serde_json::from_str(text).ok()).expect("a call");
            message["params"].to_string()
        });
        // Several tools are called at a time, in whatever order that comes about.
        let mut sent: Vec<String> = sent.collect();
        sent.sort();
        sent
    };
    let one = calls("5");
    assert!(one.len() > 20, "{}", one.len());
    assert!(one == calls("5"), "the same seed, other calls");
    assert!(one != calls("6"), "another seed, the same calls");
}

#[test]
fn what_is_asked_in_the_name_of_other_clients_hides_no_influence() {
    const ID: &str = "jsonrpc.request-meta.client-info-no-influence";
    let own = env!("CARGO_BIN_EXE_mcp-conform");
    // The second sends such requests on a connection of its own, and none of them is an ordinary one.
    let only = ["--only", ID, "--only", "discover.result.connection-independent"];
    let start = ["run", "--protocol", "2026-07-28", "--cases", "0", "--format", "json"];
    let server = ["--", own, "serve", "--transport", "stdio", "--fault", ID];
    let outcome = Bench::new().run(&[&start[..], &only, &server].concat());
    assert_eq!(status(&record(&outcome), ID), "fail", "{}", outcome.err);
}

#[test]
fn the_time_of_generated_calls_is_a_number_of_seconds() {
    let outcome = Bench::new().run(&["run", "--time", "soon"]);
    assert_eq!(outcome.code, 2);
    assert!(outcome.err.contains("--time"), "{}", outcome.err);
}

#[test]
fn what_fuzzing_found_is_tried_first_as_long_as_it_is_kept() {
    let line = r#"{"jsonrpc":"2.0","id":1,"method":"ping","params":null}"#;
    let kept = serde_json::json!({"format": 1, "regressions": [{
        "server": "reference-mcp-server", "protocol": "2025-11-25", "kind": "nonconforming",
        "requirement": "jsonrpc.response.exactly-one", "message": "m", "times": 1, "lines": [line],
    }]});
    let outcome = |bug: &[&str], only: &str| {
        let bench = Bench::new();
        std::fs::create_dir(bench.path().join("reports")).expect("the folder is ours");
        bench.file("reports/fuzz-regressions.json", &kept.to_string());
        let own = env!("CARGO_BIN_EXE_mcp-conform");
        let start = ["run", "--protocol", "2025-11-25", "--cases", "0", "--only", only];
        let start = [&start[..], &["--", own, "serve", "--transport", "stdio"]].concat();
        bench.run(&[&start[..], bug].concat())
    };
    let relapsed = outcome(&["--bug", "null-params"], "jsonrpc.response.*");
    assert_eq!(relapsed.code, 1, "{}\n{}", relapsed.out, relapsed.err);
    assert!(relapsed.err.contains("found by earlier fuzzing") && relapsed.err.contains(line), "{}", relapsed.err);
    assert!(relapsed.out.contains("CONFORMS"), "no scenario finds it: {}", relapsed.out);
    assert_eq!(outcome(&[], "jsonrpc.response.*").code, 0, "mended");
    assert_eq!(outcome(&["--bug", "null-params"], "ping.*").code, 0, "not asked for");
}
