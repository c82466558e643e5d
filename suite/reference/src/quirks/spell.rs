//! Quirks of how a message is written: the same value in other characters.

use std::fmt::Write as _;

use crate::settings::Settings;

/// Stands for half of a surrogate pair, which no string of Rust can have: a character for private use.
pub(super) const HALF: &str = "\u{f8ff}";

/// A message as text.
pub(super) fn spell(settings: &Settings, mut text: String) -> String {
    if settings.quirk("half-surrogates") {
        text = text.replace(HALF, "\\ud800");
    }
    if settings.quirk("unicode-escapes") {
        text = escape(&text);
    }
    if settings.quirk("odd-spacing") {
        text = space(&text);
    }
    text
}

/// Characters beyond ASCII and slashes stand in strings alone, and may be escaped there.
fn escape(text: &str) -> String {
    let mut escaped = String::with_capacity(text.len());
    for character in text.chars() {
        match character {
            '/' => escaped.push_str("\\/"),
            _ if character.is_ascii() => escaped.push(character),
            _ => {
                for unit in character.encode_utf16(&mut [0; 2]) {
                    // Writing to a string cannot fail.
                    let _ = write!(escaped, "\\u{unit:04X}");
                }
            }
        }
    }
    escaped
}

fn space(text: &str) -> String {
    let mut spaced = String::with_capacity(text.len() * 2);
    let (mut inside, mut escaped) = (false, false);
    for character in text.chars() {
        if inside {
            spaced.push(character);
            inside = escaped || character != '"';
            escaped = !escaped && character == '\\';
            continue;
        }
        inside = character == '"';
        match character {
            '{' | '[' | ':' | ',' => {
                spaced.push(' ');
                spaced.push(character);
                spaced.push_str("\t ");
            }
            '}' | ']' => {
                spaced.push_str("  ");
                spaced.push(character);
            }
            _ => spaced.push(character),
        }
    }
    spaced
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::{Value, json};

    #[test]
    fn other_spellings_are_the_same_value() {
        let value = json!({"a/b": ["é\"\\,:", "🦀", {"x": [1.5, null, true]}, "\\\""], "": {}});
        for text in [escape(&value.to_string()), space(&value.to_string()), space(&escape(&value.to_string()))] {
            assert_eq!(serde_json::from_str::<Value>(&text).expect("JSON"), value, "{text}");
        }
        assert!(escape(&value.to_string()).is_ascii());
    }
}
