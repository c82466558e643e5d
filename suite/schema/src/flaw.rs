//! A violation of a schema.

use std::fmt;

use jsonschema::ValidationError;

/// A keyword that an instance violates.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Flaw {
    /// The keyword.
    pub keyword: String,
    /// The JSON pointer into the instance.
    pub at: String,
    /// In words.
    pub message: String,
}

impl Flaw {
    pub(crate) fn of(error: &ValidationError<'_>) -> Self {
        Self {
            keyword: error.kind().keyword().to_owned(),
            at: error.instance_path().to_string(),
            message: error.masked().to_string(),
        }
    }
}

impl fmt::Display for Flaw {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let at = if self.at.is_empty() { "the root" } else { &self.at };
        write!(f, "{} is broken at {at}", self.keyword)
    }
}
