//! Event streams (`text/event-stream`) by the rules of the WHATWG standard, and every fault that a lenient reader hides.
//!
//! A block is everything up to a blank line. Each block that holds anything is told, also one that dispatches nothing
//! because it has no `data`; the last one is told as unfinished when the stream ends before its blank line.

mod framer;

pub use framer::SseFramer;

/// One block of the stream.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Event {
    /// The `event` field; the last one if there are several.
    pub event: Option<String>,
    /// The `data` fields joined by line feeds; `None`: no data field, so nothing is dispatched.
    pub data: Option<String>,
    /// The `id` field, if this block sets it.
    pub id: Option<String>,
    /// The last event id that a client holds after this block.
    pub last_id: String,
    /// The `retry` field in milliseconds.
    pub retry: Option<u64>,
    /// Comments, without the colon, spaces kept.
    pub comments: Vec<String>,
    /// Oddities that the standard's parser ignores silently.
    pub oddities: Vec<Oddity>,
}

/// Something a lenient reader hides.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Oddity {
    /// The stream starts with a byte order mark (allowed).
    ByteOrderMark,
    /// A field name that the standard does not know, shortened. Ignored by clients.
    UnknownField(String),
    /// `event`, `id` or `retry` more than once in a block; the last one counts.
    Repeated(&'static str),
    /// A `retry` that is not made of digits, shortened. Ignored by clients.
    BadRetry(String),
    /// A NUL in an `id`. The field is ignored by clients.
    NulInId,
    /// Bytes that are no UTF-8, replaced.
    InvalidUtf8,
    /// The stream ended before the blank line. The event is discarded by clients.
    Unfinished,
    /// Bytes (of lines or parts of lines) beyond the limit, which were not kept.
    OverLimit {
        /// How many.
        dropped: usize,
    },
    /// More comments and oddities in one block than are kept.
    NotesDropped {
        /// How many.
        count: usize,
    },
}

impl Event {
    /// Whether a client dispatches it: it has data and its blank line.
    #[must_use]
    pub fn dispatched(&self) -> bool {
        self.data.is_some() && !self.oddities.contains(&Oddity::Unfinished)
    }
}
