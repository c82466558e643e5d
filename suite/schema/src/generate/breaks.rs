//! Violations of a single keyword, for every keyword at every place that an instance can reach.

use std::sync::Arc;
use std::time::Instant;

use serde_json::Value;

use super::Declined;
use super::formats::knows_format;
use super::instances::Instances;
use super::keyword::{count, keywords, map};
use super::source::{ALL_FUEL, ALL_TIME, Source, Want};
use super::target::{Goal, Target, targets};
use crate::Dialect;

/// Instances that break one keyword at one place and nothing else.
#[derive(Clone, Debug)]
pub struct Break {
    /// The keyword. What a schema `false` forbids is broken under the name of the keyword that holds it.
    pub keyword: String,
    /// The JSON pointer of the schema that the keyword stands in, through references; after the address of its document
    /// if that is another one.
    pub at: String,
    /// The evaluation path of the keyword, with `$ref` as a step.
    pub evaluation_path: String,
    /// One of them.
    pub example: Value,
    /// All of them.
    pub instances: Instances,
    /// The value of the keyword.
    value: Value,
}

impl Break {
    /// Those that break it by as little as possible.
    #[must_use]
    pub fn near(&self) -> Vec<Value> {
        self.instances.near(&self.keyword, &self.value, &self.example)
    }

    /// Where in an instance what breaks it stands: a JSON pointer.
    #[must_use]
    pub fn place(&self, instance: &Value) -> Option<String> {
        self.instances.place(instance)
    }
}

/// A keyword that was not broken alone.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Unreached {
    /// The keyword.
    pub keyword: String,
    /// The JSON pointer of the schema it stands in.
    pub at: String,
    /// Why not.
    pub reason: Reason,
}

/// Why a keyword was not broken alone.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Reason {
    /// Nothing is invalid because of it.
    #[error("it forbids nothing, or whatever it forbids is forbidden by another keyword too")]
    NeverAlone,
    /// The search was given up.
    #[error("no such instance was found within the time and steps allowed")]
    Spent,
    /// A failure here is told as a failure of a keyword further up.
    #[error("a failure here is blamed on {0}")]
    BlamedAbove(String),
}

/// Keywords that can be broken alone, and keywords that cannot.
#[derive(Clone, Debug, Default)]
pub struct Breaks {
    /// The keywords that can.
    pub found: Vec<Break>,
    /// The others.
    pub unreached: Vec<Unreached>,
}

/// Tries every keyword of a schema once.
pub(super) fn breaks(source: &Arc<Source>) -> Breaks {
    let (mut steps, deadline) = (0, Instant::now() + ALL_TIME);
    let mut all = Breaks::default();
    for target in targets(&source.library) {
        let at = source.library.location(target.place.schema).unwrap_or_default();
        for keyword in named(&target, source).into_iter().filter(|keyword| is_breakable(&target, keyword)) {
            let is_spent = steps >= ALL_FUEL || Instant::now() >= deadline;
            let tried = if is_spent { Err(Reason::Spent) } else { attempt(source, &target, keyword, &mut steps) };
            let (keyword, at) = (keyword.to_owned(), at.clone());
            match tried {
                Ok((instances, example)) => {
                    let evaluation_path = target.evaluation_path();
                    let value = target.place.schema[keyword.as_str()].clone();
                    all.found.push(Break { keyword, at, evaluation_path, example, instances, value });
                }
                Err(reason) => all.unreached.push(Unreached { keyword, at, reason }),
            }
        }
    }
    all
}

fn attempt(
    source: &Arc<Source>,
    target: &Target<'_>,
    keyword: &str,
    steps: &mut u64,
) -> Result<(Instances, Value), Reason> {
    if let Some(above) = target.blamed_above() {
        return Err(Reason::BlamedAbove(above.to_owned()));
    }
    let path = target.evaluation_path();
    let blamed = std::iter::once(keyword).chain(partners(keyword)).map(|name| format!("{path}/{name}")).collect();
    let goal = Goal::Break(keyword.to_owned());
    let want = Want::Broken { ways: target.ways.clone(), goal, blamed };
    match source.draw_counted(&want, 0, steps) {
        Ok(example) => Ok((Instances::new(source, want), example)),
        Err(Declined::Spent) => Err(Reason::Spent),
        Err(_) => Err(Reason::NeverAlone),
    }
}

/// The keywords of a place, with those that bound what another one counts.
fn named<'s>(target: &Target<'s>, source: &Source) -> Vec<&'s str> {
    let mut names = keywords(&target.place, &source.library);
    if names.contains(&"contains") && target.place.dialect(&source.library) >= Dialect::Draft201909 {
        let bounds = ["minContains", "maxContains"];
        names.extend(bounds.into_iter().filter(|bound| target.place.schema.get(bound).is_some()));
    }
    names
}

/// Keywords that say one thing together: which of them is blamed is a matter of taste.
fn partners(keyword: &str) -> Vec<&'static str> {
    match keyword {
        "contains" | "minContains" | "maxContains" => vec!["contains", "minContains", "maxContains"],
        "minimum" => vec!["exclusiveMinimum"],
        "maximum" => vec!["exclusiveMaximum"],
        _ => Vec::new(),
    }
}

/// Whether a keyword can be broken itself: many only pass on what the schemas below them say.
fn is_breakable(target: &Target<'_>, keyword: &str) -> bool {
    let value = &target.place.schema[keyword];
    let forbids = |value: &Value| value == &Value::Bool(false);
    match keyword {
        "$ref" | "$dynamicRef" | "$recursiveRef" | "allOf" | "if" | "dependentSchemas" => false,
        "properties" | "patternProperties" => map(&target.place, keyword).is_some_and(|all| all.values().any(forbids)),
        "items" | "prefixItems" | "additionalItems" | "additionalProperties" => {
            forbids(value) || value.as_array().is_some_and(|all| all.iter().any(forbids))
        }
        "dependencies" => map(&target.place, keyword).is_some_and(|all| !all.values().all(Value::is_object)),
        "required" => value.as_array().is_some_and(|names| !names.is_empty()),
        // Where there are bounds, they are what is broken.
        "contains" => target.place.schema.get("minContains").and_then(count).unwrap_or(1) == 1,
        "minContains" => count(value).is_some_and(|least| least > 1),
        "uniqueItems" => value == &Value::Bool(true),
        "format" => value.as_str().is_some_and(knows_format),
        _ => true,
    }
}
