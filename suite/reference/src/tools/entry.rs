//! Parts that definitions of tools are made of.

use serde_json::{Value, json};

use crate::Revision;
use crate::Revision::{V2024_11_05, V2026_07_28};
use crate::core::Entry;

pub(super) fn always(name: &str, description: &str, input: Value, annotations: Value) -> Entry {
    since(V2024_11_05, name, description, input, annotations)
}

pub(super) fn since(first: Revision, name: &str, description: &str, input: Value, annotations: Value) -> Entry {
    let mut definition = json!({"name": name, "description": description, "inputSchema": input,
        "annotations": annotations});
    if definition["annotations"]["title"].is_null() {
        definition["annotations"]["title"] = json!(title(name));
    }
    (first, V2026_07_28, definition)
}

/// For people: the words of the name.
fn title(name: &str) -> String {
    let words = name.replace('_', " ");
    let first = words.chars().next().into_iter().flat_map(char::to_uppercase);
    first.chain(words.chars().skip(1)).collect()
}

pub(super) fn with(mut entry: Entry, member: &str, value: Value) -> Entry {
    entry.2[member] = value;
    entry
}

pub(super) fn read_only() -> Value {
    json!({"readOnlyHint": true, "openWorldHint": false})
}

pub(super) fn nothing() -> Value {
    json!({"type": "object", "additionalProperties": false})
}

pub(super) fn object(properties: Value, required: &[&str]) -> Value {
    json!({"type": "object", "properties": properties, "required": required, "additionalProperties": false})
}
