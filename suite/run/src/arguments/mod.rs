//! Arguments for a tool, from its inputSchema: one set that satisfies it, and some that break one keyword each. Every set is
//! checked by the validator of the whole schema before anybody sends it; deterministic.

mod breaking;
mod making;
mod resolve;
mod text;

use judge::dialects;
use schema::Readings;
use serde_json::{Value, json};
use verdict::Revision;

use crate::{Options, Tool};

/// Sets that break something, a tool.
const INVALID: usize = 24;
/// Sets that break the same keyword, a tool.
const ALIKE: usize = 3;

/// Arguments for one tool.
#[derive(Debug)]
pub struct Arguments {
    /// A set that satisfies the schema, or why there is none.
    pub valid: Result<Value, String>,
    /// Another one, with every property that the schema describes, if that makes a difference.
    pub full: Option<Value>,
    /// Sets that break one keyword each.
    pub invalid: Vec<Invalid>,
    /// Whether the schema is satisfied by no arguments at all.
    pub takes_none: bool,
}

/// Arguments that break the schema.
#[derive(Clone, Debug, PartialEq)]
pub struct Invalid {
    /// The arguments.
    pub arguments: Value,
    /// The keyword that they break.
    pub keyword: &'static str,
    /// Where, as a JSON pointer into the arguments.
    pub at: String,
    /// No lenient reading could make it right.
    pub firm: bool,
}

impl Arguments {
    /// Arguments for a tool; a sample from the configuration is preferred if it satisfies the schema.
    #[must_use]
    pub fn of(tool: &Tool, revision: Revision, options: &Options) -> Self {
        let nothing = |why: String| Self { valid: Err(why), full: None, invalid: Vec::new(), takes_none: false };
        let Some(schema) = tool.input_schema() else { return nothing("it has no inputSchema".into()) };
        let readings = match Readings::new(schema, dialects(revision)) {
            Ok(readings) => readings,
            Err(unusable) => return nothing(unusable.to_string()),
        };
        let sample = options.arguments.get(&tool.name);
        let made =
            |full| making::candidates(schema, full).into_iter().find(|made| made.is_object() && readings.accept(made));
        let Some(valid) =
            sample.cloned().filter(|sample| readings.accept(sample)).or_else(|| made(false)).or_else(|| made(true))
        else {
            return nothing("no arguments were found that satisfy its inputSchema".into());
        };
        let full = made(true).filter(|full| *full != valid);
        let invalid = breaking::sets(schema, &valid);
        let invalid = few(invalid.into_iter().filter(|set| readings.refuse(&set.arguments).is_some()));
        Self { valid: Ok(valid), full, invalid, takes_none: readings.accept(&json!({})) }
    }
}

fn few(sets: impl Iterator<Item = Invalid>) -> Vec<Invalid> {
    let mut kept: Vec<Invalid> = Vec::new();
    for set in sets {
        let alike = kept.iter().filter(|other| other.keyword == set.keyword && other.firm == set.firm).count();
        let known = kept.iter().any(|other| other.arguments == set.arguments);
        if alike < ALIKE && !known && kept.len() < INVALID {
            kept.push(set);
        }
    }
    kept
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(schema: Value) -> Arguments {
        let definition = json!({"name": "t", "inputSchema": schema});
        let tool = Tool { name: "t".into(), definition, callable: true };
        Arguments::of(&tool, Revision::V2025_11_25, &Options::default())
    }

    fn broken(arguments: &Arguments) -> Vec<(&'static str, &str, bool)> {
        arguments.invalid.iter().map(|set| (set.keyword, set.at.as_str(), set.firm)).collect()
    }

    #[test]
    fn required_properties_are_filled_and_missed() {
        let schema = json!({"type": "object", "properties": {"a": {"type": "integer"}, "b": {"type": "string"}}, "required": ["a"]});
        let arguments = of(schema);
        assert_eq!(arguments.valid, Ok(json!({"a": 1})));
        assert_eq!(arguments.full, Some(json!({"a": 1, "b": "mcp-conform"})));
        let expected = [("required", "", true), ("type", "/a", true), ("type", "/a", false), ("type", "/b", false)];
        let found = broken(&arguments);
        assert!(expected.iter().all(|set| found.contains(set)), "{found:?}");
        assert!(!arguments.takes_none);
    }

    #[test]
    fn every_simple_keyword_is_kept_and_broken() {
        let schema = json!({"type": "object", "additionalProperties": false, "required": ["n", "s", "p", "e", "l", "o"], "properties": {
            "n": {"type": "number", "minimum": 2, "exclusiveMaximum": 3, "multipleOf": 0.5},
            "s": {"type": "string", "minLength": 3, "maxLength": 5},
            "p": {"type": "string", "pattern": "^[A-Z]{2}-[0-9]{3}$"},
            "e": {"enum": ["low", "high"]},
            "l": {"type": "array", "items": {"type": "integer"}, "minItems": 2, "maxItems": 3, "uniqueItems": true},
            "o": {"$ref": "#/$defs/o"}
        }, "$defs": {"o": {"type": "object", "properties": {"x": {"const": 7}}, "required": ["x"]}}});
        let arguments = of(schema);
        assert!(arguments.valid.is_ok(), "{:?}", arguments.valid);
        let found: Vec<&str> = arguments.invalid.iter().map(|set| set.keyword).collect();
        for keyword in [
            "required",
            "type",
            "additionalProperties",
            "minimum",
            "exclusiveMaximum",
            "multipleOf",
            "minLength",
            "maxLength",
            "pattern",
            "enum",
            "minItems",
            "maxItems",
            "uniqueItems",
        ] {
            assert!(found.contains(&keyword), "{keyword} of {found:?}");
        }
    }

    #[test]
    fn defaults_make_a_missing_property_lenient() {
        let arguments =
            of(json!({"type": "object", "properties": {"a": {"type": "integer", "default": 3}}, "required": ["a"]}));
        assert_eq!(arguments.valid, Ok(json!({"a": 3})));
        assert!(broken(&arguments).contains(&("required", "", false)));
    }

    #[test]
    fn choices_and_recursion_are_followed() {
        let choice = json!({"type": "object", "properties": {"a": {"anyOf": [{"not": {}}, {"type": "integer", "minimum": 5}]}}, "required": ["a"]});
        assert_eq!(of(choice).valid, Ok(json!({"a": 5})));
        let tree = json!({"type": "object", "required": ["root"], "properties": {"root": {"$ref": "#/$defs/n"}},
            "$defs": {"n": {"type": "object", "required": ["name"], "properties": {"name": {"type": "string"}, "next": {"$ref": "#/$defs/n"}}}}});
        assert_eq!(of(tree).valid, Ok(json!({"root": {"name": "mcp-conform"}})));
        let endless = json!({"type": "object", "required": ["n"], "properties": {"n": {"$ref": "#"}}});
        assert!(of(endless).valid.is_err());
        let both = json!({"allOf": [{"type": "object", "required": ["a"]}, {"properties": {"a": {"type": "boolean"}}}], "type": "object"});
        assert_eq!(of(both).valid, Ok(json!({"a": false})));
    }

    #[test]
    fn what_cannot_be_met_is_said() {
        let never = json!({"type": "object", "required": ["a"], "properties": {"a": {"enum": []}}});
        assert!(of(never).valid.is_err());
        let foreign = json!({"type": "object", "$ref": "https://example.com/x"});
        assert!(of(foreign).valid.unwrap_err().contains("cannot be used"));
    }

    #[test]
    fn keywords_of_the_default_dialect_are_broken() {
        let schema = json!({"type": "object", "properties": {"a": {"type": "integer"}, "b": {"type": "integer"}}, "dependentRequired": {"a": ["b"]}});
        assert!(broken(&of(schema)).contains(&("dependentRequired", "", false)));
        let tuple = json!({"type": "object", "required": ["t"], "properties": {"t": {"type": "array", "prefixItems": [{"type": "integer"}]}}});
        assert!(broken(&of(tuple)).contains(&("prefixItems", "/t/0", false)));
        let closed = json!({"type": "object", "properties": {"a": {}}, "unevaluatedProperties": false});
        assert!(broken(&of(closed)).contains(&("unevaluatedProperties", "", false)));
    }

    #[test]
    fn a_tool_without_parameters_is_called_with_too_many() {
        let arguments = of(json!({"type": "object", "additionalProperties": false}));
        assert_eq!(arguments.valid, Ok(json!({})));
        assert!(arguments.takes_none);
        assert_eq!(broken(&arguments), [("additionalProperties", "", false)]);
        assert_eq!(of(json!({"type": "object"})).invalid, []);
    }
}
