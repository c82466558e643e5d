//! The first command, `init`, servers that a file names, and those that do not start.

use serde_json::{Value, json};

use crate::support::Bench;

const OWN: &str = env!("CARGO_BIN_EXE_mcp-conform");

#[test]
fn init_writes_a_file_that_run_understands() {
    let bench = Bench::new();
    let made = bench.run(&["init", "--", OWN, "serve", "--transport", "stdio"]);
    assert_eq!(made.code, 0, "{}", made.err);
    let text = std::fs::read_to_string(bench.path().join("mcp-conform.toml")).expect("written");
    assert!(text.contains("\"serve\"") && text.contains("# Configuration of mcp-conform"), "{text}");
    let workflow = std::fs::read_to_string(bench.path().join(".github/workflows/mcp-conform.yml")).expect("written");
    assert!(workflow.contains("uses: mcp-conform/mcp-conform@"), "{workflow}");
    let again = bench.run(&["init", "--", OWN, "serve"]);
    assert_eq!(again.code, 2, "{}", again.err);
    assert!(again.err.contains("--force"), "{}", again.err);
    // From a folder below: the file is found, and the command runs where the file is.
    std::fs::create_dir(bench.path().join("below")).expect("a folder");
    let mut run = bench.command(&["run", "--quiet", "--only", "ping.answered", "--protocol", "2025-11-25"]);
    let run = run.current_dir(bench.path().join("below")).output().expect("it runs");
    assert!(run.status.success(), "{}", String::from_utf8_lossy(&run.stderr));
    assert!(bench.path().join("below/reports/report.json").exists());
}

#[test]
fn without_arguments_a_command_is_proposed_for_the_server_of_this_folder() {
    let bench = Bench::new();
    let help = bench.run(&[]);
    assert_eq!(help.code, 2);
    assert!(help.err.contains("Usage:"), "{}", help.err);
    bench.file("package.json", r#"{"name": "weather-mcp", "bin": "server.js"}"#);
    bench.file("server.js", "require('fs').writeFileSync('started', '')");
    let proposed = bench.run(&[]);
    assert_eq!(proposed.code, 2);
    assert!(proposed.err.contains("\n  mcp-conform run -- node server.js\n"), "{}", proposed.err);
    assert!(!bench.path().join("started").exists(), "a server was started unasked");
}

#[cfg(unix)]
#[test]
fn a_server_that_does_not_start_is_shown_as_it_was_run_with_the_usual_reason() {
    let bench = Bench::new();
    let run = bench.run(&["run", "--", "sh", "-c", "echo 'Error: API_KEY is required' >&2; exit 4"]);
    assert_eq!(run.code, 3, "{}", run.err);
    for wanted in [
        "exited with status 4 before it answered",
        "it was started as: sh -c 'echo '\\''Error: API_KEY is required'\\'' >&2; exit 4'",
        "\n    Error: API_KEY is required\n",
        "API_KEY=... mcp-conform run",
    ] {
        assert!(run.err.contains(wanted), "{wanted}: {}", run.err);
    }
}

#[cfg(unix)]
#[test]
fn text_on_standard_output_in_place_of_an_answer_is_shown_with_what_to_do() {
    let bench = Bench::new();
    let run = bench.run(&["run", "--", "sh", "-c", "echo 'Listening on http://localhost:8080'"]);
    assert_eq!(run.code, 1, "{}", run.err);
    for wanted in [
        "\n    standard output:\n      Listening on http://localhost:8080\n",
        "named by its URL: mcp-conform run http://localhost:8080/mcp",
    ] {
        assert!(run.out.contains(wanted), "{wanted}: {}", run.out);
    }
}

#[test]
fn servers_are_run_by_the_name_that_a_client_has_for_them() {
    let bench = Bench::new();
    let servers = json!({"good": {"command": OWN, "args": ["serve", "--transport", "${KIND:-stdio}"]}, "far": {"url": "${NO_SUCH_URL}"}});
    bench.file(".mcp.json", &format!("// servers\n{}", json!({"mcpServers": servers})));
    let base = [
        "run",
        "--quiet",
        "--only",
        "ping.answered",
        "--protocol",
        "2025-11-25",
        "--format",
        "json",
        "--from",
        ".mcp.json",
    ];
    let run = |name: &str| bench.run(&[&base[..], &[name]].concat());
    let good = run("good");
    assert_eq!(good.code, 0, "{}", good.err);
    let record: Value = serde_json::from_str(&good.out).expect("JSON");
    assert_eq!(record["server"]["name"], "reference-mcp-server");
    let far = run("far");
    assert!(far.code == 2 && far.err.contains("NO_SUCH_URL is not set"), "{}", far.err);
    let odd = run("goood");
    assert!(odd.code == 2 && odd.err.contains("did you mean `good`?"), "{}", odd.err);
}

#[test]
fn levels_are_raised_and_lowered_with_a_reason() {
    let bench = Bench::new();
    let level = "[[level]]\nrequirement = 'tools.call.unknown-tool'\nlevel = 'advice'\nreason = 'known'\n";
    bench.file("mcp-conform.toml", level);
    let fault = ["--", OWN, "serve", "--transport", "stdio", "--fault", "tools.call.unknown-tool"];
    let only = ["run", "--protocol", "2025-11-25", "--only", "tools.call.unknown-tool", "--format", "json"];
    let run = bench.run(&[&only[..], &fault[..]].concat());
    assert_eq!(run.code, 0, "{}", run.out);
    let record: Value = serde_json::from_str(&run.out).expect("JSON");
    assert_eq!(record["summary"]["fail_by_level"], json!({"must": 0, "should": 0, "advice": 1}));
    let entries = record["requirements"].as_array().expect("entries");
    let entry = entries.iter().find(|entry| entry["status"] == "fail").expect("it is broken");
    assert_eq!(entry["notes"][0], "level changed from must to advice by the configuration: known");
}

#[test]
fn a_server_that_leaves_discovery_without_an_answer_is_judged_all_the_same() {
    let bench = Bench::new();
    let only = "discover.implemented,tools.call.unknown-tool";
    let flags = ["--protocol", "2026-07-28", "--timeout", "1s", "--only", only, "--format", "json"];
    let server = ["--", OWN, "serve", "--transport", "stdio", "--protocol", "2026-07-28"];
    let run = bench.run(&[&["run"][..], &flags, &server, &["--fault", "discover.implemented"]].concat());
    assert_eq!(run.code, 1, "{}", run.err);
    let record: Value = serde_json::from_str(&run.out).expect("JSON");
    let entries = record["requirements"].as_array().expect("entries");
    let status = |id: &str| entries.iter().find(|entry| entry["id"] == id).map(|entry| entry["status"].clone());
    assert_eq!(status("discover.implemented"), Some(json!("fail")));
    assert_eq!(status("tools.call.unknown-tool"), Some(json!("pass")));
}
