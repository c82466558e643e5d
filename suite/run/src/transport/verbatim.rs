//! An HTTP request written byte for byte, on a connection of its own. hyper reads the response; what it would write
//! goes nowhere.

use std::fmt::Write as _;
use std::pin::Pin;
use std::rc::Rc;
use std::task::{Context, Poll};

use tokio::io::{AsyncRead, AsyncWrite, AsyncWriteExt, ReadBuf, ReadHalf};
use tokio::sync::Notify;

use super::{Form, Parcel, Piece};

/// The pieces of a request: head and body as they are to be written.
pub(super) fn pieces(parcel: &Parcel, host: &str, path: &str) -> Vec<Piece> {
    let body = match &parcel.form {
        Form::Wire(pieces) => return pieces.clone(),
        Form::Pieces(pieces) => pieces.clone(),
        Form::Tidy | Form::Verbatim => vec![Piece::Bytes(parcel.bytes.to_vec())],
    };
    let mut head = head(parcel, host, path, length(&body)).into_bytes();
    let mut body = body.into_iter();
    let first = body.next();
    match first {
        Some(Piece::Bytes(bytes)) => {
            head.extend(bytes);
            std::iter::once(Piece::Bytes(head)).chain(body).collect()
        }
        first => std::iter::once(Piece::Bytes(head)).chain(first).chain(body).collect(),
    }
}

fn length(body: &[Piece]) -> usize {
    let of = |piece: &Piece| match piece {
        Piece::Bytes(bytes) => bytes.len(),
        Piece::Fill { count, .. } => *count,
        Piece::Pause(_) | Piece::HalfClose | Piece::Abort => 0,
    };
    body.iter().map(of).sum()
}

/// Request line and headers; what a request cannot do without is added unless it is given.
fn head(parcel: &Parcel, host: &str, path: &str, length: usize) -> String {
    let given = |name: &str| parcel.headers.iter().any(|(known, _)| known.eq_ignore_ascii_case(name));
    let mut head = format!("{} {} HTTP/1.1\r\n", parcel.method, parcel.path.as_deref().unwrap_or(path));
    if !given("host") {
        let _ = write!(head, "Host: {host}\r\n");
    }
    for (name, value) in &parcel.headers {
        let _ = write!(head, "{name}: {value}\r\n");
    }
    if !given("content-length") && !given("transfer-encoding") && (length > 0 || parcel.method == "POST") {
        let _ = write!(head, "Content-Length: {length}\r\n");
    }
    if !given("connection") {
        head.push_str("Connection: close\r\n");
    }
    head.push_str("\r\n");
    head
}

/// Writes the pieces; says whether the connection is to be kept for reading.
pub(super) async fn write<W: AsyncWrite + Unpin>(to: &mut W, pieces: Vec<Piece>) -> bool {
    for piece in pieces {
        match piece {
            Piece::Bytes(bytes) => {
                // A server may answer and close before it has read everything: the answer is still to be read.
                if to.write_all(&bytes).await.is_err() || to.flush().await.is_err() {
                    return true;
                }
            }
            Piece::Fill { byte, count, .. } => {
                if fill(to, byte, count).await.is_err() {
                    return true;
                }
            }
            Piece::Pause(pause) => tokio::time::sleep(pause).await,
            Piece::HalfClose => {
                let _ = to.shutdown().await;
            }
            Piece::Abort => return false,
        }
    }
    true
}

/// Writes one byte so often, a chunk at a time.
pub(super) async fn fill<W: AsyncWrite + Unpin>(to: &mut W, byte: u8, count: usize) -> std::io::Result<()> {
    let chunk = vec![byte; count.min(64 << 10)];
    let mut left = count;
    while left > 0 {
        let part = left.min(chunk.len());
        to.write_all(&chunk[..part]).await?;
        left -= part;
    }
    to.flush().await
}

/// The reading side of a connection; what is written to it is taken and forgotten. That something was, is said: before that
/// whoever reads would not know what a response answers.
pub(super) struct Deaf<S> {
    pub(super) reading: ReadHalf<S>,
    pub(super) asked: Rc<Notify>,
}

impl<S: AsyncRead + AsyncWrite> AsyncRead for Deaf<S> {
    fn poll_read(self: Pin<&mut Self>, context: &mut Context<'_>, into: &mut ReadBuf<'_>) -> Poll<std::io::Result<()>> {
        Pin::new(&mut self.get_mut().reading).poll_read(context, into)
    }
}

impl<S> AsyncWrite for Deaf<S> {
    fn poll_write(self: Pin<&mut Self>, _: &mut Context<'_>, bytes: &[u8]) -> Poll<std::io::Result<usize>> {
        self.asked.notify_one();
        Poll::Ready(Ok(bytes.len()))
    }

    fn poll_flush(self: Pin<&mut Self>, _: &mut Context<'_>) -> Poll<std::io::Result<()>> {
        Poll::Ready(Ok(()))
    }

    fn poll_shutdown(self: Pin<&mut Self>, _: &mut Context<'_>) -> Poll<std::io::Result<()>> {
        Poll::Ready(Ok(()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::transport::Departure;

    fn parcel(headers: &[(&str, &str)], form: Form) -> Parcel {
        let headers = headers.iter().map(|(name, value)| ((*name).to_owned(), (*value).to_owned())).collect();
        Parcel {
            channel: 1,
            method: "POST".into(),
            path: None,
            headers,
            bytes: b"{}".as_slice().into(),
            form,
            at_once: false,
            departure: Departure::default(),
        }
    }

    fn text(pieces: &[Piece]) -> String {
        let bytes = pieces.iter().filter_map(|piece| if let Piece::Bytes(bytes) = piece { Some(bytes) } else { None });
        String::from_utf8_lossy(&bytes.flatten().copied().collect::<Vec<_>>()).into_owned()
    }

    #[test]
    fn names_and_duplicates_are_written_as_they_are() {
        let parcel = parcel(&[("MCP-method", "a"), ("mcp-Method", "b")], Form::Verbatim);
        let expected = "POST /mcp HTTP/1.1\r\nHost: h\r\nMCP-method: a\r\nmcp-Method: b\r\nContent-Length: 2\r\nConnection: close\r\n\r\n{}";
        assert_eq!(text(&pieces(&parcel, "h", "/mcp")), expected);
    }

    #[test]
    fn what_is_given_is_not_added() {
        let parcel = parcel(&[("content-length", "9"), ("HOST", "x"), ("Connection", "keep-alive")], Form::Verbatim);
        assert_eq!(
            text(&pieces(&parcel, "h", "/")),
            "POST / HTTP/1.1\r\ncontent-length: 9\r\nHOST: x\r\nConnection: keep-alive\r\n\r\n{}"
        );
    }

    #[test]
    fn a_wire_of_pieces_is_all_there_is() {
        let parcel = parcel(&[("A", "b")], Form::Wire(vec![Piece::Bytes(b"GET".to_vec()), Piece::HalfClose]));
        let pieces = pieces(&parcel, "h", "/");
        assert_eq!((text(&pieces), pieces.len()), ("GET".to_owned(), 2));
    }
}
