//! Claims that take code: ranges, things said of an object as a whole.

use serde_json::{Map, Value};
use verdict::Revision;

use crate::shapes::row::{Check, Outcome};

/// A number from 0 to 1.
pub(in crate::shapes) static UNIT: Check = Check {
    expected: "a number from 0 to 1",
    judge: |value, _| holds_or(value.as_f64().is_some_and(|number| (0.0..=1.0).contains(&number)), "another value"),
};
/// Not below zero.
pub(in crate::shapes) static NOT_NEGATIVE: Check = Check {
    expected: "0 or more",
    judge: |value, _| value.as_f64().map_or(Outcome::Beside, |number| holds_or(number >= 0.0, "a negative number")),
};
/// A size that something can have.
pub(in crate::shapes) static COUNT: Check = Check {
    expected: "a whole number of at least 0",
    judge: |value, _| match value.as_f64() {
        Some(number) if number < 0.0 => Outcome::Odd("a negative number"),
        Some(number) if number.fract() != 0.0 => Outcome::Odd("a number with a fraction"),
        _ => Outcome::Beside,
    },
};
/// An array without repetition.
pub(in crate::shapes) static DISTINCT: Check =
    Check { expected: "distinct strings", judge: |value, _| distinct(value) };
/// Values of `properties`: schemas.
pub(in crate::shapes) static SUBSCHEMAS: Check =
    Check { expected: "a schema (an object) for every property", judge: subschemas };
/// A text or a blob.
pub(in crate::shapes) static TEXT_OR_BLOB: Check =
    Check { expected: "a member text or blob that is a string", judge: |value, _| text_or_blob(value) };
/// Something that a client can do: answer, or come back with the state.
pub(in crate::shapes) static INPUTS_OR_STATE: Check =
    Check { expected: "inputRequests or requestState", judge: |value, _| inputs_or_state(value) };
/// Nothing but `_meta`.
pub(in crate::shapes) static ONLY_META: Check = Check {
    expected: "no members other than _meta",
    judge: |value, _| match value.as_object() {
        None => Outcome::Beside,
        Some(members) => holds_or(members.keys().all(|name| name == "_meta"), "further members"),
    },
};
/// A list of at least one.
pub(in crate::shapes) static NOT_EMPTY: Check = Check {
    expected: "at least one entry",
    judge: |value, _| match value {
        Value::Array(entries) => holds_or(!entries.is_empty(), "an empty array"),
        Value::Object(members) => holds_or(!members.is_empty(), "an empty object"),
        _ => Outcome::Beside,
    },
};
/// At most a hundred entries.
pub(in crate::shapes) static HUNDRED: Check = Check {
    expected: "at most 100 entries",
    judge: |value, _| {
        value.as_array().map_or(Outcome::Beside, |entries| holds_or(entries.len() <= 100, "more than 100 entries"))
    },
};
/// Keys of `extensions`.
pub(in crate::shapes) static EXTENSION_NAMES: Check = Check {
    expected: "names with a prefix: labels joined by dots, a slash, a name",
    judge: |value, _| match value.as_object() {
        None => Outcome::Beside,
        Some(members) if members.is_empty() => Outcome::Beside,
        Some(members) => holds_or(members.keys().all(|name| is_prefixed(name)), "a name in another form"),
    },
};
fn holds_or(good: bool, otherwise: &'static str) -> Outcome {
    if good { Outcome::Good } else { Outcome::Bad(otherwise) }
}

fn distinct(value: &Value) -> Outcome {
    let Some(entries) = value.as_array() else { return Outcome::Beside };
    let mut names: Vec<&str> = entries.iter().filter_map(Value::as_str).collect();
    names.sort_unstable();
    holds_or(!names.windows(2).any(|pair| pair[0] == pair[1]), "a string that occurs twice")
}

/// Boolean schemas are outside the type until 2025-11-25, where they are only noted because the dialect has them.
fn subschemas(value: &Value, revision: Revision) -> Outcome {
    let Some(properties) = value.as_object() else { return Outcome::Beside };
    let fits = |schema: &Value| schema.is_object() || (schema.is_boolean() && revision >= Revision::V2025_11_25);
    if !properties.values().all(fits) {
        return Outcome::Bad("a property without a schema");
    }
    if revision == Revision::V2025_11_25 && properties.values().any(Value::is_boolean) {
        return Outcome::Odd("a property whose schema is a boolean");
    }
    Outcome::Good
}

fn text_or_blob(value: &Value) -> Outcome {
    let Some(members) = value.as_object() else { return Outcome::Beside };
    let string = |name: &str| members.get(name).is_some_and(Value::is_string);
    match (string("text"), string("blob")) {
        (true, true) => Outcome::Odd("both"),
        (false, false) if members.contains_key("text") || members.contains_key("blob") => {
            Outcome::Bad("such a member with another type")
        }
        (false, false) => Outcome::Bad("neither"),
        _ => Outcome::Good,
    }
}

fn inputs_or_state(value: &Value) -> Outcome {
    let Some(members) = value.as_object() else { return Outcome::Beside };
    let has = |name: &str| members.contains_key(name);
    let empty = members.get("inputRequests").and_then(Value::as_object).is_some_and(Map::is_empty);
    match (has("inputRequests"), has("requestState")) {
        (false, false) => Outcome::Bad("neither"),
        (true, false) if empty => Outcome::Odd("no input request, which leaves the client nothing to do"),
        _ => Outcome::Good,
    }
}

fn is_prefixed(name: &str) -> bool {
    let Some((prefix, rest)) = name.split_once('/') else { return false };
    let ends = |part: &str, first: fn(&u8) -> bool| {
        let (start, end) = (part.as_bytes().first(), part.as_bytes().last());
        start.is_some_and(first) && end.is_some_and(u8::is_ascii_alphanumeric)
    };
    let label = |label: &str| {
        ends(label, u8::is_ascii_alphabetic) && label.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'-')
    };
    let legal = |byte: u8| byte.is_ascii_alphanumeric() || matches!(byte, b'-' | b'_' | b'.');
    prefix.split('.').all(label)
        && (rest.is_empty() || (ends(rest, u8::is_ascii_alphanumeric) && rest.bytes().all(legal)))
}
