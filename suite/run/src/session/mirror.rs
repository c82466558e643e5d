//! Parameters that 2026-07-28 wants mirrored into `Mcp-Param-*` headers, by the `x-mcp-header` of a tool's inputSchema.

use serde_json::Value;
use wire::Message;

use super::Session;
use super::head::field_value;

/// Where a parameter stands and what its header is called.
#[derive(Clone, Debug)]
pub(super) struct Mirror {
    path: Vec<String>,
    header: String,
}

/// Levels of nested objects that are looked into.
const DEPTH: usize = 32;

impl Session {
    /// Learns which parameters of which tools are mirrored.
    pub(crate) fn mirror(&self, tools: &[crate::Tool]) {
        let mut mirrors = self.0.mirrors.borrow_mut();
        for tool in tools {
            let mut found = Vec::new();
            if let Some(schema) = tool.input_schema() {
                walk(schema, &mut Vec::new(), &mut found);
            }
            if !found.is_empty() {
                mirrors.insert(tool.name.clone(), found);
            }
        }
    }
}

impl super::Inner {
    /// The headers for the arguments of a `tools/call`; null and absent ones have none.
    pub(super) fn mirrored_arguments(&self, message: &Message) -> Vec<(String, String)> {
        let params = message.params();
        let name = params.and_then(|params| params.get("name")).and_then(Value::as_str);
        let mirrors = self.mirrors.borrow();
        let Some(found) = name.filter(|_| message.method() == Some("tools/call")).and_then(|name| mirrors.get(name))
        else {
            return Vec::new();
        };
        let arguments = params.and_then(|params| params.get("arguments"));
        let header = |mirror: &Mirror| {
            let value = mirror.path.iter().try_fold(arguments?, |value, step| value.get(step))?;
            let text = match value {
                Value::String(text) => text.clone(),
                Value::Bool(_) | Value::Number(_) => value.to_string(),
                _ => return None,
            };
            Some((format!("Mcp-Param-{}", mirror.header), field_value(&text)))
        };
        found.iter().filter_map(header).collect()
    }
}

fn walk(schema: &Value, path: &mut Vec<String>, found: &mut Vec<Mirror>) {
    let Some(properties) = schema.get("properties").and_then(Value::as_object).filter(|_| path.len() < DEPTH) else {
        return;
    };
    for (name, property) in properties {
        path.push(name.clone());
        if let Some(header) = property.get("x-mcp-header").and_then(Value::as_str) {
            found.push(Mirror { path: path.clone(), header: header.to_owned() });
        }
        walk(property, path, found);
        path.pop();
    }
}
