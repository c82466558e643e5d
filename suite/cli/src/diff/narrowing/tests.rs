//! A table of schema changes: those that refuse what was accepted are all found, the others are not taken for such.

use schema::{Dialect, Validator};
use serde_json::{Value, json};

use super::*;

fn compared(was: &Value, now: &Value) -> Narrowing {
    find_narrowing(was, now, Dialect::Draft202012)
}

/// An object with these members.
fn of(properties: &Value, required: &[&str]) -> Value {
    json!({"type": "object", "properties": properties, "required": required})
}

/// The same, where `n` alone differs.
fn n(schema: &Value) -> Value {
    of(&json!({"n": schema, "other": {"type": "string"}}), &["n"])
}

/// Every pair, the schema as it was and as it is.
fn incompatible() -> Vec<(&'static str, Value, Value)> {
    let string = json!({"type": "string"});
    let plain = of(&json!({"a": string}), &[]);
    let two = of(&json!({"a": string, "b": string}), &["a"]);
    let mut table = vec![
        ("a member is required that was optional", two.clone(), of(&json!({"a": string, "b": string}), &["a", "b"])),
        ("a new member is required", plain.clone(), of(&json!({"a": string, "b": string}), &["b"])),
        ("other members are forbidden", plain.clone(), with(&plain, "additionalProperties", json!(false))),
        (
            "other members are strings",
            with(&plain, "additionalProperties", json!(true)),
            with(&plain, "additionalProperties", json!({"type": "string"})),
        ),
        (
            "a member is gone from a closed object",
            with(&two, "additionalProperties", json!(false)),
            with(&of(&json!({"a": string}), &["a"]), "additionalProperties", json!(false)),
        ),
        ("a member is renamed and required", of(&json!({"a": string}), &["a"]), of(&json!({"b": string}), &["b"])),
        ("at least two members", plain.clone(), with(&plain, "minProperties", json!(2))),
        ("at most one member", two.clone(), with(&two, "maxProperties", json!(1))),
        ("names have a pattern", plain.clone(), with(&plain, "propertyNames", json!({"pattern": "^a$"}))),
        (
            "a needs b",
            two.clone(),
            with(&of(&json!({"a": string, "b": string}), &[]), "dependentRequired", json!({"a": ["b"]})),
        ),
        ("a needs b, draft-07", draft7(&two), draft7(&with(&two, "dependencies", json!({"a": ["b"]})))),
        ("a forbids b", two.clone(), with(&two, "dependentSchemas", json!({"a": {"not": {"required": ["b"]}}}))),
        (
            "one of two must be there",
            of(&json!({"a": string, "b": string}), &[]),
            with(
                &of(&json!({"a": string, "b": string}), &[]),
                "anyOf",
                json!([{"required": ["a"]}, {"required": ["b"]}]),
            ),
        ),
        ("not both", two.clone(), with(&two, "not", json!({"required": ["a", "b"]}))),
        (
            "if a then b",
            two.clone(),
            with(&with(&two, "if", json!({"properties": {"a": {"const": "x"}}})), "then", json!({"required": ["b"]})),
        ),
        (
            "a map of integers",
            json!({"type": "object", "additionalProperties": {"type": "number"}}),
            json!({"type": "object", "additionalProperties": {"type": "integer"}}),
        ),
        (
            "a map has a member of another type",
            json!({"type": "object", "additionalProperties": string}),
            json!({"type": "object", "properties": {"n": {"type": "integer"}}, "additionalProperties": string}),
        ),
        (
            "names that fit a pattern are integers",
            json!({"type": "object", "patternProperties": {"^x": {"type": "number"}}}),
            json!({"type": "object", "patternProperties": {"^x": {"type": "integer"}}}),
        ),
        ("nothing is accepted", plain.clone(), json!(false)),
        (
            "behind a reference",
            json!({"type": "object", "properties": {"a": {"$ref": "#/$defs/x"}}, "$defs": {"x": {"maximum": 9}}}),
            json!({"type": "object", "properties": {"a": {"$ref": "#/$defs/x"}}, "$defs": {"x": {"maximum": 8}}}),
        ),
        (
            "in a recursive schema",
            json!({"type": "object", "properties": {"left": {"$ref": "#"}, "v": {"type": "number"}}}),
            json!({"type": "object", "properties": {"left": {"$ref": "#"}, "v": {"type": "integer"}}}),
        ),
        (
            "deep inside",
            n(&of(&json!({"m": of(&json!({"k": {"type": "array", "items": {"enum": [1, 2]}}}), &[])}), &[])),
            n(&of(&json!({"m": of(&json!({"k": {"type": "array", "items": {"enum": [1]}}}), &[])}), &[])),
        ),
        (
            "the same word of another schema",
            with(&plain, "description", json!("x")),
            of(&json!({"a": {"type": "integer"}}), &[]),
        ),
    ];
    let of_n = [
        ("string to integer", json!({"type": "string"}), json!({"type": "integer"})),
        ("number to integer", json!({"type": "number"}), json!({"type": "integer"})),
        ("a type less", json!({"type": ["string", "null"]}), json!({"type": "string"})),
        ("anything to string", json!({}), json!({"type": "string"})),
        ("a value less", json!({"enum": ["a", "b", "c"]}), json!({"enum": ["a", "b"]})),
        ("string to values", json!({"type": "string"}), json!({"enum": ["a", "b"]})),
        ("another constant", json!({"const": 1}), json!({"const": 2})),
        ("a greater minimum", json!({"type": "integer", "minimum": 0}), json!({"type": "integer", "minimum": 1})),
        ("a smaller maximum", json!({"type": "integer", "maximum": 100}), json!({"type": "integer", "maximum": 99})),
        (
            "a bound that is exclusive",
            json!({"type": "number", "minimum": 0}),
            json!({"type": "number", "exclusiveMinimum": 0}),
        ),
        ("a maximum where there was none", json!({"type": "integer"}), json!({"type": "integer", "maximum": 1000})),
        ("multiples", json!({"type": "integer"}), json!({"type": "integer", "multipleOf": 5})),
        ("other multiples", json!({"type": "integer", "multipleOf": 2}), json!({"type": "integer", "multipleOf": 4})),
        ("a longer string", json!({"type": "string", "minLength": 1}), json!({"type": "string", "minLength": 2})),
        ("no empty string", json!({"type": "string"}), json!({"type": "string", "minLength": 1})),
        ("a shorter string", json!({"type": "string", "maxLength": 50}), json!({"type": "string", "maxLength": 49})),
        ("a pattern", json!({"type": "string"}), json!({"type": "string", "pattern": "^[a-z]+$"})),
        (
            "another pattern",
            json!({"type": "string", "pattern": "^[a-z]{2,5}$"}),
            json!({"type": "string", "pattern": "^[a-z]{3,5}$"}),
        ),
        (
            "other items",
            json!({"type": "array", "items": {"type": "string"}}),
            json!({"type": "array", "items": {"type": "integer"}}),
        ),
        ("items of a type", json!({"type": "array"}), json!({"type": "array", "items": {"type": "integer"}})),
        ("more items", json!({"type": "array"}), json!({"type": "array", "minItems": 1})),
        ("fewer items", json!({"type": "array", "maxItems": 5}), json!({"type": "array", "maxItems": 4})),
        (
            "items that differ",
            json!({"type": "array", "items": {"type": "integer"}}),
            json!({"type": "array", "items": {"type": "integer"}, "uniqueItems": true}),
        ),
        ("an item that must be there", json!({"type": "array"}), json!({"type": "array", "contains": {"const": "x"}})),
        (
            "no items after the first",
            json!({"type": "array", "prefixItems": [{}]}),
            json!({"type": "array", "prefixItems": [{}], "items": false}),
        ),
        (
            "an array where there was one value",
            json!({"type": "string"}),
            json!({"type": "array", "items": {"type": "string"}}),
        ),
        (
            "a branch less",
            json!({"anyOf": [{"type": "string"}, {"type": "integer"}]}),
            json!({"anyOf": [{"type": "string"}]}),
        ),
        (
            "any becomes exactly one",
            json!({"anyOf": [{"type": "integer"}, {"type": "number"}]}),
            json!({"oneOf": [{"type": "integer"}, {"type": "number"}]}),
        ),
        (
            "one demand more",
            json!({"allOf": [{"type": "integer"}]}),
            json!({"allOf": [{"type": "integer"}, {"minimum": 3}]}),
        ),
        ("something is excepted", json!({"type": "string"}), json!({"type": "string", "not": {"const": "root"}})),
        ("an object where anything was", json!({"type": ["object", "string"]}), json!({"type": "object"})),
    ];
    table.extend(of_n.map(|(name, was, now)| (name, n(&was), n(&now))));
    table
}

fn compatible() -> Vec<(&'static str, Value, Value)> {
    let string = json!({"type": "string"});
    let plain = of(&json!({"a": string}), &[]);
    let two = of(&json!({"a": string, "b": string}), &["a", "b"]);
    let mut table = vec![
        ("nothing", two.clone(), two.clone()),
        ("the order of members", two.clone(), of(&json!({"b": string, "a": string}), &["b", "a"])),
        ("an optional member more", plain.clone(), of(&json!({"a": string, "b": {"type": "integer"}}), &[])),
        (
            "an optional object more",
            plain.clone(),
            of(&json!({"a": string, "b": of(&json!({"c": string}), &["c"])}), &[]),
        ),
        ("optional members inside", n(&plain), n(&of(&json!({"a": string, "z": {"enum": [1]}}), &[]))),
        ("a member is optional that was required", two.clone(), of(&json!({"a": string, "b": string}), &["a"])),
        ("a member is gone from an open object", two.clone(), of(&json!({"a": string}), &["a"])),
        ("other members are allowed", with(&plain, "additionalProperties", json!(false)), plain.clone()),
        (
            "a member more in a closed object",
            with(&plain, "additionalProperties", json!(false)),
            with(&of(&json!({"a": string, "b": string}), &[]), "additionalProperties", json!(false)),
        ),
        ("other members are anything, said so", plain.clone(), with(&plain, "additionalProperties", json!({}))),
        ("a description", plain.clone(), with(&plain, "description", json!("what it does"))),
        ("another title", with(&plain, "title", json!("A")), with(&plain, "title", json!("B"))),
        ("a default", plain.clone(), of(&json!({"a": {"type": "string", "default": "x"}}), &[])),
        ("examples", plain.clone(), of(&json!({"a": {"type": "string", "examples": ["x"]}}), &[])),
        ("a comment", plain.clone(), with(&plain, "$comment", json!("x"))),
        ("marked as deprecated", plain.clone(), of(&json!({"a": {"type": "string", "deprecated": true}}), &[])),
        ("definitions that nothing refers to", plain.clone(), with(&plain, "$defs", json!({"x": {"type": "null"}}))),
        (
            "a definition is given a name",
            plain.clone(),
            json!({"type": "object", "properties": {"a": {"$ref": "#/$defs/s"}}, "$defs": {"s": string}}),
        ),
        (
            "a definition has another name",
            json!({"type": "object", "properties": {"a": {"$ref": "#/$defs/s"}}, "$defs": {"s": string}}),
            json!({"type": "object", "properties": {"a": {"$ref": "#/definitions/t"}}, "definitions": {"t": string}}),
        ),
        (
            "the dialect is named",
            plain.clone(),
            with(&plain, "$schema", json!("https://json-schema.org/draft/2020-12/schema")),
        ),
        ("the dialect is another that means the same", draft7(&plain), plain.clone()),
        ("a demand is gone", with(&plain, "minProperties", json!(1)), plain.clone()),
        ("names have no pattern any more", with(&plain, "propertyNames", json!({"pattern": "^a$"})), plain.clone()),
        (
            "a map of numbers",
            json!({"type": "object", "additionalProperties": {"type": "integer"}}),
            json!({"type": "object", "additionalProperties": {"type": "number"}}),
        ),
        (
            "a new member that others depend on",
            plain.clone(),
            with(&of(&json!({"a": string, "b": string}), &[]), "dependentRequired", json!({"b": ["a"]})),
        ),
        ("names of a new kind", plain.clone(), with(&plain, "patternProperties", json!({"^x-": {"type": "integer"}}))),
        (
            "a recursive schema with a member more",
            json!({"type": "object", "properties": {"left": {"$ref": "#"}}}),
            json!({"type": "object", "properties": {"left": {"$ref": "#"}, "label": string}}),
        ),
    ];
    let of_n = [
        ("integer to number", json!({"type": "integer"}), json!({"type": "number"})),
        ("a type more", json!({"type": "string"}), json!({"type": ["string", "null"]})),
        ("a list of one type", json!({"type": "string"}), json!({"type": ["string"]})),
        ("string to anything", json!({"type": "string"}), json!({})),
        ("a value more", json!({"enum": ["a", "b"]}), json!({"enum": ["a", "b", "c"]})),
        ("values in another order", json!({"enum": ["a", "b"]}), json!({"enum": ["b", "a"]})),
        ("a constant among values", json!({"const": "a"}), json!({"enum": ["a", "b"]})),
        ("values to string", json!({"enum": ["a", "b"]}), json!({"type": "string"})),
        ("a smaller minimum", json!({"type": "integer", "minimum": 1}), json!({"type": "integer", "minimum": 0})),
        (
            "the same bound in other words",
            json!({"type": "integer", "exclusiveMinimum": 0}),
            json!({"type": "integer", "minimum": 1}),
        ),
        ("no maximum any more", json!({"type": "integer", "maximum": 9}), json!({"type": "integer"})),
        (
            "multiples of a part",
            json!({"type": "integer", "multipleOf": 4}),
            json!({"type": "integer", "multipleOf": 2}),
        ),
        ("a shorter minimum", json!({"type": "string", "minLength": 2}), json!({"type": "string", "minLength": 1})),
        ("a longer maximum", json!({"type": "string", "maxLength": 5}), json!({"type": "string", "maxLength": 50})),
        ("no pattern any more", json!({"type": "string", "pattern": "^a"}), json!({"type": "string"})),
        (
            "a wider pattern",
            json!({"type": "string", "pattern": "^[a-c]{2,5}$"}),
            json!({"type": "string", "pattern": "^[a-z]{1,9}$"}),
        ),
        (
            "the same pattern in other words",
            json!({"type": "string", "pattern": "^[0-9]+$"}),
            json!({"type": "string", "pattern": "^[0-9][0-9]*$"}),
        ),
        ("a format", json!({"type": "string"}), json!({"type": "string", "format": "date"})),
        (
            "wider items",
            json!({"type": "array", "items": {"type": "string"}}),
            json!({"type": "array", "items": {"type": ["string", "integer"]}}),
        ),
        ("items may be repeated", json!({"type": "array", "uniqueItems": true}), json!({"type": "array"})),
        ("fewer items are enough", json!({"type": "array", "minItems": 2}), json!({"type": "array", "minItems": 1})),
        (
            "a branch more",
            json!({"anyOf": [{"type": "string"}]}),
            json!({"anyOf": [{"type": "string"}, {"type": "integer"}]}),
        ),
        (
            "branches in another order",
            json!({"oneOf": [{"type": "string"}, {"type": "integer"}]}),
            json!({"oneOf": [{"type": "integer"}, {"type": "string"}]}),
        ),
        (
            "a demand less",
            json!({"allOf": [{"type": "integer"}, {"minimum": 3}]}),
            json!({"allOf": [{"type": "integer"}]}),
        ),
        (
            "one value or a list",
            json!({"type": "string"}),
            json!({"anyOf": [{"type": "string"}, {"type": "array", "items": {"type": "string"}}]}),
        ),
    ];
    table.extend(of_n.map(|(name, was, now)| (name, n(&was), n(&now))));
    table
}

fn with(schema: &Value, keyword: &str, value: Value) -> Value {
    let mut schema = schema.clone();
    schema[keyword] = value;
    schema
}

fn draft7(schema: &Value) -> Value {
    with(schema, "$schema", json!("http://json-schema.org/draft-07/schema#"))
}

#[test]
fn every_incompatible_change_is_shown_by_an_instance() {
    let table = incompatible();
    assert!(table.len() >= 40, "{}", table.len());
    for (name, was, now) in &table {
        let Narrowing::Refuses(instance, _) = compared(was, now) else {
            panic!("{name}: {:?}", compared(was, now));
        };
        let validator = |schema: &Value| Validator::new(schema, Dialect::Draft202012).expect("a good schema");
        assert!(validator(was).accepts(&instance) && validator(now).refuses(&instance), "{name}: {instance}");
    }
}

#[test]
fn no_compatible_change_is_taken_for_another() {
    let table = compatible();
    assert!(table.len() >= 40, "{}", table.len());
    for (name, was, now) in &table {
        assert_eq!(compared(was, now), Narrowing::Takes, "{name}");
    }
}

#[test]
fn the_instance_is_small() {
    let was = n(&json!({"type": "integer", "maximum": 100}));
    let now = n(&json!({"type": "integer", "maximum": 10}));
    let Narrowing::Refuses(instance, flaw) = compared(&was, &now) else { panic!("it is found") };
    assert_eq!(instance.as_object().map(|members| members.len()), Some(1), "{instance}");
    assert_eq!((flaw.keyword.as_str(), flaw.at.as_str()), ("maximum", "/n"));
}

#[test]
fn what_cannot_be_judged_is_said() {
    let foreign = json!({"$schema": "urn:mine"});
    assert!(matches!(compared(&foreign, &json!({})), Narrowing::Unknown(reason) if reason.contains("urn:mine")));
}
