//! Properties that hold for any response of an HTTP server: it is read to an end, within bounds, and it makes no difference
//! how it is cut into pieces.

use std::time::Duration;

use bytes::Bytes;
use http_body_util::Full;
use hyper::Request;
use hyper_util::rt::TokioIo;
use tokio::io::{AsyncWriteExt, DuplexStream};
use tokio::sync::mpsc;
use tokio::task::{LocalSet, spawn_local};
use tokio::time::timeout;
use verdict::transcript::{Headers, Via};

use super::{hand_over, speak};
use crate::transport::Inbound;

/// Bytes of a response that are used.
const MOST: usize = 64 << 10;
/// How long reading may take, on a busy machine and in a build that watches everything.
const PATIENCE: Duration = Duration::from_secs(10);

/// Everything received: status and headers, frames, and whether it ended properly. Why it did not may depend on where it was cut.
#[derive(Debug, Default, PartialEq)]
struct Heard {
    head: Option<(u16, Headers)>,
    frames: Vec<(Vec<u8>, Via)>,
    broke: bool,
}

/// The bytes are what a server writes on a connection, head and all.
///
/// # Panics
/// When the property does not hold.
pub fn response(bytes: &[u8]) {
    let bytes = &bytes[..bytes.len().min(MOST)];
    let runtime = tokio::runtime::Builder::new_current_thread().enable_time().build();
    let runtime = runtime.expect("a runtime without input and output needs nothing of the system");
    let at_once = runtime.block_on(LocalSet::new().run_until(read(bytes.to_vec(), bytes.len().max(1))));
    let in_pieces = runtime.block_on(LocalSet::new().run_until(read(bytes.to_vec(), 1 + bytes.len() / 7)));
    assert_eq!(at_once, in_pieces, "the borders of pieces change what is heard");
    let held: usize = at_once.frames.iter().map(|(frame, _)| frame.len()).sum();
    assert!(held <= 3 * bytes.len(), "more is kept than came");
    assert!(at_once.head.is_some() || at_once.frames.is_empty(), "a body without a head");
}

async fn read(bytes: Vec<u8>, piece: usize) -> Heard {
    let (ours, theirs) = tokio::io::duplex(MOST);
    let (inbox, mut inbound) = mpsc::channel(64);
    let (exchange, serving) = (spawn_local(ask(ours, inbox)), spawn_local(serve(theirs, bytes, piece)));
    let mut heard = Heard::default();
    let listening = async {
        while let Some(part) = inbound.recv().await {
            match part {
                Inbound::Status { status, headers, .. } => {
                    assert!(heard.head.replace((status, headers)).is_none(), "two heads");
                }
                Inbound::Frame { bytes, via, .. } => heard.frames.push((bytes, via)),
                Inbound::Closed { fault, .. } => heard.broke = fault.is_some(),
                other => panic!("no connection gives this: {other:?}"),
            }
        }
    };
    timeout(PATIENCE, listening).await.expect("a response that ends is read to its end");
    exchange.abort();
    serving.abort();
    // How much of a broken body is handed over depends on when it breaks.
    if heard.broke {
        heard.frames.clear();
    }
    heard
}

async fn ask(io: DuplexStream, inbox: mpsc::Sender<Inbound>) {
    let asked = async {
        let mut sender = speak(TokioIo::new(io)).await?;
        let request = Request::post("/").header("Host", "localhost").body(Full::<Bytes>::default());
        let request = request.map_err(|error| error.to_string())?;
        sender.send_request(request).await.map_err(|error| super::reason(&error))
    };
    let fault = match asked.await {
        Ok(response) => hand_over(1, response, false, &inbox).await,
        Err(fault) => Some(fault),
    };
    let _ = inbox.send(Inbound::Closed { channel: 1, fault }).await;
}

async fn serve(mut io: DuplexStream, bytes: Vec<u8>, piece: usize) {
    // Nothing is answered before something was asked.
    let mut first = [0];
    let _ = tokio::io::AsyncReadExt::read(&mut io, &mut first).await;
    for part in bytes.chunks(piece) {
        if io.write_all(part).await.is_err() {
            return;
        }
        tokio::task::yield_now().await;
    }
    let _ = io.shutdown().await;
    std::future::pending::<()>().await;
}
