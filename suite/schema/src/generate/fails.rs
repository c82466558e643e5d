//! Facts that make a keyword, or a whole schema, fail.

use serde_json::Value;

use super::chance::Chance;
use super::fact::{Contains, Fact, Item, ItemRule, MemberRule, Values};
use super::holds::{additional, contains, kinds, rest};
use super::keyword::{count, decimal, keywords, map, strings};
use super::kinds::Kinds;
use super::library::Library;
use super::place::Place;
use crate::Dialect;

/// The ways in which a schema can fail. Failing by one keyword alone is liked best: such an instance is close to right.
pub(super) fn all_ways<'s>(place: &Place<'s>, library: &'s Library, chance: &mut Chance) -> Vec<Vec<Item<'s>>> {
    let mut names = keywords(place, library);
    chance.shuffle(&mut names);
    let alone = |broken: &&'s str| -> Vec<Item<'s>> {
        names.iter().map(|name| Item::Keyword(place.clone(), name, name != broken)).collect()
    };
    let mut ways: Vec<_> = names.iter().map(alone).collect();
    if names.len() > 1 {
        ways.extend(names.iter().map(|name| vec![Item::Keyword(place.clone(), name, false)]));
    }
    ways
}

/// The demands of a keyword that fails.
pub(super) fn fails<'s>(place: &Place<'s>, keyword: &'s str, library: &'s Library) -> Vec<Item<'s>> {
    // A missing `minContains` bounds what `contains` counts all the same.
    let named = if matches!(keyword, "minContains" | "maxContains") { "contains" } else { keyword };
    let Some(value) = place.schema.get(named) else { return vec![Item::never()] };
    scalar(place, keyword, value, library)
        .or_else(|| counted(keyword, value))
        .or_else(|| items(place, keyword, value, library))
        .or_else(|| members(place, keyword, value, library))
        .or_else(|| applied(place, keyword, value, library))
        .unwrap_or_else(|| vec![Item::never()])
}

fn typed<'s>(kinds: Kinds, fact: Fact<'s>) -> Vec<Item<'s>> {
    vec![Item::kinds(kinds), Item::Fact(fact)]
}

fn scalar<'s>(place: &Place<'s>, keyword: &str, value: &'s Value, library: &Library) -> Option<Vec<Item<'s>>> {
    let beyond =
        |name: &str| place.dialect(library) == Dialect::Draft4 && place.schema.get(name) == Some(&Value::Bool(true));
    let number = |fact| typed(Kinds::NUMBER, fact);
    let string = |fact| typed(Kinds::STRING, fact);
    Some(match keyword {
        "type" => vec![Item::kinds(kinds(value).not())],
        "enum" => vec![Item::Fact(Fact::NoneOf(Values::Listed(value.as_array()?)))],
        "const" => vec![Item::Fact(Fact::NoneOf(Values::Listed(std::slice::from_ref(value))))],
        "minimum" => number(Fact::Most(decimal(value)?, !beyond("exclusiveMinimum"))),
        "maximum" => number(Fact::Least(decimal(value)?, !beyond("exclusiveMaximum"))),
        "exclusiveMinimum" => number(Fact::Most(decimal(value)?, false)),
        "exclusiveMaximum" => number(Fact::Least(decimal(value)?, false)),
        "multipleOf" => number(Fact::Multiple(decimal(value)?, false)),
        "pattern" => string(Fact::Pattern(value.as_str()?, false)),
        "format" => string(Fact::Format(value.as_str()?, false)),
        _ => return None,
    })
}

fn counted<'s>(keyword: &str, value: &Value) -> Option<Vec<Item<'s>>> {
    let under = || count(value)?.checked_sub(1);
    let over = || count(value)?.checked_add(1);
    Some(match keyword {
        "minLength" => typed(Kinds::STRING, Fact::Longest(under()?)),
        "maxLength" => typed(Kinds::STRING, Fact::Shortest(over()?)),
        "minItems" => typed(Kinds::ARRAY, Fact::ItemsAtMost(under()?)),
        "maxItems" => typed(Kinds::ARRAY, Fact::ItemsAtLeast(over()?)),
        "minProperties" => typed(Kinds::OBJECT, Fact::MembersAtMost(under()?)),
        "maxProperties" => typed(Kinds::OBJECT, Fact::MembersAtLeast(over()?)),
        "uniqueItems" if value == &Value::Bool(true) => {
            let mut both = typed(Kinds::ARRAY, Fact::Unique(false));
            both.push(Item::Fact(Fact::ItemsAtLeast(2)));
            both
        }
        _ => return None,
    })
}

fn items<'s>(place: &Place<'s>, keyword: &str, value: &'s Value, library: &'s Library) -> Option<Vec<Item<'s>>> {
    let odd = |schema: &Place<'s>| Some(vec![Item::Fails(schema.clone())]);
    let fact = match keyword {
        "items" | "prefixItems" if value.is_array() => {
            let schemas = value.as_array()?;
            let ways = schemas.iter().enumerate().map(|(at, schema)| {
                let rule = ItemRule::First { owner: place.clone(), schemas, but: Some(at) };
                let broken = vec![Item::Fails(place.below(schema, library))];
                vec![Item::kinds(Kinds::ARRAY), Item::Fact(Fact::Items(rule)), Item::Fact(Fact::Item(at, broken))]
            });
            return Some(vec![Item::Choice(ways.collect())]);
        }
        "items" | "additionalItems" => Fact::Items(rest(place, value, odd(&place.below(value, library)), library)),
        "unevaluatedItems" => {
            let schema = place.below(value, library);
            Fact::Items(ItemRule::Unevaluated { owner: place.clone(), odd: odd(&schema), schema })
        }
        "contains" | "minContains" | "maxContains" => {
            let asked = contains(place, value, library);
            return Some(vec![Item::kinds(Kinds::ARRAY), miscounted(asked, keyword)]);
        }
        _ => return None,
    };
    Some(typed(Kinds::ARRAY, fact))
}

/// Too few items of a kind, or too many; which of them, the keyword says.
fn miscounted<'s>(asked: Contains<'s>, keyword: &str) -> Item<'s> {
    let mut ways = Vec::new();
    if let Some(most) = asked.least.checked_sub(1).filter(|_| keyword != "maxContains") {
        // One is found but they are too few: otherwise it is `contains` that is broken.
        let least = u64::from(most > 0 && keyword == "minContains");
        ways.push(vec![Item::Fact(Fact::Contains(Contains { least, most: Some(most), ..asked.clone() }))]);
    }
    if let Some(most) = asked.most.filter(|_| keyword != "minContains") {
        ways.push(vec![Item::Fact(Fact::Contains(Contains { least: most + 1, most: None, ..asked }))]);
    }
    Item::Choice(ways)
}

fn members<'s>(place: &Place<'s>, keyword: &str, value: &'s Value, library: &'s Library) -> Option<Vec<Item<'s>>> {
    let odd = |schema: &'s Value| vec![Item::Fails(place.below(schema, library))];
    let fact = match keyword {
        "properties" => {
            let schemas = value.as_object()?;
            let ways = schemas.iter().map(|(name, schema)| {
                let rule = MemberRule::Named { owner: place.clone(), schemas, but: Some(name) };
                let facts = [Fact::Kinds(Kinds::OBJECT), Fact::Members(rule), Fact::Member(name, odd(schema))];
                facts.map(Item::Fact).to_vec()
            });
            return Some(vec![Item::Choice(ways.collect())]);
        }
        "patternProperties" => {
            let schemas = value.as_object()?;
            let ways = schemas.iter().map(|(pattern, schema)| {
                let odd = Some((pattern.as_str(), odd(schema)));
                typed(Kinds::OBJECT, Fact::Members(MemberRule::Patterns { owner: place.clone(), schemas, odd }))
            });
            return Some(vec![Item::Choice(ways.collect())]);
        }
        "additionalProperties" => Fact::Members(additional(place, value, Some(odd(value)), library)),
        "unevaluatedProperties" => {
            let schema = place.below(value, library);
            Fact::Members(MemberRule::Unevaluated { owner: place.clone(), schema, odd: Some(odd(value)) })
        }
        "propertyNames" => Fact::OddName(odd(value)),
        "required" => return Some(vec![Item::Choice(missing(strings(value)))]),
        _ => return None,
    };
    Some(typed(Kinds::OBJECT, fact))
}

/// One of several names is missing, the others are there.
fn missing(names: Vec<&str>) -> Vec<Vec<Item<'_>>> {
    let without = |gone: &&str| {
        let facts = names.iter().map(|name| if name == gone { Fact::Absent(name) } else { Fact::Present(name) });
        std::iter::once(Fact::Kinds(Kinds::OBJECT)).chain(facts).map(Item::Fact).collect()
    };
    names.iter().map(without).collect()
}

fn applied<'s>(place: &Place<'s>, keyword: &'s str, value: &'s Value, library: &'s Library) -> Option<Vec<Item<'s>>> {
    let here = |schema| place.here(schema, library);
    let list = || value.as_array();
    let items = match keyword {
        "allOf" => {
            let ways = (0..list()?.len()).map(|broken| {
                let asked = list().into_iter().flatten().enumerate();
                asked
                    .map(|(at, one)| if at == broken { Item::Fails(here(one)) } else { Item::Holds(here(one)) })
                    .collect()
            });
            let alone: Vec<_> = ways.collect();
            let loose = list()?.iter().map(|one| vec![Item::Fails(here(one))]);
            vec![Item::Choice(alone.into_iter().chain(loose).collect())]
        }
        "anyOf" => list()?.iter().map(|one| Item::Fails(here(one))).collect(),
        "oneOf" => vec![Item::Choice(not_one(place, list()?, library))],
        "not" => vec![Item::Holds(here(value))],
        "if" => {
            let ways = [("then", Item::Holds(here(value))), ("else", Item::Fails(here(value)))];
            let broken = ways
                .into_iter()
                .filter_map(|(name, condition)| Some(vec![condition, Item::Fails(here(place.schema.get(name)?))]));
            vec![Item::Choice(broken.collect())]
        }
        "$ref" | "$dynamicRef" | "$recursiveRef" => {
            vec![place.referred(keyword, library).map_or_else(Item::never, Item::Fails)]
        }
        "dependentRequired" | "dependentSchemas" | "dependencies" => {
            let ways = map(place, keyword)?.iter().flat_map(|(name, asked)| undone(place, name, asked, library));
            vec![Item::Choice(ways.collect())]
        }
        _ => return None,
    };
    Some(items)
}

/// None of the branches, or two of them.
fn not_one<'s>(place: &Place<'s>, list: &'s [Value], library: &'s Library) -> Vec<Vec<Item<'s>>> {
    let here = |schema| place.here(schema, library);
    let mut ways = vec![list.iter().map(|one| Item::Fails(here(one))).collect()];
    for (at, one) in list.iter().enumerate() {
        for other in &list[at + 1..] {
            ways.push(vec![Item::Holds(here(one)), Item::Holds(here(other))]);
        }
    }
    ways.truncate(200);
    ways
}

/// The name is there, and what depends on it is not.
fn undone<'s>(place: &Place<'s>, name: &'s str, asked: &'s Value, library: &'s Library) -> Vec<Vec<Item<'s>>> {
    let there = || vec![Item::kinds(Kinds::OBJECT), Item::Fact(Fact::Present(name))];
    if asked.is_object() || asked.is_boolean() {
        let mut way = there();
        way.push(Item::Fails(place.here(asked, library)));
        return vec![way];
    }
    let names: Vec<&str> = asked.as_str().into_iter().chain(strings(asked)).collect();
    missing(names).into_iter().map(|way| there().into_iter().chain(way).collect()).collect()
}
