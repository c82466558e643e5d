//! The recorder in front of a URL: requests and answers pass, streams as they come, and other machines are kept out.

use std::io::{Read, Write};
use std::net::TcpStream;
use std::process::Child;

use serde_json::{Value, json};

use crate::support::{Bench, url};

/// One request on a connection of its own, and everything that comes back.
fn post(url: &str, headers: &str, body: &str) -> String {
    let rest = url.strip_prefix("http://").expect("a URL");
    let (host, path) = rest.split_once('/').expect("a path");
    let mut stream = TcpStream::connect(host).expect("it listens");
    let head = "Content-Type: application/json\r\nAccept: application/json, text/event-stream\r\nConnection: close\r\n";
    let length = body.len();
    write!(stream, "POST /{path} HTTP/1.1\r\nHost: {host}\r\n{head}{headers}Content-Length: {length}\r\n\r\n{body}")
        .expect("sent");
    let mut answer = String::new();
    stream.read_to_string(&mut answer).expect("UTF-8");
    answer
}

fn interrupt(child: &Child) {
    let id = child.id().to_string();
    assert!(std::process::Command::new("kill").args(["-INT", &id]).status().expect("kill").success());
}

#[cfg(unix)]
#[test]
fn a_session_over_http_is_recorded_and_judged() {
    let bench = Bench::new();
    let mut server = bench.spawn(&["serve", "--transport", "http", "--port", "0"]);
    let to = url(&mut server);
    let mut recorder = bench.spawn(&["record", "--listen", "127.0.0.1:0", "--to", &to, "--out", "r.jsonl"]);
    let here = url(&mut recorder);
    let params =
        json!({"protocolVersion": "2025-11-25", "capabilities": {}, "clientInfo": {"name": "t", "version": "1"}});
    let initialize = json!({"jsonrpc": "2.0", "id": 1, "method": "initialize", "params": params}).to_string();
    let secret = "Authorization: Bearer s3cret-and-long\r\n";
    let answer = post(&here, secret, &initialize);
    assert!(answer.starts_with("HTTP/1.1 200") && answer.contains("2025-11-25"), "{answer}");
    let session =
        answer.lines().find_map(|line| line.to_lowercase().strip_prefix("mcp-session-id: ").map(str::to_owned));
    let session = session.expect("a session");
    let headers = format!("Mcp-Session-Id: {session}\r\nMCP-Protocol-Version: 2025-11-25\r\n");
    let told = post(&here, &headers, r#"{"jsonrpc":"2.0","method":"notifications/initialized"}"#);
    assert!(told.starts_with("HTTP/1.1 202"), "{told}");
    let listed = post(&here, &headers, r#"{"jsonrpc":"2.0","id":2,"method":"tools/list"}"#);
    assert!(listed.contains("inputSchema"), "{listed}");
    interrupt(&recorder);
    assert_eq!(recorder.wait().expect("it ends").code(), Some(0));
    server.kill().expect("it is ours");
    server.wait().expect("it ends");
    bench.assert_nothing_is_left();

    let text = std::fs::read_to_string(bench.path().join("r.jsonl")).expect("a recording");
    assert!(!text.contains("s3cret"), "{text}");
    let judged = bench.run(&["judge", "--format", "json", "r.jsonl"]);
    let record: Value = serde_json::from_str(&judged.out).expect("JSON");
    assert_eq!((&record["protocol"], &record["target"]["transport"]), (&json!("2025-11-25"), &json!("http")));
    assert!(record["summary"]["pass"].as_u64() > Some(40), "{}", record["summary"]);
    assert_eq!((judged.code, &record["summary"]["fail_by_level"]["must"]), (0, &json!(0)), "{}", judged.out);
}

#[test]
fn nobody_else_is_let_in() {
    let bench = Bench::new();
    let refused = bench.run(&["record", "--listen", "0.0.0.0:0", "--to", "http://127.0.0.1:9/mcp"]);
    assert_eq!(refused.code, 2, "{}", refused.err);
    assert!(refused.err.contains("only loopback addresses"), "{}", refused.err);
    assert_eq!(bench.run(&["judge", "no-such.jsonl"]).code, 2);
    bench.file("empty.jsonl", "");
    assert_eq!(bench.run(&["judge", "empty.jsonl"]).code, 2);
    bench.file(
        "silent.jsonl",
        r#"{"seq":0,"at_us":0,"session":0,"event":"open","transport":"stdio","purpose":"recorded"}"#,
    );
    assert_eq!(bench.run(&["judge", "silent.jsonl"]).code, 3);
}
