//! What the faults of the area discover make of requests and of the errors that answer them.

use serde_json::{Value, json};

use super::intercept::{invalid, refused};
use crate::core::{Action, Call, Connection, Reply, Transport, VERSION, looks_modern};
use crate::error::RpcError;
use crate::tools::failure;

const CAPABILITIES: &str = "io.modelcontextprotocol/clientCapabilities";
const CLIENT_INFO: &str = "io.modelcontextprotocol/clientInfo";
const LISTS: [&str; 4] = ["tools/list", "prompts/list", "resources/list", "resources/templates/list"];
/// Requests after which a connection has a history.
const SOME: u64 = 12;

pub(super) fn intercept(connection: &mut Connection, call: &mut Call, id: &str, variant: &str) -> Option<Reply> {
    let modern = looks_modern(&call.params) || (call.method != "initialize" && connection.session.is_none());
    if !modern {
        return older(connection, call, id);
    }
    versions(connection, call, id, variant)
        .or_else(|| methods(connection, call, id, variant))
        .or_else(|| remembered(connection, call, id))
}

/// Clients of the revisions before.
fn older(connection: &mut Connection, call: &mut Call, id: &str) -> Option<Reply> {
    let opens = call.method == "initialize";
    match id {
        "discover.result.supported-versions-work" if opens && call.params["protocolVersion"] == "2025-03-26" => {
            call.params["protocolVersion"] = json!("2025-11-25");
            None
        }
        "discover.legacy.initialize-refusal-names-versions" if opens => {
            Some(RpcError::unknown_method("initialize").into())
        }
        "discover.legacy.initialize-error" if opens => {
            if connection.transport == Transport::Stdio {
                connection.act(Action::Exit(1));
            } else {
                connection.abandon(call.key);
            }
            Some(Reply::Later)
        }
        "discover.legacy.dual-era-initialize" if LISTS.contains(&call.method.as_str()) => invalid("_meta is missing"),
        _ => None,
    }
}

fn versions(connection: &mut Connection, call: &mut Call, id: &str, variant: &str) -> Option<Reply> {
    let version = call.params["_meta"][VERSION].as_str().unwrap_or_default().to_owned();
    let known = connection.server.modern_versions().contains(&version.as_str());
    let listed = LISTS.contains(&call.method.as_str()) || call.method == "server/discover";
    let serve = match (id, variant) {
        ("discover.version.unsupported-code", "served") => true,
        ("discover.version.any-method", _) => !listed,
        ("discover.version.legacy-name-per-request", _) => version.starts_with("2025-"),
        ("discover.version.per-request", _) => {
            let mut state = connection.server.state();
            state.spoilt |= !known;
            return (state.spoilt && known).then(|| RpcError::unsupported_version(&version, &["2026-07-28"]).into());
        }
        _ => return None,
    };
    if serve && !known && !version.is_empty() {
        call.params["_meta"][VERSION] = json!("2026-07-28");
    }
    None
}

fn methods(connection: &Connection, call: &mut Call, id: &str, variant: &str) -> Option<Reply> {
    let method = call.method.as_str();
    let lists = LISTS.contains(&method);
    let first = call.key == 1 && connection.transport == Transport::Stdio;
    match (id, variant) {
        ("discover.implemented", "unknown") if method == "server/discover" => {
            Some(RpcError::unknown_method(method).into())
        }
        ("discover.result.capabilities-served", _) if method.starts_with("prompts/") => {
            Some(RpcError::unknown_method(method).into())
        }
        ("discover.optional-for-client", "") if first && method != "server/discover" => {
            refused(-32600, "server/discover comes first")
        }
        ("discover.stateless.fresh-process", _) if first && lists => refused(-32603, "The server is not ready"),
        ("discover.stateless.no-handshake", _) if lists => refused(-32600, "initialize comes first"),
        ("discover.removed.ping", _) if method == "ping" => done(),
        ("discover.removed.logging-setlevel", _) if method == "logging/setLevel" => done(),
        ("discover.removed.tasks-core", "") if method == "tasks/list" => Some(Reply::Result(json!({"tasks": []}))),
        ("discover.removed.tasks-core", "code") if method == "tasks/result" => invalid("there is no such task"),
        ("discover.missing-capability.retry-with", _)
            if call.tool() == Some("ask_name") && call.params["_meta"][CAPABILITIES].get("sampling").is_none() =>
        {
            Some(RpcError::missing_capability("elicitation").into())
        }
        _ => None,
    }
}

fn done() -> Option<Reply> {
    Some(Reply::Result(json!({})))
}

/// What one request says is kept for the next.
fn remembered(connection: &Connection, call: &mut Call, id: &str) -> Option<Reply> {
    let meta = call.params.get("_meta").cloned().unwrap_or_default();
    let complete = meta[VERSION].is_string() && meta[CAPABILITIES].is_object();
    match id {
        "discover.stateless.meta-not-inherited" => {
            let mut state = connection.server.state();
            if complete {
                state.meta = meta;
            } else if state.meta.is_object() && (call.params.is_null() || call.params.is_object()) && !meta.is_array() {
                for name in [VERSION, CAPABILITIES] {
                    if meta.get(name).is_none() {
                        call.params["_meta"][name] = state.meta[name].clone();
                    }
                }
            }
        }
        "discover.stateless.capabilities-not-inherited" if complete => {
            let mut state = connection.server.state();
            if meta[CAPABILITIES] == json!({}) && state.meta.is_object() {
                call.params["_meta"][CAPABILITIES] = state.meta[CAPABILITIES].clone();
            } else {
                state.meta = meta;
            }
        }
        _ => {}
    }
    None
}

/// What is made of errors.
pub(super) fn amend_error(call: &Call, id: &str, variant: &str, error: &mut RpcError) -> Option<Reply> {
    match (id, variant, error.code) {
        ("discover.version.unsupported-code", "", -32022) => error.code = -32602,
        ("discover.version.unsupported-code", "draft", -32022) => error.code = -32004,
        ("discover.version.unsupported-supported-list", "", -32022) => set(error, "supported", json!([])),
        ("discover.version.unsupported-supported-list", _, -32022) => error.data = None,
        ("discover.version.unsupported-requested-echo", "", -32022) => set(error, "requested", json!("2026-07-28")),
        ("discover.version.unsupported-requested-echo", _, -32022) => set(error, "requested", Value::Null),
        ("discover.version.lists-agree", _, -32022) => set(error, "supported", json!(["2026-07-28", "2027-03-01"])),
        ("discover.version.refused-not-listed", _, -32022) => {
            set(error, "supported", json!(["2026-07-28", "2025-11-25"]));
        }
        ("discover.missing-capability.code", "", -32021) => error.code = -32601,
        ("discover.missing-capability.code", _, -32021) => return Some(Reply::Result(failure(&error.message))),
        ("discover.missing-capability.data", "", -32021) => {
            set(error, "requiredCapabilities", json!(["elicitation"]));
        }
        ("discover.missing-capability.data", _, -32021) => error.data = None,
        ("discover.missing-capability.really-missing", _, -32021) => repeat(call, error),
        _ => {}
    }
    None
}

fn set(error: &mut RpcError, name: &str, value: Value) {
    if let Some(data) = error.data.as_mut().and_then(Value::as_object_mut) {
        if value.is_null() {
            data.shift_remove(name);
        } else {
            data.insert(name.to_owned(), value);
        }
    }
}

fn repeat(call: &Call, error: &mut RpcError) {
    let declared = call.params["_meta"][CAPABILITIES].as_object().cloned().unwrap_or_default();
    if let Some(required) = error.data.as_mut().and_then(|data| data["requiredCapabilities"].as_object_mut()) {
        required.extend(declared);
    }
}

/// What is made of results.
pub(super) fn amend_result(connection: &Connection, call: &Call, id: &str, result: &mut Value) {
    let history = connection.transport == Transport::Stdio && call.key > SOME;
    match id {
        "discover.result.connection-independent" if history && call.method == "server/discover" => {
            result["instructions"] = json!("You have asked a lot.");
        }
        "discover.stateless.lists-not-history-dependent" if history => {
            if let Some(prompts) = result.get_mut("prompts").and_then(Value::as_array_mut) {
                prompts.pop();
            }
        }
        "discover.stateless.interleaving" => {
            let name = call.params["_meta"][CLIENT_INFO]["name"].as_str().unwrap_or_default().to_owned();
            let before = std::mem::replace(&mut connection.server.state().client, name.clone());
            if before != name {
                result["com.example/before"] = json!(before);
            }
        }
        _ => {}
    }
}

/// What is made of caching hints.
pub(crate) fn hints(connection: &Connection, call: &Call, result: &mut Value) {
    let further = call.params.get("cursor").is_some() && result.get("cacheScope").is_some();
    if further && connection.server.faulty("caching.scope-uniform-over-pages") {
        result["cacheScope"] = json!("private");
    }
}
