//! Values that a schema itself speaks of: what shrinking tries, since no change of an instance finds them by chance.

use serde_json::{Number, Value};

use super::decimal::Decimal;
use super::formats::plainest_format;
use super::library::Library;
use super::target::targets;
use super::text::Sampler;

/// Hints of one schema.
const MOST: usize = 300;

const PLAIN: [&str; 13] = [
    "const",
    "enum",
    "examples",
    "exclusiveMaximum",
    "exclusiveMinimum",
    "format",
    "maxLength",
    "maximum",
    "minLength",
    "minimum",
    "multipleOf",
    "pattern",
    "patternProperties",
];

/// The values.
pub(super) fn hints(library: &Library) -> Vec<Value> {
    let mut found: Vec<Value> = Vec::new();
    for (keyword, value) in said(library) {
        if found.len() <= MOST {
            hint(&keyword, &value, &mut found);
        }
    }
    found.truncate(MOST);
    found.sort_by_key(|value| value.to_string().len());
    found.dedup();
    found
}

/// Every keyword with its value, subschemas apart, at every place that instances can be led to.
pub(super) fn said(library: &Library) -> Vec<(String, Value)> {
    let mut found = Vec::new();
    for target in targets(library) {
        let members = target.place.schema.as_object().into_iter().flatten();
        let plain = members.filter(|(keyword, _)| PLAIN.contains(&keyword.as_str()));
        found.extend(plain.map(|(keyword, value)| (keyword.clone(), value.clone())));
    }
    found
}

fn hint(keyword: &str, value: &Value, found: &mut Vec<Value>) {
    match (keyword, value) {
        ("enum" | "examples", Value::Array(values)) => found.extend(values.iter().take(50).cloned()),
        ("const", value) => found.push(value.clone()),
        ("minimum" | "maximum" | "exclusiveMinimum" | "exclusiveMaximum" | "multipleOf", Value::Number(number)) => {
            found.extend(around(number).into_iter().map(Value::Number));
        }
        ("minLength" | "maxLength", Value::Number(number)) => {
            let length =
                number.as_u64().and_then(|length| usize::try_from(length).ok()).filter(|length| *length < 5000);
            found.extend(
                length.into_iter().flat_map(|length| [length, length + 1]).map(|length| "a".repeat(length).into()),
            );
        }
        ("pattern", Value::String(pattern)) => found.push(Sampler::new(pattern).plainest().into()),
        ("patternProperties", Value::Object(members)) => {
            found.extend(members.keys().map(|pattern| Sampler::new(pattern).plainest().into()));
        }
        ("format", Value::String(name)) => found.extend(plainest_format(name).map(Value::from)),
        _ => {}
    }
}

/// A bound and what lies directly beside it.
fn around(number: &Number) -> Vec<Number> {
    let exact = Decimal::of(number);
    let beside = exact.units(0).filter(|_| exact.is_whole()).into_iter().flat_map(|whole| [whole - 1, whole + 1]);
    let whole = beside.filter_map(|whole| Decimal::new(whole, 0).number());
    let power = exact.power().min(0) - 1;
    let fine = exact.units(power).into_iter().flat_map(|units| [units - 1, units + 1, units - 5, units + 5]);
    let fine = fine.filter_map(|units| Decimal::new(units, power).number());
    std::iter::once(number.clone()).chain(whole).chain(fine).collect()
}
