//! Bytes to messages: the checks before JSON is read, and which failure it is when it cannot be.

use serde::de::IgnoredAny;
use serde_json::Value;

use crate::parsed::{Content, Limits, MAX_DEPTH, Parsed, Unreadable};
use crate::read::{self, Failure};
use crate::surrogate;

/// Reads one message or batch that was received. Never fails: see [`Content::Unreadable`]. Half of a surrogate pair, escaped, becomes U+FFFD.
#[must_use]
pub fn parse(bytes: &[u8], limits: &Limits) -> Parsed {
    let parsed = parse_sent(bytes, limits);
    if !matches!(parsed.content, Content::Unreadable(Unreadable::Unholdable { .. })) {
        return parsed;
    }
    let whole = std::str::from_utf8(bytes).ok().and_then(surrogate::replace_halves);
    whole.map_or(parsed, |whole| attempt(&whole, limits))
}

/// Reads a message that is being sent, or was: half of a surrogate pair is [`Unreadable::Unholdable`], since not every server can be
/// expected to read one.
#[must_use]
pub fn parse_sent(bytes: &[u8], limits: &Limits) -> Parsed {
    if bytes.len() > limits.bytes {
        return Parsed::unreadable(Unreadable::TooLarge { limit: limits.bytes });
    }
    let text = match std::str::from_utf8(bytes) {
        Ok(text) => text,
        Err(error) => return Parsed::unreadable(Unreadable::NotUtf8 { at: error.valid_up_to() }),
    };
    if text.bytes().all(|b| matches!(b, b' ' | b'\t' | b'\n' | b'\r')) {
        return Parsed::unreadable(Unreadable::Empty);
    }
    attempt(text, limits)
}

/// Reads a text within a message that is JSON itself, as [`parse`] reads a message. `None` if it is none, or cannot be held.
#[must_use]
pub fn value(text: &str) -> Option<Value> {
    surrogate::from_str(text)
}

fn attempt(text: &str, limits: &Limits) -> Parsed {
    let (read, duplicates, more_duplicates) = read::read(text, limits);
    let content = read.unwrap_or_else(|failure| Content::Unreadable(name(text, failure)));
    Parsed { content, duplicates, more_duplicates }
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

#[cfg(test)]
mod tests;
