//! Instances that break a keyword by as little as possible: one beyond the bound, the right word in the wrong case, a match
//! with one letter too many. Careless checks let just these pass.

use std::collections::HashSet;

use serde_json::{Map, Value, json};

use super::decimal::neighbors;
use super::source::{Source, Want};

/// Valid instances that are looked at for something to start from.
const STARTS: u64 = 12;
/// Longer strings and arrays are not made only to be too long.
const LONGEST: u64 = 20_000;
/// Instances for one keyword.
const MOST: usize = 12;

/// Near misses of a keyword with this value; `example` is what breaks it somehow.
pub(super) fn near(source: &Source, want: &Want, keyword: &str, value: &Value, example: &Value) -> Vec<Value> {
    let Some(place) = source.judge.place(example) else { return Vec::new() };
    let mut seen = HashSet::new();
    let mut found = Vec::new();
    for start in starts(source, &place, example) {
        let Some(there) = start.pointer(&place) else { continue };
        for missed in misses(keyword, value, there) {
            let mut instance = start.clone();
            let Some(slot) = instance.pointer_mut(&place) else { continue };
            *slot = missed;
            let later = after_a_good_one(&instance, &place, there);
            for instance in std::iter::once(instance).chain(later) {
                if found.len() < MOST && seen.insert(instance.to_string()) && source.is_right(want, &instance) {
                    found.push(instance);
                }
            }
        }
    }
    found
}

/// Of an item of an array the same behind a good one: some look at the first alone.
fn after_a_good_one(instance: &Value, place: &str, good: &Value) -> Option<Value> {
    let (array, at) = place.rsplit_once('/')?;
    let at: usize = at.parse().ok()?;
    let mut later = instance.clone();
    later.pointer_mut(array)?.as_array_mut()?.insert(at, good.clone());
    Some(later)
}

/// Valid instances in which the place exists, of different kinds there, then the broken one.
fn starts(source: &Source, place: &str, example: &Value) -> Vec<Value> {
    let drawn = (0..STARTS).filter_map(|seed| source.draw(&Want::Valid, seed).ok());
    let mut found: Vec<Value> = drawn.filter(|instance| instance.pointer(place).is_some()).collect();
    // The simplest first: a bound is missed by one in whatever surroundings.
    found.sort_by_key(|instance| instance.to_string().len());
    found.push(example.clone());
    found
}

fn misses(keyword: &str, value: &Value, there: &Value) -> Vec<Value> {
    match (keyword, there) {
        ("minimum" | "maximum" | "exclusiveMinimum" | "exclusiveMaximum", _) => {
            value.as_number().map(neighbors).unwrap_or_default().into_iter().map(Value::Number).collect()
        }
        ("multipleOf", _) => {
            value.as_number().map(neighbors).unwrap_or_default().into_iter().map(Value::Number).collect()
        }
        ("minLength", _) => lengths(value.as_u64().and_then(|least| least.checked_sub(1))),
        ("maxLength", _) => lengths(value.as_u64().map(|most| most + 1)),
        ("minItems" | "maxItems", Value::Array(items)) => counted(keyword, value, items),
        ("minProperties" | "maxProperties", Value::Object(members)) => sized(keyword, value, members),
        ("enum", _) => value.as_array().into_iter().flatten().flat_map(cases).collect(),
        ("const", _) => cases(value),
        ("pattern", Value::String(text)) => around(text),
        ("uniqueItems", Value::Array(items)) => twins(items),
        ("required", Value::Object(members)) => without(value, members),
        ("additionalProperties" | "unevaluatedProperties", Value::Object(members)) => more(members),
        ("type", _) => others(there),
        _ => Vec::new(),
    }
}

fn lengths(count: Option<u64>) -> Vec<Value> {
    let Some(count) = count.filter(|count| *count <= LONGEST).and_then(|count| usize::try_from(count).ok()) else {
        return Vec::new();
    };
    // As many bytes, or UTF-16 units, as would do.
    ["a", "\u{e9}", "\u{1f600}"].iter().map(|letter| json!(letter.repeat(count))).collect()
}

fn counted(keyword: &str, value: &Value, items: &[Value]) -> Vec<Value> {
    let Some(bound) = value.as_u64().filter(|bound| *bound <= LONGEST).and_then(|bound| usize::try_from(bound).ok())
    else {
        return Vec::new();
    };
    let count = if keyword == "minItems" { bound.checked_sub(1) } else { Some(bound + 1) };
    let Some(count) = count.filter(|count| *count == 0 || !items.is_empty()) else { return Vec::new() };
    let mut alike: Vec<Value> = items.iter().cycle().take(count).cloned().collect();
    let first = json!(alike);
    // Where they must differ, numbers and strings can.
    for (at, item) in alike.iter_mut().enumerate() {
        match item {
            Value::Number(number) => *item = json!(number.as_i64().unwrap_or(0).saturating_add(at as i64)),
            Value::String(text) => *item = json!(format!("{text}{at}")),
            _ => {}
        }
    }
    vec![first, json!(alike)]
}

fn sized(keyword: &str, value: &Value, members: &Map<String, Value>) -> Vec<Value> {
    let Some(bound) = value.as_u64().filter(|bound| *bound <= 500).and_then(|bound| usize::try_from(bound).ok()) else {
        return Vec::new();
    };
    let count = if keyword == "minProperties" { bound.saturating_sub(1) } else { bound + 1 };
    let mut sized: Map<String, Value> =
        members.iter().take(count).map(|(name, of)| (name.clone(), of.clone())).collect();
    if let Some(last) = members.values().next_back() {
        for at in sized.len()..count {
            sized.insert(format!("p{at}"), last.clone());
        }
    }
    vec![Value::Object(sized)]
}

fn cases(value: &Value) -> Vec<Value> {
    match value {
        Value::String(text) => {
            let lower = text.to_lowercase();
            let mut first = lower.chars();
            let capital: String = first.next().into_iter().flat_map(char::to_uppercase).chain(first).collect();
            vec![json!(text.to_uppercase()), json!(capital), json!(lower), json!(format!("{text} ")), json!("")]
        }
        Value::Number(_) | Value::Bool(_) => vec![json!(value.to_string())],
        _ => Vec::new(),
    }
}

fn around(text: &str) -> Vec<Value> {
    let made = [
        format!("x{text}"),
        format!("{text}x"),
        format!("{text}\n"),
        format!("\n{text}"),
        format!("!{text}!"),
        text.to_uppercase(),
        text.to_lowercase(),
        String::new(),
    ];
    made.into_iter().map(Value::String).collect()
}

/// Twice the same, written in two ways.
fn twins(items: &[Value]) -> Vec<Value> {
    let mut found = Vec::new();
    for item in items {
        let twin = match item {
            Value::Number(number) if !number.is_f64() => json!(number.as_f64()),
            Value::Number(number) => json!(number.as_f64().map(|value| value as i64)),
            Value::Object(members) => Value::Object(members.clone().into_iter().rev().collect()),
            other => other.clone(),
        };
        found.push(json!([item, twin]));
        found.push(json!([item, item]));
    }
    found.extend([json!([1, 1.0]), json!(["", ""])]);
    found
}

fn without(value: &Value, members: &Map<String, Value>) -> Vec<Value> {
    let names = value.as_array().into_iter().flatten().filter_map(Value::as_str);
    let less = names.filter(|name| members.contains_key(*name)).map(|name| {
        let mut less = members.clone();
        less.shift_remove(name);
        Value::Object(less)
    });
    less.collect()
}

fn more(members: &Map<String, Value>) -> Vec<Value> {
    let mut names = vec!["mcp_conform_unknown".to_owned()];
    names.extend(members.keys().next().map(|name| name.to_uppercase()));
    let with = names.into_iter().map(|name| {
        let mut more = members.clone();
        more.insert(name, json!(1));
        Value::Object(more)
    });
    with.collect()
}

/// Values that careless programs take for equal to this one.
fn others(there: &Value) -> Vec<Value> {
    let mut found = match there {
        Value::Number(number) => {
            let half = number.as_f64().map(|value| value.trunc() + 0.5);
            vec![json!(number.to_string()), json!(half)]
        }
        Value::Bool(value) => vec![json!(value.to_string()), json!(u8::from(*value))],
        Value::String(_) => vec![json!(5), json!([there])],
        Value::Array(items) => items.first().cloned().into_iter().collect(),
        _ => Vec::new(),
    };
    found.extend([Value::Null, json!({}), json!("")]);
    found
}

#[cfg(test)]
mod tests {
    use serde_json::{Value, json};

    use crate::{Dialect, Generator};

    fn near(schema: &Value, keyword: &str) -> Vec<Value> {
        let generator = Generator::new(schema, Dialect::Draft202012).expect("a schema");
        let found = generator.breaks().found;
        let one = found.iter().find(|one| one.keyword == keyword).expect("it can be broken");
        let near = one.near();
        assert!(near.iter().all(|instance| one.instances.contains(instance)), "{near:?}");
        near
    }

    #[test]
    fn bounds_are_missed_by_one() {
        let number = |keyword: &str| near(&json!({"type": "integer", "minimum": -3, "maximum": 9}), keyword);
        assert!(number("minimum").contains(&json!(-4)) && number("maximum").contains(&json!(10)));
        let text = near(&json!({"type": "string", "maxLength": 2}), "maxLength");
        assert!(text.contains(&json!("aaa")) && text.contains(&json!("\u{1f600}\u{1f600}\u{1f600}")));
        let items = json!({"type": "array", "items": {"type": "integer"}, "maxItems": 2, "minItems": 1});
        assert!(near(&items, "maxItems").iter().all(|array| array.as_array().is_some_and(|items| items.len() == 3)));
        assert!(near(&items, "minItems").contains(&json!([])));
    }

    #[test]
    fn words_are_written_in_another_case_and_matches_have_more_around_them() {
        assert!(near(&json!({"enum": ["low", "high"]}), "enum").contains(&json!("HIGH")));
        let code = near(&json!({"type": "string", "pattern": "^[A-Z]{2}$"}), "pattern");
        let is_around = |text: &Value| text.as_str().is_some_and(|text| text.len() == 3 && text.starts_with('x'));
        assert!(code.iter().any(is_around), "{code:?}");
    }

    #[test]
    fn the_same_is_written_in_two_ways_and_the_first_item_is_good() {
        let unique = near(&json!({"type": "array", "items": {"type": "integer"}, "uniqueItems": true}), "uniqueItems");
        assert!(unique.iter().any(|array| array[0].is_i64() != array[1].is_i64()), "{unique:?}");
        let items = json!({"type": "object", "required": ["l"], "properties": {
            "l": {"type": "array", "minItems": 1, "items": {"type": "string"}}}});
        let found = Generator::new(&items, Dialect::Draft202012).expect("a schema").breaks().found;
        let one = found.iter().find(|one| one.at == "/properties/l/items").expect("it can be broken");
        assert!(one.near().iter().any(|instance| instance["l"][0].is_string() && !instance["l"][1].is_string()));
    }
}
