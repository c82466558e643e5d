//! Moves bytes to a server and back. Knows no JSON-RPC; judges nothing.

pub(crate) mod http;
pub(crate) mod stdio;

use verdict::transcript::{Exit, Headers, Via};

/// Something for the server.
#[derive(Debug)]
pub(crate) struct Parcel {
    /// The exchange; 0 on stdio.
    pub(crate) channel: u32,
    /// Over HTTP the method.
    pub(crate) method: &'static str,
    /// Over HTTP the complete headers beside Host and Content-Length.
    pub(crate) headers: Headers,
    /// The bytes; on stdio without the line feed.
    pub(crate) bytes: Vec<u8>,
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
    Stderr(String),
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
}

impl Link {
    /// Hands over something to send; never waits.
    pub(crate) fn send(&self, parcel: Parcel) {
        match self {
            Self::Stdio(pipe) => pipe.send(parcel.bytes),
            Self::Http(client) => client.send(parcel),
        }
    }
}

/// The most bytes of one frame that are kept.
pub(crate) const FRAME: usize = 16 << 20;
