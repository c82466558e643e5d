//! Facts that make a keyword hold.

use serde_json::Value;

use super::decimal::Decimal;
use super::fact::{Contains, Fact, Item, ItemRule, MemberRule, Values};
use super::keyword::{count, decimal, map, strings};
use super::kinds::Kinds;
use super::library::Library;
use super::place::Place;
use crate::Dialect;

/// The demands of a keyword that holds. What cannot be read asks for nothing; the judge has the last word anyway.
pub(super) fn holds<'s>(place: &Place<'s>, keyword: &'s str, library: &'s Library) -> Vec<Item<'s>> {
    let Some(value) = place.schema.get(keyword) else { return Vec::new() };
    scalar(place, keyword, value, library)
        .or_else(|| structure(place, keyword, value, library))
        .or_else(|| applied(place, keyword, value, library))
        .unwrap_or_default()
}

/// Formats that say how many bits a number has. No dialect asserts them, but the programs that write them do.
pub(super) fn bits(format: &str) -> Option<(Decimal, Decimal)> {
    let (signed, bits) = match format {
        "int8" => (true, 8),
        "int16" => (true, 16),
        "int32" => (true, 32),
        "int64" | "int" => (true, 63),
        "uint8" => (false, 8),
        "uint16" => (false, 16),
        "uint32" => (false, 32),
        "uint64" | "uint" => (false, 63),
        _ => return None,
    };
    let most = 1_i128 << (bits - i32::from(signed));
    Some((Decimal::new(if signed { -most } else { 0 }, 0), Decimal::new(most - 1, 0)))
}

fn scalar<'s>(place: &Place<'s>, keyword: &str, value: &'s Value, library: &Library) -> Option<Vec<Item<'s>>> {
    if let Some((least, most)) = value.as_str().filter(|_| keyword == "format").and_then(bits) {
        return Some([Fact::Least(least, false), Fact::Most(most, false)].map(Item::Fact).to_vec());
    }
    let beyond =
        |name: &str| place.dialect(library) == Dialect::Draft4 && place.schema.get(name) == Some(&Value::Bool(true));
    let fact = match keyword {
        "type" => Fact::Kinds(kinds(value)),
        "enum" => Fact::Among(Values::Listed(value.as_array()?)),
        "const" => Fact::Among(Values::Listed(std::slice::from_ref(value))),
        "minimum" => Fact::Least(decimal(value)?, beyond("exclusiveMinimum")),
        "maximum" => Fact::Most(decimal(value)?, beyond("exclusiveMaximum")),
        "exclusiveMinimum" => Fact::Least(decimal(value)?, true),
        "exclusiveMaximum" => Fact::Most(decimal(value)?, true),
        "multipleOf" => Fact::Multiple(decimal(value)?, true),
        "minLength" => Fact::Shortest(count(value)?),
        "maxLength" => Fact::Longest(count(value)?),
        "pattern" => Fact::Pattern(value.as_str()?, true),
        "format" => Fact::Format(value.as_str()?, true),
        "minItems" => Fact::ItemsAtLeast(count(value)?),
        "maxItems" => Fact::ItemsAtMost(count(value)?),
        "uniqueItems" if value == &Value::Bool(true) => Fact::Unique(true),
        "minProperties" => Fact::MembersAtLeast(count(value)?),
        "maxProperties" => Fact::MembersAtMost(count(value)?),
        _ => return None,
    };
    Some(vec![Item::Fact(fact)])
}

/// The kinds that `type` names.
pub(super) fn kinds(value: &Value) -> Kinds {
    let names = value.as_str().into_iter().chain(strings(value));
    names.map(Kinds::named).fold(Kinds::NONE, Kinds::or)
}

fn structure<'s>(place: &Place<'s>, keyword: &str, value: &'s Value, library: &'s Library) -> Option<Vec<Item<'s>>> {
    let fact = match keyword {
        "items" | "prefixItems" if value.is_array() => {
            Fact::Items(ItemRule::First { owner: place.clone(), schemas: value.as_array()?, but: None })
        }
        "items" | "additionalItems" => Fact::Items(rest(place, value, None, library)),
        "unevaluatedItems" => {
            let schema = place.below(value, library);
            Fact::Items(ItemRule::Unevaluated { owner: place.clone(), schema, odd: None })
        }
        "contains" => Fact::Contains(contains(place, value, library)),
        "properties" => {
            Fact::Members(MemberRule::Named { owner: place.clone(), schemas: value.as_object()?, but: None })
        }
        "patternProperties" => {
            Fact::Members(MemberRule::Patterns { owner: place.clone(), schemas: value.as_object()?, odd: None })
        }
        "additionalProperties" => Fact::Members(additional(place, value, None, library)),
        "unevaluatedProperties" => {
            let schema = place.below(value, library);
            Fact::Members(MemberRule::Unevaluated { owner: place.clone(), schema, odd: None })
        }
        "propertyNames" => Fact::Names(place.below(value, library)),
        "required" => return Some(strings(value).into_iter().map(|name| Item::Fact(Fact::Present(name))).collect()),
        _ => return None,
    };
    Some(vec![Item::Fact(fact)])
}

/// The rule of `items` or `additionalItems`, perhaps with an item that is asked something else.
pub(super) fn rest<'s>(
    place: &Place<'s>,
    value: &'s Value,
    odd: Option<Vec<Item<'s>>>,
    library: &'s Library,
) -> ItemRule<'s> {
    ItemRule::Rest { owner: place.clone(), from: listed(place), schema: place.below(value, library), odd }
}

/// How many of the first items have schemas of their own.
fn listed(place: &Place<'_>) -> usize {
    let list = ["prefixItems", "items"].into_iter().find_map(|name| place.schema.get(name)?.as_array());
    list.map_or(0, Vec::len)
}

/// Demands of `contains` with its bounds.
pub(super) fn contains<'s>(place: &Place<'s>, value: &'s Value, library: &'s Library) -> Contains<'s> {
    let counted = place.dialect(library) >= Dialect::Draft201909;
    let bound = |name: &str| place.schema.get(name).filter(|_| counted).and_then(count);
    Contains {
        owner: place.clone(),
        schema: place.below(value, library),
        least: bound("minContains").unwrap_or(1),
        most: bound("maxContains"),
        also: Vec::new(),
        counts_as_evaluated: place.dialect(library) == Dialect::Draft202012,
    }
}

/// The rule of `additionalProperties`, perhaps with a member that is asked something else.
pub(super) fn additional<'s>(
    place: &Place<'s>,
    value: &'s Value,
    odd: Option<Vec<Item<'s>>>,
    library: &'s Library,
) -> MemberRule<'s> {
    let (named, patterns) = (map(place, "properties"), map(place, "patternProperties"));
    MemberRule::Additional { owner: place.clone(), named, patterns, schema: place.below(value, library), odd }
}

fn applied<'s>(place: &Place<'s>, keyword: &'s str, value: &'s Value, library: &'s Library) -> Option<Vec<Item<'s>>> {
    let here = |schema| place.here(schema, library);
    let items = match keyword {
        "allOf" => value.as_array()?.iter().map(|schema| Item::Holds(here(schema))).collect(),
        "anyOf" => vec![Item::Choice(value.as_array()?.iter().map(|schema| vec![Item::Holds(here(schema))]).collect())],
        "oneOf" => {
            let count = value.as_array()?.len();
            vec![Item::Choice((0..count).map(|at| exactly_one(place, value, at, library)).collect())]
        }
        "not" => vec![Item::Fails(here(value))],
        "if" => vec![Item::Choice(vec![
            branch(place, Item::Holds(here(value)), "then", library),
            branch(place, Item::Fails(here(value)), "else", library),
        ])],
        "$ref" | "$dynamicRef" | "$recursiveRef" => {
            vec![place.referred(keyword, library).map_or_else(Item::never, Item::Holds)]
        }
        "dependentRequired" | "dependentSchemas" | "dependencies" => {
            value.as_object()?.iter().map(|(name, asked)| dependency(place, name, asked, library)).collect()
        }
        _ => return None,
    };
    Some(items)
}

/// One branch of `oneOf` holds and the others fail.
pub(super) fn exactly_one<'s>(place: &Place<'s>, list: &'s Value, at: usize, library: &'s Library) -> Vec<Item<'s>> {
    let branches = list.as_array().into_iter().flatten().enumerate();
    let asked = |(index, schema)| {
        let branch = place.here(schema, library);
        if index == at { Item::Holds(branch) } else { Item::Fails(branch) }
    };
    branches.map(asked).collect()
}

fn branch<'s>(place: &Place<'s>, condition: Item<'s>, name: &str, library: &'s Library) -> Vec<Item<'s>> {
    let then = place.schema.get(name).map(|schema| Item::Holds(place.here(schema, library)));
    std::iter::once(condition).chain(then).collect()
}

fn dependency<'s>(place: &Place<'s>, name: &'s str, asked: &'s Value, library: &'s Library) -> Item<'s> {
    let mut with = vec![Item::kinds(Kinds::OBJECT), Item::Fact(Fact::Present(name))];
    with.extend(demanded(place, asked, library));
    Item::Choice(vec![with, vec![Item::Fact(Fact::Absent(name))], vec![Item::kinds(Kinds::OBJECT.not())]])
}

/// Demands of a dependency: names, or a schema.
pub(super) fn demanded<'s>(place: &Place<'s>, asked: &'s Value, library: &'s Library) -> Vec<Item<'s>> {
    match asked {
        Value::String(name) => vec![Item::Fact(Fact::Present(name))],
        Value::Array(_) => strings(asked).into_iter().map(|name| Item::Fact(Fact::Present(name))).collect(),
        schema => vec![Item::Holds(place.here(schema, library))],
    }
}
