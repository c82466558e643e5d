//! Facts that make an instance reach one place of its schema, with a particular condition there.

use serde_json::Value;

use super::fact::{Contains, Fact, Item, ItemRule, MemberRule};
use super::holds::{additional, contains, exactly_one, rest};
use super::keyword::{keywords, map};
use super::kinds::Kinds;
use super::library::Library;
use super::place::Place;
use super::target::{Focus, Goal, Key, Way};

/// The demands of a schema that holds but for what is wanted at the end of the way.
pub(super) fn focus<'s>(place: &Place<'s>, focus: Focus<'s>, library: &'s Library) -> Vec<Item<'s>> {
    let Some((way, rest)) = focus.ways.split_first() else { return arrive(place, focus.goal, library) };
    let led = if matches!(way.keyword, "then" | "else") { "if" } else { way.keyword };
    let others = keywords(place, library).into_iter().filter(|name| *name != led);
    let mut items: Vec<_> = others.map(|name| Item::Keyword(place.clone(), name, true)).collect();
    let onward = Focus { ways: rest, goal: focus.goal };
    items.extend(lead(place, way, onward, library).unwrap_or_else(|| vec![Item::never()]));
    items
}

fn arrive<'s>(place: &Place<'s>, goal: &'s Goal, library: &'s Library) -> Vec<Item<'s>> {
    match goal {
        Goal::Break(broken) => {
            let names = keywords(place, library).into_iter();
            let asked = |name: &'s str| match (name, broken.as_str()) {
                // These count what `contains` finds; broken by itself, it finds nothing.
                ("contains", "maxContains") => Item::Keyword(place.clone(), "maxContains", false),
                ("contains", "contains" | "minContains") => Item::Keyword(place.clone(), "minContains", false),
                _ => Item::Keyword(place.clone(), name, name != broken),
            };
            names.map(asked).collect()
        }
        Goal::Also(schema) => vec![Item::Holds(place.clone()), Item::Holds(place.beside(schema))],
    }
}

fn lead<'s>(place: &Place<'s>, way: &'s Way, onward: Focus<'s>, library: &'s Library) -> Option<Vec<Item<'s>>> {
    let value = place.schema.get(way.keyword)?;
    let here = |schema| Item::Focus(place.here(schema, library), onward);
    let items = match (way.keyword, &way.key) {
        ("$ref" | "$dynamicRef" | "$recursiveRef", _) => {
            vec![Item::Focus(place.referred(way.keyword, library)?, onward)]
        }
        ("allOf", Key::Index(at)) => {
            let asked = |(index, one)| if index == *at { here(one) } else { Item::Holds(place.here(one, library)) };
            value.as_array()?.iter().enumerate().map(asked).collect()
        }
        ("anyOf", Key::Index(at)) => vec![here(value.get(at)?)],
        ("oneOf", Key::Index(at)) => {
            let mut items = exactly_one(place, value, *at, library);
            items[*at] = here(value.get(at)?);
            items
        }
        ("then", _) => vec![Item::Holds(place.here(place.schema.get("if")?, library)), here(value)],
        ("else", _) => vec![Item::Fails(place.here(place.schema.get("if")?, library)), here(value)],
        ("dependentSchemas" | "dependencies", Key::Name(name)) => {
            let others = map(place, way.keyword)?.iter().filter(|(other, _)| *other != name);
            let absent = others.map(|(other, _)| Item::Fact(Fact::Absent(other)));
            let there = [Item::kinds(Kinds::OBJECT), Item::Fact(Fact::Present(name)), here(value.get(name)?)];
            there.into_iter().chain(absent).collect()
        }
        _ => below(place, way, value, onward, library)?,
    };
    Some(items)
}

/// Into a member or an item.
fn below<'s>(
    place: &Place<'s>,
    way: &'s Way,
    value: &'s Value,
    onward: Focus<'s>,
    library: &'s Library,
) -> Option<Vec<Item<'s>>> {
    let into = |schema| vec![Item::Focus(place.below(schema, library), onward)];
    let owner = || place.clone();
    let schema = || place.below(value, library);
    let facts = match (way.keyword, &way.key) {
        ("properties", Key::Name(name)) => vec![
            Fact::Members(MemberRule::Named { owner: owner(), schemas: value.as_object()?, but: Some(name) }),
            Fact::Member(name, into(value.get(name)?)),
        ],
        ("patternProperties", Key::Name(pattern)) => {
            let odd = Some((pattern.as_str(), into(value.get(pattern)?)));
            vec![Fact::Members(MemberRule::Patterns { owner: owner(), schemas: value.as_object()?, odd })]
        }
        ("additionalProperties", _) => vec![Fact::Members(additional(place, value, Some(into(value)), library))],
        ("unevaluatedProperties", _) => {
            vec![Fact::Members(MemberRule::Unevaluated { owner: owner(), schema: schema(), odd: Some(into(value)) })]
        }
        ("propertyNames", _) => vec![Fact::Names(schema()), Fact::OddName(into(value))],
        ("items" | "prefixItems", Key::Index(at)) => vec![
            Fact::Items(ItemRule::First { owner: owner(), schemas: value.as_array()?, but: Some(*at) }),
            Fact::Item(*at, into(value.get(at)?)),
        ],
        ("items" | "additionalItems", _) => {
            vec![Fact::Items(rest(place, value, Some(into(value)), library))]
        }
        ("unevaluatedItems", _) => {
            vec![Fact::Items(ItemRule::Unevaluated { owner: owner(), schema: schema(), odd: Some(into(value)) })]
        }
        ("contains", _) => {
            let asked = contains(place, value, library);
            vec![Fact::Contains(Contains { least: asked.least.max(1), also: into(value), ..asked })]
        }
        _ => return None,
    };
    let is_list = matches!(facts[0], Fact::Items(_) | Fact::Contains(_));
    let kind = Item::kinds(if is_list { Kinds::ARRAY } else { Kinds::OBJECT });
    Some(std::iter::once(kind).chain(facts.into_iter().map(Item::Fact)).collect())
}
