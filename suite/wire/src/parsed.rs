//! Results of reading a message, and the limits of it.

use std::fmt;

use crate::message::{Kind, Message};

/// The deepest nesting that can be read: `serde_json` stops at its 128th level, and that guard stays on.
pub const MAX_DEPTH: usize = 127;

/// How many repeated names are listed, and how many bytes their pointers may take together; the rest is only counted.
pub(crate) const MAX_DUPLICATES: (usize, usize) = (1_000, 1 << 16);

/// Limits of reading one message.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Limits {
    /// Bytes of the whole message.
    pub bytes: usize,
    /// Levels of nesting; more than [`MAX_DEPTH`] counts as [`MAX_DEPTH`].
    pub depth: usize,
    /// Values of any type, all levels together: `[1,1,1,` costs forty times its bytes in memory.
    pub values: usize,
}

impl Default for Limits {
    fn default() -> Self {
        Self { bytes: 16 << 20, depth: MAX_DEPTH, values: 1_000_000 }
    }
}

/// The result of reading received bytes.
#[derive(Debug, Clone, PartialEq)]
pub struct Parsed {
    /// The message or messages, or why there are none.
    pub content: Content,
    /// JSON pointers, one for each member whose name its object already had; values of repeated members are looked into too.
    pub duplicates: Vec<String>,
    /// Repeated members beyond the first thousand (or 64 KiB of pointers), only counted.
    pub more_duplicates: usize,
}

/// A message, a batch, or neither.
#[derive(Debug, Clone, PartialEq)]
pub enum Content {
    /// Any JSON value other than an array.
    One(Message),
    /// A JSON array, also an empty one.
    Batch(Vec<Message>),
    /// No value could be made of it.
    Unreadable(Unreadable),
}

/// Why no value could be made of the bytes. Positions are byte offsets from 0; those of `serde_json` are right to a byte.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub enum Unreadable {
    /// Nothing, or nothing but JSON white space.
    Empty,
    /// The first byte that is no UTF-8.
    NotUtf8 {
        /// Its position.
        at: usize,
    },
    /// Against the grammar of RFC 8259.
    NotJson {
        /// Where reading stopped.
        at: usize,
        /// Why, in the words of `serde_json`.
        reason: String,
    },
    /// More bytes than the limit; not looked at.
    TooLarge {
        /// The limit.
        limit: usize,
    },
    /// Well-formed, but nested deeper than the limit.
    TooDeep {
        /// The limit.
        limit: usize,
    },
    /// Well-formed, but with more values than the limit.
    TooMany {
        /// The limit.
        limit: usize,
    },
    /// Well-formed by RFC 8259, but not to be held by `serde_json`: `1e400`, half of a surrogate pair in what is sent. Never called "not JSON".
    Unholdable {
        /// Where reading stopped.
        at: usize,
        /// Why, in the words of `serde_json`.
        reason: String,
    },
}

impl Parsed {
    pub(crate) fn unreadable(why: Unreadable) -> Self {
        Self { content: Content::Unreadable(why), duplicates: Vec::new(), more_duplicates: 0 }
    }

    /// Whether there is a JSON-RPC message in it.
    #[must_use]
    pub fn has_message(&self) -> bool {
        self.messages().iter().any(|message| message.kind != Kind::Invalid)
    }

    /// All messages, of a batch or not; none when unreadable.
    #[must_use]
    pub fn messages(&self) -> &[Message] {
        match &self.content {
            Content::One(message) => std::slice::from_ref(message),
            Content::Batch(messages) => messages,
            Content::Unreadable(_) => &[],
        }
    }

    /// Whether any object repeats a name; of an unreadable text, as far as it was read.
    #[must_use]
    pub fn repeats(&self) -> bool {
        !self.duplicates.is_empty() || self.more_duplicates > 0
    }
}

impl Unreadable {
    /// Whether a limit of the reader is the reason: the text may well be JSON, and nobody can be blamed for it.
    #[must_use]
    pub fn is_limit_of_reader(&self) -> bool {
        matches!(self, Self::TooLarge { .. } | Self::TooDeep { .. } | Self::TooMany { .. } | Self::Unholdable { .. })
    }
}

impl fmt::Display for Unreadable {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Empty => f.write_str("empty"),
            Self::NotUtf8 { at } => write!(f, "not UTF-8 at byte {at}"),
            Self::NotJson { at, reason } => write!(f, "not JSON at byte {at}: {reason}"),
            Self::TooLarge { limit } => write!(f, "larger than {limit} bytes"),
            Self::TooDeep { limit } => write!(f, "nested deeper than {limit} levels"),
            Self::TooMany { limit } => write!(f, "more than {limit} values"),
            Self::Unholdable { at, reason } => write!(f, "JSON that cannot be held at byte {at}: {reason}"),
        }
    }
}
