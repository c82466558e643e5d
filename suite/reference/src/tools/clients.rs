//! Tools that need the client: a request of ours in the handshake era, an input_required result in 2026-07-28.

use serde_json::{Value, json};

use super::{content, failure};
use crate::core::{Call, Connection, Reply};
use crate::error::RpcError;

/// The key of the one input a tool asks for.
const KEY: &str = "answer";

pub(super) fn list_roots(connection: &mut Connection, call: &Call) -> Reply {
    ask(connection, call, "roots", "roots/list", json!({}))
}

pub(super) fn ask_model(connection: &mut Connection, call: &Call) -> Reply {
    let params = json!({"messages": [{"role": "user", "content": {"type": "text", "text": "Say hello."}}],
        "maxTokens": 100});
    ask(connection, call, "sampling", "sampling/createMessage", params)
}

pub(super) fn ask_name(connection: &mut Connection, call: &Call) -> Reply {
    let schema = json!({"type": "object", "properties": {"name": {"type": "string", "title": "Name"}},
        "required": ["name"]});
    let params = json!({"message": "What is your name?", "requestedSchema": schema});
    ask(connection, call, "elicitation", "elicitation/create", params)
}

fn ask(connection: &mut Connection, call: &Call, capability: &str, method: &'static str, params: Value) -> Reply {
    if let Some(meta) = &call.modern {
        if !has(&meta.capabilities, capability) {
            return RpcError::missing_capability(capability).into();
        }
        return ask_modern(call, method, params);
    }
    let declared = connection.session.as_ref().is_some_and(|session| has(&session.capabilities, capability));
    if !declared && !connection.server.faulty("lifecycle.capabilities.client-requests-backed") {
        let text = format!("The client did not declare the capability {capability}. Connect with a client that does.");
        return Reply::Result(failure(&text));
    }
    connection.ask(call, method, params);
    Reply::Later
}

/// An elicitation needs form mode, which is meant when no mode is named.
fn has(capabilities: &Value, name: &str) -> bool {
    let Some(capability) = capabilities.get(name).and_then(Value::as_object) else { return false };
    name != "elicitation" || capability.contains_key("form") || !capability.contains_key("url")
}

fn ask_modern(call: &Call, method: &'static str, params: Value) -> Reply {
    match call.params.get("inputResponses") {
        Some(Value::Object(answers)) => {
            if let Some(answer) = answers.get(KEY)
                && is_whole(method, answer)
            {
                return Reply::Result(answered(method, answer));
            }
        }
        Some(_) => return RpcError::invalid_params("inputResponses must be an object").into(),
        None => {}
    }
    Reply::InputRequired(json!({"inputRequests": {KEY: {"method": method, "params": params}}}))
}

fn is_whole(method: &str, answer: &Value) -> bool {
    match method {
        "roots/list" => answer["roots"].is_array(),
        "sampling/createMessage" => answer["content"].is_object() || answer["content"].is_array(),
        _ => match answer["action"].as_str() {
            Some("accept") => answer["content"]["name"].is_string(),
            action => matches!(action, Some("decline" | "cancel")),
        },
    }
}

/// The result of a call whose question the client has answered.
pub(crate) fn answered(method: &str, answer: &Value) -> Value {
    let text = match method {
        "roots/list" => format!("The client has {} roots.", answer["roots"].as_array().map_or(0, Vec::len)),
        "sampling/createMessage" => {
            format!("The model says: {}", answer["content"]["text"].as_str().unwrap_or("nothing in words"))
        }
        _ => match (answer["action"].as_str(), answer["content"]["name"].as_str()) {
            (Some("accept"), Some(name)) => format!("Hello, {name}!"),
            _ => "The user gave no name.".to_owned(),
        },
    };
    json!({"content": [content::text(text)]})
}
