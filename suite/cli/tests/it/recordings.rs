//! A recorder between a client and a server changes nothing, writes everything down but secrets, and leaves nothing behind.

use std::io::{BufRead, BufReader, Write};
use std::process::{Child, Stdio};

use serde_json::{Value, json};

use crate::support::{Bench, CommandOutput, status};

/// A recorder in front of a program, spoken to by a client that is this test.
struct Client {
    child: Child,
    answers: BufReader<std::process::ChildStdout>,
}

impl Client {
    fn new(bench: &Bench, program: &[&str]) -> Self {
        let mut command = bench.command(&[&["record", "--out", "r.jsonl", "--"], program].concat());
        command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
        let mut child = command.spawn().expect("it starts");
        let answers = BufReader::new(child.stdout.take().expect("a pipe"));
        Self { child, answers }
    }

    fn say(&mut self, line: &str) {
        let stdin = self.child.stdin.as_mut().expect("open");
        stdin.write_all(format!("{line}\n").as_bytes()).and_then(|()| stdin.flush()).expect("it listens");
    }

    fn hear(&mut self) -> String {
        let mut line = String::new();
        self.answers.read_line(&mut line).expect("UTF-8");
        line
    }

    fn leave(mut self, bench: &Bench) -> CommandOutput {
        drop(self.child.stdin.take());
        bench.finish(self.child)
    }
}

fn events(bench: &Bench, file: &str) -> Vec<Value> {
    let text = std::fs::read_to_string(bench.path().join(file)).expect("a recording");
    text.lines().map(|line| serde_json::from_str(line).expect("JSON")).collect()
}

fn initialize() -> String {
    let params =
        json!({"protocolVersion": "2025-06-18", "capabilities": {}, "clientInfo": {"name": "t", "version": "1"}});
    json!({"jsonrpc": "2.0", "id": 1, "method": "initialize", "params": params}).to_string()
}

#[test]
fn a_session_is_recorded_and_judged() {
    let bench = Bench::new();
    let own = env!("CARGO_BIN_EXE_mcp-conform");
    let mut client =
        Client::new(&bench, &[own, "serve", "--transport", "stdio", "--fault", "jsonrpc.message.version-member/error"]);
    client.say(&initialize());
    assert!(client.hear().contains("2025-06-18"));
    client.say(r#"{"jsonrpc":"2.0","method":"notifications/initialized"}"#);
    client.say(r#"{"jsonrpc":"2.0","id":2,"method":"tools/list"}"#);
    assert!(client.hear().contains("inputSchema"));
    client.say(r#"{"jsonrpc":"2.0","id":3,"method":"tools/call","params":{"name":"no-such-tool"}}"#);
    assert!(client.hear().contains("\"id\":3"));
    let outcome = client.leave(&bench);
    assert_eq!(outcome.code, 0, "{}", outcome.err);
    let last = events(&bench, "r.jsonl").pop().expect("events");
    assert_eq!((last["event"].as_str(), last["after"].as_str()), (Some("exit"), Some("stdin-closed")));

    let judged = bench.run(&["judge", "--format", "json", "r.jsonl"]);
    let record: Value = serde_json::from_str(&judged.out).expect("JSON");
    assert_eq!(record["protocol"], "2025-06-18");
    assert_eq!(record["server"]["name"], "reference-mcp-server");
    assert!(record["target"]["command"][1] == "serve" && !record["tools"].as_array().expect("tools").is_empty());
    assert_eq!(status(&record, "jsonrpc.response.exactly-one"), "pass");
    assert_eq!(status(&record, "prompts.get.messages-array"), "not_observed");
    assert_eq!(status(&record, "jsonrpc.message.version-member"), "fail");
    assert_eq!(judged.code, 1, "{}", judged.err);
}

/// The record of a session in which a tool is called that nobody lists; the server has these faults.
fn unknown_tool(flags: &[&str]) -> Value {
    let bench = Bench::new();
    let mut client =
        Client::new(&bench, &[&[env!("CARGO_BIN_EXE_mcp-conform"), "serve", "--transport", "stdio"], flags].concat());
    client.say(&initialize());
    client.hear();
    client.say(r#"{"jsonrpc":"2.0","method":"notifications/initialized"}"#);
    let mut cursor = Value::Null;
    for id in 2.. {
        let params = if cursor.is_null() { json!({}) } else { json!({"cursor": cursor}) };
        client.say(&json!({"jsonrpc": "2.0", "id": id, "method": "tools/list", "params": params}).to_string());
        let page: Value = serde_json::from_str(&client.hear()).expect("JSON");
        cursor = page["result"]["nextCursor"].clone();
        if cursor.is_null() {
            break;
        }
    }
    client.say(r#"{"jsonrpc":"2.0","id":"c","method":"tools/call","params":{"name":"no-such-tool"}}"#);
    assert!(client.hear().contains("\"id\":\"c\""));
    assert_eq!(client.leave(&bench).code, 0);
    let judged = bench.run(&["judge", "--format", "json", "r.jsonl"]);
    serde_json::from_str(&judged.out).expect("JSON")
}

#[test]
fn a_call_of_an_unknown_tool_is_judged_though_nobody_says_that_it_is_one() {
    const ID: &str = "tools.call.unknown-tool";
    assert_eq!(status(&unknown_tool(&[]), ID), "pass");
    assert_eq!(status(&unknown_tool(&["--fault", ID]), ID), "fail");
    assert_eq!(status(&unknown_tool(&["--fault", "tools.call.unknown-tool-code"]), ID), "pass");
}

#[test]
fn bytes_pass_as_they_are_and_standard_error_and_the_status_with_them() {
    let bench = Bench::new();
    let script = bench.file("s.sh", "printf 'odd \\377 bytes\\r\\nno end'; printf 'told\\n' >&2; cat > got; exit 7\n");
    let mut client = Client::new(&bench, &["sh", script.to_str().expect("UTF-8")]);
    let stdin = client.child.stdin.as_mut().expect("open");
    stdin.write_all(b"a\xff\r\n\x00b").expect("it listens");
    drop(client.child.stdin.take());
    let mut heard = Vec::new();
    std::io::Read::read_to_end(&mut client.answers, &mut heard).expect("it ends");
    let outcome = client.leave(&bench);
    assert_eq!(heard, b"odd \xff bytes\r\nno end");
    assert_eq!((outcome.code, outcome.err.as_str()), (7, "told\n"));
    assert_eq!(std::fs::read(bench.path().join("got")).expect("it was written"), b"a\xff\r\n\x00b");
    let all = events(&bench, "r.jsonl");
    let of = |kind: &str| all.iter().filter(|event| event["event"] == kind).collect::<Vec<_>>();
    assert_eq!(of("receive")[0]["not_utf8"], true);
    assert_eq!(of("receive")[1]["via"], "tail");
    assert!(of("send")[0]["base64"].is_string());
    assert_eq!(of("stderr")[0]["text"], "told");
}

#[test]
fn secrets_do_not_reach_the_recording() {
    let bench = Bench::new().with("SERVICE_TOKEN", "abcdef-123456").with("MINE", "ghijkl-789");
    let args = [
        "record",
        "--secret-env",
        "MINE",
        "--out",
        "r.jsonl",
        "--",
        "sh",
        "-c",
        "echo $SERVICE_TOKEN $MINE",
        "--api-key=zyxwvuts",
    ];
    let outcome = bench.run(&args);
    assert_eq!(outcome.out, "abcdef-123456 ghijkl-789\n", "{}", outcome.err);
    let text = std::fs::read_to_string(bench.path().join("r.jsonl")).expect("a recording");
    assert!(text.contains("[redacted] [redacted]"), "{text}");
    assert!(!text.contains("abcdef-") && !text.contains("ghijkl-") && !text.contains("zyxw"), "{text}");
}

#[test]
fn a_recording_is_never_written_over() {
    let bench = Bench::new();
    for _ in 0..2 {
        assert_eq!(bench.run(&["record", "--out", "r.jsonl", "--", "true"]).code, 0);
    }
    assert!(bench.path().join("r.jsonl").exists() && bench.path().join("r-2.jsonl").exists());
    let refused = bench.run(&["record", "--out", "no/such/r.jsonl", "--", "true"]);
    assert_eq!(refused.code, 2, "{}", refused.err);
    let missing = bench.run(&["record", "--out", "x.jsonl", "--", "./no-such-program"]);
    assert_eq!((missing.code, bench.path().join("x.jsonl").exists()), (3, false), "{}", missing.err);
}

#[cfg(unix)]
#[test]
fn a_signal_reaches_the_server_and_its_end_the_client() {
    let bench = Bench::new();
    let text = "trap 'echo asked >&2; exit 3' TERM; echo ready; while :; do sleep 0.05; done\n";
    let script = bench.file("s.sh", text);
    let mut client = Client::new(&bench, &["sh", script.to_str().expect("UTF-8")]);
    assert_eq!(client.hear(), "ready\n");
    let id = client.child.id().to_string();
    assert!(std::process::Command::new("kill").arg(&id).status().expect("kill").success());
    let outcome = client.leave(&bench);
    assert_eq!((outcome.code, outcome.err.as_str()), (3, "asked\n"));
    let last = events(&bench, "r.jsonl").pop().expect("events");
    assert_eq!((&last["code"], &last["after"]), (&json!(3), &json!("terminated")));
}
