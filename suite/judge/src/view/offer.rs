//! The tools, prompts and resources that the server offers, read from the transcript.

use std::collections::HashSet;

use serde_json::Value;
use verdict::probes::values::Reading;
use verdict::{Intent, Key};

use super::View;

/// A listed tool.
#[derive(Clone, Debug)]
pub struct Tool {
    /// Its name; tools without a string name are left out (a rule says so).
    pub name: String,
    /// The definition as listed.
    pub definition: Value,
}

impl Tool {
    /// Its `inputSchema`.
    #[must_use]
    pub fn input_schema(&self) -> Option<&Value> {
        self.definition.get("inputSchema")
    }

    /// Its `outputSchema`.
    #[must_use]
    pub fn output_schema(&self) -> Option<&Value> {
        self.definition.get("outputSchema")
    }
}

/// The capabilities of the first initialize or server/discover result in the judged revision.
pub(super) fn capabilities(view: &View<'_>) -> Value {
    let opening = |case: &super::Case<'_>| matches!(case.method(), Some("initialize" | "server/discover"));
    let found = view
        .cases()
        .filter(opening)
        .find_map(|case| case.result().and_then(|result| result.get("capabilities")).cloned());
    let found = found.filter(Value::is_object);
    found.or_else(|| assumed_capabilities(view)).unwrap_or(Value::Null)
}

/// What a server that declares nothing is taken to have declared.
pub(crate) fn assumed_capabilities(view: &View<'_>) -> Option<Value> {
    let mut probes = view.judged().flat_map(|session| &session.probes);
    probes.find_map(|(_, probe)| {
        super::is_assumed(probe, Reading::Capabilities).then(|| probe.get(Key::Declared).cloned()).flatten()
    })
}

/// Pages of `tools/list` in the first judged session that listed any, in the order of their requests, each cursor once.
pub(super) fn tools(view: &View<'_>) -> Vec<Tool> {
    for session in view.judged() {
        let mut tools = Vec::new();
        let mut seen = HashSet::new();
        for exchange in &session.exchanges {
            let case = super::Case { view, session, exchange };
            if case.method() != Some("tools/list") || !matches!(case.intent(), None | Some(Intent::Walk)) {
                continue;
            }
            let cursor = case.param("cursor").map(ToString::to_string);
            let Some(page) = case.result().and_then(|result| result.get("tools")).and_then(Value::as_array) else {
                continue;
            };
            if seen.insert(cursor) {
                tools.extend(page.iter().filter_map(tool));
            }
        }
        if !tools.is_empty() {
            return tools;
        }
    }
    Vec::new()
}

fn tool(definition: &Value) -> Option<Tool> {
    let name = definition.get("name")?.as_str()?.to_owned();
    Some(Tool { name, definition: definition.clone() })
}
