//! The methods, one file a group, and the tables that say which exist in which era.

mod cancellation;
mod completion;
mod discover;
mod initialize;
mod logging;
mod notifications;
mod page;
mod prompts;
mod resources;
mod samples;
mod subscriptions;
mod tasks;
mod tools;

use serde_json::{Value, json};

pub(crate) use initialize::{initialize, refuse_initialize};
pub(crate) use logging::LEVELS;
pub(crate) use page::{cursor, offset};
pub(crate) use resources::not_found;
pub(crate) use samples::PNG;
pub(crate) use subscriptions::SUBSCRIPTION_ID;
pub(crate) use tasks::{capability as tasks_capability, work};

use crate::Revision;
use crate::core::{Call, Connection, Reply, Server};
use crate::error::RpcError;

/// Every method of any revision.
pub(crate) const METHODS: [&str; 18] = [
    "initialize",
    "ping",
    "server/discover",
    "tools/list",
    "tools/call",
    "resources/list",
    "resources/templates/list",
    "resources/read",
    "resources/subscribe",
    "resources/unsubscribe",
    "prompts/list",
    "prompts/get",
    "completion/complete",
    "logging/setLevel",
    "tasks/get",
    "tasks/list",
    "tasks/result",
    "tasks/cancel",
];

/// A request on a connection of the handshake era.
pub(crate) fn legacy(connection: &mut Connection, call: &Call) -> Reply {
    if call.method == "ping" {
        return Reply::Result(json!({}));
    }
    let early = connection.session.is_none() && !connection.server.faulty("lifecycle.pre-init.requests-not-served");
    if early && call.method != "server/discover" {
        return RpcError::invalid_request("initialize comes first").into();
    }
    if let Some(reply) = tasks::serve(connection, call) {
        return reply;
    }
    match call.method.as_str() {
        "logging/setLevel" => logging::set_level(connection, call),
        "resources/subscribe" | "resources/unsubscribe" if connection.server.quirk("bare-capabilities") => {
            RpcError::unknown_method(&call.method).into()
        }
        "resources/subscribe" => subscriptions::subscribe(connection, call),
        "resources/unsubscribe" => subscriptions::unsubscribe(connection, call),
        _ => common(connection, call),
    }
}

/// A request of 2026-07-28 whose `_meta` was found good.
pub(crate) fn modern(connection: &mut Connection, call: &Call) -> Reply {
    let first = crate::tools::asks_first(connection, call);
    if let Some(reply) = first.or_else(|| crate::fixtures::asks_first(connection, call)) {
        return reply;
    }
    match call.method.as_str() {
        "server/discover" => discover::discover(&connection.server),
        "subscriptions/listen" => subscriptions::listen(connection, call),
        _ => common(connection, call),
    }
}

fn common(connection: &mut Connection, call: &Call) -> Reply {
    let server = connection.server.clone();
    match call.method.as_str() {
        "tools/list" => tools::list(connection, call),
        "tools/call" => tools::call(connection, call),
        "resources/list" => resources::list(&server, call),
        "resources/templates/list" => resources::templates(&server, call),
        "resources/read" => resources::read(&server, call),
        "prompts/list" => prompts::list(&server, call),
        "prompts/get" => prompts::get(&server, call),
        "completion/complete" => completion::complete(&server, call),
        method => RpcError::unknown_method(method).into(),
    }
}

/// Whether a fault has the server carry out a request that is not valid.
pub(crate) fn serves_invalid(server: &Server, why: &str, id: &Value) -> bool {
    match id {
        _ if why.starts_with("jsonrpc") => server.faulty("jsonrpc.invalid-request.not-executed"),
        Value::Null => server.faulty("jsonrpc.id.null-not-served"),
        Value::Number(_) => server.faulty("jsonrpc.id.fractional"),
        _ => server.faulty("jsonrpc.id.wrong-type-not-served"),
    }
}

/// A final result with what every result of the revision has.
pub(crate) fn envelope(server: &Server, call: &Call, mut result: Value) -> Value {
    if call.revision < Revision::V2026_07_28 {
        return result;
    }
    result["resultType"] = json!("complete");
    if is_cacheable(&call.method) {
        let lax = server.faulty("caching.public-is-not-user-specific");
        let volatile = call.params["uri"] == samples::COUNTER;
        result["ttlMs"] = json!(if volatile { 0 } else { 300_000 });
        // What depends on who asks is for nobody else.
        let own = call.method == "resources/list" || call.params["uri"] == samples::DIARY;
        let shared = call.caller.is_none() || !own || lax;
        result["cacheScope"] = json!(if shared { "public" } else { "private" });
    }
    stamp(&mut result);
    result
}

/// A result that asks for input.
pub(crate) fn input_envelope(mut result: Value) -> Value {
    result["resultType"] = json!("input_required");
    stamp(&mut result);
    result
}

fn stamp(result: &mut Value) {
    result["_meta"]["io.modelcontextprotocol/serverInfo"] = initialize::server_info(Revision::V2026_07_28);
}

fn is_cacheable(method: &str) -> bool {
    let methods = [
        "server/discover",
        "tools/list",
        "prompts/list",
        "resources/list",
        "resources/templates/list",
        "resources/read",
    ];
    methods.contains(&method)
}

/// A member of params that must be a string.
fn text<'a>(params: &'a Value, name: &str) -> Result<&'a str, RpcError> {
    match params.get(name) {
        Some(Value::String(text)) => Ok(text),
        Some(_) => Err(RpcError::invalid_params(format!("{name} must be a string"))),
        None => Err(RpcError::invalid_params(format!("{name} is missing"))),
    }
}
