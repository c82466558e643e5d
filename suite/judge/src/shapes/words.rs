//! Words for shapes and values in findings.

use serde_json::Value;

use super::row::Shape;

/// Returns the expected form, as a noun phrase.
pub(super) fn expected(shape: &Shape) -> String {
    match shape {
        Shape::Any => "a member of this name".to_owned(),
        Shape::String => "a string".to_owned(),
        Shape::Boolean => "a boolean".to_owned(),
        Shape::Number => "a number".to_owned(),
        Shape::Integer => "an integer".to_owned(),
        Shape::IntegerOrNull => "an integer or null".to_owned(),
        Shape::Token => "a string or an integer".to_owned(),
        Shape::Object | Shape::Map(_) | Shape::Struct(_) | Shape::Tagged(_) => "an object".to_owned(),
        Shape::Const(text) => format!("{text:?}"),
        Shape::Enum(texts) => {
            format!("one of {}", texts.iter().map(|text| format!("{text:?}")).collect::<Vec<_>>().join(", "))
        }
        Shape::Text(check) | Shape::Is(check) => check.expected.to_owned(),
        Shape::Array(_) => "an array".to_owned(),
        Shape::OneOrMany(one, _) | Shape::As(_, one) | Shape::Also(_, one) => expected(one),
        Shape::AnyOf(text, _) => (*text).to_owned(),
        Shape::Absent => "no such member".to_owned(),
    }
}

/// Returns a description of a value that does not differ between runs.
pub(super) fn actual(value: &Value) -> String {
    match value {
        Value::Null => "null",
        Value::Bool(_) => "a boolean",
        Value::Number(number) if number.as_f64().is_some_and(|number| number.fract() != 0.0) => {
            "a number with a fraction"
        }
        Value::Number(_) => "a number",
        Value::String(_) => "a string",
        Value::Array(_) => "an array",
        Value::Object(_) => "an object",
    }
    .to_owned()
}

/// Returns a description of a value, with short strings quoted.
pub(super) fn quoted(value: &Value) -> String {
    let word = |text: &&str| text.len() <= 40 && text.bytes().all(|byte| (0x20..0x7f).contains(&byte));
    value.as_str().filter(word).map_or_else(|| actual(value), |text| format!("{text:?}"))
}
