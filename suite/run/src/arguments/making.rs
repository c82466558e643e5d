//! Instances that should satisfy a schema; the caller checks them.

use serde_json::{Map, Value, json};

use super::resolve::resolve;
use super::text;

/// Levels of objects and arrays.
const DEPTH: usize = 12;
/// Branches of `anyOf` and `oneOf` that are tried.
const CHOICES: usize = 4;
/// Items of a made array.
const ITEMS: u64 = 200;
/// Values made for one instance: schemas can ask for a tree of any size.
const VALUES: usize = 5_000;

/// Instances with the required properties alone or with all described ones, one for each choice among branches.
pub(super) fn candidates(schema: &Value, full: bool) -> Vec<Value> {
    let made = (0..CHOICES).filter_map(|choice| {
        let mut maker = Maker { root: schema, choice, full, left: VALUES };
        maker.make(schema, DEPTH, 0)
    });
    made.collect()
}

/// An instance of a subschema.
pub(super) fn make(root: &Value, schema: &Value) -> Option<Value> {
    Maker { root, choice: 0, full: false, left: VALUES }.make(schema, DEPTH, 0)
}

struct Maker<'s> {
    root: &'s Value,
    choice: usize,
    full: bool,
    left: usize,
}

impl Maker<'_> {
    fn make(&mut self, schema: &Value, depth: usize, salt: usize) -> Option<Value> {
        self.left = self.left.checked_sub(1)?;
        if schema == &Value::Bool(false) {
            return None;
        }
        let schema = resolve(self.root, schema, self.choice);
        if let Some(value) = offered(&schema, salt) {
            return Some(value);
        }
        match kind(&schema)? {
            "object" => self.object(&schema, depth.checked_sub(1)?),
            "array" => self.array(&schema, depth.checked_sub(1)?),
            "string" => text::make(&schema, salt).map(Value::String),
            "integer" => number(&schema, true, salt),
            "number" => number(&schema, false, salt),
            "boolean" => Some(json!(salt % 2 == 1)),
            "null" => Some(Value::Null),
            _ => None,
        }
    }

    fn object(&mut self, schema: &Map<String, Value>, depth: usize) -> Option<Value> {
        let nothing = Map::new();
        let properties = schema.get("properties").and_then(Value::as_object).unwrap_or(&nothing);
        let mut names: Vec<&str> = strings(schema.get("required"));
        if self.full {
            names.extend(properties.keys().map(String::as_str));
        }
        let least = schema.get("minProperties").and_then(Value::as_u64).unwrap_or(0);
        let missing = usize::try_from(least).ok()?.saturating_sub(names.len());
        names.extend(
            properties
                .keys()
                .map(String::as_str)
                .filter(|name| !names.contains(name))
                .take(missing)
                .collect::<Vec<_>>(),
        );
        let mut at = 0;
        let mut made = Map::new();
        while let Some(name) = names.get(at).copied() {
            at += 1;
            if made.contains_key(name) {
                continue;
            }
            let of =
                properties.get(name).or_else(|| schema.get("additionalProperties").filter(|more| more.is_object()));
            let value = self.make(of.unwrap_or(&Value::Bool(true)), depth, 0);
            match value {
                Some(value) => made.insert(name.to_owned(), value),
                // What is not required may be left out.
                None if self.full && !strings(schema.get("required")).contains(&name) => continue,
                None => return None,
            };
            let wanted = schema.get("dependentRequired").and_then(|dependent| dependent.get(name));
            names.extend(strings(wanted));
        }
        Some(Value::Object(made))
    }

    fn array(&mut self, schema: &Map<String, Value>, depth: usize) -> Option<Value> {
        let least = schema.get("minItems").and_then(Value::as_u64).unwrap_or(0);
        let prefix = schema.get("prefixItems").and_then(Value::as_array).map_or(&[][..], Vec::as_slice);
        let most = schema.get("maxItems").and_then(Value::as_u64).unwrap_or(u64::MAX);
        let count = least.max(u64::try_from(prefix.len()).unwrap_or(0)).min(most);
        if count > ITEMS {
            return None;
        }
        let unique = schema.get("uniqueItems") == Some(&Value::Bool(true));
        let any = Value::Bool(true);
        let mut made = Vec::new();
        for at in 0..usize::try_from(count).ok()? {
            let listed = schema.get("items").and_then(Value::as_array).and_then(|list| list.get(at));
            let of = prefix
                .get(at)
                .or(listed)
                .or_else(|| schema.get("items").filter(|items| !items.is_array()))
                .unwrap_or(&any);
            made.push(self.make(of, depth, if unique { at } else { 0 })?);
        }
        Some(Value::Array(made))
    }
}

/// The value that the schema itself names.
fn offered(schema: &Map<String, Value>, salt: usize) -> Option<Value> {
    if let Some(only) = schema.get("const") {
        return Some(only.clone());
    }
    let fits = |value: &&Value| schema.get("type").is_none_or(|kinds| is_of(value, kinds));
    let named = || {
        schema.get("default").into_iter().chain(schema.get("examples").and_then(Value::as_array).into_iter().flatten())
    };
    if let Some(listed) = schema.get("enum").and_then(Value::as_array) {
        let named = named().find(|value| salt == 0 && listed.contains(value));
        return named.or_else(|| listed.get(salt)).cloned();
    }
    named().filter(fits).nth(salt).cloned()
}

/// Whether a value is of one of the types that `type` names.
pub(super) fn is_of(value: &Value, kinds: &Value) -> bool {
    let is = |kind: &str| match kind {
        "object" => value.is_object(),
        "array" => value.is_array(),
        "string" => value.is_string(),
        "boolean" => value.is_boolean(),
        "null" => value.is_null(),
        "number" => value.is_number(),
        "integer" => value.as_f64().is_some_and(|number| number.fract() == 0.0),
        _ => false,
    };
    match kinds {
        Value::String(kind) => is(kind),
        Value::Array(kinds) => kinds.iter().filter_map(Value::as_str).any(is),
        _ => false,
    }
}

/// The type to make: the first that is not null, else what the keywords suggest.
pub(super) fn kind(schema: &Map<String, Value>) -> Option<&str> {
    match schema.get("type") {
        Some(Value::String(kind)) => return Some(kind),
        Some(Value::Array(kinds)) => {
            let mut kinds = kinds.iter().filter_map(Value::as_str);
            return kinds.clone().find(|kind| *kind != "null").or_else(|| kinds.next());
        }
        Some(_) => return None,
        None => {}
    }
    let hints = [
        ("object", &["properties", "required", "additionalProperties", "minProperties"][..]),
        ("array", &["items", "prefixItems", "minItems", "uniqueItems"]),
        ("number", &["minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum", "multipleOf"]),
    ];
    let hinted = hints.into_iter().find(|(_, keywords)| keywords.iter().any(|keyword| schema.contains_key(*keyword)));
    Some(hinted.map_or("string", |(kind, _)| kind))
}

/// The number nearest to 1 that the bounds allow: small, so that a duration or a count does no harm.
fn number(schema: &Map<String, Value>, whole: bool, salt: usize) -> Option<Value> {
    let bound = |keyword: &str| schema.get(keyword).and_then(Value::as_f64);
    let step = bound("multipleOf").filter(|step| *step > 0.0);
    let unit = step.unwrap_or(1.0);
    let mut low = bound("minimum").unwrap_or(f64::NEG_INFINITY);
    let mut high = bound("maximum").unwrap_or(f64::INFINITY);
    let nudge = if whole || step.is_some() { unit } else { 1e-6_f64.max((high - low).abs().min(1.0) / 4.0) };
    if let Some(limit) = bound("exclusiveMinimum").filter(|limit| *limit >= low) {
        low = limit + nudge;
    }
    if let Some(limit) = bound("exclusiveMaximum").filter(|limit| *limit <= high) {
        high = limit - nudge;
    }
    let wanted = 1.0 + f64::from(u32::try_from(salt).ok()?) * unit;
    let mut value = wanted.max(low).min(high.max(low));
    if whole || step.is_some() {
        value = (value / unit).ceil() * unit;
        if value > high {
            value -= unit;
        }
    }
    Some(written(value))
}

/// Whole numbers are written without a fraction.
pub(super) fn written(value: f64) -> Value {
    #[expect(clippy::cast_possible_truncation, reason = "the range is checked in the same line")]
    if value.fract() == 0.0 && value.abs() < 9_007_199_254_740_992.0 { json!(value as i64) } else { json!(value) }
}

fn strings(list: Option<&Value>) -> Vec<&str> {
    list.and_then(Value::as_array).into_iter().flatten().filter_map(Value::as_str).collect()
}
