//! Programs that are no good server: each is told apart, ends in time, and leaves nothing running.

use std::os::unix::fs::PermissionsExt;
use std::time::Duration;

use crate::environment::needed;
use crate::support::{Bench, CommandOutput, bad, record};

const OWN: &str = env!("CARGO_BIN_EXE_mcp-conform");

/// Judges `sh tests/bad/NAME` with a short time limit.
fn script(bench: &Bench, name: &str) -> CommandOutput {
    bench.run(&["run", "--timeout", "0.5", "--start-timeout", "3", "--", "sh", &bad(name)])
}

/// Judges `tests/bad/server.py WAY` as JSON.
fn server(bench: &Bench, way: &str) -> CommandOutput {
    bench.run(&["run", "--format", "json", "--fail-on", "never", "--", needed("python3"), &bad("server.py"), way])
}

fn assert_fails(outcome: &CommandOutput, id: &str) {
    let record = record(outcome);
    let entries = record["requirements"].as_array().expect("a list");
    let entry = entries.iter().find(|entry| entry["id"] == id).expect("it is named");
    assert_eq!(entry["status"], "fail", "{entry}");
}

fn assert_unjudged(outcome: &CommandOutput, message: &str) {
    assert_eq!(outcome.code, 3, "{}", outcome.err);
    assert!(outcome.err.starts_with("error: "), "{}", outcome.err);
    assert!(outcome.err.contains(message), "{}", outcome.err);
    assert_eq!(outcome.out, "");
}

#[test]
fn a_program_that_does_not_exist_is_named() {
    let outcome = Bench::new().run(&["run", "--", "no-such-program-here"]);
    assert_unjudged(&outcome, "cannot start `no-such-program-here`");
    assert!(outcome.err.contains("PATH"), "{}", outcome.err);
}

#[test]
fn a_file_that_is_not_executable_is_told_how_to_become_so() {
    let bench = Bench::new();
    bench.file("server", "#!/bin/sh\n");
    let outcome = bench.run(&["run", "./server"]);
    assert_unjudged(&outcome, "cannot start `./server`");
    assert!(outcome.err.contains("chmod +x"), "{}", outcome.err);
    let outcome = bench.run(&["run", bench.path().to_str().expect("UTF-8")]);
    assert_unjudged(&outcome, "it is a folder");
}

#[test]
fn a_script_without_interpreter_is_no_puzzle() {
    let bench = Bench::new();
    let path = bench.file("server", "#!/no/such/interpreter\n");
    std::fs::set_permissions(path, PermissionsExt::from_mode(0o755)).expect("our file");
    assert_unjudged(&bench.run(&["run", "./server"]), "cannot start `./server`");
}

#[test]
fn a_server_that_exits_at_once_is_shown_with_its_last_words() {
    let outcome = script(&Bench::new(), "exits.sh");
    assert_unjudged(&outcome, "exited with status 7");
    assert!(outcome.err.contains("cannot open the database"), "{}", outcome.err);
}

#[test]
fn json_is_one_document_even_if_nothing_could_be_judged() {
    let bench = Bench::new();
    let outcome = bench.run(&["run", "--format", "json", "--", "sh", &bad("exits.sh")]);
    assert_eq!(outcome.code, 3);
    let record = record(&outcome);
    assert!(record["trouble"].as_str().is_some_and(|why| why.contains("status 7")), "{record}");
    assert_eq!(record["summary"]["pass"], 0);
    let stored = std::fs::read_to_string(bench.path().join("reports/report.json")).expect("written");
    assert_eq!(stored, outcome.out);
}

#[test]
fn a_server_that_never_answers_is_given_up_in_time() {
    let outcome = script(&Bench::new(), "silent.sh");
    assert_unjudged(&outcome, "no answer to `initialize`");
    assert!(outcome.err.contains("--start-timeout"), "{}", outcome.err);
    assert!(outcome.took < Duration::from_secs(20), "{:?}", outcome.took);
}

#[test]
fn a_server_that_starts_later_than_a_request_may_take_is_judged() {
    let how = ["run", "--format", "json", "--protocol", "2025-11-25", "--only", "ping.answered", "--timeout", "0.8"];
    let outcome = Bench::new().run(&[&how[..], &["--", OWN, "serve", "--quirk", "slow-start"]].concat());
    assert_eq!(outcome.code, 0, "{}", outcome.err);
    assert_eq!(record(&outcome)["summary"]["pass"], 1);
    assert!(record(&outcome)["notes"].to_string().contains("--start-timeout"), "{}", outcome.out);
}

#[test]
fn a_server_that_closes_its_output_is_not_waited_for() {
    let outcome = script(&Bench::new(), "deaf.sh");
    assert_unjudged(&outcome, "closed its standard output");
    assert!(outcome.took < Duration::from_secs(20), "{:?}", outcome.took);
}

#[test]
fn a_flood_without_line_feed_is_bounded() {
    let outcome = script(&Bench::new(), "flood.sh");
    assert_unjudged(&outcome, "initialize");
}

#[test]
fn a_server_that_ignores_signals_is_killed() {
    let outcome = script(&Bench::new(), "stubborn.sh");
    assert_unjudged(&outcome, "no answer to `initialize`");
}

#[test]
fn a_server_that_answers_but_will_not_end_is_judged_and_killed() {
    let outcome = server(&Bench::new(), "stubborn");
    assert_eq!(outcome.code, 0, "{}", outcome.err);
    assert!(outcome.took < Duration::from_secs(30), "{:?}", outcome.took);
    assert_fails(&outcome, "stdio.shutdown.exits-on-eof");
    assert_fails(&outcome, "stdio.shutdown.sigterm");
}

#[test]
fn grandchildren_do_not_outlive_the_run_even_in_a_session_of_their_own() {
    // `server` ends with the proof that nothing is left.
    let outcome = server(&Bench::new(), "family");
    assert_eq!(outcome.code, 0, "{}", outcome.err);
    assert_fails(&outcome, "stdio.shutdown.no-orphans");
}

#[test]
fn a_server_that_refuses_the_revision_it_does_not_name_is_not_judged_by_it() {
    let program = ["--", needed("python3"), &bad("server.py"), "disowns"];
    let asked = ["run", "--protocol", "2026-07-28"];
    assert_unjudged(&Bench::new().run(&[&asked[..], &program].concat()), "supportedVersions without it");
    let latest = ["run", "--format", "json", "--fail-on", "never", "--only", "ping.answered"];
    let record = record(&Bench::new().run(&[&latest[..], &program].concat()));
    assert_eq!(record["protocol"], "2025-11-25", "{record}");
}

/// Nobody can say what did it, and nobody may say that all is well.
#[test]
fn a_fall_that_no_fresh_process_repeats_is_said_and_fails() {
    let bench = Bench::new();
    let how = ["run", "--protocol", "2025-06-18", "--only", "tools.call.valid-arguments-accepted,stdio.process.*"];
    let outcome =
        bench.run(&[&how[..], &["--", needed("python3"), &bad("server.py"), "steady", "once", "fell"]].concat());
    assert!(bench.path().join("fell").exists(), "{}", outcome.out);
    let verdict = outcome.out.lines().nth(1).unwrap_or_default();
    assert!(verdict.starts_with("UNSTABLE: the server fell once, which could not be repeated"), "{}", outcome.out);
    assert_eq!(outcome.code, 1, "{}", outcome.out);
}

/// Slower than the time limit for the last of many calls, and never silent.
#[test]
fn a_server_that_works_through_its_calls_is_not_called_silent() {
    let only = ["jsonrpc.response.every-request-answered", "tools.call.valid-arguments-accepted"];
    let how = [
        "run",
        "--format",
        "json",
        "--protocol",
        "2025-06-18",
        "--timeout",
        "0.6",
        "--only",
        only[0],
        "--only",
        only[1],
    ];
    let outcome = Bench::new().run(&[&how[..], &["--", needed("python3"), &bad("server.py"), "steady"]].concat());
    assert_eq!(outcome.code, 0, "{}", outcome.out);
    let record = record(&outcome);
    let entries = record["requirements"].as_array().expect("a list");
    let entry = entries.iter().find(|entry| entry["id"] == only[0]).expect("it is named");
    assert_eq!(entry["status"], "pass", "{entry}");
}

#[test]
fn a_banner_before_the_json_is_a_finding_not_the_end() {
    let outcome = server(&Bench::new(), "banner");
    assert_eq!(outcome.code, 0, "{}", outcome.err);
    assert!(record(&outcome)["summary"]["pass"].as_u64() > Some(0), "{}", outcome.out);
    assert_fails(&outcome, "stdio.stdout.only-json");
}

#[test]
fn bytes_that_are_no_utf8_are_survived() {
    let outcome = server(&Bench::new(), "latin");
    assert_eq!(outcome.code, 0, "{}", outcome.err);
    assert_eq!(record(&outcome)["protocol"], "2025-11-25");
    assert_fails(&outcome, "stdio.encoding.utf8-output");
}
