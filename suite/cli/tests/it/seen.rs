//! What a run finds out about a server on its own, so that it can see more.

use crate::environment::needed;
use crate::support::{Bench, bad, record, status};

/// The record of a run over a server with this habit.
fn run(habit: &str, only: &[&str]) -> serde_json::Value {
    let mut how = vec!["run", "--format", "json", "--protocol", "2025-06-18", "--seed", "1"];
    only.iter().for_each(|id| how.extend(["--only", id]));
    let program = bad("careless.py");
    how.extend(["--", needed("python3"), &program, habit]);
    record(&Bench::new().run(&how))
}

/// Neither its name nor that of its argument says that it takes long.
#[test]
fn a_tool_that_is_seen_to_take_long_is_long_enough() {
    const BUSY: &str = "ping.while-busy";
    for habit in ["slows", "lingers"] {
        let seen = run(habit, &[BUSY]);
        assert_eq!(status(&seen, BUSY), "fail", "{habit}");
    }
}

#[test]
fn a_number_that_ends_the_process_is_a_fall() {
    const ANSWERED: &str = "jsonrpc.response.every-request-answered";
    let seen = run("aborts", &[ANSWERED, "tools.*"]);
    assert_eq!(status(&seen, ANSWERED), "fail");
    let entries = seen["requirements"].as_array().expect("requirements");
    let entry = entries.iter().find(|entry| entry["id"] == ANSWERED).expect("it is there");
    assert_eq!(entry["level"], "must");
}

#[test]
fn an_invalid_call_that_is_never_answered_is_found() {
    const ANSWERED: &str = "jsonrpc.response.every-request-answered";
    let seen = run("ignores", &[ANSWERED, "tools.*"]);
    assert_eq!(status(&seen, ANSWERED), "fail");
}

/// What each requirement came to, and what the report notes.
fn outcomes(seen: &serde_json::Value) -> (Vec<(String, String)>, String) {
    let entries = seen["requirements"].as_array().expect("requirements");
    let text = |value: &serde_json::Value| value.as_str().unwrap_or_default().to_owned();
    (entries.iter().map(|entry| (text(&entry["id"]), text(&entry["status"]))).collect(), seen["notes"].to_string())
}

/// Started side by side, all processes but one end at once, which would be blamed on the server.
#[test]
fn processes_that_disturb_each_other_are_run_one_at_a_time() {
    let file = Bench::new();
    let lock = file.path().join("lock").display().to_string();
    let program = bad("careless.py");
    let run = |only: &str, habit: &[&str]| {
        let how = ["run", "--format", "json", "--protocol", "2025-06-18", "--seed", "1", "--only", only, "--"];
        record(&Bench::new().run(&[&how[..], &[needed("python3"), &program], habit].concat()))
    };
    // The second is judged in sessions alone that are spoken to in ways of their own.
    for only in ["tools.*", "lifecycle.version.counter-offer"] {
        let (plain, none) = outcomes(&run(only, &["plain"]));
        let (locked, note) = outcomes(&run(only, &["locks", &lock]));
        assert_eq!(plain, locked);
        assert!(note.contains("disturb each other") && !none.contains("disturb"), "{note} {none}");
    }
}

/// A message that silenced the server is not sent to it again; a process to which nothing was said was not disturbed.
#[test]
fn processes_that_were_told_nothing_are_not_taken_for_disturbed() {
    const LEFT: &str = "mrtr.abandoned-retry";
    let how = ["run", "--format", "json", "--protocol", "2026-07-28", "--calls", "all"];
    let brief = ["--timeout", "1", "--cases", "5", "--only", "mrtr.*", "--only", "tools.*", "--"];
    let server = [env!("CARGO_BIN_EXE_mcp-conform"), "serve", "--protocol", "2026-07-28", "--fault", LEFT];
    let seen = record(&Bench::new().run(&[&how[..], &brief, &server].concat()));
    let (_, notes) = outcomes(&seen);
    assert_eq!(status(&seen, LEFT), "fail");
    assert!(!notes.contains("disturb"), "{notes}");
}

/// Who is killed at once can lose data.
#[test]
fn every_process_is_given_the_time_to_save() {
    let bench = Bench::new();
    let (program, file) = (bad("careless.py"), bench.path().join("saved"));
    let file = file.display().to_string();
    let how =
        ["run", "--protocol", "2025-06-18", "--only", "tools.*", "--", needed("python3"), &program, "saves", &file];
    let outcome = bench.run(&how);
    let lines = std::fs::read_to_string(&file).unwrap_or_else(|error| panic!("{error}: {}", outcome.out));
    let count = |what: &str| lines.lines().filter(|line| *line == what).count();
    assert!(count("started") > 3, "{lines}");
    // One is sent SIGTERM, and one finds its output closed: that is what is tried.
    assert!(count("started") - count("saved") <= 2, "{lines}");
}

/// A page that never comes is asked for again, so that what stands on later ones is judged too.
#[test]
fn a_list_is_walked_to_its_end_although_answers_get_lost() {
    let tools = |fault: &[&str]| {
        const PROTOCOL: &str = "2025-11-25";
        let how =
            ["run", "--format", "json", "--seed", "1", "--protocol", PROTOCOL, "--only", "tools.name.charset", "--"];
        let server = [env!("CARGO_BIN_EXE_mcp-conform"), "serve", "--protocol", PROTOCOL];
        let seen = record(&Bench::new().run(&[&how[..], &server, fault].concat()));
        seen["tools"].as_array().map_or(0, Vec::len)
    };
    let all = tools(&[]);
    assert!(all > 40, "several pages");
    assert_eq!(tools(&["--fault", "jsonrpc.response.every-request-answered/sometimes"]), all);
}
