//! Removes members of an instance that only the newer of two schemas names.

use schema::{Dialect, Validator};
use serde_json::{Map, Value, json};

/// Limit of references and applicators followed from one place.
const REACH: usize = 200;
/// Keywords whose subschemas apply to the same value.
const SAME: [&str; 4] = ["allOf", "anyOf", "oneOf", "$ref"];

/// Returns the instance without members that `now` names and `was` does not mention.
pub(super) fn without_new_names(instance: &Value, was: &Value, now: &Value) -> Value {
    stripped(instance, &Place::root(was), &Place::root(now))
}

/// The schemas that apply to a value.
struct Place<'s> {
    root: &'s Value,
    here: Vec<&'s Map<String, Value>>,
}

fn stripped(instance: &Value, was: &Place<'_>, now: &Place<'_>) -> Value {
    match instance {
        Value::Object(members) => {
            let kept = members.iter().filter(|(name, _)| was.constrains(name) || !now.names(name));
            let kept = kept.map(|(name, value)| (name.clone(), stripped(value, &was.member(name), &now.member(name))));
            Value::Object(kept.collect())
        }
        Value::Array(items) => {
            let items = items.iter().enumerate().map(|(at, item)| stripped(item, &was.item(at), &now.item(at)));
            Value::Array(items.collect())
        }
        other => other.clone(),
    }
}

impl<'s> Place<'s> {
    fn root(schema: &'s Value) -> Self {
        Self::of(schema, vec![schema])
    }

    fn of(root: &'s Value, mut open: Vec<&'s Value>) -> Self {
        let mut here: Vec<&'s Map<String, Value>> = Vec::new();
        while let Some(schema) = open.pop() {
            let Some(members) = schema.as_object() else { continue };
            if here.len() >= REACH || here.iter().any(|known| std::ptr::eq(*known, members)) {
                continue;
            }
            here.push(members);
            for keyword in SAME {
                match members.get(keyword) {
                    Some(Value::Array(list)) => open.extend(list),
                    Some(Value::String(target)) => open.extend(resolve_reference(root, target)),
                    _ => {}
                }
            }
            open.extend(["if", "then", "else"].iter().filter_map(|keyword| members.get(*keyword)));
            for keyword in ["dependentSchemas", "dependencies"] {
                open.extend(members.get(keyword).and_then(Value::as_object).into_iter().flat_map(Map::values));
            }
        }
        Self { root, here }
    }

    /// Returns whether a schema names this member.
    fn names(&self, name: &str) -> bool {
        self.here.iter().any(|schema| {
            object_members(schema, "properties").any(|(own, _)| own == name)
                || pattern_schemas(schema, name).next().is_some()
        })
    }

    /// Returns whether a schema names this member or constrains all unnamed members.
    fn constrains(&self, name: &str) -> bool {
        let rest = |schema: &&Map<String, Value>| {
            let said = schema.get("additionalProperties").or(schema.get("unevaluatedProperties"));
            said.is_some_and(|said| match said {
                Value::Object(members) => !members.is_empty(),
                said => said == &Value::Bool(false),
            })
        };
        self.names(name) || self.here.iter().any(rest)
    }

    fn member(&self, name: &str) -> Self {
        let mut below = Vec::new();
        for schema in &self.here {
            let before = below.len();
            below.extend(object_members(schema, "properties").filter(|(own, _)| *own == name).map(|(_, value)| value));
            below.extend(pattern_schemas(schema, name));
            if below.len() == before {
                below.extend(schema.get("additionalProperties"));
            }
        }
        Self::of(self.root, below)
    }

    fn item(&self, at: usize) -> Self {
        let mut below = Vec::new();
        for schema in &self.here {
            let listed = ["prefixItems", "items"].iter().find_map(|keyword| schema.get(*keyword)?.as_array());
            match listed.and_then(|listed| listed.get(at)) {
                Some(own) => below.push(own),
                None => below.extend(["items", "additionalItems"].iter().filter_map(|keyword| schema.get(*keyword))),
            }
        }
        Self::of(self.root, below)
    }
}

fn object_members<'s>(schema: &'s Map<String, Value>, keyword: &str) -> impl Iterator<Item = (&'s String, &'s Value)> {
    schema.get(keyword).and_then(Value::as_object).into_iter().flatten()
}

/// Returns the schemas of the patterns that match a name.
fn pattern_schemas<'s>(schema: &'s Map<String, Value>, name: &str) -> impl Iterator<Item = &'s Value> {
    let name = json!(name);
    object_members(schema, "patternProperties").filter_map(move |(pattern, value)| {
        let validator = Validator::new(&json!({"pattern": pattern}), Dialect::Draft202012).ok()?;
        validator.accepts(&name).then_some(value)
    })
}

fn resolve_reference<'s>(root: &'s Value, target: &str) -> Option<&'s Value> {
    root.pointer(target.strip_prefix('#')?)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_names_that_are_new_are_left_out() {
        let was = json!({"properties": {"a": {"$ref": "#/$defs/x"}}, "$defs": {"x": {"properties": {"b": {}}}}});
        let now = json!({"properties": {"a": {"properties": {"b": {}, "c": {}}}, "d": {}}});
        let instance = json!({"a": {"b": 1, "c": 2}, "d": 3, "e": 4});
        assert_eq!(without_new_names(&instance, &was, &now), json!({"a": {"b": 1}, "e": 4}));
    }

    #[test]
    fn a_map_says_something_of_every_name() {
        let was = json!({"additionalProperties": {"type": "string"}});
        let now = json!({"properties": {"n": {"type": "integer"}}});
        assert_eq!(without_new_names(&json!({"n": "x"}), &was, &now), json!({"n": "x"}));
    }
}
