//! One server that writes down what it gets, and one answer in chunks.

use std::time::Duration;

use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpListener;
use tokio::sync::{Notify, mpsc, oneshot};
use tokio::task::{LocalSet, spawn_local};
use tokio::time::timeout;

use super::*;
use crate::transport::Departure;

/// Everything that a server read until the client had nothing more to say, and how that ended.
type Heard = (String, Option<std::io::ErrorKind>);

/// Where a server listens, what it will have heard, and that it has read a whole request.
type Server = (Url, oneshot::Receiver<Heard>, Rc<Notify>);

async fn server(answer: &'static str) -> Server {
    let listener = TcpListener::bind("127.0.0.1:0").await.expect("a port");
    let url = format!("http://{}/mcp", listener.local_addr().expect("an address")).parse().expect("a URL");
    let (tell, heard) = oneshot::channel();
    let whole = Rc::new(Notify::new());
    let notify = Rc::clone(&whole);
    spawn_local(async move {
        let (mut stream, _) = listener.accept().await.expect("a client");
        let (mut said, mut chunk, mut answered) = (Vec::new(), [0; 1024], false);
        let end = loop {
            match stream.read(&mut chunk).await {
                Ok(0) => break None,
                Err(error) => break Some(error.kind()),
                Ok(count) => said.extend_from_slice(&chunk[..count]),
            }
            if !answered && said.ends_with(b"{}") {
                answered = true;
                notify.notify_one();
                stream.write_all(answer.as_bytes()).await.expect("a reader");
            }
        };
        let _ = tell.send((String::from_utf8_lossy(&said).into_owned(), end));
    });
    (url, heard, whole)
}

fn parcel(form: Form) -> Parcel {
    let headers = vec![("MCP-thing".to_owned(), "a".to_owned()), ("mcp-THING".to_owned(), "b".to_owned())];
    Parcel {
        channel: 7,
        method: "POST".into(),
        path: None,
        headers,
        bytes: b"{}".as_slice().into(),
        form,
        at_once: false,
        departure: Departure::default(),
    }
}

fn turns(free: usize, held: Duration) -> Rc<Turns> {
    Rc::new(Turns { free: Semaphore::new(free), held, expected: Cell::new(held) })
}

const CHUNKED: &str = "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n3\r\nabc\r\n2\r\nde\r\n0\r\n\r\n";

async fn answer(inbound: &mut mpsc::Receiver<Inbound>) -> Vec<String> {
    let mut seen = Vec::new();
    while let Some(inbound) = inbound.recv().await {
        match inbound {
            Inbound::Status { status, .. } => seen.push(status.to_string()),
            Inbound::Frame { bytes, .. } => seen.push(String::from_utf8_lossy(&bytes).into_owned()),
            Inbound::Closed { fault, .. } => {
                seen.push(fault.map_or("end".to_owned(), |_| "fault".to_owned()));
                return seen;
            }
            other => panic!("{other:?}"),
        }
    }
    seen
}

#[tokio::test(flavor = "current_thread")]
async fn verbatim_bytes_arrive_as_they_are_and_the_answer_is_read() {
    let test = async {
        let (url, heard, _) = server(CHUNKED).await;
        let (inbox, mut inbound) = mpsc::channel(16);
        let client = open(&url, &Rc::default(), inbox);
        client.send(parcel(Form::Verbatim));
        assert_eq!(answer(&mut inbound).await, ["200", "abcde", "end"]);
        client.close();
        let (said, _) = heard.await.expect("a server");
        assert!(said.contains("\r\nMCP-thing: a\r\nmcp-THING: b\r\nContent-Length: 2\r\n"), "{said}");
    };
    LocalSet::new().run_until(test).await;
}

#[tokio::test(flavor = "current_thread")]
async fn a_reset_reaches_the_server_as_one() {
    let test = async {
        let (url, heard, _) = server("").await;
        let (inbox, mut inbound) = mpsc::channel(16);
        let client = open(&url, &Rc::default(), inbox);
        let pieces = vec![Piece::Bytes(b"{\"half".to_vec()), Piece::Pause(Duration::from_millis(20)), Piece::Abort];
        client.send(parcel(Form::Pieces(pieces)));
        assert_eq!(answer(&mut inbound).await, ["fault"]);
        let (said, end) = heard.await.expect("a server");
        assert!(said.ends_with("{\"half"), "{said}");
        assert_eq!(end, Some(std::io::ErrorKind::ConnectionReset));
    };
    LocalSet::new().run_until(test).await;
}

#[tokio::test(flavor = "current_thread")]
async fn a_forsaken_exchange_closes_its_connection() {
    let test = async {
        let (url, heard, whole) = server("").await;
        let (inbox, _inbound) = mpsc::channel(16);
        let client = open(&url, &Rc::default(), inbox);
        client.send(parcel(Form::Tidy));
        whole.notified().await;
        client.abort_exchange(7);
        let (said, _) = heard.await.expect("a server");
        assert!(said.ends_with("{}"), "{said}");
    };
    LocalSet::new().run_until(test).await;
}

async fn listener() -> (TcpListener, Url) {
    let listener = TcpListener::bind("127.0.0.1:0").await.expect("a port");
    let url = format!("http://{}/mcp", listener.local_addr().expect("an address")).parse().expect("a URL");
    (listener, url)
}

async fn accept(listener: &TcpListener, count: usize) -> Vec<TcpStream> {
    let mut accepted = Vec::new();
    for _ in 0..count {
        let client = timeout(Duration::from_secs(30), listener.accept()).await.expect("a client in time");
        accepted.push(client.expect("a client").0);
    }
    accepted
}

#[tokio::test(flavor = "current_thread")]
async fn clients_of_one_server_send_six_requests_at_a_time() {
    let test = async {
        let (listener, url) = listener().await;
        let (inbox, _inbound) = mpsc::channel(64);
        let turns = turns(AT_ONCE, Duration::from_secs(3600));
        let clients = [open(&url, &turns, inbox.clone()), open(&url, &turns, inbox)];
        (0..15).for_each(|at| clients[at % 2].send(parcel(Form::Tidy)));
        let mut accepted = accept(&listener, AT_ONCE).await;
        assert!(timeout(Duration::from_millis(50), listener.accept()).await.is_err(), "a seventh");
        // Each answer makes room for one more.
        for _ in 0..15 - AT_ONCE {
            let mut stream = accepted.remove(0);
            let _ = stream.read(&mut [0; 1024]).await;
            let bytes = b"HTTP/1.1 202 Accepted\r\nConnection: close\r\nContent-Length: 0\r\n\r\n";
            stream.write_all(bytes).await.expect("a client");
            accepted.extend(accept(&listener, 1).await);
        }
    };
    LocalSet::new().run_until(test).await;
}

#[tokio::test(flavor = "current_thread")]
async fn a_server_that_does_not_answer_holds_up_nobody_for_long() {
    let test = async {
        let (listener, url) = listener().await;
        let (inbox, _inbound) = mpsc::channel(16);
        let client = open(&url, &turns(AT_ONCE, Duration::from_millis(1)), inbox);
        (0..=AT_ONCE).for_each(|_| client.send(parcel(Form::Tidy)));
        accept(&listener, AT_ONCE + 1).await
    };
    LocalSet::new().run_until(test).await;
}

#[test]
fn who_answers_quickly_is_not_given_long() {
    let turns = Turns::default();
    assert_eq!(turns.held(), HELD);
    (0..50).for_each(|_| turns.note_head(Duration::from_millis(1)));
    assert_eq!(turns.held(), LEAST);
    (0..4).for_each(|_| turns.note_head(Duration::from_secs(2)));
    assert_eq!(turns.held(), HELD, "it has become slow");
}

#[tokio::test(flavor = "current_thread")]
async fn what_waits_for_a_turn_has_not_left() {
    let test = async {
        let (listener, url) = listener().await;
        let (inbox, _inbound) = mpsc::channel(16);
        let client = open(&url, &turns(1, Duration::from_secs(3600)), inbox);
        let parcels = [parcel(Form::Tidy), parcel(Form::Tidy)];
        let [first, second] = parcels.each_ref().map(|parcel| parcel.departure.clone());
        parcels.into_iter().for_each(|parcel| client.send(parcel));
        let stream = accept(&listener, 1).await;
        first.left().await;
        assert!(first.at().is_some() && second.at().is_none());
        drop(stream);
        accept(&listener, 1).await;
        second.left().await;
        assert!(second.at() > first.at());
    };
    LocalSet::new().run_until(test).await;
}

#[tokio::test(flavor = "current_thread")]
async fn a_burst_that_is_probed_waits_for_no_turn() {
    let test = async {
        let (listener, url) = listener().await;
        let (inbox, _inbound) = mpsc::channel(16);
        let client = open(&url, &turns(0, Duration::from_secs(3600)), inbox);
        (0..15).for_each(|_| client.send(Parcel { at_once: true, ..parcel(Form::Tidy) }));
        accept(&listener, 15).await
    };
    LocalSet::new().run_until(test).await;
}
