//! A schema with its local references followed and its `allOf` folded in, one level deep.

use serde_json::{Map, Value};

/// References followed one after the other.
const CHAIN: usize = 16;

/// The schema that `schema` amounts to: `$ref` and `allOf` merged into it, the `choice`th of `anyOf` and `oneOf` taken.
pub(super) fn resolve(root: &Value, schema: &Value, choice: usize) -> Map<String, Value> {
    let mut merged = Map::new();
    fold(root, schema, choice, CHAIN, &mut merged);
    merged
}

fn fold(root: &Value, schema: &Value, choice: usize, left: usize, into: &mut Map<String, Value>) {
    let Some(members) = schema.as_object().filter(|_| left > 0) else { return };
    for (name, value) in members {
        if !matches!(name.as_str(), "$ref" | "allOf" | "anyOf" | "oneOf" | "$defs" | "definitions") {
            merge(into, name, value);
        }
    }
    let target = members.get("$ref").and_then(Value::as_str).and_then(|text| text.strip_prefix('#'));
    if let Some(target) = target.and_then(|pointer| root.pointer(pointer)) {
        fold(root, target, choice, left - 1, into);
    }
    for part in members.get("allOf").and_then(Value::as_array).into_iter().flatten() {
        fold(root, part, choice, left - 1, into);
    }
    for keyword in ["anyOf", "oneOf"] {
        let branches = members.get(keyword).and_then(Value::as_array).filter(|branches| !branches.is_empty());
        if let Some(branch) = branches.and_then(|branches| branches.get(choice.min(branches.len() - 1))) {
            fold(root, branch, choice, left - 1, into);
        }
    }
}

/// Properties and required names add up; of the rest the first word counts.
fn merge(into: &mut Map<String, Value>, name: &str, value: &Value) {
    match (into.get_mut(name), value) {
        (Some(Value::Object(known)), Value::Object(more)) if matches!(name, "properties" | "dependentRequired") => {
            for (name, value) in more {
                known.entry(name.clone()).or_insert_with(|| value.clone());
            }
        }
        (Some(Value::Array(known)), Value::Array(more)) if name == "required" => {
            let new = more.iter().filter(|name| !known.contains(name)).cloned().collect::<Vec<_>>();
            known.extend(new);
        }
        (Some(_), _) => {}
        (None, _) => {
            into.insert(name.to_owned(), value.clone());
        }
    }
}
