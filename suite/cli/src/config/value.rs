//! Converts values of the configuration file to the expected types, or returns an error.

use serde_json::Value;
use toml::Spanned;
use toml::de::{DeTable, DeValue};

use super::diagnostic::Diagnostic;

pub(super) fn string<'a>(value: &'a Spanned<DeValue<'_>>) -> Result<&'a str, Diagnostic> {
    value.get_ref().as_str().ok_or_else(|| wrong(value, "a string in quotes"))
}

pub(super) fn flag(value: &Spanned<DeValue<'_>>) -> Result<bool, Diagnostic> {
    value.get_ref().as_bool().ok_or_else(|| wrong(value, "true or false"))
}

pub(super) fn strings(value: &Spanned<DeValue<'_>>) -> Result<Vec<String>, Diagnostic> {
    let items = value.get_ref().as_array().ok_or_else(|| wrong(value, "a list of strings, such as [\"a\", \"b\"]"))?;
    items.iter().map(|item| string(item).map(str::to_owned)).collect()
}

pub(super) fn table<'a, 'i>(value: &'a Spanned<DeValue<'i>>) -> Result<&'a DeTable<'i>, Diagnostic> {
    value.get_ref().as_table().ok_or_else(|| wrong(value, "a table, such as { name = \"value\" }"))
}

/// Converts any value to JSON.
pub(super) fn json(value: &Spanned<DeValue<'_>>) -> Result<Value, Diagnostic> {
    Ok(match value.get_ref() {
        DeValue::String(text) => Value::String(text.to_string()),
        DeValue::Boolean(flag) => Value::Bool(*flag),
        DeValue::Datetime(time) => Value::String(time.to_string()),
        DeValue::Integer(number) => {
            integer(number.as_str(), number.radix()).ok_or_else(|| wrong(value, "a 64-bit integer"))?
        }
        DeValue::Float(number) => {
            let float: Option<f64> = number.as_str().parse().ok();
            float
                .and_then(serde_json::Number::from_f64)
                .map(Value::Number)
                .ok_or_else(|| wrong(value, "a finite number"))?
        }
        DeValue::Array(items) => Value::Array(items.iter().map(json).collect::<Result<_, _>>()?),
        DeValue::Table(members) => {
            let members = members.iter().map(|(key, value)| Ok((key.get_ref().to_string(), json(value)?)));
            Value::Object(members.collect::<Result<_, Diagnostic>>()?)
        }
    })
}

fn integer(digits: &str, radix: u32) -> Option<Value> {
    i64::from_str_radix(digits, radix).ok().map(Value::from)
}

fn wrong(value: &Spanned<DeValue<'_>>, expected: &str) -> Diagnostic {
    Diagnostic::new(
        value.span(),
        &format!("this is a{} {}", vowel(value.get_ref().type_str()), value.get_ref().type_str()),
        expected,
    )
}

fn vowel(word: &str) -> &'static str {
    if word.starts_with(['a', 'e', 'i', 'o', 'u']) { "n" } else { "" }
}
