//! tools/list and tools/call: the protocol's part; what the tools are and do is in [`crate::tools`].

use serde_json::{Value, json};

use super::page::page;
use crate::Revision;
use crate::core::{Call, Connection, Reply};
use crate::error::{RpcError, shorten};
use crate::settings::Settings;
use crate::{faults, tools};

pub(super) fn list(connection: &mut Connection, call: &Call) -> Reply {
    let server = &connection.server;
    let mut tools = server.toolbox.definitions(server, call.revision, connection.transport);
    alter(connection, call, &mut tools);
    faults::redefine(server, &mut tools);
    page(server, call, "tools", tools).map_or_else(Reply::Error, Reply::Result)
}

/// Lists as faults give them.
fn alter(connection: &Connection, call: &Call, tools: &mut Vec<Value>) {
    let server = &connection.server;
    if server.faulty("tools.list.not-per-connection") {
        let name = format!("tool_of_{}_{}", server.nonce().trim_start_matches('.'), connection.number);
        tools.push(json!({"name": name, "inputSchema": {"type": "object", "additionalProperties": false}}));
    }
    if server.faulty("tools.list.not-side-effect") && connection.called {
        tools.pop();
    }
    if server.faulty("tools.list.deterministic-order") {
        let begun = u64::from(call.params.get("cursor").is_none());
        let walks = server.state().walks.get("tools").copied().unwrap_or_default() + begun;
        if walks % 2 == 0 {
            tools.reverse();
        }
    }
}

pub(super) fn call(connection: &mut Connection, call: &Call) -> Reply {
    let name = match super::text(&call.params, "name") {
        Ok(name) => name.to_owned(),
        Err(error) => return error.into(),
    };
    let arguments = match call.params.get("arguments") {
        None | Some(Value::Null) => json!({}),
        Some(arguments @ Value::Object(_)) => arguments.clone(),
        Some(_) => return RpcError::invalid_params("arguments must be an object").into(),
    };
    let server = connection.server.clone();
    let Some(tool) = server.toolbox.find(&server, (call.revision, connection.transport), &name) else {
        let unknown = || RpcError::new(-32602, format!("Unknown tool: {}", shorten(&name))).into();
        return faults::tasks::unknown_tool(connection, call).unwrap_or_else(unknown);
    };
    connection.called = true;
    if let Some(reply) = super::tasks::augmented(connection, call, tool.definition()) {
        return reply;
    }
    if let Err(why) = tool.check(&server.settings, &arguments, unchecked(&server.settings)) {
        let why = if server.faulty("practice.errors.helpful") { "no".to_owned() } else { why };
        return invalid_arguments(connection, call, &why);
    }
    if let Some(reply) = tool.falls(connection, &arguments) {
        return reply;
    }
    tools::run(connection, call, tool.name(), &arguments)
}

/// Keywords that a fault has the server overlook.
fn unchecked(settings: &Settings) -> &'static [&'static str] {
    match settings.variant("tools.call.invalid-arguments-rejected") {
        Some("missing") => &["required"],
        Some("bounds") => {
            &["minimum", "maximum", "exclusiveMaximum", "minLength", "maxLength", "minItems", "maxItems", "pattern"]
        }
        Some("") => &["*"],
        _ => &[],
    }
}

/// From 2025-11-25 on a matter between model and tool, before that a protocol error.
fn invalid_arguments(connection: &Connection, call: &Call, why: &str) -> Reply {
    let server = &connection.server;
    let as_result = if call.revision == Revision::V2025_11_25 {
        true
    } else if call.revision == Revision::V2026_07_28 {
        !server.quirk("invalid-arguments-as-error")
    } else {
        server.quirk("invalid-arguments-as-result")
    };
    if as_result {
        return Reply::Result(tools::failure(&format!("Invalid arguments: {why}")));
    }
    RpcError::invalid_params(format!("arguments: {why}")).into()
}
