//! The outputs of the core: actions for its driver.

/// Something to be done on a stream, in the order given.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Output {
    /// The stream; on stdio there is only one place.
    pub stream: Stream,
    /// The action.
    pub action: Action,
}

/// The place an output belongs to.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Stream {
    /// The answer to the payload with this number, as [`crate::Connection::receive`] gave it.
    Answer(u64),
    /// Not related to anything the client sent: the GET stream.
    Standalone,
}

/// An action of the driver.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Action {
    /// Write one message (JSON text without its line end).
    Send(String),
    /// Write these bytes as they are.
    Raw(Vec<u8>),
    /// Nothing more will come for this stream.
    End,
    /// Write a line of text for people (standard error).
    Chatter(String),
    /// End the process with this status.
    Exit(u8),
}
