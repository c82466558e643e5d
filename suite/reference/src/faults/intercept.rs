//! What faults make of requests: some never reach their handler, some reach it changed.

use serde_json::{Value, json};

use super::{during, meta, offers, ping, practice_calls, robust, stateless, stdio, strings, tasks};
use crate::core::{Action, Call, Connection, Reply};
use crate::error::RpcError;
use crate::methods::METHODS;
use crate::tools::failure;

/// Lets every fault have a look at a request before it is routed.
pub(crate) fn intercept(connection: &mut Connection, call: &mut Call) -> Option<Reply> {
    for fault in connection.server.clone().settings.faults() {
        let reply = tools(connection, call, fault.id, fault.variant)
            .or_else(|| opening(connection, call, fault.id, fault.variant))
            .or_else(|| lifecycle(connection, call, fault.id, fault.variant))
            .or_else(|| jsonrpc(connection, call, fault.id, fault.variant))
            .or_else(|| ids(connection, call, fault.id, fault.variant))
            .or_else(|| stdio::intercept(connection, call, fault.id, fault.variant))
            .or_else(|| ping::intercept(connection, call, fault.id, fault.variant))
            .or_else(|| robust::intercept(connection, call, fault.id))
            .or_else(|| practice_calls::intercept(connection, call, fault.id))
            .or_else(|| offers::intercept(connection, call, fault.id, fault.variant))
            .or_else(|| during::intercept(connection, call, fault.id, fault.variant))
            .or_else(|| meta::intercept(call, fault.id, fault.variant))
            .or_else(|| stateless::intercept(connection, call, fault.id, fault.variant))
            .or_else(|| strings::intercept(connection, call, fault.id, fault.variant))
            .or_else(|| tasks::intercept(call, fault.id));
        if reply.is_some() {
            return reply;
        }
    }
    None
}

pub(super) fn refused(code: i64, why: &str) -> Option<Reply> {
    Some(RpcError::new(code, why).into())
}

pub(super) fn invalid(why: &str) -> Option<Reply> {
    Some(RpcError::invalid_params(why).into())
}

/// Ends the process, or the whole HTTP server.
fn exit(connection: &mut Connection) -> Option<Reply> {
    connection.act(Action::Exit(1));
    Some(Reply::Later)
}

fn tools(_connection: &mut Connection, call: &mut Call, id: &str, variant: &str) -> Option<Reply> {
    let calls = call.method == "tools/call";
    let lists = call.method == "tools/list";
    let params = &call.params;
    match (id, variant) {
        ("tools.capability.undeclared-method-not-found", _) if calls || lists => {
            refused(-32602, "Tools are not available")
        }
        ("tools.capability.list-answered", "") if lists => refused(-32603, "The list could not be made"),
        ("tools.list.accepts-missing-params", _) if lists && params.is_null() => invalid("params is missing"),
        ("tools.call.missing-params", "") if calls && params.is_null() => refused(-32603, "params is undefined"),
        ("tools.call.missing-params", _) if calls && params.is_null() => Some(Reply::Later),
        ("tools.call.missing-name", how) if calls && params.is_object() && params.get("name").is_none() => {
            wrong_channel(how)
        }
        ("tools.call.name-not-string", how) if calls && params.get("name").is_some_and(|name| !name.is_string()) => {
            wrong_channel(how)
        }
        ("tools.call.arguments-not-object", how) if calls && odd_arguments(params) => {
            if how.is_empty() {
                Some(Reply::Result(json!({"content": [{"type": "text", "text": "Done."}]})))
            } else {
                refused(-32603, "arguments could not be read")
            }
        }
        ("tools.call.arguments-optional", _) if calls && params.get("arguments").is_none() => {
            invalid("arguments is missing")
        }
        ("tools.call.listed-tool-known", _) if calls && params["name"] == "empty" => {
            refused(-32602, "Unknown tool: empty")
        }
        ("tools.call.valid-arguments-accepted", how) if calls && refuses(how, params) => {
            invalid("arguments: a value is out of range")
        }
        ("tools.error.execution-in-result", how @ ("" | "internal")) if calls && params["name"] == "fail" => {
            refused(if how == "internal" { -32603 } else { 1 }, "The tool failed")
        }
        ("tools.content.embedded-needs-resources", _) if call.method.starts_with("resources/") => {
            Some(RpcError::unknown_method(&call.method).into())
        }
        _ => None,
    }
}

fn refuses(how: &str, params: &Value) -> bool {
    match how {
        "" => ["statistics", "greet", "measure_tree"].iter().any(|name| params["name"] == *name),
        "corner" => has_large_or_boolean(&params["arguments"]),
        _ => false,
    }
}

fn wrong_channel(how: &str) -> Option<Reply> {
    if how == "result" {
        return Some(Reply::Result(failure("Name a tool that tools/list has.")));
    }
    refused(-32603, "name could not be read")
}

fn odd_arguments(params: &Value) -> bool {
    params.get("arguments").is_some_and(|arguments| !arguments.is_object() && !arguments.is_null())
}

fn has_large_or_boolean(value: &Value) -> bool {
    match value {
        Value::Bool(_) => true,
        Value::Number(number) => number.as_f64().is_some_and(|number| number >= 100.0),
        Value::Array(items) => items.iter().any(has_large_or_boolean),
        Value::Object(object) => object.values().any(has_large_or_boolean),
        _ => false,
    }
}

/// Faults of initialize alone.
fn opening(connection: &mut Connection, call: &mut Call, id: &str, variant: &str) -> Option<Reply> {
    let legacy = connection.server.settings.legacy();
    if call.method != "initialize" || legacy.is_empty() {
        return None;
    }
    let requested = call.params["protocolVersion"].as_str().unwrap_or_default().to_owned();
    let supported = legacy.iter().any(|revision| revision.as_str() == requested);
    let newest = legacy[legacy.len() - 1].as_str();
    match (id, variant) {
        ("lifecycle.initialize.answered", "error") => refused(-32603, "The server could not be started"),
        ("lifecycle.initialize.first-message-served", _) if call.key == 1 => {
            refused(-32600, "Send something else first")
        }
        ("lifecycle.initialize.extra-client-fields", _) if has_extra_fields(&call.params) => invalid("unknown member"),
        ("lifecycle.initialize.empty-capabilities", _) if call.params["capabilities"] == json!({}) => {
            Some(Reply::Later)
        }
        ("lifecycle.initialize.missing-fields-refused", _) => {
            complete(&mut call.params, newest);
            None
        }
        ("lifecycle.initialize.again", _) if connection.session.is_some() => {
            let before = connection.session.take().map(|session| session.revision);
            let other = legacy.iter().find(|revision| Some(**revision) != before).unwrap_or(&legacy[0]);
            call.params["protocolVersion"] = json!(other.as_str());
            None
        }
        ("lifecycle.version.counter-offer", how) if !supported => match how {
            "silent" => Some(Reply::Later),
            "exit" => exit(connection),
            _ => invalid("protocolVersion is not supported"),
        },
        ("lifecycle.version.same-if-supported", _) if requested == newest && legacy.len() > 1 => {
            call.params["protocolVersion"] = json!(legacy[legacy.len() - 2].as_str());
            None
        }
        ("lifecycle.version.counter-offer-latest", _) if !supported => {
            call.params["protocolVersion"] = json!(legacy[0].as_str());
            None
        }
        _ => None,
    }
}

fn has_extra_fields(params: &Value) -> bool {
    let beyond = |value: &Value, known: &[&str]| {
        value.as_object().is_some_and(|object| object.keys().any(|key| !known.contains(&key.as_str())))
    };
    beyond(params, &["protocolVersion", "capabilities", "clientInfo"])
        || beyond(&params["clientInfo"], &["name", "version"])
        || beyond(&params["capabilities"], &["roots", "sampling", "elicitation"])
}

fn complete(params: &mut Value, newest: &str) {
    if !params.is_object() {
        *params = json!({});
    }
    if !params["protocolVersion"].is_string() {
        params["protocolVersion"] = json!(newest);
    }
    if !params["capabilities"].is_object() {
        params["capabilities"] = json!({});
    }
    if !params["clientInfo"]["name"].is_string() || !params["clientInfo"]["version"].is_string() {
        params["clientInfo"] = json!({"name": "", "version": ""});
    }
}

fn lifecycle(connection: &mut Connection, call: &mut Call, id: &str, variant: &str) -> Option<Reply> {
    let method = call.method.as_str();
    match (id, variant) {
        ("lifecycle.initialized.serves-after", _)
            if connection.session.as_ref().is_some_and(|session| session.initialized) && method != "ping" =>
        {
            refused(-32600, "The server is not ready")
        }
        ("lifecycle.pre-init.connection-survives-early-request", _)
            if connection.session.is_none()
                && !["initialize", "ping"].contains(&method)
                && !crate::core::looks_modern(&call.params) =>
        {
            exit(connection)
        }
        ("lifecycle.capabilities.declared-served", "") if method.starts_with("prompts/") => {
            Some(RpcError::unknown_method(method).into())
        }
        ("lifecycle.capabilities.declared-served", "logging") if method == "logging/setLevel" => {
            Some(RpcError::unknown_method(method).into())
        }
        ("lifecycle.shutdown.no-message", _) if ["shutdown", "exit"].contains(&method) => {
            Some(Reply::Result(json!({})))
        }
        _ => None,
    }
}

fn jsonrpc(connection: &mut Connection, call: &mut Call, id: &str, variant: &str) -> Option<Reply> {
    let clients = ["sampling/createMessage", "roots/list", "elicitation/create"];
    match (id, variant) {
        ("jsonrpc.response.pipelined-all-answered", _) if connection.burst() % 10 == 9 => Some(Reply::Later),
        ("jsonrpc.invalid-request.params-not-object", how) if is_odd(&call.params) => {
            if how == "internal" {
                return refused(-32603, "params could not be read");
            }
            meta::fill(call);
            None
        }
        ("jsonrpc.method-not-found.wrong-direction", how) if clients.contains(&call.method.as_str()) => match how {
            "code" => invalid("nothing to do with this"),
            _ => Some(Reply::Result(json!({}))),
        },
        ("jsonrpc.method-not-found.exact-name", _) => {
            let plain = call.method.trim().trim_matches('/').to_lowercase();
            if let Some(known) = METHODS.iter().find(|known| known.to_lowercase() == plain) {
                call.method = (*known).to_owned();
            }
            None
        }
        ("jsonrpc.method-not-found.notification-with-id", _) if call.method.starts_with("notifications/") => {
            Some(Reply::Later)
        }
        ("jsonrpc.invalid-params.no-result", _) => {
            mend(call);
            None
        }
        ("jsonrpc.invalid-params.missing-params", how) if lacks_params(call) => match how {
            "internal" => refused(-32603, "params is undefined"),
            _ => Some(Reply::Later),
        },
        ("jsonrpc.unknown-members.params", _) => {
            let unknown = |key: &String| !MEMBERS.contains(&key.as_str());
            if call.params.as_object()?.keys().any(unknown) { invalid("unknown member") } else { None }
        }
        _ => None,
    }
}

const MEMBERS: [&str; 17] = [
    "_meta",
    "cursor",
    "name",
    "arguments",
    "uri",
    "ref",
    "argument",
    "context",
    "level",
    "protocolVersion",
    "capabilities",
    "clientInfo",
    "notifications",
    "inputResponses",
    "requestState",
    "task",
    "requestId",
];

fn is_odd(params: &Value) -> bool {
    !params.is_null() && !params.is_object()
}

fn lacks_params(call: &Call) -> bool {
    let needs = ["tools/call", "prompts/get", "resources/read"].contains(&call.method.as_str());
    needs && call.params.as_object().is_none_or(|params| params.keys().all(|key| key == "_meta"))
}

/// Takes something that will do for what is of the wrong type.
fn mend(call: &mut Call) {
    let stand_in = match call.method.as_str() {
        "tools/call" => ("name", json!("version")),
        "prompts/get" => ("name", json!("greeting")),
        "resources/read" => ("uri", json!("memory://readme")),
        _ => ("cursor", Value::Null),
    };
    if call.params.get(stand_in.0).is_some_and(|value| !value.is_string()) {
        call.params[stand_in.0] = stand_in.1;
    }
}

fn ids(connection: &mut Connection, call: &mut Call, id: &str, variant: &str) -> Option<Reply> {
    match (id, variant) {
        ("jsonrpc.response.id-edge-values", "") if call.id == 0 || call.id == "" => {
            connection.abandon(call.key);
            Some(Reply::Later)
        }
        ("jsonrpc.id.string-and-integer-accepted", how) if call.method != "initialize" => {
            // Small integers are what every client begins with: without them nobody gets as far as to notice.
            let large = call.id.is_number() && call.id.to_string().len() > 6;
            let refuses = if how == "integer" { large } else { call.id.is_string() };
            if refuses { refused(-32600, "An id of this type is not supported") } else { None }
        }
        ("jsonrpc.id.reuse-after-response", _) => {
            let fresh = connection.used_ids.insert(call.id.to_string());
            if fresh { None } else { refused(-32600, "The id has been used") }
        }
        ("jsonrpc.id.scoped-to-connection", _) if call.method != "initialize" => {
            let number = connection.number;
            let owner = *connection.server.state().ids.entry(call.id.to_string()).or_insert(number);
            if owner == number { None } else { refused(-32600, "The id has been used") }
        }
        _ => None,
    }
}
