//! Credentials as a user gives them: what they open, and that they are told to nobody.

use std::io::{BufRead, BufReader, Read, Write};
use std::net::{TcpListener, TcpStream};
use std::path::{Path, PathBuf};

use base64::Engine as _;
use base64::engine::general_purpose::{STANDARD, URL_SAFE_NO_PAD};
use serde_json::{Value, json};

use crate::support::{Bench, CommandOutput, Served};

/// With characters that every encoding writes in its own way.
const TOKEN: &str = "tok/en+S3cretS3cretS3cret~x=";

/// The ways in which a server may give a token back.
fn spellings() -> Vec<String> {
    let percent: String = TOKEN.bytes().map(|byte| format!("%{byte:02X}")).collect();
    let hex: String = TOKEN.bytes().map(|byte| format!("{byte:02x}")).collect();
    vec![
        TOKEN.to_owned(),
        TOKEN.replace('/', "\\/"),
        TOKEN.replace('/', "%2F").replace('+', "%2B").replace('=', "%3D"),
        TOKEN.replace('/', "%2f").replace('+', "%2b").replace('=', "%3d"),
        percent.to_lowercase(),
        percent,
        hex,
        STANDARD.encode(TOKEN),
        STANDARD.encode(format!("Bearer {TOKEN}")),
        URL_SAFE_NO_PAD.encode(format!("x{TOKEN}y")),
    ]
}

/// A server that tells everybody what it was given, in every place where it can.
fn gossip() -> String {
    let listener = TcpListener::bind("127.0.0.1:0").expect("a free port");
    let address = listener.local_addr().expect("it is bound");
    std::thread::spawn(move || {
        for stream in listener.incoming().map_while(Result::ok) {
            std::thread::spawn(move || tell(stream));
        }
    });
    format!("http://{address}/mcp")
}

fn tell(mut stream: TcpStream) {
    let mut reader = BufReader::new(stream.try_clone().expect("a socket can be cloned"));
    let (mut length, mut given, mut line) = (0, false, String::new());
    while let Ok(1..) = reader.read_line(&mut line) {
        let head = line.trim_end().to_owned();
        line.clear();
        if head.is_empty() {
            break;
        }
        let (name, value) = head.split_once(':').unwrap_or((&head, ""));
        match name.to_ascii_lowercase().as_str() {
            "content-length" => length = value.trim().parse().unwrap_or(0),
            "authorization" => given = value.trim() == format!("Bearer {TOKEN}"),
            _ => {}
        }
    }
    let mut body = vec![0; length];
    let _ = reader.read_exact(&mut body);
    let (status, text) = reply(&serde_json::from_slice(&body).unwrap_or_default(), given);
    let told = spellings().iter().map(|spelling| format!("x-told: {spelling}\r\n")).collect::<String>();
    let head = format!(
        "HTTP/1.1 {status} X\r\ncontent-type: application/json\r\nconnection: close\r\nwww-authenticate: Bearer\r\n{told}"
    );
    let _ = stream.write_all(format!("{head}content-length: {}\r\n\r\n{text}", text.len()).as_bytes());
}

fn reply(message: &Value, given: bool) -> (u16, String) {
    let all = spellings().join(" ");
    if !given {
        return (401, json!({"error": all}).to_string());
    }
    let id = &message["id"];
    match message["method"].as_str() {
        Some("initialize") => {
            let result = json!({"protocolVersion": message["params"]["protocolVersion"], "capabilities": {"tools": {}},
                "serverInfo": {"name": all, "version": TOKEN}, "instructions": all});
            (200, json!({"jsonrpc": "2.0", "id": id, "result": result}).to_string())
        }
        Some("tools/list") => {
            let tool = json!({"name": "echo", "description": all, "inputSchema": {"type": "object", "title": all, "bad": TOKEN},
                "annotations": {"readOnlyHint": true}});
            (200, json!({"jsonrpc": "2.0", "id": id, "result": {"tools": [tool]}}).to_string())
        }
        _ if id.is_null() => (202, String::new()),
        _ => (200, json!({"jsonrpc": "2.0", "id": id, "error": {"code": 7, "message": all}}).to_string()),
    }
}

/// Everything that a run has left: what it printed, and every file.
fn left(bench: &Bench, outcome: &CommandOutput) -> Vec<(String, String)> {
    let mut left = vec![("output".to_owned(), outcome.out.clone()), ("errors".to_owned(), outcome.err.clone())];
    let mut folders = vec![bench.path().join("reports")];
    while let Some(folder) = folders.pop() {
        for entry in std::fs::read_dir(folder).expect("reports are written").flatten() {
            if entry.path().is_dir() {
                folders.push(entry.path());
            } else {
                let text = String::from_utf8_lossy(&std::fs::read(entry.path()).expect("a file")).into_owned();
                left.push((entry.path().display().to_string(), text));
            }
        }
    }
    left
}

fn assert_silent(left: &[(String, String)]) {
    for (place, text) in left {
        for spelling in spellings() {
            assert!(!text.contains(&spelling), "{place} has the token as {spelling}");
        }
        let part =
            text.find("S3cretS3cret").map(|at| text[at.saturating_sub(80)..].chars().take(160).collect::<String>());
        assert!(part.is_none(), "{place} has a part of the token: {part:?}");
    }
}

#[test]
fn a_token_that_a_server_gives_back_is_told_to_nobody() {
    let bench = Bench::new().with("TOKEN", TOKEN);
    let url = gossip();
    let outcome = bench.run(&[
        "run",
        "--token-env",
        "TOKEN",
        "--timeout",
        "1",
        "--protocol",
        "2025-11-25",
        "--format",
        "json",
        &url,
    ]);
    let left = left(&bench, &outcome);
    assert!(left.iter().any(|(_, text)| text.contains("[redacted]")), "{}\n{}", outcome.out, outcome.err);
    assert!(left.len() > 3, "{:?}", left.iter().map(|(place, _)| place).collect::<Vec<_>>());
    assert_silent(&left);
}

#[test]
fn a_token_that_is_refused_is_told_to_nobody_either() {
    let bench = Bench::new();
    let file = bench.file("token", &format!("{TOKEN}-not"));
    let outcome = bench.run(&["run", "--token-file", &file.display().to_string(), "--timeout", "1", &gossip()]);
    assert_eq!(outcome.code, 3, "{}\n{}", outcome.out, outcome.err);
    assert!(outcome.err.contains("the credential that was given is not good here"), "{}", outcome.err);
    for (place, text) in left(&bench, &outcome) {
        assert!(!text.contains(&format!("{TOKEN}-not")), "{place}");
    }
}

/// The reference server with authorization.
struct Guarded {
    served: Served,
    tokens: PathBuf,
}

impl Guarded {
    fn new(bench: &Bench, auth: &str) -> Self {
        let tokens = bench.path().join("tokens");
        let args = ["--auth".as_ref(), auth.as_ref(), "--tokens".as_ref(), tokens.as_os_str()];
        Self { served: Served::start(&args), tokens }
    }
}

fn statuses(report: &Path) -> impl Fn(&str) -> String {
    let text = std::fs::read_to_string(report.join("reports/report.json")).expect("a report");
    let report: Value = serde_json::from_str(&text).expect("JSON");
    move |id| {
        let all = report["requirements"].as_array().expect("a list");
        let entry = all.iter().find(|entry| entry["id"] == id).unwrap_or_else(|| panic!("{id} is not there"));
        format!("{}: {}", entry["status"].as_str().unwrap_or_default(), entry["reason"].as_str().unwrap_or_default())
    }
}

#[test]
fn without_a_token_a_protected_server_is_judged_from_outside() {
    let bench = Bench::new();
    let server = Guarded::new(&bench, "jwt");
    let outcome = bench.run(&["run", "--protocol", "2025-11-25", &server.served.url]);
    assert_eq!(outcome.code, 0, "{}\n{}", outcome.out, outcome.err);
    assert!(outcome.out.contains("--token-env"), "{}", outcome.out);
    let status = statuses(bench.path());
    assert_eq!(status("auth.challenge.401-without-token"), "pass: ");
    assert_eq!(status("auth.token.forged-401"), "pass: ");
    let needed = "not_observed: needs a credential: --token-env VARIABLE";
    assert_eq!(status("auth.token.every-request"), needed);
    assert_eq!(status("tools.call.unknown-tool"), needed);
}

#[test]
fn with_a_token_the_rest_is_judged_too() {
    let bench = Bench::new();
    let server = Guarded::new(&bench, "static");
    let token = server.tokens.join("token").display().to_string();
    let only = ["--only", "auth.*", "--only", "tools.call.unknown-tool"];
    let outcome = bench.run(
        &[&["run", "--protocol", "2025-11-25", "--token-file", &token], &only[..], &[&server.served.url]].concat(),
    );
    assert_eq!(outcome.code, 0, "{}\n{}", outcome.out, outcome.err);
    let status = statuses(bench.path());
    for id in ["auth.token.every-request", "auth.token.query-string", "tools.call.unknown-tool"] {
        assert_eq!(status(id), "pass: ", "{id}");
    }
    let secret = std::fs::read_to_string(server.tokens.join("token")).expect("the server wrote it");
    for (place, text) in left(&bench, &outcome) {
        assert!(!text.contains(&secret), "{place} has the token");
    }
}
