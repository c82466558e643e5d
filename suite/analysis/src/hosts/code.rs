//! What the table of hosts says by the name of a function, since no word of it says it.

use std::collections::HashMap;

use schema::{Dialect, Target, meta_flaw, references};
use serde_json::Value;
use url::Url;

use super::pattern::{is_ecma, is_python};

/// A function of a value and of the schema, or the definition, that it stands in.
pub(super) type OfValue = fn(&Value, &Value) -> bool;
/// A function of all tools, which names those that are concerned.
pub(super) type OfTools = fn(&[&Value]) -> Vec<String>;

const OF_VALUE: [(&str, OfValue); 17] = [
    ("not_valid_2020_12", |value, _| value.is_object() && meta_flaw(value, Dialect::Draft202012).is_some()),
    ("not_valid_draft_07", |value, _| value.is_object() && meta_flaw(value, Dialect::Draft7).is_some()),
    ("reference_leads_nowhere", |value, _| leads_nowhere(value)),
    ("required_unknown", |value, _| required_unknown(value)),
    ("deeper_than_100", |value, _| depth(value) > 100),
    ("deeper_than_200", |value, _| depth(value) > 200),
    ("pattern_not_ecma", |value, _| value.as_str().is_some_and(|text| !is_ecma(text))),
    ("text_beside_structured", |result, _| text_beside_structured(result)),
    ("structured_beyond_text", |result, _| structured_beyond_text(result)),
    ("tuple_of_no_dialect", |node, root| {
        root.get("$schema").is_none() && node.get("items").is_some_and(Value::is_array)
    }),
    ("without_text", |result, _| without_text(result)),
    ("without_output_schema", |_, tool| tool.is_object() && tool.get("outputSchema").is_none()),
    ("larger_than_1_mib", |result, _| size(result) > 1 << 20),
    ("larger_than_10_mib", |result, _| size(result) > 10 << 20),
    ("fraction", |value, _| value.as_f64().is_some_and(|number| number.fract() != 0.0)),
    ("rewritten_as_url", |uri, _| uri.as_str().is_some_and(|uri| Url::parse(uri).is_ok_and(|url| url.as_str() != uri))),
    ("pattern_not_python", |value, _| value.as_str().is_some_and(|text| !is_python(text))),
];

const OF_TOOLS: [(&str, OfTools); 5] = [
    ("same_name", |tools| same(tools, |tool| Some(name(tool)?.to_owned()))),
    ("same_name_in_vscode", |tools| same(tools, |tool| Some(with_underscores(name(tool)?)))),
    ("same_name_in_gemini_cli", |tools| same(tools, |tool| ends(name(tool)?))),
    ("same_name_in_roo", |tools| {
        same(tools, |tool| Some(name(tool)?.chars().filter(|letter| is_word(*letter)).collect()))
    }),
    ("same_output_id", same_output_id),
];

/// The function of this name.
pub(super) fn of_value(name: &str) -> Option<OfValue> {
    OF_VALUE.iter().find(|(own, _)| *own == name).map(|(_, code)| *code)
}

/// The function of this name.
pub(super) fn of_tools(name: &str) -> Option<OfTools> {
    OF_TOOLS.iter().find(|(own, _)| *own == name).map(|(_, code)| *code)
}

fn leads_nowhere(schema: &Value) -> bool {
    let all = references(schema, Dialect::Draft202012);
    all.iter().any(|reference| matches!(reference.target, Target::Dangling | Target::Remote(_)))
}

fn required_unknown(schema: &Value) -> bool {
    let properties = schema.get("properties").and_then(Value::as_object);
    let required = schema.get("required").and_then(Value::as_array).into_iter().flatten().filter_map(Value::as_str);
    properties.is_some_and(|known| required.into_iter().any(|name| !known.contains_key(name)))
}

/// The texts of a result.
fn texts(result: &Value) -> impl Iterator<Item = &str> {
    let items = result.get("content").and_then(Value::as_array).into_iter().flatten();
    items.filter_map(|item| item.get("text")?.as_str())
}

/// Whether a text is the structured content as JSON.
fn is_twin(text: &str, structured: &Value) -> bool {
    serde_json::from_str::<Value>(text).is_ok_and(|value| value == *structured)
}

/// The texts and numbers in a value, as a text would have them.
fn scalars(value: &Value) -> Vec<String> {
    match value {
        Value::String(text) => vec![text.clone()],
        Value::Number(number) if number.as_f64().is_some_and(|number| number.fract() == 0.0) => {
            vec![number.to_string().trim_end_matches(".0").to_owned()]
        }
        Value::Number(number) => vec![number.to_string()],
        Value::Array(items) => items.iter().flat_map(scalars).collect(),
        Value::Object(members) => members.values().flat_map(scalars).collect(),
        Value::Null | Value::Bool(_) => vec![],
    }
}

/// Whether a text says something that the structured content does not.
fn text_beside_structured(result: &Value) -> bool {
    let Some(structured) = result.get("structuredContent") else { return false };
    let said = scalars(structured);
    let is_new = |text: &str| {
        let text = text.trim();
        !text.is_empty() && !said.iter().any(|said| said.trim() == text) && !is_part(text, structured)
    };
    texts(result).any(is_new)
}

/// Whether a text is JSON that stands in a value: Python servers give each element of a list a text of its own.
fn is_part(text: &str, structured: &Value) -> bool {
    let Ok(part) = serde_json::from_str::<Value>(text) else { return false };
    let mut open = vec![structured];
    while let Some(value) = open.pop() {
        match value {
            value if *value == part => return true,
            Value::Array(items) => open.extend(items),
            Value::Object(members) => open.extend(members.values()),
            _ => {}
        }
    }
    false
}

/// Whether no text has at least half of the texts and numbers of the structured content: it is empty, or a summary.
fn structured_beyond_text(result: &Value) -> bool {
    let Some(structured) = result.get("structuredContent") else { return false };
    let all: Vec<&str> = texts(result).collect();
    let escaped = |said: &str| Value::String(said.to_owned()).to_string().trim_matches('"').to_owned();
    let says = |said: &String| all.iter().any(|text| text.contains(said) || text.contains(&escaped(said)));
    let scalars = scalars(structured);
    let said = scalars.iter().filter(|scalar| says(scalar)).count();
    !all.iter().any(|text| is_twin(text, structured)) && said * 2 < scalars.len()
}

/// Whether a successful result has no text, or only empty ones. What asks for input is no result yet, and has no content.
fn without_text(result: &Value) -> bool {
    let is_error = result.get("isError") == Some(&Value::Bool(true));
    result.get("content").is_some_and(Value::is_array) && !is_error && texts(result).all(str::is_empty)
}

/// The bytes of all texts in a value, which is what large results consist of. Each result is asked for it: it is not written out for that.
fn size(value: &Value) -> usize {
    match value {
        Value::String(text) => text.len(),
        Value::Array(items) => items.iter().map(size).sum(),
        Value::Object(members) => members.iter().map(|(name, value)| name.len() + size(value)).sum(),
        _ => 0,
    }
}

/// How many objects and arrays lie within each other.
fn depth(value: &Value) -> usize {
    let (mut deepest, mut open) = (0, vec![(value, 0)]);
    while let Some((value, above)) = open.pop() {
        let inside: Vec<&Value> = match value {
            Value::Array(items) => items.iter().collect(),
            Value::Object(members) => members.values().collect(),
            _ => continue,
        };
        deepest = deepest.max(above + 1);
        open.extend(inside.into_iter().map(|value| (value, above + 1)));
    }
    deepest
}

fn name(tool: &Value) -> Option<&str> {
    tool.get("name")?.as_str()
}

fn is_word(letter: char) -> bool {
    letter.is_ascii_alphanumeric() || "_-".contains(letter)
}

fn with_underscores(name: &str) -> String {
    name.chars().map(|letter| if is_word(letter) { letter } else { '_' }).collect()
}

/// What Gemini CLI keeps of `mcp_SERVER_NAME` is its first and its last 30 characters. A server's name has at least one; the more it has,
/// the less of the tool's beginning is kept.
fn ends(name: &str) -> Option<String> {
    let letters: Vec<char> = name.chars().collect();
    let (first, last) = (letters.get(..24)?, letters.get(letters.len().checked_sub(30)?..)?);
    (letters.len() > 57).then(|| first.iter().chain(last).collect())
}

/// The names of tools that have the same key as another; each key once.
fn same(tools: &[&Value], key: fn(&Value) -> Option<String>) -> Vec<String> {
    let mut seen: HashMap<String, usize> = HashMap::new();
    let mut found = Vec::new();
    for tool in tools {
        let Some(key) = key(tool) else { continue };
        let number = seen.entry(key).or_default();
        *number += 1;
        found.extend(name(tool).filter(|_| *number == 2).map(str::to_owned));
    }
    found
}

/// The tools whose outputSchema has the `$id` of an earlier one, and says something else.
fn same_output_id(tools: &[&Value]) -> Vec<String> {
    let mut seen: HashMap<&str, &Value> = HashMap::new();
    let mut found = Vec::new();
    for tool in tools {
        let Some(schema) = tool.get("outputSchema") else { continue };
        let Some(id) = schema.get("$id").and_then(Value::as_str) else { continue };
        if *seen.entry(id).or_insert(schema) != schema {
            found.extend(name(tool).map(str::to_owned));
        }
    }
    found
}
