//! URLs behind which no MCP server is: each is told apart, with what to do about it, and ends in time.

use std::io::{Read, Write};
use std::net::{TcpListener, TcpStream};
use std::time::Duration;

use crate::support::{Bench, CommandOutput};

/// Answers every request on a free port with the same bytes, for as long as the test goes on.
fn answering(bytes: &'static [u8]) -> String {
    let listener = TcpListener::bind("127.0.0.1:0").expect("a free port");
    let address = listener.local_addr().expect("it is bound");
    std::thread::spawn(move || {
        for stream in listener.incoming().map_while(Result::ok) {
            std::thread::spawn(move || answer(stream, bytes));
        }
    });
    address.to_string()
}

/// Reads until the client pauses or has sent a whole head, answers, and closes.
fn answer(mut stream: TcpStream, bytes: &[u8]) {
    stream.set_read_timeout(Some(Duration::from_secs(5))).expect("not zero");
    let mut head = Vec::new();
    let mut part = [0; 4096];
    while let Ok(read @ 1..) = stream.read(&mut part) {
        head.extend_from_slice(&part[..read]);
        if head.windows(4).any(|end| end == b"\r\n\r\n") || head.first() == Some(&0x16) {
            break;
        }
    }
    let _ = stream.write_all(bytes);
}

fn judge(url: &str) -> CommandOutput {
    let outcome = Bench::new().run(&["run", "--timeout", "1", "--start-timeout", "3", url]);
    assert_eq!(outcome.code, 3, "{}\n{}", outcome.out, outcome.err);
    assert!(outcome.err.starts_with("error: "), "{}", outcome.err);
    assert!(outcome.took < Duration::from_secs(30), "{:?}", outcome.took);
    outcome
}

fn assert_says(outcome: &CommandOutput, messages: &[&str]) {
    for message in messages {
        assert!(outcome.err.contains(message), "{message:?} is not in: {}", outcome.err);
    }
}

#[test]
fn a_port_where_nobody_listens() {
    let listener = TcpListener::bind("127.0.0.1:0").expect("a free port");
    let address = listener.local_addr().expect("it is bound");
    drop(listener);
    assert_says(&judge(&format!("http://{address}/mcp")), &["cannot reach", "refused"]);
}

#[test]
fn a_host_that_does_not_exist() {
    assert_says(&judge("http://no-such-host.invalid/mcp"), &["cannot reach", "no-such-host.invalid"]);
}

#[test]
fn a_path_that_is_not_there() {
    let host = answering(b"HTTP/1.1 404 Not Found\r\ncontent-length: 9\r\nconnection: close\r\n\r\nnot found");
    assert_says(&judge(&format!("http://{host}/wrong")), &["404", "/mcp"]);
}

#[test]
fn a_server_that_wants_a_token_names_the_flag_that_gives_it() {
    let host = answering(
        b"HTTP/1.1 401 Unauthorized\r\nwww-authenticate: Bearer\r\ncontent-length: 0\r\nconnection: close\r\n\r\n",
    );
    assert_says(&judge(&format!("http://{host}/mcp")), &["401", "--token-env VARIABLE"]);
}

#[test]
fn a_web_site_instead_of_a_server() {
    let host = answering(
        b"HTTP/1.1 200 OK\r\ncontent-type: text/html\r\ncontent-length: 24\r\nconnection: close\r\n\r\n<!doctype html><p>hello\n",
    );
    assert_says(&judge(&format!("http://{host}/")), &["html"]);
}

#[test]
fn a_redirect_is_named_not_followed() {
    let host = answering(
        b"HTTP/1.1 307 Temporary Redirect\r\nlocation: http://127.0.0.1:9/elsewhere\r\ncontent-length: 0\r\nconnection: close\r\n\r\n",
    );
    assert_says(&judge(&format!("http://{host}/mcp")), &["307", "http://127.0.0.1:9/elsewhere"]);
}

#[test]
fn an_error_of_the_server() {
    let host = answering(b"HTTP/1.1 500 Internal Server Error\r\ncontent-length: 4\r\nconnection: close\r\n\r\nboom");
    assert_says(&judge(&format!("http://{host}/mcp")), &["500"]);
}

#[test]
fn tls_spoken_to_a_server_without_it() {
    let host = answering(b"HTTP/1.1 400 Bad Request\r\ncontent-length: 0\r\nconnection: close\r\n\r\n");
    assert_says(&judge(&format!("https://{host}/mcp")), &["cannot reach", "TLS"]);
}

#[test]
fn something_that_does_not_speak_http() {
    let host = answering(b"SSH-2.0-OpenSSH_9.2\r\n");
    assert_says(&judge(&format!("http://{host}/mcp")), &["HTTP"]);
}

#[test]
fn a_server_that_accepts_and_never_answers() {
    let listener = TcpListener::bind("127.0.0.1:0").expect("a free port");
    let address = listener.local_addr().expect("it is bound");
    // The backlog takes the connection; nobody reads from it.
    assert_says(&judge(&format!("http://{address}/mcp")), &["no answer"]);
    drop(listener);
}
