//! Places of a schema that instances can be led to, and the ways there.

use std::collections::HashSet;

use serde_json::Value;

use super::keyword::{keywords, map};
use super::library::Library;
use super::place::Place;

/// Places looked at in one schema.
const MOST_TARGETS: usize = 400;
/// Steps on the way to one.
const LONGEST_WAY: usize = 24;

/// One step from a schema into a subschema.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Way {
    pub(super) keyword: &'static str,
    pub(super) key: Key,
}

/// Which of the subschemas of a keyword.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Key {
    Only,
    Index(usize),
    Name(String),
}

/// The condition wanted at the end of a path.
#[derive(Clone, Debug)]
pub(super) enum Goal {
    /// This keyword is broken and nothing else.
    Break(String),
    /// This schema holds besides.
    Also(Value),
}

/// The wanted condition, and the rest of the path there.
#[derive(Clone, Copy)]
pub(super) struct Focus<'s> {
    pub(super) ways: &'s [Way],
    pub(super) goal: &'s Goal,
}

/// A place of a schema.
#[derive(Clone)]
pub(super) struct Target<'s> {
    pub(super) ways: Vec<Way>,
    pub(super) place: Place<'s>,
    /// Whether what breaks a keyword here is blamed on that keyword, and not on an `anyOf` above it.
    pub(super) is_blamed: bool,
}

impl Target<'_> {
    /// The way, as validators tell it: through references.
    pub(super) fn evaluation_path(&self) -> String {
        self.ways.iter().map(Way::pointer).collect()
    }

    /// The keyword further up that takes the blame for what is broken here.
    pub(super) fn blamed_above(&self) -> Option<&'static str> {
        self.ways.iter().find(|way| !way.is_blamed()).map(|way| way.keyword)
    }
}

impl Way {
    fn new(keyword: &'static str, key: Key) -> Self {
        Self { keyword, key }
    }

    fn pointer(&self) -> String {
        match &self.key {
            Key::Only => format!("/{}", self.keyword),
            Key::Index(at) => format!("/{}/{at}", self.keyword),
            Key::Name(name) => format!("/{}/{}", self.keyword, name.replace('~', "~0").replace('/', "~1")),
        }
    }

    fn goes_deeper(&self) -> bool {
        const DEEPER: [&str; 5] = ["properties", "patternProperties", "items", "prefixItems", "contains"];
        DEEPER.contains(&self.keyword) || self.keyword.starts_with("additional") || self.keyword.starts_with("uneval")
    }

    fn is_blamed(&self) -> bool {
        const OWN: [&str; 6] =
            ["anyOf", "oneOf", "contains", "propertyNames", "unevaluatedItems", "unevaluatedProperties"];
        !OWN.contains(&self.keyword)
    }
}

/// Every place of a schema that instances can be led to, nearest first; each schema once.
pub(super) fn targets(library: &Library) -> Vec<Target<'_>> {
    let root = Target { ways: Vec::new(), place: Place::root(library), is_blamed: true };
    let mut seen = HashSet::from([(root.place.key(), true)]);
    let mut found = vec![root];
    let mut at = 0;
    while at < found.len() && found.len() < MOST_TARGETS {
        let target = found[at].clone();
        at += 1;
        if target.ways.len() >= LONGEST_WAY {
            continue;
        }
        for (way, place) in steps(&target.place, library) {
            let is_blamed = target.is_blamed && way.is_blamed();
            if seen.contains(&(place.key(), true)) || !seen.insert((place.key(), is_blamed)) {
                continue;
            }
            let ways = target.ways.iter().cloned().chain([way]).collect();
            found.push(Target { ways, place, is_blamed });
        }
    }
    found
}

/// Ways that lead back to where they have been: the way to the beginning, and the way around.
pub(super) fn circles(library: &Library) -> Vec<(Vec<Way>, Vec<Way>)> {
    let all = targets(library);
    let mut found = Vec::new();
    for target in &all {
        for (way, place) in steps(&target.place, library) {
            // Only where the beginning lies on the way here, and the circle goes deeper into the instance.
            let begins = all.iter().find(|one| one.place.key() == place.key() && target.ways.starts_with(&one.ways));
            let Some(begins) = begins else { continue };
            let mut around = target.ways[begins.ways.len()..].to_vec();
            around.push(way);
            if around.iter().any(Way::goes_deeper) {
                found.push((begins.ways.clone(), around));
            }
        }
    }
    found.truncate(20);
    found
}

/// The subschemas directly below a place.
fn steps<'s>(place: &Place<'s>, library: &'s Library) -> Vec<(Way, Place<'s>)> {
    let mut found = Vec::new();
    for keyword in keywords(place, library) {
        step(place, keyword, library, &mut found);
    }
    found
}

fn step<'s>(place: &Place<'s>, keyword: &str, library: &'s Library, found: &mut Vec<(Way, Place<'s>)>) {
    const BELOW: [&str; 7] = [
        "additionalItems",
        "additionalProperties",
        "contains",
        "items",
        "propertyNames",
        "unevaluatedItems",
        "unevaluatedProperties",
    ];
    const HERE: [&str; 3] = ["allOf", "anyOf", "oneOf"];
    const REFERENCES: [&str; 3] = ["$ref", "$dynamicRef", "$recursiveRef"];
    let is_schema = |value: &Value| value.is_object() || value.is_boolean();
    let only = |name: &'static str, found: &mut Vec<_>| {
        if let Some(schema) = place.schema.get(name).filter(|value| is_schema(value)) {
            let there = if BELOW.contains(&name) { place.below(schema, library) } else { place.here(schema, library) };
            found.push((Way::new(name, Key::Only), there));
        }
    };
    let list = || place.schema.get(keyword).and_then(Value::as_array).into_iter().flatten().enumerate();
    if let Some(name) = REFERENCES.into_iter().find(|name| *name == keyword) {
        found.extend(place.referred(name, library).map(|there| (Way::new(name, Key::Only), there)));
    } else if let Some(name) = HERE.into_iter().find(|name| *name == keyword) {
        found.extend(list().map(|(at, one)| (Way::new(name, Key::Index(at)), place.here(one, library))));
    } else if let Some(name) = ["items", "prefixItems"].into_iter().find(|name| *name == keyword) {
        found.extend(list().map(|(at, one)| (Way::new(name, Key::Index(at)), place.below(one, library))));
    }
    if let Some(name) = BELOW.into_iter().find(|name| *name == keyword) {
        only(name, found);
    }
    if keyword == "if" {
        only("then", found);
        only("else", found);
    }
    for name in ["properties", "patternProperties", "dependentSchemas", "dependencies"] {
        let members = map(place, name).into_iter().flatten().filter(|(_, value)| name == keyword && is_schema(value));
        let is_below = name.ends_with("roperties");
        found.extend(members.map(|(key, one)| {
            let there = if is_below { place.below(one, library) } else { place.here(one, library) };
            (Way::new(name, Key::Name(key.clone())), there)
        }));
    }
}
