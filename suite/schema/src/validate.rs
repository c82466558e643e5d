//! Validation that never fetches, asserts no format, and refuses schemas whose evaluation could take for ever.

use std::fmt;

use jsonschema::error::ValidationErrorKind;
use jsonschema::{PatternOptions, ValidationOptions};
use serde_json::Value;

use crate::{Declared, Dialect, Flaw, cost, declared};

/// Steps of back-tracking allowed to one regular expression.
const BACKTRACKS: usize = 100_000;

/// A schema ready to judge instances.
pub struct Validator {
    inner: jsonschema::Validator,
    schema: Value,
}

/// The result of validating an instance.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Outcome {
    /// It satisfies the schema.
    Valid,
    /// It does not.
    Invalid(Flaw),
    /// It cannot be told: too costly, or a regular expression that ran out of steps.
    Unknown,
}

/// Why instances cannot be judged by a schema.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Unusable {
    /// `$schema` names no dialect known here.
    #[error("the dialect {0} is not known")]
    UnknownDialect(String),
    /// The schema is invalid, refers to nothing, to a network address, or uses a regular expression that cannot be read here.
    #[error("the schema cannot be used: {0}")]
    Rejected(String),
}

impl Validator {
    /// Builds a validator; `default` is the dialect of a schema without `$schema`.
    ///
    /// # Errors
    /// When no instance can be judged by it.
    pub fn new(schema: &Value, default: Dialect) -> Result<Self, Unusable> {
        let dialect = match declared(schema) {
            Declared::Absent => default,
            Declared::Known(dialect) => dialect,
            Declared::Unknown(uri) => return Err(Unusable::UnknownDialect(uri)),
            Declared::NotString => return Err(Unusable::UnknownDialect("that is no string".into())),
        };
        let mut schema = schema.clone();
        if let Value::Object(members) = &mut schema {
            // The draft is given: other spellings of its name need no look-up.
            members.shift_remove("$schema");
        }
        let inner = options(dialect).build(&schema).map_err(|error| Unusable::Rejected(error.to_string()))?;
        Ok(Self { inner, schema })
    }

    /// Judges an instance.
    #[must_use]
    pub fn judge(&self, instance: &Value) -> Outcome {
        if !cost::is_bearable(&self.schema, instance) {
            return Outcome::Unknown;
        }
        match self.inner.validate(instance) {
            Ok(()) => Outcome::Valid,
            Err(error) if is_engine_trouble(error.kind()) => Outcome::Unknown,
            Err(error) => Outcome::Invalid(Flaw::of(&error)),
        }
    }

    /// Whether an instance certainly satisfies the schema.
    #[must_use]
    pub fn accepts(&self, instance: &Value) -> bool {
        self.judge(instance) == Outcome::Valid
    }

    /// Whether an instance certainly breaks the schema.
    #[must_use]
    pub fn refuses(&self, instance: &Value) -> bool {
        matches!(self.judge(instance), Outcome::Invalid(_))
    }
}

impl fmt::Debug for Validator {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Validator").field("schema", &self.schema).finish_non_exhaustive()
    }
}

/// How instances are judged: offline, no format asserted, with bounded regular expressions.
pub(crate) fn options<'i>(dialect: Dialect) -> ValidationOptions<'i> {
    jsonschema::options()
        .with_draft(dialect.draft())
        .offline()
        .should_validate_formats(false)
        .should_ignore_unknown_formats(true)
        .without_content_encoding_support("base64")
        .without_content_media_type_support("application/json")
        .with_pattern_options(PatternOptions::fancy_regex().backtrack_limit(BACKTRACKS))
}

pub(crate) fn is_engine_trouble(kind: &ValidationErrorKind) -> bool {
    use ValidationErrorKind::{BacktrackLimitExceeded, Referencing, RegexEngineFailure};
    matches!(kind, BacktrackLimitExceeded { .. } | RegexEngineFailure { .. } | Referencing(_))
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn validator(schema: &Value) -> Result<Validator, Unusable> {
        Validator::new(schema, Dialect::Draft202012)
    }

    #[test]
    fn the_declared_dialect_decides() {
        let schema = json!({"$schema": "https://json-schema.org/draft-07/schema", "items": [{"type": "string"}]});
        let validator = validator(&schema).expect("draft-07");
        assert!(validator.refuses(&json!([1])));
        assert!(validator.accepts(&json!(["a", 1])));
    }

    #[test]
    fn formats_and_encodings_assert_nothing() {
        let schema = json!({"format": "date", "contentEncoding": "base64", "contentMediaType": "application/json"});
        for dialect in [Dialect::Draft4, Dialect::Draft7, Dialect::Draft202012] {
            assert!(Validator::new(&schema, dialect).expect("plain").accepts(&json!("no?")), "{dialect}");
        }
    }

    #[test]
    fn what_cannot_be_judged_says_so() {
        let foreign = validator(&json!({"$schema": "urn:mine"}));
        assert!(matches!(foreign, Err(Unusable::UnknownDialect(_))));
        for schema in [
            json!({"$ref": "http://127.0.0.1:9/x"}),
            json!({"$ref": "#/nowhere"}),
            json!({"$ref": "file:///etc/hostname"}),
        ] {
            assert!(matches!(validator(&schema), Err(Unusable::Rejected(_))), "{schema}");
        }
    }

    #[test]
    fn schemas_that_multiply_are_not_evaluated() {
        let mut defs = serde_json::Map::new();
        for level in 0..60 {
            let below = json!({"$ref": format!("#/$defs/d{}", level + 1)});
            defs.insert(format!("d{level}"), json!({"allOf": [below, below]}));
        }
        defs.insert("d60".into(), json!({}));
        let validator = validator(&json!({"$ref": "#/$defs/d0", "$defs": defs})).expect("legal");
        assert_eq!(validator.judge(&json!(1)), Outcome::Unknown);
    }

    #[test]
    fn recursive_schemas_are_evaluated() {
        let tree = json!({"properties": {"left": {"$ref": "#"}, "right": {"$ref": "#"}, "n": {"type": "integer"}}});
        let validator = validator(&tree).expect("legal");
        assert!(validator.accepts(&json!({"left": {"right": {"n": 1.0}}})));
        assert!(validator.refuses(&json!({"left": {"right": {"n": 1.5}}})));
    }
}
