//! tools/list and tools/call: the protocol's part; what the tools are and do is in [`crate::tools`].

use serde_json::{Value, json};

use super::page::page;
use crate::Revision;
use crate::core::{Call, Connection, Reply};
use crate::error::{RpcError, shorten};
use crate::tools;

pub(super) fn list(connection: &mut Connection, call: &Call) -> Reply {
    let server = &connection.server;
    let tools = server.toolbox.definitions(server, call.revision);
    page(server, call, "tools", tools).map_or_else(Reply::Error, Reply::Result)
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
    let Some(tool) = server.toolbox.find(&server, call.revision, &name) else {
        return RpcError::new(-32602, format!("Unknown tool: {}", shorten(&name))).into();
    };
    if let Err(why) = tool.check(&arguments) {
        return invalid_arguments(connection, call, &why);
    }
    tools::run(connection, call, tool.name(), &arguments)
}

/// From 2025-11-25 on a matter between model and tool, before that a protocol error.
fn invalid_arguments(connection: &Connection, call: &Call, why: &str) -> Reply {
    let server = &connection.server;
    let as_result = if call.revision >= Revision::V2025_11_25 {
        !server.quirk("invalid-arguments-as-error")
    } else {
        server.quirk("invalid-arguments-as-result")
    };
    if as_result {
        return Reply::Result(tools::failure(&format!("Invalid arguments: {why}")));
    }
    RpcError::invalid_params(format!("arguments: {why}")).into()
}
