//! A tool as a server lists it.

use serde_json::Value;

/// A listed tool.
#[derive(Clone, Debug)]
pub struct Tool {
    /// Its name.
    pub name: String,
    /// Its definition as listed.
    pub definition: Value,
    /// Whether the safety policy lets it be called, with valid or invalid arguments.
    pub callable: bool,
}

impl Tool {
    /// Its `inputSchema`.
    #[must_use]
    pub fn input_schema(&self) -> Option<&Value> {
        self.definition.get("inputSchema")
    }

    /// One of its annotations is `true`.
    #[must_use]
    pub fn hints(&self, hint: &str) -> bool {
        self.definition.get("annotations").and_then(|annotations| annotations.get(hint)) == Some(&Value::Bool(true))
    }
}
