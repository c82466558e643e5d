//! One schema read in several dialects: where none is declared and none is the default, nothing is broken unless it is broken
//! in each.

use serde_json::Value;

use crate::{Declared, Dialect, Flaw, Outcome, Unusable, Validator, declared};

/// A schema and the ways in which it may be meant.
#[derive(Debug)]
pub struct Readings(Vec<Validator>);

impl Readings {
    /// Reads a schema; without `$schema` in each of `defaults`.
    ///
    /// # Errors
    /// When it cannot be used in one of them.
    pub fn new(schema: &Value, defaults: &[Dialect]) -> Result<Self, Unusable> {
        let dialects = match declared(schema) {
            Declared::Absent => defaults,
            _ => defaults.get(..1).unwrap_or_default(),
        };
        dialects.iter().map(|dialect| Validator::new(schema, *dialect)).collect::<Result<_, _>>().map(Self)
    }

    /// Whether an instance satisfies every reading.
    #[must_use]
    pub fn accept(&self, instance: &Value) -> bool {
        self.0.iter().all(|validator| validator.accepts(instance))
    }

    /// The violation of an instance that breaks every reading.
    #[must_use]
    pub fn refuse(&self, instance: &Value) -> Option<Flaw> {
        let mut first = None;
        for validator in &self.0 {
            let Outcome::Invalid(flaw) = validator.judge(instance) else { return None };
            first.get_or_insert(flaw);
        }
        first
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn only_what_every_reading_refuses_is_refused() {
        let both = [Dialect::Draft7, Dialect::Draft202012];
        let pair = Readings::new(&json!({"dependentRequired": {"a": ["b"]}, "required": ["a"]}), &both).expect("legal");
        assert!(!pair.accept(&json!({"a": 1})) && pair.refuse(&json!({"a": 1})).is_none());
        assert_eq!(pair.refuse(&json!({})).map(|flaw| flaw.keyword), Some("required".into()));
        assert!(pair.accept(&json!({"a": 1, "b": 1})));
    }
}
