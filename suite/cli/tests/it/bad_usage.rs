//! Command lines and files that are wrong: said before anything is started, with exit code 2 and what to do.

use crate::support::{Bench, CommandOutput};

fn refused(outcome: &CommandOutput, messages: &[&str]) {
    assert_eq!(outcome.code, 2, "{}", outcome.err);
    assert_eq!(outcome.out, "");
    for message in messages {
        assert!(outcome.err.contains(message), "{message} is not in: {}", outcome.err);
    }
}

#[test]
fn flags_with_wrong_values_are_refused_with_the_right_ones() {
    let bench = Bench::new();
    for (args, messages) in [
        (&["--protocol", "2025-06-19"][..], &["unknown revision `2025-06-19`", "2025-06-18", "`latest`"][..]),
        (&["--only", "tools.call.unkown-tool"], &["did you mean tools.call.unknown-tool"]),
        (&["--only", "tools"], &["did you mean 'tools.*'?"]),
        (&["--skip", "zzzz*"], &["mcp-conform list"]),
        (&["--calls", "some"], &["none, read-only, additive, all"]),
        (&["--fail-on", "may"], &["must, should, advice or never"]),
        (&["--timeout", "0"], &["a time above 0", "500ms, 90s, 10m, 2h"]),
        (&["--timeout", "nan"], &["a time above 0"]),
        (&["--time", "10d"], &["a time above 0"]),
        (&["--jobs", "0"], &["1..=256"]),
        (&["--format", "xml"], &["human, json, junit, sarif, markdown, html"]),
        (&["--snapshot", "make"], &["check, update"]),
        (&["--snapshot", "check", "--snapshot-name", "a/b"], &["a name without folders"]),
        (&["--baseline", "no-such.toml"], &["no-such.toml", "--update-baseline"]),
        (&["--no-such-flag"], &["unexpected argument '--no-such-flag'"]),
        (&["--header", "Authorization: x", "--", "server"], &["--header is for URLs"]),
        (&["http://localhost:1/", "--", "--root"], &["a URL takes no arguments"]),
        (&["http://me:secret@localhost:1/"], &["--header-env"]),
        (&["http://[::1/"], &["cannot read the URL"]),
        (&["node 'server"], &["cannot split"]),
        (&[""], &["the target is empty"]),
    ] {
        refused(&bench.run(&[&["run"], args].concat()), messages);
    }
    assert!(!bench.path().join("reports").exists(), "nothing was run, nothing is written");
}

#[test]
fn fuzzing_speaks_one_revision() {
    refused(&Bench::new().run(&["fuzz", "--protocol", "all"]), &["expected one revision, or `latest`"]);
}

#[test]
fn headers_are_checked_and_their_values_never_repeated() {
    let bench = Bench::new();
    let url = "http://127.0.0.1:9/mcp";
    refused(
        &bench.run(&["run", "--header-env", "Authorization: NO_SUCH_VARIABLE", url]),
        &["NO_SUCH_VARIABLE is not set"],
    );
    for header in ["s3cret", "Bad Name: s3cret", "X: s3\u{7}cret", ": s3cret"] {
        let outcome = bench.run(&["run", "--header", header, url]);
        refused(&outcome, &["--header"]);
        assert!(!outcome.err.contains("s3cret") && !outcome.err.contains("s3\u{7}cret"), "{}", outcome.err);
    }
}

#[test]
fn a_configuration_file_is_blamed_by_line_and_column() {
    let bench = Bench::new();
    refused(&bench.run(&["run", "--config", "missing.toml"]), &["cannot read missing.toml"]);
    bench.file("my.toml", "calls = \"read-only\"\ntool = [\"a\"]\n");
    refused(
        &bench.run(&["run", "--config", "my.toml"]),
        &["my.toml:2:1: unknown key `tool`", "^^^^ did you mean `tools`?"],
    );
    bench.file("mcp-conform.toml", "timeout = \"long\"\n");
    refused(&bench.run(&["run"]), &["mcp-conform.toml:1:11", "a number of seconds"]);
    std::fs::write(bench.path().join("mcp-conform.toml"), [0xff, 0xfe]).expect("our folder");
    refused(&bench.run(&["run"]), &["the file is not UTF-8"]);
}

#[test]
fn a_reports_folder_that_cannot_be_written_is_said_before_the_run() {
    let bench = Bench::new();
    bench.file("taken", "a file");
    refused(&bench.run(&["run", "--reports", "taken"]), &["cannot write reports to taken", "--reports DIR"]);
    refused(&bench.run(&["run", "--reports", "taken/below"]), &["cannot write reports to taken/below"]);
}

#[test]
fn a_snapshot_that_is_not_there_cannot_be_compared() {
    let bench = Bench::new();
    let outcome = bench.run(&["run", "--quiet", "--snapshot", "check", "--cases", "0", "--protocol", "2025-11-25"]);
    assert_eq!(outcome.code, 2, "{}", outcome.err);
    assert!(outcome.err.contains("use --snapshot update to create it"), "{}", outcome.err);
}
