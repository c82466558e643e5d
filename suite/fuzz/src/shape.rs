//! Features of an answer: two answers of a kind have the same ones, whatever ids, names and numbers they contain.

use std::collections::hash_map::DefaultHasher;
use std::hash::{Hash, Hasher};

use serde_json::Value;
use wire::{Kind, Message};

/// How deep the shape of an answer is looked at.
const DEPTH: usize = 3;
/// Characters of a text that its pattern keeps.
const LONGEST: usize = 80;

/// The features of a message from a server; `about` is the method it answers, if it answers anything.
#[must_use]
pub fn features(message: &Message, about: &str) -> Vec<u64> {
    let mut found = vec![hash(&(about, message.kind, message.defects.len()))];
    match message.kind {
        Kind::Error => {
            let text = pattern(message.error_message().unwrap_or_default());
            found.push(hash(&(about, message.error_code())));
            found.push(hash(&("said", message.error_code(), text)));
        }
        Kind::Response => {
            let mut shape = String::new();
            outline(message.result().unwrap_or(&Value::Null), DEPTH, &mut shape);
            found.push(hash(&(about, shape)));
            let failed = message.result().and_then(|result| result.get("isError")) == Some(&Value::Bool(true));
            let text = message.result().and_then(|result| result.pointer("/content/0/text"));
            let text = text.and_then(Value::as_str).unwrap_or_default();
            if failed {
                found.push(hash(&("failed", pattern(text))));
            }
        }
        Kind::Request | Kind::Notification => found.push(hash(&("server", message.method()))),
        Kind::Invalid => {}
    }
    found
}

/// Names and types, without values; of an array the first item speaks for all.
fn outline(value: &Value, depth: usize, out: &mut String) {
    match value {
        Value::Null => out.push('0'),
        Value::Bool(_) => out.push('b'),
        Value::Number(_) => out.push('n'),
        Value::String(text) => out.push(if text.is_empty() { 'e' } else { 's' }),
        Value::Array(items) => {
            out.push('[');
            if let Some(first) = items.first().filter(|_| depth > 0) {
                outline(first, depth - 1, out);
            }
        }
        Value::Object(members) => {
            let mut names: Vec<(&String, &Value)> = members.iter().take(24).collect();
            names.sort_by_key(|(name, _)| *name);
            out.push('{');
            for (name, value) in names.into_iter().filter(|_| depth > 0) {
                // A name with digits is a value rather than a name.
                out.push_str(if name.contains(|c: char| c.is_ascii_digit()) { "#" } else { name });
                out.push(':');
                outline(value, depth - 1, out);
            }
        }
    }
}

/// A text without what changes from one time to the next: quoted parts, numbers, addresses.
#[must_use]
pub fn pattern(text: &str) -> String {
    let mut out = String::new();
    let mut quote = None;
    for letter in text.chars() {
        if out.len() >= LONGEST {
            break;
        }
        match (quote, letter) {
            (Some(open), letter) if letter == open => quote = None,
            (Some(_), _) => {}
            (None, '"' | '`') => {
                quote = Some(letter);
                out.push('"');
            }
            (None, letter) if letter.is_ascii_digit() => {
                if !out.ends_with('#') {
                    out.push('#');
                }
            }
            // What is beyond ASCII is an echo of what was sent more often than a message.
            (None, letter) if letter.is_ascii() && !letter.is_ascii_control() => out.push(letter),
            (None, _) => {}
        }
    }
    out
}

pub(crate) fn hash(of: &impl Hash) -> u64 {
    let mut hasher = DefaultHasher::new();
    of.hash(&mut hasher);
    hasher.finish()
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn of(value: Value) -> Vec<u64> {
        features(&Message::from_value(value), "tools/call")
    }

    #[test]
    fn values_are_not_features_and_codes_are() {
        let error = |id: i64, code: i64, text: &str| json!({"jsonrpc": "2.0", "id": id, "error": {"code": code, "message": text}});
        assert_eq!(of(error(1, -32602, "no tool \"a\" at 12")), of(error(2, -32602, "no tool \"b\" at 7")));
        assert_ne!(of(error(1, -32602, "x")), of(error(1, -32603, "x")));
        let result =
            |text: &str| json!({"jsonrpc": "2.0", "id": 1, "result": {"content": [{"type": "text", "text": text}]}});
        assert_eq!(of(result("a")), of(result("b")));
        assert_ne!(of(result("a")), of(json!({"jsonrpc": "2.0", "id": 1, "result": {}})));
    }
}
