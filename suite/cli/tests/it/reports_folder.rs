//! What a run leaves in the reports folder, and what the next one does to it.

use std::path::Path;

use crate::environment::needed;
use crate::support::{Bench, record};

const OWN: &str = env!("CARGO_BIN_EXE_mcp-conform");

fn names(folder: &Path) -> Vec<String> {
    let entries = std::fs::read_dir(folder).expect("a folder");
    let mut names: Vec<String> =
        entries.map(|entry| entry.expect("an entry").file_name().to_string_lossy().into_owned()).collect();
    names.sort();
    names
}

#[test]
fn the_command_that_repeats_a_finding_keeps_the_report() {
    let bench = Bench::new();
    let narrow = ["run", "--protocol", "2025-11-25", "--only", "tools.call.unknown-*", "--format", "json"];
    let server = ["--", OWN, "serve", "--fault", "tools.call.unknown-tool"];
    let report = record(&bench.run(&[&narrow[..], &server].concat()));
    let mut entries = report["requirements"].as_array().expect("requirements").iter();
    let failed = entries.find(|entry| entry["status"] == "fail").expect("the fault is found");
    let command = failed["findings"][0]["reproduce"].as_str().expect("a command");
    let before = std::fs::read(bench.path().join("reports/report.json")).expect("a report");
    let words: Vec<&str> = command.split(' ').skip(1).collect();
    let repeated = bench.run(&words);
    assert_eq!(repeated.code, 1, "{command}: {}", repeated.err);
    assert!(repeated.out.contains("MUST    tools.call.unknown-tool"), "{}", repeated.out);
    assert!(before == std::fs::read(bench.path().join("reports/report.json")).expect("a report"), "{command}");
    assert!(names(&bench.path().join("reports/repeat")).contains(&"report.json".to_owned()));
    // Not one folder deeper each time.
    assert!(repeated.out.contains("--reports reports/repeat --"), "{}", repeated.out);
}

#[test]
fn transcripts_are_compressed_and_those_of_earlier_runs_go() {
    let bench = Bench::new();
    let transcripts = || -> Vec<String> {
        names(&bench.path().join("reports")).into_iter().filter(|name| name.starts_with("transcript")).collect()
    };
    let narrow = ["run", "--only", "tools.call.unknown-tool"];
    let server = ["--", OWN, "serve"];
    bench.run(&[&narrow[..], &["--protocol", "all"], &server].concat());
    assert_eq!(transcripts().len(), 5, "{:?}", transcripts());
    bench.run(&[&narrow[..], &server].concat());
    assert_eq!(transcripts(), ["transcript.jsonl.gz"]);
    let path = bench.path().join("reports/transcript.jsonl.gz");
    let packed = std::fs::metadata(&path).expect("a file").len();
    let text = bench.transcript();
    assert!(packed * 4 < text.len() as u64, "{packed} bytes of {}", text.len());
    bench.file("plain.jsonl", &text);
    let judged = |file: &str| {
        let outcome = bench.run(&["judge", "--format", "json", "--fail-on", "never", file]);
        let report = record(&outcome);
        (outcome.code, report["requirements"].clone())
    };
    let plain = judged("plain.jsonl");
    assert_eq!((plain.0, plain.1.as_array().map(Vec::is_empty)), (0, Some(false)));
    let without_command = |report: &serde_json::Value| {
        let entries = report.as_array().expect("requirements").iter();
        entries.map(|entry| (entry["id"].clone(), entry["status"].clone())).collect::<Vec<_>>()
    };
    assert_eq!(without_command(&judged("reports/transcript.jsonl.gz").1), without_command(&plain.1));
    // That of the embedded server tells nobody anything.
    bench.run(&narrow);
    assert!(transcripts().is_empty(), "{:?}", transcripts());
    bench.run(&[&narrow[..], &["--transcript"]].concat());
    assert_eq!(transcripts(), ["transcript.jsonl.gz"]);
}

#[test]
fn init_keeps_the_files_of_runs_out_of_the_repository() {
    let bench = Bench::new();
    let git = |args: &[&str]| {
        let output = bench.program(needed("git")).args(args).output().expect("it starts");
        String::from_utf8_lossy(&output.stdout).into_owned()
    };
    git(&["init", "--quiet"]);
    assert_eq!(bench.run(&["init", "--", OWN, "serve"]).code, 0);
    let narrow = ["run", "--quiet", "--cases", "2", "--protocol", "2025-11-25", "--snapshot", "update"];
    assert_eq!(bench.run(&narrow).code, 0);
    let seen = git(&["status", "--porcelain", "--untracked-files=all"]);
    let seen: Vec<&str> = seen.lines().filter_map(|line| line.strip_prefix("?? ")).collect();
    let expected = [
        ".github/workflows/mcp-conform.yml",
        "mcp-conform.toml",
        "reports/.gitignore",
        "reports/reference-mcp-server.2025-11-25.snap",
    ];
    assert_eq!(seen, expected);
}
