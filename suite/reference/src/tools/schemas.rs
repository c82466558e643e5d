//! Tools whose input schemas say more than types: bounds, patterns, choices, recursion. What is wrong with how a server
//! checks them shows with the right arguments alone.

use serde_json::{Value, json};

use super::entry::{always, object, read_only, with};
use crate::core::Entry;

/// The tools defined here.
pub(crate) const NAMES: [&str; 8] = [
    "weigh_parcel",
    "address_label",
    "tag_photo",
    "ship_order",
    "pay_bill",
    "evaluate_sum",
    "describe_text",
    "count_up",
];

pub(super) fn entries() -> Vec<Entry> {
    let told = |name: &str, description: &str, mut input: Value| {
        explain(&mut input);
        always(name, description, input, read_only())
    };
    let structured = |name: &str, description: &str, input: Value, output: Value| {
        with(told(name, description, input), "outputSchema", output)
    };
    vec![
        structured(
            "weigh_parcel",
            "Returns what it costs to send something, for example overnight.",
            parcel(),
            price(),
        ),
        told("address_label", "Returns the words to put on an envelope, for example To Ann.", label()),
        told("tag_photo", "Returns how many marks of each kind were given, for example ratings.", photo()),
        told("ship_order", "Returns how many things would go to which city, for example Bern.", shipment()),
        told("pay_bill", "Returns by which kind of money somebody would settle it, for example by card.", payment()),
        structured(
            "evaluate_sum",
            "Returns the value of plain and nested additions, for example 3 for 1 plus 2.",
            sums(),
            total(),
        ),
        structured(
            "describe_text",
            "Returns how many characters there are and which one is first, for example 3 for abc.",
            text(),
            measures(),
        ),
        told("count_up", "Returns the next three numbers from one on, for example 2, 4 and 6.", steps()),
    ]
}

/// Parameters whose name says all get it for a description.
fn explain(schema: &mut Value) {
    if let Some(items) = schema.get_mut("items") {
        explain(items);
    }
    for (name, property) in schema.get_mut("properties").and_then(Value::as_object_mut).into_iter().flatten() {
        explain(property);
        if property.is_object() && property.get("$ref").is_none() && property.get("description").is_none() {
            property["description"] = json!(format!("The {}.", name.replace('_', " ")));
        }
    }
}

fn parcel() -> Value {
    object(
        json!({"grams": {"type": "integer", "minimum": 1, "maximum": 30_000},
            "kilometres": {"type": "number", "exclusiveMinimum": 0, "exclusiveMaximum": 20_000},
            "insured": {"type": "integer", "minimum": 0, "multipleOf": 25},
            "service": {"type": "string", "enum": ["economy", "express", "overnight"]},
            "form": {"const": "CN22"}}),
        &[],
    )
}

fn price() -> Value {
    object(json!({"price": {"type": "number", "minimum": 0}, "service": {"type": "string"}}), &["price", "service"])
}

fn label() -> Value {
    object(
        json!({"name": {"type": "string", "minLength": 2, "maxLength": 12},
            "code": {"type": "string", "pattern": "[A-Z]{2}[0-9]", "description": "Holds two capitals and a digit."},
            "zip": {"type": "string", "pattern": "^[0-9]{5}$"},
            "day": {"type": "string", "format": "date", "description": "It is checked to be one."},
            "floor": {"type": ["integer", "null"], "minimum": -3, "maximum": 100}}),
        &[],
    )
}

fn photo() -> Value {
    let spot = object(json!({"x": {"type": "integer"}, "y": {"type": "integer"}}), &["x", "y"]);
    let tag = json!({"type": "string", "maxLength": 20});
    object(
        json!({"tags": {"type": "array", "items": tag, "minItems": 2, "maxItems": 4},
            "ratings": {"type": "array", "items": {"type": "number"}, "uniqueItems": true},
            "spots": {"type": "array", "items": spot, "uniqueItems": true}}),
        &[],
    )
}

fn shipment() -> Value {
    let address = object(json!({"street": {"type": "string"}, "city": {"type": "string"}}), &["city"]);
    let customer = object(json!({"name": {"type": "string"}, "address": address}), &["address"]);
    let line = object(
        json!({"sku": {"type": "string"}, "count": {"type": "integer", "minimum": 1, "maximum": 1_000_000_000}}),
        &["sku"],
    );
    object(
        json!({"customer": customer, "lines": {"type": "array", "items": line},
            "options": {"type": "object", "additionalProperties": {"type": "boolean"},
                "propertyNames": {"pattern": "^[a-z]+$"}, "minProperties": 1, "maxProperties": 3}}),
        &[],
    )
}

fn payment() -> Value {
    let by =
        |kind: &str, what: &str| object(json!({"kind": {"const": kind}, what: {"type": "string"}}), &["kind", what]);
    object(
        json!({"method": {"anyOf": [by("card", "number"), by("bank", "account")]},
            "rounds": {"type": "integer", "oneOf": [{"multipleOf": 3}, {"multipleOf": 5}]},
            "tip": {"type": "number", "not": {"exclusiveMaximum": 0}}}),
        &[],
    )
}

fn sums() -> Value {
    let number = json!({"type": "number", "minimum": -1000, "maximum": 1000});
    let inner = json!({"type": "array", "items": {"$ref": "#/$defs/sum"}, "minItems": 1, "maxItems": 2});
    json!({"type": "object", "properties": {"sum": {"$ref": "#/$defs/sum"}}, "required": ["sum"],
        "additionalProperties": false,
        "$defs": {"sum": {"anyOf": [number, object(json!({"plus": inner}), &["plus"])]}}})
}

fn total() -> Value {
    object(json!({"value": {"type": "number"}, "depth": {"type": "integer", "minimum": 0}}), &["value", "depth"])
}

fn text() -> Value {
    object(json!({"text": {"type": "string"}}), &[])
}

fn measures() -> Value {
    object(json!({"length": {"type": "integer", "minimum": 0}, "first": {"type": "string"}}), &["length"])
}

fn steps() -> Value {
    object(json!({"from": {"type": "integer"}, "step": {"type": "integer", "minimum": -10, "maximum": 10}}), &[])
}
