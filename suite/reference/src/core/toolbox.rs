//! The tools on offer, with their validators, as each revision is shown them.

use std::sync::OnceLock;

use jsonschema::{ValidationError, Validator};
use serde_json::{Value, json};

use super::server::{Server, Transport};
use crate::Revision;
use crate::deviation::Deviation;
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

    fn offered<'a>(
        &'a self,
        server: &'a Server,
        (revision, transport): (Revision, Transport),
    ) -> impl Iterator<Item = &'a Tool> {
        // The list of 2026-07-28 must not depend on what one connection was told, and a process on stdio is one.
        let fixed = revision == Revision::V2026_07_28 && transport == Transport::Stdio;
        let extra = server.state().extra_tool;
        let none = server.quirk("no-tools");
        let tasks = super::tasks::capability(server, revision).is_some();
        self.tools
            .iter()
            .filter(move |tool| !none && tool.first <= revision && revision <= tool.last)
            .filter(move |tool| tasks || tool.definition["execution"]["taskSupport"] != "required")
            .filter(move |tool| extra || tool.name() != EXTRA)
            .filter(move |tool| !fixed || !TOGGLES.contains(&tool.name()))
    }

    /// Returns the definitions that tools/list shows in a revision.
    pub(crate) fn definitions(&self, server: &Server, revision: Revision, transport: Transport) -> Vec<Value> {
        let renamed = |mut shown: Value| {
            if shown["name"] == RENAMED
                && let Some(name) = other_name(server)
            {
                shown["name"] = json!(name);
            }
            shown
        };
        self.offered(server, (revision, transport)).map(|tool| renamed(tool.definition_for(server, revision))).collect()
    }

    /// A tool on offer, by name.
    pub(crate) fn find<'a>(&'a self, server: &'a Server, place: (Revision, Transport), name: &str) -> Option<&'a Tool> {
        if server.deviates(Deviation::ToolNamesAnyCase) {
            return self.offered(server, place).find(|tool| tool.name().eq_ignore_ascii_case(name));
        }
        let name = if other_name(server) == Some(name) { RENAMED } else { name };
        self.offered(server, place).find(|tool| tool.name() == name)
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

    /// The definition with nothing in it that the revision does not define.
    fn definition_for(&self, server: &Server, revision: Revision) -> Value {
        let mut shown = self.definition.clone();
        let since = [
            ("annotations", Revision::V2025_03_26),
            ("title", Revision::V2025_06_18),
            ("outputSchema", Revision::V2025_06_18),
            ("_meta", Revision::V2025_06_18),
            ("icons", Revision::V2025_11_25),
            ("execution", Revision::V2025_11_25),
        ];
        if let Some(object) = shown.as_object_mut() {
            object.retain(|name, _| since.iter().all(|(known, first)| known != name || *first <= revision));
            if revision == Revision::V2026_07_28 && !server.quirk("execution-in-2026") {
                object.shift_remove("execution");
            }
            for (quirk, member) in [("no-descriptions", "description"), ("no-annotations", "annotations")] {
                if server.quirk(quirk) {
                    object.shift_remove(member);
                }
            }
        }
        server.interceptors().for_each(|interceptor| interceptor.tool_shown(revision, &mut shown));
        if revision < Revision::V2026_07_28 {
            strip(&mut shown["inputSchema"], "x-mcp-header");
        }
        shown
    }

    /// The parameters mirrored in headers: header name and path, 2026-07-28.
    pub(crate) fn header_parameters(&self) -> Vec<(String, Vec<String>)> {
        let mut found = Vec::new();
        collect_headers(&self.definition["inputSchema"], &mut Vec::new(), &mut found);
        found
    }
}

/// The tool that interceptors can give another name.
const RENAMED: &str = "empty";

fn other_name(server: &Server) -> Option<&'static str> {
    server.interceptors().find_map(|interceptor| interceptor.tool_name())
}

fn strip(schema: &mut Value, keyword: &str) {
    let Some(object) = schema.as_object_mut() else { return };
    object.shift_remove(keyword);
    if let Some(Value::Object(properties)) = object.get_mut("properties") {
        properties.values_mut().for_each(|property| strip(property, keyword));
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
