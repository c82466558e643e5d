//! The tools that a server offers, as each revision is shown them.

use serde_json::{Value, json};

use super::server::{Server, Transport};
use super::tasks;
use super::toolbox::{EXTRA, TOGGLES, Tool};
use crate::Revision;
use crate::deviation::Deviation;

/// The tool that interceptors can give another name.
const RENAMED: &str = "empty";

impl Server {
    fn offered_tools(&self, revision: Revision, transport: Transport) -> impl Iterator<Item = &Tool> {
        // The list of 2026-07-28 must not depend on what one connection was told, and a process on stdio is one.
        let fixed = revision.is_stateless() && transport == Transport::Stdio;
        let extra = self.state().extra_tool;
        let none = self.quirk("no-tools");
        let tasks = tasks::capability(self, revision).is_some();
        self.toolbox
            .tools()
            .filter(move |tool| !none && tool.is_of(revision))
            .filter(move |tool| tasks || tool.definition()["execution"]["taskSupport"] != "required")
            .filter(move |tool| extra || tool.name() != EXTRA)
            .filter(move |tool| !fixed || !TOGGLES.contains(&tool.name()))
    }

    /// Returns the definitions that tools/list shows in a revision.
    pub(crate) fn tool_definitions(&self, revision: Revision, transport: Transport) -> Vec<Value> {
        let renamed = |mut shown: Value| {
            if shown["name"] == RENAMED
                && let Some(name) = self.other_tool_name()
            {
                shown["name"] = json!(name);
            }
            shown
        };
        self.offered_tools(revision, transport).map(|tool| renamed(self.definition_for(tool, revision))).collect()
    }

    /// Finds a tool on offer by name.
    pub(crate) fn find_tool(&self, (revision, transport): (Revision, Transport), name: &str) -> Option<&Tool> {
        let mut tools = self.offered_tools(revision, transport);
        if self.deviates(Deviation::ToolNamesAnyCase) {
            return tools.find(|tool| tool.name().eq_ignore_ascii_case(name));
        }
        let name = if self.other_tool_name() == Some(name) { RENAMED } else { name };
        tools.find(|tool| tool.name() == name)
    }

    /// Returns a definition with nothing in it that the revision does not define.
    fn definition_for(&self, tool: &Tool, revision: Revision) -> Value {
        let mut shown = tool.definition().clone();
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
            if revision.is_stateless() && !self.quirk("execution-in-2026") {
                object.shift_remove("execution");
            }
            for (quirk, member) in [("no-descriptions", "description"), ("no-annotations", "annotations")] {
                if self.quirk(quirk) {
                    object.shift_remove(member);
                }
            }
        }
        self.interceptors().for_each(|interceptor| interceptor.tool_shown(revision, &mut shown));
        if revision.is_handshake() {
            strip(&mut shown["inputSchema"], "x-mcp-header");
        }
        shown
    }

    fn other_tool_name(&self) -> Option<&'static str> {
        self.interceptors().find_map(super::Interceptor::tool_name)
    }
}

/// Removes a keyword from a schema and the schemas of its properties.
fn strip(schema: &mut Value, keyword: &str) {
    let Some(object) = schema.as_object_mut() else { return };
    object.shift_remove(keyword);
    if let Some(Value::Object(properties)) = object.get_mut("properties") {
        properties.values_mut().for_each(|property| strip(property, keyword));
    }
}
