//! Finds an instance that an old schema accepts and a new schema rejects.
//!
//! A member that only the new schema names does not count: the old schema accepted any value under that name only because
//! it did not mention it, which is no promise to clients.

use schema::{Dialect, Flaw, Generator, Outcome, Validator};
use serde_json::{Value, json};

use super::new_names::without_new_names;

/// Number of instances drawn of each kind.
const DRAWS: u64 = 48;
/// Number of instances drawn for each keyword that is broken alone.
const EACH: u64 = 3;
/// Limit of validations spent on shrinking the instance.
const SHRINKING: usize = 2_000;
/// Keywords that do not affect validity.
const SILENT: [&str; 12] = [
    "title",
    "description",
    "default",
    "examples",
    "$comment",
    "deprecated",
    "readOnly",
    "writeOnly",
    "format",
    "contentEncoding",
    "contentMediaType",
    "contentSchema",
];

/// The result of comparing two schemas.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Narrowing {
    /// An instance that was accepted and is now rejected, with the flaw.
    Refuses(Value, Flaw),
    /// No accepted instance is known to be rejected.
    Takes,
    /// The schemas could not be compared, for this reason.
    Unknown(String),
}

/// Looks for an instance that `was` accepts and `now` rejects. Schemas without `$schema` have the given dialect.
pub(crate) fn find_narrowing(was: &Value, now: &Value, dialect: Dialect) -> Narrowing {
    if essence(was) == essence(now) {
        return Narrowing::Takes;
    }
    let pair = match Pair::new(was, now, dialect) {
        Ok(pair) => pair,
        Err(reason) => return Narrowing::Unknown(reason),
    };
    let searches = [Pair::by_what_was, Pair::by_what_breaks, Pair::by_both];
    let mut reason = None;
    for search in searches {
        match search(&pair) {
            Ok(Some(instance)) => return pair.shrunk_narrowing(instance),
            Ok(None) => {}
            Err(declined) => reason = reason.or(Some(declined)),
        }
    }
    reason.map_or(Narrowing::Takes, Narrowing::Unknown)
}

/// Returns the schema without keywords that do not affect validity, for a quick comparison.
fn essence(schema: &Value) -> Value {
    match schema {
        Value::Object(members) => {
            let silent = |name: &str| SILENT.contains(&name);
            let kept = members.iter().filter(|(name, value)| !silent(name) || value.is_object());
            let mut kept: Vec<(String, Value)> = kept.map(|(name, value)| (name.clone(), inner(name, value))).collect();
            kept.sort_by(|a, b| a.0.cmp(&b.0));
            Value::Object(kept.into_iter().collect())
        }
        Value::Array(items) => Value::Array(items.iter().map(essence).collect()),
        other => other.clone(),
    }
}

/// Returns the value of a keyword without such keywords; `const` and `enum` hold data.
fn inner(name: &str, value: &Value) -> Value {
    if matches!(name, "const" | "enum") { value.clone() } else { essence(value) }
}

struct Pair<'s> {
    was: &'s Value,
    now: &'s Value,
    takes: Validator,
    refuses: Validator,
    dialect: Dialect,
}

impl<'s> Pair<'s> {
    fn new(was: &'s Value, now: &'s Value, dialect: Dialect) -> Result<Self, String> {
        let validator = |which: &str, schema: &Value| {
            Validator::new(schema, dialect).map_err(|error| format!("the {which} schema: {error}"))
        };
        Ok(Self { was, now, takes: validator("old", was)?, refuses: validator("new", now)?, dialect })
    }

    /// Returns whether the instance shows the difference.
    fn shows(&self, instance: &Value) -> bool {
        self.takes.accepts(instance) && self.refuses.refuses(instance)
    }

    /// Returns the instance without new names, if it still shows the difference.
    fn without_new_names(&self, instance: Value) -> Option<Value> {
        if !self.shows(&instance) {
            return None;
        }
        let rest = without_new_names(&instance, self.was, self.now);
        self.shows(&rest).then_some(rest)
    }

    fn first_difference(&self, mut candidates: impl Iterator<Item = Value>) -> Option<Value> {
        candidates.find_map(|candidate| self.without_new_names(candidate))
    }

    /// Tries instances of the old schema: at its boundaries, and random ones.
    fn by_what_was(&self) -> Result<Option<Value>, String> {
        let generator = Generator::new(self.was, self.dialect).map_err(|error| format!("the old schema: {error}"))?;
        let boundaries = generator.boundaries().into_iter().map(|boundary| boundary.instance);
        if let Some(found) = self.first_difference(boundaries) {
            return Ok(Some(found));
        }
        let (valid, awkward) = (generator.valid(), generator.awkward());
        let draws = (0..DRAWS).flat_map(|seed| [valid.draw(seed), awkward.draw(seed)]).filter_map(Result::ok);
        Ok(self.first_difference(draws))
    }

    /// Tries instances that break one keyword of the new schema.
    fn by_what_breaks(&self) -> Result<Option<Value>, String> {
        // A new schema that takes nothing at all has been found out by now.
        let Ok(generator) = Generator::new(self.now, self.dialect) else { return Ok(None) };
        let broken = generator.breaks().found.into_iter();
        Ok(self.first_difference(broken.flat_map(|one| {
            let drawn = (0..EACH).filter_map(|seed| one.instances.draw(seed).ok());
            std::iter::once(one.example).chain(drawn).collect::<Vec<_>>()
        })))
    }

    /// Tries instances of a schema that combines both demands.
    fn by_both(&self) -> Result<Option<Value>, String> {
        let own = |name: &str, schema: &Value| {
            let mut schema = schema.clone();
            if let Value::Object(members) = &mut schema {
                members.shift_remove("$schema");
                members.insert("$id".to_owned(), json!(format!("urn:mcp-conform:{name}")));
            }
            schema
        };
        let both = json!({"allOf": [own("old", self.was), {"not": own("new", self.now)}]});
        // Most likely nothing satisfies it, which is good.
        let Ok(generator) = Generator::new(&both, self.dialect) else { return Ok(None) };
        let valid = generator.valid();
        Ok(self.first_difference((0..DRAWS).filter_map(|seed| valid.draw(seed).ok())))
    }

    /// Returns the narrowing that an instance shows, shrunk.
    fn shrunk_narrowing(&self, instance: Value) -> Narrowing {
        let small = self.smaller(instance);
        match self.refuses.judge(&small) {
            Outcome::Invalid(flaw) => Narrowing::Refuses(small, flaw),
            _ => Narrowing::Takes,
        }
    }

    /// Removes members and items as long as the difference shows.
    fn smaller(&self, mut instance: Value) -> Value {
        let mut left = SHRINKING;
        while let Some(less) = simpler(&instance).into_iter().take(left).find(|less| {
            left -= 1;
            self.shows(less) && without_new_names(less, self.was, self.now) == *less
        }) {
            instance = less;
        }
        instance
    }
}

/// Returns the value with one part removed or simplified, in every way.
fn simpler(value: &Value) -> Vec<Value> {
    match value {
        Value::Object(members) => {
            let without = members.keys().map(|name| {
                let mut less = members.clone();
                less.shift_remove(name);
                Value::Object(less)
            });
            let inside = members.iter().flat_map(|(name, member)| {
                simpler(member).into_iter().map(|less| {
                    let mut members = members.clone();
                    members.insert(name.clone(), less);
                    Value::Object(members)
                })
            });
            without.chain(inside).collect()
        }
        Value::Array(items) => {
            let without = (0..items.len()).map(|at| {
                let mut less = items.clone();
                less.remove(at);
                Value::Array(less)
            });
            let inside = items.iter().enumerate().flat_map(|(at, item)| {
                simpler(item).into_iter().map(move |less| {
                    let mut items = items.clone();
                    items[at] = less;
                    Value::Array(items)
                })
            });
            without.chain(inside).collect()
        }
        Value::String(text) if !text.is_empty() => {
            let half: String = text.chars().take(text.chars().count() / 2).collect();
            ["".to_owned(), "a".to_owned(), half]
                .into_iter()
                .filter(|less| less.len() < text.len())
                .map(Value::from)
                .collect()
        }
        Value::Number(number) if number.as_f64().is_some_and(|number| number != 0.0 && number != 1.0) => {
            let wide = number.as_f64().is_some_and(|number| number.abs() > 1.0);
            if wide { vec![json!(0), json!(1)] } else { vec![json!(0)] }
        }
        _ => Vec::new(),
    }
}

#[cfg(test)]
mod tests;
