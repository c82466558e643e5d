//! Bytes to messages: the checks before JSON is read, and the name of the failure when it cannot be.

use std::fmt;

use serde::de::IgnoredAny;

use crate::message::Message;
use crate::read::{self, Failure};

/// The deepest nesting that can be read: `serde_json` stops at its 128th level, and that guard stays on.
pub const MAX_DEPTH: usize = 127;

/// How many repeated names are listed, and how many bytes their pointers may take together; the rest is only counted.
pub(crate) const MAX_DUPLICATES: (usize, usize) = (1_000, 1 << 16);

/// What a message may cost to read.
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

/// What was received and what it turned out to be.
#[derive(Debug, Clone, PartialEq)]
pub struct Parsed {
    /// The message or messages, or why there are none.
    pub content: Content,
    /// JSON pointers, one for each member whose name its object already had; values of repeated members are looked into too.
    pub duplicates: Vec<String>,
    /// Repeated members beyond the first thousand (or 64 KiB of pointers), only counted.
    pub more_duplicates: usize,
    /// The text as received, bytes that are no UTF-8 replaced, cut at the limit.
    pub text: String,
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
    /// Well-formed by RFC 8259, but not to be held by `serde_json`: `1e400`, a lone surrogate. Never called "not JSON".
    Unholdable {
        /// Where reading stopped.
        at: usize,
        /// Why, in the words of `serde_json`.
        reason: String,
    },
}

/// Reads one message or batch. Never fails: see [`Content::Unreadable`].
#[must_use]
pub fn parse(bytes: &[u8], limits: &Limits) -> Parsed {
    if bytes.len() > limits.bytes {
        let text = String::from_utf8_lossy(&bytes[..limits.bytes]).into_owned();
        return Parsed::unreadable(Unreadable::TooLarge { limit: limits.bytes }, text);
    }
    let text = match std::str::from_utf8(bytes) {
        Ok(text) => text,
        Err(error) => {
            let lossy = String::from_utf8_lossy(bytes).into_owned();
            return Parsed::unreadable(Unreadable::NotUtf8 { at: error.valid_up_to() }, lossy);
        }
    };
    if text.bytes().all(|b| matches!(b, b' ' | b'\t' | b'\n' | b'\r')) {
        return Parsed::unreadable(Unreadable::Empty, text.into());
    }
    let (read, duplicates, more_duplicates) = read::read(text, limits);
    let content = read.unwrap_or_else(|failure| Content::Unreadable(name(text, failure)));
    Parsed { content, duplicates, more_duplicates, text: text.into() }
}

impl Parsed {
    fn unreadable(why: Unreadable, text: String) -> Self {
        Self { content: Content::Unreadable(why), duplicates: Vec::new(), more_duplicates: 0, text }
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

/// A second look, at the grammar alone: this reader keeps nothing, recurses nowhere and takes every number and escape.
fn name(text: &str, failure: Failure) -> Unreadable {
    if let Err(error) = serde_json::from_str::<IgnoredAny>(text) {
        return match text.strip_prefix('\u{feff}') {
            Some(_) => Unreadable::NotJson { at: 0, reason: "byte order mark".into() },
            None => Unreadable::NotJson { at: offset(text, &error), reason: reason(&error) },
        };
    }
    match failure {
        Failure::TooDeep(limit) => Unreadable::TooDeep { limit },
        Failure::TooMany(limit) => Unreadable::TooMany { limit },
        // Its guard comes before ours at the very level where both stop; it has no other name than this.
        Failure::Json { error, .. } if reason(&error) == "recursion limit exceeded" => {
            Unreadable::TooDeep { limit: MAX_DEPTH }
        }
        Failure::Json { error, base } => {
            Unreadable::Unholdable { at: base + offset(&text[base..], &error), reason: reason(&error) }
        }
    }
}

/// The position of an error as an offset: `serde_json` counts lines and columns from 1, columns in bytes.
fn offset(text: &str, error: &serde_json::Error) -> usize {
    let lines = error.line().saturating_sub(1);
    let start = match lines.checked_sub(1) {
        None => 0,
        Some(nth) => {
            text.bytes().enumerate().filter(|(_, b)| *b == b'\n').nth(nth).map_or(text.len(), |(at, _)| at + 1)
        }
    };
    (start + error.column().saturating_sub(1)).min(text.len())
}

fn reason(error: &serde_json::Error) -> String {
    let mut words = error.to_string();
    if let Some(at) = words.rfind(" at line ") {
        words.truncate(at);
    }
    words
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

#[cfg(test)]
mod tests;
