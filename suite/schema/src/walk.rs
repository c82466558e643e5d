//! Every subschema of a schema, with the way to it. What stands in `const`, `enum`, `default` and `examples` is data,
//! and the keys of `properties` are names: neither is taken for a schema.

use serde_json::Value;

/// One step from a schema into a subschema.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Step {
    /// Into a property of this name.
    Property(String),
    /// Into the schema that a keyword holds: `items`, `not`.
    Keyword(&'static str),
    /// Into an element of the list that a keyword holds: `anyOf`, `prefixItems`.
    Element(&'static str, usize),
    /// Into a value of the map that a keyword holds: `$defs`, `patternProperties`.
    Entry(&'static str, String),
}

/// A subschema.
#[derive(Clone, Debug)]
pub struct Node<'s> {
    /// The way from the root.
    pub path: Vec<Step>,
    /// The subschema: an object or a boolean.
    pub schema: &'s Value,
}

const ONE: [&str; 13] = [
    "additionalItems",
    "additionalProperties",
    "contains",
    "contentSchema",
    "else",
    "if",
    "items",
    "not",
    "propertyNames",
    "then",
    "unevaluatedItems",
    "unevaluatedProperties",
    "extends",
];
const LIST: [&str; 5] = ["allOf", "anyOf", "items", "oneOf", "prefixItems"];
const MAP: [&str; 5] = ["$defs", "definitions", "dependencies", "dependentSchemas", "patternProperties"];

/// The schema itself and every subschema, parents first.
#[must_use]
pub fn walk(schema: &Value) -> Vec<Node<'_>> {
    let mut found = Vec::new();
    let mut open = vec![Node { path: Vec::new(), schema }];
    while let Some(node) = open.pop() {
        let mut below = children(node.schema);
        below.reverse();
        for (step, schema) in below {
            let mut path = node.path.clone();
            path.push(step);
            open.push(Node { path, schema });
        }
        found.push(node);
    }
    found
}

/// The subschemas directly below a schema.
pub(crate) fn children(schema: &Value) -> Vec<(Step, &Value)> {
    let is_schema = |value: &&Value| value.is_object() || value.is_boolean();
    let mut found = Vec::new();
    if let Some(properties) = schema.get("properties").and_then(Value::as_object) {
        let schemas = properties.iter().filter(|(_, value)| is_schema(value));
        found.extend(schemas.map(|(name, value)| (Step::Property(name.clone()), value)));
    }
    for keyword in ONE {
        if let Some(value) = schema.get(keyword).filter(is_schema) {
            found.push((Step::Keyword(keyword), value));
        }
    }
    for keyword in LIST {
        let list = schema.get(keyword).and_then(Value::as_array).into_iter().flatten();
        let schemas = list.enumerate().filter(|(_, value)| is_schema(value));
        found.extend(schemas.map(|(at, value)| (Step::Element(keyword, at), value)));
    }
    for keyword in MAP {
        let map = schema.get(keyword).and_then(Value::as_object).into_iter().flatten();
        let schemas = map.filter(|(_, value)| is_schema(value));
        found.extend(schemas.map(|(name, value)| (Step::Entry(keyword, name.clone()), value)));
    }
    found
}

/// The JSON pointer of a way.
#[must_use]
pub fn pointer(path: &[Step]) -> String {
    path.iter().map(Step::pointer).collect()
}

impl Step {
    fn pointer(&self) -> String {
        let escape = |name: &str| name.replace('~', "~0").replace('/', "~1");
        match self {
            Self::Property(name) => format!("/properties/{}", escape(name)),
            Self::Keyword(keyword) => format!("/{keyword}"),
            Self::Element(keyword, at) => format!("/{keyword}/{at}"),
            Self::Entry(keyword, name) => format!("/{keyword}/{}", escape(name)),
        }
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn names_and_data_are_no_schemas() {
        let schema = json!({
            "properties": {"$ref": {"type": "string"}, "a/b": {"items": {"const": {"$ref": "#/x"}}}},
            "anyOf": [true, {"not": {}}],
            "dependencies": {"a": ["b"], "c": {}},
            "default": {"properties": {"no": {}}}
        });
        let found: Vec<String> = walk(&schema).iter().map(|node| pointer(&node.path)).collect();
        let expected = [
            "",
            "/properties/$ref",
            "/properties/a~1b",
            "/properties/a~1b/items",
            "/anyOf/0",
            "/anyOf/1",
            "/anyOf/1/not",
            "/dependencies/c",
        ];
        assert_eq!(found, expected);
    }
}
