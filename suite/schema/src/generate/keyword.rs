//! Which keywords mean something in which dialect, and their values read.

use serde_json::{Map, Number, Value};

use super::decimal::Decimal;
use super::library::Library;
use super::place::Place;
use crate::Dialect;

const ALWAYS: [&str; 24] = [
    "$ref",
    "additionalProperties",
    "allOf",
    "anyOf",
    "enum",
    "format",
    "items",
    "maxItems",
    "maxLength",
    "maxProperties",
    "maximum",
    "minItems",
    "minLength",
    "minProperties",
    "minimum",
    "multipleOf",
    "not",
    "oneOf",
    "pattern",
    "patternProperties",
    "properties",
    "required",
    "type",
    "uniqueItems",
];

/// Whether a keyword asserts something by itself. Those that only change what another one means do not.
pub(super) fn asserts(keyword: &str, dialect: Dialect) -> bool {
    match keyword {
        "const" | "contains" | "propertyNames" | "exclusiveMaximum" | "exclusiveMinimum" => dialect >= Dialect::Draft6,
        "if" => dialect >= Dialect::Draft7,
        "dependencies" => dialect <= Dialect::Draft7,
        "dependentRequired" | "dependentSchemas" | "unevaluatedItems" | "unevaluatedProperties" => {
            dialect >= Dialect::Draft201909
        }
        "additionalItems" => dialect <= Dialect::Draft201909,
        "prefixItems" | "$dynamicRef" => dialect == Dialect::Draft202012,
        "$recursiveRef" => dialect == Dialect::Draft201909,
        _ => ALWAYS.contains(&keyword),
    }
}

/// The keywords of a schema that assert something.
pub(super) fn keywords<'s>(place: &Place<'s>, library: &Library) -> Vec<&'s str> {
    let Some(members) = place.schema.as_object() else { return Vec::new() };
    let dialect = place.dialect(library);
    if dialect.ref_hides_siblings() && members.get("$ref").is_some_and(Value::is_string) {
        return vec!["$ref"];
    }
    let lists_items = members.get("items").is_some_and(Value::is_array);
    let means = |name: &&str| match *name {
        "additionalItems" => lists_items,
        name => asserts(name, dialect),
    };
    members.keys().map(String::as_str).filter(means).collect()
}

/// A keyword's value as a count.
pub(super) fn count(value: &Value) -> Option<u64> {
    let whole = |float: f64| (float >= 0.0 && float.fract() == 0.0 && float < 1e15).then_some(float);
    value.as_u64().or_else(|| format!("{:.0}", whole(value.as_f64()?)?).parse().ok())
}

/// A keyword's value as a number.
pub(super) fn decimal(value: &Value) -> Option<Decimal> {
    value.as_number().map(|number: &Number| Decimal::of(number))
}

/// A keyword's value as a map.
pub(super) fn map<'s>(place: &Place<'s>, keyword: &str) -> Option<&'s Map<String, Value>> {
    place.schema.get(keyword)?.as_object()
}

/// The strings of a list.
pub(super) fn strings(value: &Value) -> Vec<&str> {
    value.as_array().into_iter().flatten().filter_map(Value::as_str).collect()
}
