//! Instances of any JSON Schema: valid ones, ones at the boundaries, awkward ones, and ones that break one keyword at one
//! place and nothing else. Every instance has been judged by the validator before it is handed out; what cannot be made
//! is said. The search is bounded in steps and in time, so that no schema keeps it busy for ever.
//!
//! ```
//! use mcp_conform_schema::{Dialect, Generator};
//! use serde_json::json;
//!
//! let schema = json!({"type": "object", "properties": {"n": {"type": "integer", "maximum": 9}}, "required": ["n"]});
//! let generator = Generator::new(&schema, Dialect::Draft202012)?;
//! let instance = generator.valid().draw(1)?;
//! assert!(instance["n"].as_i64().is_some_and(|n| n <= 9));
//! for broken in generator.breaks().found {
//!     println!("{} at {:?}: {}", broken.keyword, broken.at, broken.example);
//! }
//! # Ok::<(), mcp_conform_schema::Declined>(())
//! ```
//!
//! [`Instances`] is a proptest strategy too; what it makes shrinks to the simplest instance of the same kind.

mod awkward;
mod boundaries;
mod breaks;
mod build;
mod chance;
mod decimal;
mod edit;
mod fact;
mod fails;
mod focus;
mod formats;
mod hints;
mod holds;
mod instances;
mod judge;
mod keyword;
mod kinds;
mod library;
mod near;
mod number;
mod place;
mod shape;
mod shrink;
mod solver;
mod source;
mod target;
mod text;
mod vocabulary;
mod weight;

use std::sync::Arc;

use serde_json::Value;
use url::Url;

use crate::{Declared, Dialect, declared};
use judge::Judge;
use library::Library;
use source::{Source, Want};

pub use boundaries::Boundary;
pub use breaks::{Break, Breaks, Reason, Unreached};
pub use chance::Chance;
pub use instances::Instances;
pub use shrink::Shrinking;

/// Why no instances are made.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Declined {
    /// `$schema` names no dialect known here.
    #[error("the dialect {0} is not known")]
    UnknownDialect(String),
    /// No instance can be judged by the schema.
    #[error("the schema cannot be used: {0}")]
    Rejected(String),
    /// The search ended without one: most likely nothing satisfies the schema.
    #[error("no instance was found: the schema seems to contradict itself")]
    Contradiction,
    /// The validator refuses every instance that was made.
    #[error("no instance was found: whatever was made is refused by the validator")]
    Refused,
    /// The search was given up.
    #[error("no instance was found within the time and steps allowed")]
    Spent,
}

/// Makes instances of one schema.
#[derive(Clone, Debug)]
pub struct Generator {
    source: Arc<Source>,
}

impl Generator {
    /// A generator for a schema; `default` is the dialect of one without `$schema`.
    ///
    /// # Errors
    /// When the schema cannot be used, or no valid instance is found.
    pub fn new(schema: &Value, default: Dialect) -> Result<Self, Declined> {
        Self::with_documents(schema, default, &[])
    }

    /// A generator for a schema that refers to other documents, given with their addresses. Nothing is fetched.
    ///
    /// # Errors
    /// When the schema cannot be used, or no valid instance is found.
    pub fn with_documents(schema: &Value, default: Dialect, others: &[(Url, Arc<Value>)]) -> Result<Self, Declined> {
        let mut schema = schema.clone();
        let dialect = match declared(&schema) {
            Declared::Absent => default,
            Declared::Known(dialect) => dialect,
            Declared::Unknown(uri) => {
                vocabulary::own_dialect(&mut schema, &uri, others).ok_or(Declined::UnknownDialect(uri))?
            }
            Declared::NotString => return Err(Declined::UnknownDialect("that is no string".into())),
        };
        if let Value::Object(members) = &mut schema {
            // The draft is given: other spellings of its name need no look-up.
            members.shift_remove("$schema");
        }
        let schema = Arc::new(schema);
        let library = Library::new(&schema, dialect, others);
        let judge = Judge::new(&schema, dialect, &library)?;
        let source = Source::new(library, judge);
        source.draw(&Want::Valid, 0)?;
        Ok(Self { source: Arc::new(source) })
    }

    /// Valid instances.
    #[must_use]
    pub fn valid(&self) -> Instances {
        Instances::new(&self.source, Want::Valid)
    }

    /// Valid instances with values that careless programs do not expect: any Unicode, 1.0 for 1, `__proto__`.
    #[must_use]
    pub fn awkward(&self) -> Instances {
        Instances::new(&self.source, Want::Awkward)
    }

    /// Valid instances at the boundaries of the schema, each once.
    #[must_use]
    pub fn boundaries(&self) -> Vec<Boundary> {
        boundaries::boundaries(&self.source)
    }

    /// Every keyword that can be broken alone, and every other with the reason.
    #[must_use]
    pub fn breaks(&self) -> Breaks {
        breaks::breaks(&self.source)
    }
}

#[cfg(test)]
mod tests;
