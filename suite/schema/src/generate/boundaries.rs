//! Instances at the boundaries of a schema: each bound itself and what lies beside it, the shortest and longest, every
//! member of every list of values, every branch, every optional member there and not there, recursion a few turns deep.

use std::collections::HashSet;
use std::sync::Arc;
use std::time::Instant;

use serde_json::{Number, Value, json};

use super::decimal::{Decimal, neighbors};
use super::formats::examples_of_format;
use super::keyword::{count, keywords};
use super::source::{ALL_FUEL, ALL_TIME, Source, Want};
use super::target::{Goal, Target, Way, circles, targets};
use super::text::Sampler;

/// Boundary instances of one schema.
const MOST: usize = 1_000;
/// Longer strings and arrays are not made only because they may be.
const LONGEST: u64 = 20_000;
const MOST_ITEMS: u64 = 500;
/// How often a circle of references is walked.
const TURNS: usize = 6;

/// A valid instance at a boundary.
#[derive(Clone, Debug, PartialEq)]
pub struct Boundary {
    /// The keyword that draws it.
    pub keyword: String,
    /// The JSON pointer of the schema that the keyword stands in.
    pub at: String,
    /// The instance.
    pub instance: Value,
}

/// All of them, as far as they can be had.
pub(super) fn boundaries(source: &Arc<Source>) -> Vec<Boundary> {
    let mut found =
        Found { source, steps: 0, deadline: Instant::now() + ALL_TIME, seen: HashSet::new(), all: Vec::new() };
    for target in targets(&source.library) {
        let at = source.library.location(target.place.schema).unwrap_or_default();
        for (keyword, extra) in at_place(&target, source) {
            found.add(keyword, &at, target.ways.clone(), extra);
        }
    }
    for (before, circle) in circles(&source.library) {
        let turns = (0..TURNS).flat_map(|_| circle.clone());
        found.add("$ref".to_owned(), "", before.into_iter().chain(turns).collect(), json!({}));
    }
    found.all
}

struct Found<'f> {
    source: &'f Arc<Source>,
    steps: u64,
    deadline: Instant,
    seen: HashSet<String>,
    all: Vec<Boundary>,
}

impl Found<'_> {
    fn add(&mut self, keyword: String, at: &str, ways: Vec<Way>, extra: Value) {
        if self.all.len() >= MOST || self.steps >= ALL_FUEL || Instant::now() >= self.deadline {
            return;
        }
        let seed = self.all.len() as u64;
        let drawn = self.source.draw_counted(&Want::Led(ways, Goal::Also(extra)), seed, &mut self.steps);
        if let Some(instance) = drawn.ok().filter(|instance| self.seen.insert(instance.to_string())) {
            self.all.push(Boundary { keyword, at: at.to_owned(), instance });
        }
    }
}

/// Additional demands that put a place at one of its boundaries.
fn at_place(target: &Target<'_>, source: &Source) -> Vec<(String, Value)> {
    let place = &target.place;
    let mut found = Vec::new();
    if let Some(way) = target.ways.last().filter(|way| matches!(way.keyword, "anyOf" | "oneOf" | "then" | "else")) {
        found.push((way.keyword.to_owned(), json!({})));
    }
    for keyword in keywords(place, &source.library) {
        let value = &place.schema[keyword];
        found.extend(extras(keyword, value, place.schema).into_iter().map(|extra| (keyword.to_owned(), extra)));
    }
    found
}

fn extras(keyword: &str, value: &Value, schema: &Value) -> Vec<Value> {
    let exactly = |value: &Value| json!({"enum": [value]});
    match (keyword, value) {
        ("enum", Value::Array(values)) => values.iter().take(100).map(exactly).collect(),
        ("type", Value::Array(names)) => names.iter().map(|name| json!({"type": name})).collect(),
        ("type", Value::String(name)) => of_kind(name, schema),
        ("minimum" | "maximum" | "exclusiveMinimum" | "exclusiveMaximum", Value::Number(number)) => {
            neighbors(number).into_iter().map(|number| json!({"enum": [number]})).collect()
        }
        ("format", Value::String(name)) => {
            examples_of_format(name).iter().map(|text| json!({"enum": [text]})).collect()
        }
        // A match, and one in the middle of something else: patterns are not anchored.
        ("pattern", Value::String(pattern)) => {
            let plain = Sampler::new(pattern).plainest();
            vec![json!({"enum": [plain]}), json!({"enum": [format!("x{plain}x")]})]
        }
        ("multipleOf", Value::Number(number)) => {
            vec![exactly(value), json!({"enum": [0]}), json!({"enum": [negated(number)]})]
        }
        ("minLength" | "maxLength" | "minItems" | "maxItems" | "minProperties" | "maxProperties", _) => {
            counted(keyword, value)
        }
        ("properties", Value::Object(members)) => {
            let each = members.keys().take(100).flat_map(|name| {
                [json!({"type": "object", "required": [name]}), json!({"type": "object", "not": {"required": [name]}})]
            });
            let names: Vec<&String> = members.keys().collect();
            let fewest = schema.get("required").and_then(Value::as_array).map_or(0, Vec::len);
            let bare = json!({"type": "object", "maxProperties": fewest});
            [json!({"type": "object", "required": names}), bare].into_iter().chain(each).collect()
        }
        _ => Vec::new(),
    }
}

/// The simplest values of a kind that no keyword bounds.
fn of_kind(name: &str, schema: &Value) -> Vec<Value> {
    match name {
        "boolean" => vec![json!({"enum": [true]}), json!({"enum": [false]})],
        "integer" | "number" => vec![json!({"enum": [0]}), json!({"enum": [-1]}), json!({"enum": [1]})],
        "string" => {
            let shortest = schema.get("minLength").is_none().then(|| json!({"type": "string", "maxLength": 0}));
            // What other notations than JSON take for their own, and what is more than a byte, or more than a code point.
            let awkward = ["\"", "\\", "e\u{301}\u{1f600}"].map(|text| json!({"enum": [text]}));
            shortest.into_iter().chain(awkward).collect()
        }
        "array" if schema.get("minItems").is_none() => vec![json!({"type": "array", "maxItems": 0})],
        _ => Vec::new(),
    }
}

fn negated(number: &Number) -> Option<Number> {
    let exact = Decimal::of(number);
    Decimal::new(-exact.units(exact.power())?, exact.power()).number()
}

/// As few and as many as may be, and one beside.
fn counted(keyword: &str, value: &Value) -> Vec<Value> {
    let Some(bound) = count(value) else { return Vec::new() };
    let (least, most, kind, reach) = match keyword {
        "minLength" | "maxLength" => ("minLength", "maxLength", "string", LONGEST),
        "minItems" | "maxItems" => ("minItems", "maxItems", "array", MOST_ITEMS),
        _ => ("minProperties", "maxProperties", "object", MOST_ITEMS),
    };
    let beside = if keyword.starts_with("min") { bound + 1 } else { bound.saturating_sub(1) };
    let counts = [bound, beside].into_iter().filter(|count| *count <= reach);
    let counted = counts.map(|count| json!({"type": kind, least: count, most: count}));
    counted.chain(wide(keyword, bound)).collect()
}

/// The longest text, of letters that take more than a byte, or more than a UTF-16 unit.
fn wide(keyword: &str, most: u64) -> Vec<Value> {
    let times = usize::try_from(most).ok().filter(|most| (1..=2_000).contains(most) && keyword == "maxLength");
    let letters = ["\u{e9}", "\u{1f600}"].into_iter().filter(|_| times.is_some());
    letters.map(|letter| json!({"enum": [letter.repeat(times.unwrap_or_default())]})).collect()
}
