//! The tools of all revisions, with their validators.

use std::sync::OnceLock;

use jsonschema::{ValidationError, Validator};
use serde_json::Value;

use crate::Revision;
use crate::error::shorten;

/// The tool that another tool puts on the list and takes off again.
pub(crate) const EXTRA: &str = "extra";
/// The tool that does so.
pub(crate) const TOGGLE: &str = TOGGLES[0];
/// The tools that change a list.
pub(crate) const TOGGLES: [&str; 3] = ["toggle_extra", "toggle_extra_prompt", "toggle_extra_resource"];

/// A definition, with the first and the last revision that have it.
pub(crate) type Entry = (Revision, Revision, Value);

/// All tools of all revisions, with their validators.
pub(crate) struct Toolbox {
    tools: Vec<Tool>,
}

/// A tool as its author wrote it; each revision is shown what it knows.
pub(crate) struct Tool {
    definition: Value,
    first: Revision,
    last: Revision,
    validator: OnceLock<Validator>,
}

impl Toolbox {
    pub(crate) fn new(entries: Vec<Entry>) -> Self {
        Self { tools: entries.into_iter().map(Tool::new).collect() }
    }

    /// Returns all tools of all revisions.
    pub(super) fn tools(&self) -> impl Iterator<Item = &Tool> {
        self.tools.iter()
    }
}

impl Tool {
    fn new((first, last, definition): (Revision, Revision, Value)) -> Self {
        Self { definition, first, last, validator: OnceLock::new() }
    }

    fn validator(&self) -> &Validator {
        self.validator.get_or_init(|| {
            jsonschema::options()
                .should_validate_formats(true)
                .build(&self.definition["inputSchema"])
                .expect("a test calls every tool")
        })
    }

    pub(crate) fn name(&self) -> &str {
        self.definition["name"].as_str().unwrap_or_default()
    }

    /// As its author wrote it.
    pub(crate) fn definition(&self) -> &Value {
        &self.definition
    }

    /// How arguments break the input schema, in one short line; `overlooked` errors are passed over.
    pub(crate) fn check(
        &self,
        arguments: &Value,
        overlooked: impl Fn(&ValidationError<'_>) -> bool,
    ) -> Result<(), String> {
        let Some(error) = self.validator().iter_errors(arguments).find(|error| !overlooked(error)) else {
            return Ok(());
        };
        let place = error.instance_path().to_string();
        let place = if place.is_empty() { "the arguments".to_owned() } else { shorten(&place) };
        Err(format!("{place} must satisfy the keyword at {}", shorten(&error.schema_path().to_string())))
    }

    /// Whether a revision has it.
    pub(super) fn is_of(&self, revision: Revision) -> bool {
        self.first <= revision && revision <= self.last
    }

    /// The parameters mirrored in headers: header name and path, 2026-07-28.
    pub(crate) fn header_parameters(&self) -> Vec<(String, Vec<String>)> {
        let mut found = Vec::new();
        collect_headers(&self.definition["inputSchema"], &mut Vec::new(), &mut found);
        found
    }
}

fn collect_headers(schema: &Value, path: &mut Vec<String>, found: &mut Vec<(String, Vec<String>)>) {
    if let Some(name) = schema["x-mcp-header"].as_str() {
        found.push((name.to_owned(), path.clone()));
    }
    for (name, property) in schema["properties"].as_object().into_iter().flatten() {
        path.push(name.clone());
        collect_headers(property, path, found);
        path.pop();
    }
}
