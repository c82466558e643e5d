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

fn run(code: i32, flags: &[&str], url: &str) -> CommandOutput {
    let outcome = Bench::new().run(&[&["run", "--timeout", "1"], flags, &[url]].concat());
    assert_eq!(outcome.code, code, "{}\n{}", outcome.out, outcome.err);
    outcome
}

fn judge(flags: &[&str], url: &str) -> CommandOutput {
    run(3, flags, url)
}

fn assert_says(outcome: &CommandOutput, messages: &[&str]) {
    for message in messages {
        assert!(outcome.err.contains(message), "{message:?} is not in: {}", outcome.err);
    }
}

#[test]
fn a_stream_that_never_says_where_to_post() {
    let host = streaming(": hello\n\n".to_owned());
    assert_says(&judge(&[], &format!("http://{host}/events")), &["no endpoint event", "--transport http"]);
    // At a path where such streams are, or where the user says that it is one, that is its defect.
    for (flags, path) in [(&[][..], "sse"), (&["--transport", "sse"][..], "events")] {
        let outcome = run(1, flags, &format!("http://{host}/{path}"));
        assert!(outcome.out.contains("sse.endpoint-event.sent"), "{}", outcome.out);
    }
}

#[test]
fn an_endpoint_event_of_another_name() {
    let host = streaming("event: url\ndata: /messages?session=1\n\n".to_owned());
    let outcome = run(1, &[], &format!("http://{host}/events"));
    assert!(outcome.out.contains("sse.endpoint-event.sent"), "{}", outcome.out);
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
    for flags in [&[][..], &["--transport", "sse"][..]] {
        let outcome = run(1, flags, &format!("http://{host}/sse"));
        assert!(outcome.out.contains("sse.endpoint-event.uri"), "{}", outcome.out);
        assert!(outcome.out.contains("which is no URI"), "{}", outcome.out);
    }
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
