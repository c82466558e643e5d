//! Servers of HTTP+SSE that cannot be spoken to: each is told apart, with what to do about it, and nothing reaches a
//! outsider.

use std::io::{ErrorKind, Read, Write};
use std::net::{TcpListener, TcpStream};
use std::time::Duration;

use crate::support::{Bench, CommandOutput};

/// Answers POST with 405, and GET with a stream of these events that stays open.
fn streaming(events: String) -> String {
    let listener = TcpListener::bind("127.0.0.1:0").expect("a free port");
    let address = listener.local_addr().expect("it is bound");
    std::thread::spawn(move || {
        for stream in listener.incoming().map_while(Result::ok) {
            let events = events.clone();
            std::thread::spawn(move || answer(stream, &events));
        }
    });
    address.to_string()
}

fn answer(mut stream: TcpStream, events: &str) {
    stream.set_read_timeout(Some(Duration::from_secs(20))).expect("not zero");
    let mut part = [0; 4096];
    while let Ok(read @ 1..) = stream.read(&mut part) {
        if part.starts_with(b"GET") {
            let head = "HTTP/1.1 200 OK\r\ncontent-type: text/event-stream\r\nconnection: close\r\n\r\n";
            let _ = stream.write_all(format!("{head}{events}").as_bytes());
        } else if part[..read].windows(4).any(|end| end == b"\r\n\r\n") {
            let _ =
                stream.write_all(b"HTTP/1.1 405 Method Not Allowed\r\ncontent-length: 0\r\nconnection: close\r\n\r\n");
            return;
        }
    }
}

fn judge(flags: &[&str], url: &str) -> CommandOutput {
    let outcome = Bench::new().run(&[&["run", "--timeout", "1"], flags, &[url]].concat());
    assert_eq!(outcome.code, 3, "{}\n{}", outcome.out, outcome.err);
    outcome
}

fn assert_says(outcome: &CommandOutput, messages: &[&str]) {
    for message in messages {
        assert!(outcome.err.contains(message), "{message:?} is not in: {}", outcome.err);
    }
}

#[test]
fn a_stream_that_never_says_where_to_post() {
    let host = streaming(": hello\n\n".to_owned());
    assert_says(&judge(&[], &format!("http://{host}/sse")), &["no endpoint event", "--transport http"]);
}

#[test]
fn an_announced_uri_on_another_origin_gets_nothing() {
    let outsider = TcpListener::bind("127.0.0.1:0").expect("a free port");
    let address = outsider.local_addr().expect("it is bound");
    let host = streaming(format!("event: endpoint\ndata: http://{address}/messages?session=1\n\n"));
    let outcome = judge(&["--header", "X-Key: secret"], &format!("http://{host}/sse"));
    assert_says(&outcome, &["another origin", "nothing was posted", &address.to_string()]);
    outsider.set_nonblocking(true).expect("it is open");
    assert_eq!(outsider.accept().expect_err("nobody came").kind(), ErrorKind::WouldBlock);
}

#[test]
fn an_endpoint_event_without_a_uri() {
    let host = streaming("event: endpoint\ndata: {\"uri\": \"/messages\"}\n\n".to_owned());
    let outcome = judge(&["--transport", "sse"], &format!("http://{host}/sse"));
    assert_says(&outcome, &["which is no URI", "/messages"]);
}

#[test]
fn nobody_listens_there() {
    let listener = TcpListener::bind("127.0.0.1:0").expect("a free port");
    let address = listener.local_addr().expect("it is bound");
    drop(listener);
    let outcome = judge(&["--transport", "sse"], &format!("http://{address}/sse"));
    assert_says(&outcome, &["cannot reach", "refused"]);
}

#[test]
fn a_program_has_no_other_transport() {
    let outcome = Bench::new().run(&["run", "--transport", "sse", "./server"]);
    assert_eq!(outcome.code, 2, "{}", outcome.err);
    assert_says(&outcome, &["--transport says how a URL is spoken to"]);
}
