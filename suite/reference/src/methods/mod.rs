//! The methods, one file a group, and the tables that say which exist in which era.

mod cancellation;
mod completion;
mod discover;
mod initialize;
mod logging;
mod notifications;
mod prompts;
mod resources;
mod samples;
mod subscriptions;
mod task_deviations;
mod tasks;
mod tools;

use serde_json::{Value, json};
use wire::mcp::meta;

pub(crate) use resources::not_found;

use crate::Revision;
use crate::core::{Call, Connection, Reply, Server, Service};
use crate::deviation::Deviation;
use crate::error::RpcError;
use crate::settings::Settings;
use crate::{fixtures, tools as toolset};

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

/// The methods, as the core calls them.
pub(crate) struct Methods;

impl Service for Methods {
    fn connection_opened(&self, connection: &mut Connection) {
        connection.opened();
    }

    fn initialize(&self, connection: &mut Connection, call: &mut Call) -> Reply {
        initialize::initialize(connection, call)
    }

    fn refuse_initialize(&self, server: &Server, call: &Call) -> RpcError {
        initialize::refuse_initialize(server, call)
    }

    fn legacy(&self, connection: &mut Connection, call: &Call) -> Reply {
        legacy(connection, call)
    }

    fn modern(&self, connection: &mut Connection, call: &Call) -> Reply {
        modern(connection, call)
    }

    fn work(&self, connection: &mut Connection, call: &Call) -> Reply {
        tasks::work(connection, call)
    }

    fn notification(&self, connection: &mut Connection, payload: u64, method: &str, params: Value) {
        connection.notification(payload, method, params);
    }

    fn response(&self, connection: &mut Connection, id: &Value, outcome: Result<Value, Value>) {
        connection.response(id, outcome);
    }

    fn announce_changes(&self, connection: &mut Connection) {
        connection.announce_changes();
    }

    fn before_answer(&self, connection: &mut Connection, call: &Call) {
        connection.announce_unasked(call);
    }

    fn bump(&self, connection: &mut Connection, call: &Call) {
        toolset::finish_bump(connection, call);
    }

    fn envelope(&self, server: &Server, call: &Call, result: Value) -> Value {
        envelope(server, call, result)
    }

    fn input_envelope(&self, result: Value) -> Value {
        input_envelope(result)
    }

    fn inner_tool_name<'n>(&self, settings: &Settings, name: &'n str) -> &'n str {
        toolset::inner_name(settings, name)
    }

    fn public_tool_name(&self, settings: &Settings, name: &str) -> String {
        toolset::public_name(settings, name)
    }
}

/// A request on a connection of the handshake era.
fn legacy(connection: &mut Connection, call: &Call) -> Reply {
    if call.method == "ping" {
        return Reply::Result(json!({}));
    }
    let early = connection.session.is_none() && !connection.server.deviates(Deviation::ServesBeforeInitialize);
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
fn modern(connection: &mut Connection, call: &Call) -> Reply {
    let first = toolset::asks_first(connection, call);
    if let Some(reply) = first.or_else(|| fixtures::asks_first(connection, call)) {
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

/// A final result with what every result of the revision has.
fn envelope(server: &Server, call: &Call, mut result: Value) -> Value {
    if call.revision.is_handshake() {
        return result;
    }
    result["resultType"] = json!("complete");
    if is_cacheable(&call.method) {
        let lax = server.deviates(Deviation::UserListsArePublic);
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
fn input_envelope(mut result: Value) -> Value {
    result["resultType"] = json!("input_required");
    stamp(&mut result);
    result
}

fn stamp(result: &mut Value) {
    result["_meta"][meta::SERVER_INFO] = initialize::server_info(Revision::V2026_07_28);
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

/// Runs a tool whose arguments have been checked.
fn run_tool(connection: &mut Connection, call: &Call, tool: &str, arguments: &Value) -> Reply {
    fixtures::run(connection, call, tool, arguments).unwrap_or_else(|| toolset::run(connection, call, tool, arguments))
}
