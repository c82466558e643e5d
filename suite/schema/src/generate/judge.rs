//! Who says whether an instance is right: the validator of the schema as it was given, once with formats asserted and once
//! without. What is handed out is right under both.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, PoisonError};

use jsonschema::{Registry, ValidationOptions};
use serde_json::{Value, json};

use super::Declined;
use super::formats::asserting;
use super::library::Library;
use crate::validate::{is_engine_trouble, options};
use crate::{Dialect, cost};

/// Errors counted of one instance.
const MOST_ERRORS: usize = 8;

/// The validator of a single keyword, if there can be one.
type Part = Option<Arc<jsonschema::Validator>>;

/// The judge of one schema.
pub(super) struct Judge {
    schema: Arc<Value>,
    dialect: Dialect,
    plain: jsonschema::Validator,
    strict: jsonschema::Validator,
    /// Evaluations that a validation of an instance of this depth may take.
    costs: Mutex<HashMap<usize, u64>>,
    /// Validators of one `pattern` each.
    parts: Mutex<HashMap<String, Part>>,
}

/// The violation that a broken instance is blamed for.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Blame {
    /// The keyword's place on the way of evaluation.
    pub(super) evaluation_path: String,
    /// Its name; `falseSchema` where a schema is `false`.
    pub(super) keyword: String,
}

impl Judge {
    pub(super) fn new(schema: &Arc<Value>, dialect: Dialect, library: &Library) -> Result<Self, Declined> {
        let rejected = |error: &dyn std::fmt::Display| Declined::Rejected(error.to_string());
        let mut registry = Registry::new().draft(dialect.draft());
        for (address, value) in library.drawn() {
            registry = registry.add(address.as_str(), value.as_ref().clone()).map_err(|error| rejected(&error))?;
        }
        let registry = registry.prepare().map_err(|error| rejected(&error))?;
        let build = |formats: bool| {
            let options: ValidationOptions<'_> = if formats { asserting(dialect) } else { options(dialect) };
            options.with_registry(&registry).build(schema).map_err(|error| rejected(&error))
        };
        Ok(Self {
            schema: Arc::clone(schema),
            dialect,
            plain: build(false)?,
            strict: build(true)?,
            costs: Mutex::default(),
            parts: Mutex::default(),
        })
    }

    /// The dialect that decides where the schema says nothing else.
    pub(super) fn dialect(&self) -> Dialect {
        self.dialect
    }

    /// Whether an instance is valid under every reading.
    pub(super) fn accepts(&self, instance: &Value) -> bool {
        self.is_bearable(instance) && self.strict.is_valid(instance) && self.plain.is_valid(instance)
    }

    /// The only violation of an instance: `None` if it is valid or broken in more than one place.
    pub(super) fn blames(&self, instance: &Value) -> Option<Blame> {
        if !self.is_bearable(instance) {
            return None;
        }
        let errors: Vec<_> = self.strict.iter_errors(instance).take(MOST_ERRORS).collect();
        let [error] = errors.as_slice() else { return None };
        if is_engine_trouble(error.kind()) {
            return None;
        }
        let is_format = error.kind().keyword() == "format";
        if self.plain.is_valid(instance) != is_format {
            return None;
        }
        Some(Blame { evaluation_path: error.evaluation_path().to_string(), keyword: error.kind().keyword().to_owned() })
    }

    /// Where in an instance the only thing that is wrong with it stands.
    pub(super) fn place(&self, instance: &Value) -> Option<String> {
        if !self.is_bearable(instance) {
            return None;
        }
        self.strict.iter_errors(instance).next().map(|error| error.instance_path().to_string())
    }

    /// Whether a text matches a `pattern`; `None` if that cannot be told.
    pub(super) fn matches(&self, pattern: &str, text: &str) -> Option<bool> {
        let mut parts = self.parts.lock().unwrap_or_else(PoisonError::into_inner);
        let part = parts
            .entry(pattern.to_owned())
            .or_insert_with(|| options(self.dialect).build(&json!({ "pattern": pattern })).ok().map(Arc::new));
        let part = part.clone()?;
        drop(parts);
        let instance = Value::from(text);
        match part.validate(&instance) {
            Ok(()) => Some(true),
            Err(error) if is_engine_trouble(error.kind()) => None,
            Err(_) => Some(false),
        }
    }

    fn is_bearable(&self, instance: &Value) -> bool {
        let depth = cost::depth(instance);
        let mut costs = self.costs.lock().unwrap_or_else(PoisonError::into_inner);
        let once = *costs.entry(depth).or_insert_with(|| cost::at_depth(&self.schema, depth));
        once.saturating_mul(cost::widest(instance)) <= cost::BEARABLE
    }
}
