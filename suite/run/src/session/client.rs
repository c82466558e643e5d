//! The tester as a client: what it declares, and how it answers the server's own requests.

use serde_json::{Map, Value, json};
use verdict::Elicitation;
use verdict::Revision;
use wire::mcp::code;

/// The capabilities that the tester declares.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Profile {
    /// Nothing.
    Bare,
    /// Everything that the revision has for clients.
    Full,
    /// Everything, and that its model can be offered tools.
    Tools,
    /// Elicitation alone, in the form that means forms.
    Forms,
    /// Elicitation alone, by URLs.
    Urls,
    /// Everything, and that what the server asks for can be a task (2025-11-25).
    Tasks,
}

/// How the tester answers the server's own requests, other than ping.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum ClientBehavior {
    /// Answers them as it declares.
    #[default]
    Serves,
    /// Answers all with -32601.
    Refuses,
    /// Answers none.
    Withholds,
    /// Answers them, but never finishes what is to be a task.
    Dawdles,
}

impl Profile {
    /// The `capabilities` of initialize, or the `clientCapabilities` of 2026-07-28.
    #[must_use]
    pub fn capabilities(self, revision: Revision) -> Value {
        match self {
            Self::Bare => return json!({}),
            Self::Forms => return json!({"elicitation": {}}),
            Self::Urls => return json!({"elicitation": {"url": {}}}),
            Self::Full | Self::Tools | Self::Tasks => {}
        }
        let mut capabilities = json!({"roots": {"listChanged": true}, "sampling": {}});
        if !revision.is_handshake() {
            capabilities["roots"] = json!({});
        }
        if revision.traits().elicitation >= Elicitation::Form {
            capabilities["elicitation"] = json!({});
        }
        if revision.traits().elicitation == Elicitation::FormAndUrl {
            capabilities["elicitation"] = json!({"form": {}, "url": {}});
            if self == Self::Tools {
                capabilities["sampling"] = json!({"tools": {}});
            }
        }
        if revision.traits().core_tasks && self == Self::Tasks {
            let requests = json!({"sampling": {"createMessage": {}}, "elicitation": {"create": {}}});
            capabilities["tasks"] = json!({"list": {}, "cancel": {}, "requests": requests});
        }
        capabilities
    }

    /// Returns the response to a demand for input (2026-07-28), with the capabilities of the newest revision, which has them all.
    pub(crate) fn response(self, method: &str, params: Option<&Value>) -> Option<Value> {
        self.answer(method, params, &self.capabilities(Revision::LATEST)).ok()
    }

    /// The answer to a request of the server: a result, or -32601 for what was not declared.
    pub(super) fn answer(self, method: &str, params: Option<&Value>, declared: &Value) -> Result<Value, (i64, String)> {
        let has = |name: &str| declared.get(name).is_some();
        match method {
            "ping" => Ok(json!({})),
            "roots/list" if has("roots") => {
                Ok(json!({"roots": [{"uri": "file:///mcp-conform", "name": "mcp-conform"}]}))
            }
            "sampling/createMessage" if has("sampling") => Ok(sampled(params, declared)),
            "elicitation/create" if has("elicitation") => Ok(elicited(params)),
            _ => Err((code::METHOD_NOT_FOUND, format!("Method not found: {method}"))),
        }
    }
}

/// Name and version sent to servers.
pub(super) fn info() -> Value {
    json!({"name": "mcp-conform", "version": env!("CARGO_PKG_VERSION")})
}

/// Words; of a client whose model can use tools, first the use of one that is offered.
fn sampled(params: Option<&Value>, declared: &Value) -> Value {
    let able = declared.pointer("/sampling/tools").is_some();
    let tool = params.filter(|_| able).and_then(|params| params.pointer("/tools/0/name")).and_then(Value::as_str);
    let forbidden = params.and_then(|params| params.pointer("/toolChoice/mode")) == Some(&json!("none"));
    let messages = params.and_then(|params| params.get("messages")).map(Value::to_string).unwrap_or_default();
    let (content, reason) = match tool.filter(|_| !forbidden && !messages.contains("\"tool_result\"")) {
        Some(name) => (json!([{"type": "tool_use", "id": "mcp-conform-use", "name": name, "input": {}}]), "toolUse"),
        None => (json!({"type": "text", "text": "mcp-conform"}), "endTurn"),
    };
    json!({"role": "assistant", "content": content, "model": "mcp-conform", "stopReason": reason})
}

/// Accepts, with one value for each property that the form asks for.
fn elicited(params: Option<&Value>) -> Value {
    let schema = params.and_then(|params| params.get("requestedSchema"));
    let Some(properties) = schema.and_then(|schema| schema.get("properties")).and_then(Value::as_object) else {
        return json!({"action": "accept"});
    };
    let content: Map<String, Value> = properties.iter().map(|(name, schema)| (name.clone(), filled(schema))).collect();
    json!({"action": "accept", "content": content})
}

fn filled(schema: &Value) -> Value {
    let first = |list: &str| schema.get(list).and_then(|list| list.get(0)).cloned();
    if let Some(value) = schema.get("default").cloned().or_else(|| first("enum")) {
        return value;
    }
    if let Some(value) = schema.get("oneOf").and_then(|list| list.get(0)).and_then(|choice| choice.get("const")) {
        return value.clone();
    }
    match schema.get("type").and_then(Value::as_str) {
        Some("boolean") => json!(true),
        Some("integer" | "number") => schema.get("minimum").cloned().unwrap_or(json!(1)),
        Some("array") => {
            let items = schema.get("items").unwrap_or(&Value::Null);
            let count = schema.get("minItems").and_then(Value::as_u64).unwrap_or(0).min(16);
            Value::Array((0..count).map(|_| filled(items)).collect())
        }
        _ => text(schema),
    }
}

fn text(schema: &Value) -> Value {
    let sample = match schema.get("format").and_then(Value::as_str) {
        Some("email") => "tester@example.com",
        Some("uri") => "https://example.com/",
        Some("date") => "2026-01-31",
        Some("date-time") => "2026-01-31T12:00:00Z",
        _ => "mcp-conform",
    };
    let least = schema
        .get("minLength")
        .and_then(Value::as_u64)
        .and_then(|least| usize::try_from(least).ok())
        .unwrap_or(0)
        .min(4_096);
    let most = schema
        .get("maxLength")
        .and_then(Value::as_u64)
        .and_then(|most| usize::try_from(most).ok())
        .unwrap_or(usize::MAX);
    let padded = format!("{sample:x<least$}");
    json!(padded.chars().take(most).collect::<String>())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_form_is_filled_by_its_schema() {
        let schema = json!({"requestedSchema": {"type": "object", "properties": {
            "mail": {"type": "string", "format": "email"}, "count": {"type": "integer", "minimum": 3}, "pick": {"type": "string", "enum": ["a", "b"]},
        }}});
        let content = json!({"mail": "tester@example.com", "count": 3, "pick": "a"});
        assert_eq!(elicited(Some(&schema)), json!({"action": "accept", "content": content}));
    }

    #[test]
    fn a_tool_is_used_once_by_a_client_that_said_so() {
        let declared = Profile::Tools.capabilities(Revision::V2025_11_25);
        let offered = json!({"messages": [], "tools": [{"name": "clock"}]});
        assert_eq!(sampled(Some(&offered), &declared)["content"][0]["name"], "clock");
        assert_eq!(sampled(Some(&offered), &json!({"sampling": {}}))["stopReason"], "endTurn");
        let used = json!({"messages": [{"content": [{"type": "tool_result"}]}], "tools": [{"name": "clock"}]});
        assert_eq!(sampled(Some(&used), &declared)["stopReason"], "endTurn");
    }

    #[test]
    fn what_was_not_declared_is_refused() {
        let refused = Profile::Bare.answer("roots/list", None, &json!({}));
        assert_eq!(refused.map_err(|(code, _)| code), Err(-32601));
        assert_eq!(Profile::Bare.answer("ping", None, &json!({})), Ok(json!({})));
    }
}
