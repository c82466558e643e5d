//! The generator's promises, tested on small schemas.

use std::sync::Arc;

use proptest::strategy::{Strategy, ValueTree};
use proptest::test_runner::TestRunner;
use serde_json::{Value, json};
use url::Url;

use super::{Breaks, Declined, Generator, Instances};
use crate::Dialect;

fn generator(schema: &Value) -> Generator {
    Generator::new(schema, Dialect::Draft202012).unwrap_or_else(|declined| panic!("{declined}: {schema}"))
}

fn drawn(instances: &Instances) -> Vec<Value> {
    (0..40).map(|seed| instances.draw(seed).unwrap_or_else(|declined| panic!("{declined}, seed {seed}"))).collect()
}

fn broken(breaks: &Breaks) -> Vec<String> {
    breaks.found.iter().map(|one| format!("{} {}", one.at, one.keyword)).collect()
}

/// Shrinks an instance as long as `fails` holds.
fn shrunk(instances: &Instances, fails: impl Fn(&Value) -> bool) -> Value {
    let mut runner = TestRunner::deterministic();
    let mut tree = loop {
        let tree = instances.new_tree(&mut runner).expect("an instance");
        if fails(&tree.current()) {
            break tree;
        }
    };
    let mut last = tree.current();
    let mut more = tree.simplify();
    while more {
        assert!(instances.contains(&tree.current()), "shrinking left its kind: {}", tree.current());
        if fails(&tree.current()) {
            last = tree.current();
            more = tree.simplify();
        } else {
            more = tree.complicate();
        }
    }
    last
}

fn shop() -> Value {
    json!({
        "type": "object",
        "properties": {
            "n": {"type": "integer", "minimum": 1, "maximum": 1000},
            "q": {"type": "string", "pattern": "^[a-z]{2,8}$"},
            "tags": {"type": "array", "items": {"enum": ["x", "y", "z"]}, "uniqueItems": true, "maxItems": 2},
            "when": {"type": "string", "format": "date"},
            "to": {"anyOf": [{"type": "string", "minLength": 3}, {"type": "null"}]}
        },
        "required": ["n", "q"],
        "additionalProperties": false
    })
}

#[test]
fn instances_are_valid_and_not_all_the_same() {
    let valid = drawn(&generator(&shop()).valid());
    assert!(valid.iter().all(|one| one["n"].as_i64().is_some_and(|n| (1..=1000).contains(&n))));
    let mut texts: Vec<String> = valid.iter().map(Value::to_string).collect();
    texts.sort();
    texts.dedup();
    assert!(texts.len() > 30, "{texts:?}");
}

#[test]
fn the_same_seed_gives_the_same_instance() {
    let (one, two) = (generator(&shop()).valid(), generator(&shop()).valid());
    assert_eq!(drawn(&one), drawn(&two));
}

#[test]
fn each_keyword_is_broken_alone() {
    let breaks = generator(&shop()).breaks();
    let expected = [
        " type",
        " required",
        " additionalProperties",
        "/properties/n type",
        "/properties/n minimum",
        "/properties/n maximum",
        "/properties/q type",
        "/properties/q pattern",
        "/properties/tags type",
        "/properties/tags uniqueItems",
        "/properties/tags maxItems",
        "/properties/when type",
        "/properties/when format",
        "/properties/to anyOf",
        "/properties/tags/items enum",
    ];
    assert_eq!(broken(&breaks), expected);
    for one in &breaks.found {
        drawn(&one.instances);
    }
}

#[test]
fn what_shrinking_leaves_is_what_a_person_would_write() {
    let generator = generator(&shop());
    assert_eq!(shrunk(&generator.valid(), |_| true), json!({"n": 1, "q": "aa"}));
    let several =
        |one: &Value| one["n"].as_i64() >= Some(500) && one["tags"].as_array().is_some_and(|tags| tags.len() > 1);
    assert_eq!(shrunk(&generator.valid(), several), json!({"n": 500, "q": "aa", "tags": ["x", "y"]}));
    let minimal: Vec<String> =
        generator.breaks().found.iter().map(|one| shrunk(&one.instances, |_| true).to_string()).collect();
    let expected = [
        "null",
        r#"{"n":1}"#,
        r#"{"n":1,"q":"aa","a":null}"#,
        r#"{"n":null,"q":"aa"}"#,
        r#"{"n":0,"q":"aa"}"#,
        r#"{"n":1001,"q":"aa"}"#,
        r#"{"n":1,"q":null}"#,
        r#"{"n":1,"q":""}"#,
        r#"{"n":1,"q":"aa","tags":null}"#,
        r#"{"n":1,"q":"aa","tags":["x","x"]}"#,
        r#"{"n":1,"q":"aa","tags":["x","y","z"]}"#,
        r#"{"n":1,"q":"aa","when":null}"#,
        r#"{"n":1,"q":"aa","when":""}"#,
        r#"{"n":1,"q":"aa","to":false}"#,
        r#"{"n":1,"q":"aa","tags":[null]}"#,
    ];
    assert_eq!(minimal, expected);
}

#[test]
fn boundaries_are_met() {
    let found = generator(&shop()).boundaries();
    let has = |test: &dyn Fn(&Value) -> bool| found.iter().any(|one| test(&one.instance));
    for n in [1, 2, 999, 1000] {
        assert!(has(&|one| one["n"] == n), "{n}");
    }
    for tags in [json!([]), json!(["x"]), json!(["z"])] {
        assert!(
            has(&|one| one["tags"].as_array().is_some_and(|found| found.starts_with(tags.as_array().unwrap()))),
            "{tags}"
        );
    }
    assert!(has(&|one| one.get("to") == Some(&Value::Null)) && has(&|one| one["to"].is_string()));
    assert!(
        has(&|one| one.as_object().is_some_and(|all| all.len() == 2))
            && has(&|one| one.as_object().is_some_and(|all| all.len() == 5))
    );
}

#[test]
fn awkward_values_are_valid() {
    let generator = generator(
        &json!({"type": "object", "properties": {"s": {"type": "string"}, "n": {"type": "integer"}}, "required": ["s", "n"]}),
    );
    let awkward = drawn(&generator.awkward());
    assert!(awkward.iter().any(|one| one["s"].as_str().is_some_and(|text| !text.is_ascii())));
    assert!(awkward.iter().any(|one| one["n"].is_f64()));
    assert!(awkward.iter().any(|one| one.get("__proto__").is_some()));
}

#[test]
fn contradictions_are_recognised() {
    for schema in [
        json!(false),
        json!({"type": "integer", "minimum": 2, "maximum": 1}),
        json!({"allOf": [{"type": "string"}, {"type": "null"}]}),
        json!({"type": "object", "required": ["a"], "properties": {"a": false}}),
        json!({"not": {}}),
        json!({"enum": [1, 2], "not": {"type": "integer"}}),
        json!({"type": "array", "minItems": 3, "uniqueItems": true, "items": {"type": "boolean"}}),
        json!({"type": "object", "required": ["next"], "properties": {"next": {"$ref": "#"}}}),
    ] {
        let declined = Generator::new(&schema, Dialect::Draft202012).expect_err("nothing satisfies it");
        assert!(matches!(declined, Declined::Contradiction | Declined::Spent), "{declined}: {schema}");
    }
}

#[test]
fn recursion_is_bounded_and_reached() {
    let tree = json!({
        "$ref": "#/$defs/node",
        "$defs": {"node": {"type": "object", "required": ["name"], "additionalProperties": false, "properties": {
            "name": {"type": "string"}, "children": {"type": "array", "items": {"$ref": "#/$defs/node"}}
        }}}
    });
    let deep = generator(&tree).boundaries().into_iter().map(|one| depth(&one.instance)).max();
    assert!(deep.is_some_and(|deep| (10..40).contains(&deep)), "{deep:?}");
    assert!(drawn(&generator(&tree).valid()).iter().all(|one| depth(one) < 40));
}

fn depth(value: &Value) -> usize {
    match value {
        Value::Array(items) => 1 + items.iter().map(depth).max().unwrap_or(0),
        Value::Object(members) => 1 + members.values().map(depth).max().unwrap_or(0),
        _ => 0,
    }
}

#[test]
fn schemas_made_to_hang_do_not() {
    let mut defs = serde_json::Map::new();
    for level in 0..40 {
        let below = json!({"$ref": format!("#/$defs/d{}", level + 1)});
        defs.insert(format!("d{level}"), json!({"oneOf": [below, {"not": below}]}));
    }
    defs.insert("d40".into(), json!({"type": "integer"}));
    let began = std::time::Instant::now();
    let _ = Generator::new(&json!({"$ref": "#/$defs/d0", "$defs": defs}), Dialect::Draft202012);
    // A hundred choices at every level of an endless recursion: neither time nor the stack may run out.
    let choice = |at: usize| json!({"anyOf": [{"minProperties": at % 2}, {"required": ["next"]}]});
    let choices: Vec<Value> = (0..100).map(choice).collect();
    let endless =
        json!({"type": "object", "required": ["next"], "properties": {"next": {"$ref": "#"}}, "allOf": choices});
    assert!(Generator::new(&endless, Dialect::Draft202012).is_err());
    assert!(began.elapsed().as_secs() < 5);
}

#[test]
fn the_dialect_is_heeded() {
    let exclusive = json!({"type": "integer", "minimum": 3, "exclusiveMinimum": true, "maximum": 4});
    let generator = Generator::new(&exclusive, Dialect::Draft4).expect("one number");
    assert!(drawn(&generator.valid()).iter().all(|one| one == &json!(4)));
    let hidden = json!({"$ref": "#/definitions/s", "type": "integer", "definitions": {"s": {"type": "string"}}});
    let generator = Generator::new(&hidden, Dialect::Draft7).expect("a string");
    assert!(drawn(&generator.valid()).iter().all(Value::is_string));
    let unknown = Generator::new(&json!({"$schema": "urn:mine"}), Dialect::Draft7);
    assert_eq!(unknown.map(|_| ()), Err(Declined::UnknownDialect("urn:mine".into())));
}

#[test]
fn a_meta_schema_of_ones_own_is_read_as_the_dialect_it_builds_on() {
    let draft = "https://json-schema.org/draft/2020-12";
    let meta = |vocabularies: Value| json!({"$schema": format!("{draft}/schema"), "$vocabulary": vocabularies});
    let without = meta(json!({(format!("{draft}/vocab/core")): true, (format!("{draft}/vocab/applicator")): true}));
    let with = meta(json!({(format!("{draft}/vocab/validation")): true, "urn:unheard-of": false}));
    let address = |text: &str| Url::parse(text).expect("an address");
    let others = [(address("urn:without"), Arc::new(without)), (address("urn:with"), Arc::new(with))];
    let broken = |named: &str| {
        let schema = json!({"$schema": named, "type": "object", "properties": {"a": {"minimum": 5}}});
        let generator = Generator::with_documents(&schema, Dialect::Draft7, &others).expect("a generator");
        generator.breaks().found.into_iter().map(|one| one.keyword).collect::<Vec<_>>()
    };
    assert_eq!(broken("urn:without"), [""; 0]);
    assert_eq!(broken("urn:with"), ["type", "minimum"]);
}
