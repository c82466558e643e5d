//! Ctrl-C in the middle of a run: the report is there and marked as partial, and nothing is left running.

use std::process::Command;

use crate::environment::needed;
use crate::support::{Bench, CommandOutput, bad, record};

/// Sends a signal by the tool that every Unix has.
fn signal(name: &str, pid: u32) {
    let sent = Command::new("kill").args([&format!("-{name}"), &pid.to_string()]).status().expect("kill is there");
    assert!(sent.success());
}

/// A run that is in the middle of its scenarios once the server has said so on its own file.
fn interrupt(name: &str) -> (Bench, CommandOutput) {
    let bench = Bench::new();
    let seen = bench.path().join("seen");
    let child = bench.spawn(&[
        "run",
        "--format",
        "json",
        "--timeout",
        "60",
        "--",
        needed("python3"),
        &bad("server.py"),
        "stall",
        seen.to_str().expect("UTF-8"),
    ]);
    let deadline = std::time::Instant::now() + std::time::Duration::from_secs(30);
    while !seen.exists() {
        assert!(std::time::Instant::now() < deadline, "the server was not asked anything");
        std::thread::sleep(std::time::Duration::from_millis(20));
    }
    signal(name, child.id());
    let outcome = bench.finish(child);
    (bench, outcome)
}

#[test]
fn an_interrupted_run_leaves_a_partial_report_and_no_process() {
    for name in ["INT", "TERM"] {
        let (bench, outcome) = interrupt(name);
        assert_eq!(outcome.code, 130, "{}", outcome.err);
        let record = record(&outcome);
        assert_eq!(record["partial"], true);
        let stored = std::fs::read_to_string(bench.path().join("reports/report.txt")).expect("written");
        assert!(stored.contains("INTERRUPTED") && !stored.contains("CONFORMS"), "{stored}");
    }
}

#[test]
fn a_signal_is_caught_from_the_moment_that_a_server_is_started() {
    let bench = Bench::new();
    let outcome =
        bench.run(&["run", "--timeout", "60", "--", "sh", "-c", "kill -INT $PPID; while read -r _; do :; done"]);
    assert_eq!(outcome.code, 130, "{}", outcome.err);
}

#[test]
fn before_the_handshake_there_is_nothing_to_report() {
    let bench = Bench::new();
    let child = bench.spawn(&["run", "--timeout", "60", "--", "sh", "-c", "touch seen; while read -r _; do :; done"]);
    while !bench.path().join("seen").exists() {
        std::thread::sleep(std::time::Duration::from_millis(20));
    }
    signal("INT", child.id());
    let outcome = bench.finish(child);
    assert_eq!((outcome.code, outcome.err.as_str()), (130, "error: interrupted\n"));
}
