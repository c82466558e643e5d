//! Moves bytes to a server and back. Knows no JSON-RPC; judges nothing.

mod departure;
pub(crate) mod http;
mod objects;
mod readers;
pub(crate) mod sse;
pub(crate) mod stdio;
mod verbatim;

use std::time::Duration;

use bytes::Bytes;
use verdict::transcript::{Exit, Headers, Via};

pub(crate) use departure::Departure;

/// Something for the server.
#[derive(Debug)]
pub(crate) struct Parcel {
    /// The exchange; 0 on stdio.
    pub(crate) channel: u32,
    /// Over HTTP the method.
    pub(crate) method: String,
    /// Over HTTP path and query, where it is not the endpoint's.
    pub(crate) path: Option<String>,
    /// Over HTTP the complete headers beside Host and Content-Length.
    pub(crate) headers: Headers,
    /// The bytes; on stdio without the line feed.
    pub(crate) bytes: Bytes,
    /// How they are written.
    pub(crate) form: Form,
    /// Over HTTP whether it is sent without waiting for a turn.
    pub(crate) at_once: bool,
    /// Told when it leaves.
    pub(crate) departure: Departure,
}

/// How something is written.
#[derive(Clone, Debug, Default)]
pub(crate) enum Form {
    /// As a well-behaved client does: a line, or an HTTP request on a connection that may be used again.
    #[default]
    Tidy,
    /// Over HTTP byte for byte on a connection of its own: names in their case, duplicates and odd bytes kept.
    Verbatim,
    /// Over HTTP like [`Form::Verbatim`], with the body in pieces. On stdio exactly these bytes, without an added line feed.
    Pieces(Vec<Piece>),
    /// Exactly these bytes, the head of an HTTP request among them.
    Wire(Vec<Piece>),
}

/// A part of something that is written bit by bit.
#[derive(Clone, Debug)]
pub enum Piece {
    /// These bytes, flushed.
    Bytes(Vec<u8>),
    /// One byte very often, and the text that stands for it in the transcript: what is huge is kept nowhere.
    Fill {
        /// The byte.
        byte: u8,
        /// How often.
        count: usize,
        /// The text that the transcript has instead.
        shown: String,
    },
    /// Nothing for so long: what is probed is a slow writer.
    Pause(Duration),
    /// No more will be written; reading goes on. On stdio standard input is closed.
    HalfClose,
    /// The connection is reset.
    Abort,
}

/// Something from the server.
#[derive(Debug)]
pub(crate) enum Inbound {
    /// One frame.
    Frame { channel: u32, bytes: Vec<u8>, via: Via, dropped: u64 },
    /// The head of an HTTP response.
    Status { channel: u32, status: u16, headers: Headers },
    /// Nothing more can come on this channel.
    Closed { channel: u32, fault: Option<String> },
    /// A line on standard error.
    Stderr(Vec<u8>),
    /// The process ended.
    Exit(Exit),
}

/// The way to a server.
#[derive(Debug)]
pub(crate) enum Link {
    /// The pipes of a child process.
    Stdio(stdio::Pipe),
    /// Connections to a URL.
    Http(http::Client),
    /// A stream from a URL, and connections to the one that it announces.
    Sse(sse::Client),
}

impl Link {
    /// Hands over something to send; never waits.
    pub(crate) fn send(&self, parcel: Parcel) {
        match self {
            Self::Stdio(pipe) => {
                parcel.departure.leave();
                match parcel.form {
                    Form::Tidy | Form::Verbatim => pipe.send(parcel.bytes),
                    Form::Pieces(pieces) | Form::Wire(pieces) => pipe.write(pieces),
                }
            }
            Self::Http(client) => client.send(parcel),
            Self::Sse(client) => client.send(parcel),
        }
    }

    /// Over HTTP drops the connection of one exchange.
    pub(crate) fn abort_exchange(&self, channel: u32) {
        match self {
            Self::Stdio(_) => {}
            Self::Http(client) => client.abort_exchange(channel),
            Self::Sse(client) => client.abort_exchange(channel),
        }
    }
}

/// The most bytes of one frame that are kept.
pub(crate) const FRAME: usize = 16 << 20;
