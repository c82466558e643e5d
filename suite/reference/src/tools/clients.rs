//! Tools that need the client: a request of ours in the handshake era, an input_required result in 2026-07-28.

use serde_json::{Value, json};
use wire::mcp::code;

use super::{content, state};
use crate::Revision;
use crate::core::{Call, Connection, Reply, Server, failure};
use crate::deviation::Deviation;
use crate::error::RpcError;

/// The key of the one input a tool asks for.
const KEY: &str = "answer";

pub(super) fn list_roots(connection: &mut Connection, call: &Call) -> Reply {
    ask(connection, call, "roots", "roots/list", json!({}))
}

pub(super) fn ask_model(connection: &mut Connection, call: &Call) -> Reply {
    let mut params = json!({"messages": [{"role": "user", "content": {"type": "text", "text": "Say hello."}}],
        "maxTokens": 100});
    let declared = match (&call.modern, &connection.session) {
        (Some(meta), _) => meta.capabilities.clone(),
        (None, Some(session)) => session.capabilities.clone(),
        (None, None) => Value::Null,
    };
    if call.revision >= Revision::V2025_11_25 && declared["sampling"]["tools"].is_object() {
        params["tools"] =
            json!([{"name": "clock", "description": "Tells the time.", "inputSchema": {"type": "object"}}]);
    }
    ask(connection, call, "sampling", "sampling/createMessage", params)
}

pub(super) fn ask_name(connection: &mut Connection, call: &Call) -> Reply {
    let params = json!({"message": "What is your name?", "requestedSchema": name_schema()});
    ask(connection, call, "elicitation", "elicitation/create", params)
}

/// The request after one whose answer is the use of a tool: with its result.
pub(crate) fn params_after_tool_use(server: &Server, answer: &Value) -> Option<Value> {
    let uses = answer["content"].as_array().filter(|_| answer["stopReason"] == "toolUse")?;
    let result =
        |used: &Value| json!({"type": "tool_result", "toolUseId": used["id"], "content": [content::text("12:00")]});
    let mut results: Vec<Value> = uses.iter().filter(|used| used["type"] == "tool_use").map(result).collect();
    if server.deviates(Deviation::ToolResultsMixed) {
        results.push(content::text("That is what it said."));
    }
    if server.deviates(Deviation::ToolUsesUnanswered) {
        results = vec![content::text("It did not work.")];
    }
    Some(json!({"maxTokens": 100, "messages": [
        {"role": "user", "content": {"type": "text", "text": "Say hello."}},
        {"role": "assistant", "content": uses},
        {"role": "user", "content": results}]}))
}

/// By a quirk, or for a fault, a read and a prompt ask for a name before they give anything, 2026-07-28.
pub(crate) fn asks_first(connection: &Connection, call: &Call) -> Option<Reply> {
    let server = &connection.server;
    let prompt = match call.subject()? {
        "memory://readme" => false,
        "greeting" => true,
        _ => return None,
    };
    let asks = server.deviates(if prompt { Deviation::PromptsAskFirst } else { Deviation::ReadsAskFirst });
    let meta = call.modern.as_ref().filter(|_| asks || server.quirk("asks-first"))?;
    let anyway = prompt && server.deviates(Deviation::PromptAsksWithoutCapability);
    if !has(&meta.capabilities, "elicitation") && !anyway {
        return Some(RpcError::missing_capability("elicitation").into());
    }
    let params = json!({"message": "What is your name?", "requestedSchema": name_schema()});
    let demand = json!({"inputRequests": {KEY: {"method": "elicitation/create", "params": params}}});
    match call.params.get("inputResponses") {
        None => Some(Reply::InputRequired(demand)),
        Some(Value::Object(answers)) => match answers.get(KEY) {
            Some(_) if prompt && server.deviates(Deviation::PromptRefusesInput) => Some(refusal()),
            None if !prompt && server.deviates(Deviation::ReadRefusesMissingInput) => Some(refusal()),
            Some(_) if !prompt && server.deviates(Deviation::ReadAcceptsAnyInput) => None,
            Some(answer) if is_whole("elicitation/create", answer, &params) => None,
            _ => Some(Reply::InputRequired(demand)),
        },
        Some(_) => Some(RpcError::invalid_params("inputResponses must be an object").into()),
    }
}

fn refusal() -> Reply {
    RpcError::new(code::INTERNAL_ERROR, "no").into()
}

fn name_schema() -> Value {
    json!({"type": "object", "properties": {"name": {"type": "string", "title": "Name"}}, "required": ["name"]})
}

/// A page that nobody need visit.
pub(super) fn open_page(connection: &mut Connection, call: &Call) -> Reply {
    let id = format!("page-{}", call.key);
    let mut params = json!({"mode": "url", "message": "Visit this page.", "url": "https://example.com/visit"});
    if call.modern.is_none() {
        params["elicitationId"] = json!(id);
        if connection.server.deviates(Deviation::UrlErrorWithoutData) {
            return RpcError::new(code::URL_ELICITATION_REQUIRED, "a page is to be visited first").into();
        }
        if connection.server.quirk("url-elicitation-required") {
            let data = json!({"elicitations": [params]});
            return RpcError::new(code::URL_ELICITATION_REQUIRED, "a page is to be visited first")
                .with_data(data)
                .into();
        }
    }
    let reply = ask(connection, call, "elicitation.url", "elicitation/create", params);
    if matches!(reply, Reply::Later) {
        connection.notify_for(call, "notifications/elicitation/complete", json!({"elicitationId": id}));
    }
    reply
}

/// A tool that cannot be called before a page was visited, which it never knows of.
pub(super) fn visit_first(connection: &mut Connection, call: &Call) -> Reply {
    let session = connection.session.as_ref();
    if !session.is_some_and(|session| has(&session.capabilities, "elicitation.url")) {
        return Reply::Result(failure("The client cannot have its user visit a page. Connect with one that can."));
    }
    let elicitation = json!({"mode": "url", "message": "Visit this page.", "url": "https://example.com/visit",
        "elicitationId": format!("visit-{}", call.key)});
    let data = json!({"elicitations": [elicitation]});
    RpcError::new(code::URL_ELICITATION_REQUIRED, "a page is to be visited first").with_data(data).into()
}

fn ask(connection: &mut Connection, call: &Call, capability: &str, method: &'static str, params: Value) -> Reply {
    let server = connection.server.clone();
    let lax =
        server.deviates(Deviation::ElicitationModeUnchecked) || server.deviates(Deviation::ElicitationModeUnchecked);
    if let Some(meta) = &call.modern {
        let known = has(&meta.capabilities, capability);
        let remembered = server.deviates(Deviation::CapabilitiesRemembered) && server.state().elicits;
        server.state().elicits |= known;
        let any = lax && meta.capabilities.get("elicitation").is_some();
        let anyway =
            server.deviates(Deviation::AsksWithoutCapability) || server.deviates(Deviation::AsksWithoutCapability);
        if !known && !any && !remembered && !anyway {
            return RpcError::missing_capability(capability).into();
        }
        return ask_modern(connection, call, method, params);
    }
    let session = connection.session.as_ref();
    let any = lax && session.is_some_and(|session| session.capabilities.get("elicitation").is_some());
    let declared = any || session.is_some_and(|session| has(&session.capabilities, capability));
    if !declared && !server.deviates(Deviation::RequestsWithoutCapability) {
        let text = format!("The client did not declare the capability {capability}. Connect with a client that does.");
        return Reply::Result(failure(&text));
    }
    connection.ask(call, method, params);
    Reply::Later
}

/// Whether a client declares a capability. An elicitation needs form mode, which is meant when no mode is named.
pub(crate) fn has(capabilities: &Value, name: &str) -> bool {
    if name == "elicitation.url" {
        return capabilities["elicitation"]["url"].is_object();
    }
    let Some(capability) = capabilities.get(name).and_then(Value::as_object) else { return false };
    name != "elicitation" || capability.contains_key("form") || !capability.contains_key("url")
}

fn ask_modern(connection: &Connection, call: &Call, method: &'static str, params: Value) -> Reply {
    let server = &connection.server;
    let demand = json!({"inputRequests": {KEY: {"method": method, "params": params}}});
    let demand = with_state(connection, call, demand);
    let Some(brought) = call.params.get("inputResponses") else {
        server.state().demands += 1;
        return Reply::InputRequired(demand);
    };
    if let Some(error) = check_state(connection, call) {
        return error.into();
    }
    let Some(answers) = brought.as_object() else {
        if server.deviates(Deviation::MalformedInputAccepted) {
            return Reply::Result(result_of_answer(method, &Value::Null));
        }
        return RpcError::invalid_params("inputResponses must be an object").into();
    };
    if let Some(reply) = deviating_retry(connection, method, answers) {
        return reply;
    }
    match answers.get(KEY).filter(|answer| is_whole(method, answer, &params)) {
        Some(answer) if method == "sampling/createMessage" && params_after_tool_use(server, answer).is_some() => {
            let params = params_after_tool_use(server, answer).unwrap_or_default();
            Reply::InputRequired(json!({"inputRequests": {KEY: {"method": method, "params": params}}}))
        }
        Some(answer) => {
            state::spend(server, call);
            Reply::Result(result_of_answer(method, answer))
        }
        None => Reply::InputRequired(demand),
    }
}

/// Retries as faults take them.
fn deviating_retry(connection: &Connection, method: &str, answers: &serde_json::Map<String, Value>) -> Option<Reply> {
    let server = &connection.server;
    let answer = answers.get(KEY);
    let refuse = |deviation, applies: bool| (applies && server.deviates(deviation)).then(refusal);
    let declined = answer.is_some_and(|answer| ["decline", "cancel"].iter().any(|action| answer["action"] == *action));
    if declined && server.deviates(Deviation::DeclineNeverAnswered) {
        return Some(Reply::Later);
    }
    if answer.is_some() && server.deviates(Deviation::AnyInputAccepted) {
        return Some(Reply::Result(result_of_answer(method, answer.unwrap_or(&Value::Null))));
    }
    refuse(Deviation::InputRefused, answer.is_some())
        .or_else(|| refuse(Deviation::MissingInputRefused, answers.is_empty()))
        .or_else(|| refuse(Deviation::WrongInputKeyRefused, answer.is_none() && !answers.is_empty()))
        .or_else(|| refuse(Deviation::ExtraInputRefused, answer.is_some() && answers.len() > 1))
}

/// Some tools keep a state that only this server can have made, and for this tool.
fn with_state(connection: &Connection, call: &Call, mut demand: Value) -> Value {
    if let Some(tool) = state_keeping_tool(call) {
        demand["requestState"] = json!(state::fresh(&connection.server, call, tool));
    }
    demand
}

fn state_keeping_tool(call: &Call) -> Option<&str> {
    call.tool().filter(|tool| tool.starts_with("book_"))
}

/// A state that says nothing but of what it is.
pub(crate) fn state_of(connection: &Connection, tool: &str) -> String {
    use std::hash::{DefaultHasher, Hash, Hasher};
    let mut hasher = DefaultHasher::new();
    (connection.server.nonce(), tool).hash(&mut hasher);
    format!("{tool}.{:016x}", hasher.finish())
}

/// A state that this server did not make for this tool and caller, or that is no longer good.
fn check_state(connection: &Connection, call: &Call) -> Option<RpcError> {
    let server = &connection.server;
    let tool = state_keeping_tool(call)?;
    let state = call.params.get("requestState").and_then(Value::as_str).unwrap_or_default();
    if state::is_good(server, call, tool, state) {
        return None;
    }
    if server.deviates(Deviation::ForgedStateTraced) {
        return Some(RpcError::new(code::INTERNAL_ERROR, "Traceback (most recent call last): in decode"));
    }
    Some(RpcError::invalid_params("requestState is not one of this request"))
}

fn is_whole(method: &str, answer: &Value, params: &Value) -> bool {
    match method {
        "roots/list" => answer["roots"].is_array(),
        "sampling/createMessage" => answer["content"].is_object() || answer["content"].is_array(),
        _ => match answer["action"].as_str() {
            Some("accept") => params["mode"] == "url" || answer["content"]["name"].is_string(),
            action => matches!(action, Some("decline" | "cancel")),
        },
    }
}

/// The result of a call whose question the client has answered.
pub(crate) fn result_of_answer(method: &str, answer: &Value) -> Value {
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
