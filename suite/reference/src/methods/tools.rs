//! tools/list and tools/call: the protocol's part; what the tools are and do is in [`crate::tools`].

use jsonschema::ValidationError;
use serde_json::{Value, json};
use wire::mcp::code;

use super::task_deviations;

use crate::Revision;
use crate::core::{Call, Connection, Reply, failure, page};
use crate::deviation::Deviation;
use crate::error::{RpcError, shorten};
use crate::settings::Settings;
use crate::tools;

pub(super) fn list(connection: &mut Connection, call: &Call) -> Reply {
    let server = &connection.server;
    let mut tools = server.tool_definitions(call.revision, connection.transport);
    server.interceptors().for_each(|interceptor| interceptor.tools(connection, call, &mut tools));
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
    let Some(tool) = server.find_tool((call.revision, connection.transport), &name) else {
        let unknown = || RpcError::new(code::INVALID_PARAMS, format!("Unknown tool: {}", shorten(&name))).into();
        return task_deviations::create_for_unknown_tool(connection, call).unwrap_or_else(unknown);
    };
    connection.called = true;
    if let Some(reply) = super::tasks::serve_augmented(connection, call, tool.definition()) {
        return reply;
    }
    if server.quirk("backend-down") {
        return Reply::Result(failure(&format!("fetch failed: getaddrinfo ENOTFOUND api.example ({} ms)", call.key)));
    }
    let arguments =
        if server.quirk("converts-arguments") { converted(tool.definition(), arguments) } else { arguments };
    let concerned = tools::WITH_SCHEMAS.contains(&tool.name());
    let overlooked = |error: &ValidationError<'_>| {
        is_unchecked(&server.settings, error)
            || concerned && server.interceptors().any(|interceptor| interceptor.overlooks(error))
    };
    if let Err(why) = tool.check(&arguments, overlooked) {
        let why = if server.deviates(Deviation::InvalidArgumentsUnexplained) { "no".to_owned() } else { why };
        return invalid_arguments(connection, call, &why);
    }
    if server.quirk("rule-between-parameters")
        && tool.name() == "greet"
        && arguments.get("loud").is_some()
        && arguments.get("name").is_none()
    {
        return RpcError::invalid_params("loud can only be given with name").into();
    }
    if server.quirk("own-not-found") && tool.name() == "get_town" {
        return Reply::Result(failure("Error calling tool 'reference_get_town': town not found"));
    }
    if concerned {
        let interceptors = server.interceptors.clone();
        let reply = interceptors.iter().find_map(|interceptor| interceptor.arguments(connection, &arguments));
        if let Some(reply) = reply {
            return reply;
        }
    }
    super::run_tool(connection, call, tool.name(), &arguments)
}

/// Reads numbers, booleans and strings that were sent as another of them, as lenient validators do.
fn converted(definition: &Value, mut arguments: Value) -> Value {
    let read = |kind: Option<&str>, value: &Value| match (kind?, value) {
        ("integer" | "number", Value::String(text)) => text.parse().ok().map(Value::Number),
        ("boolean", Value::String(text)) => text.parse().ok().map(Value::Bool),
        ("string", Value::Number(_) | Value::Bool(_)) => Some(value.to_string().into()),
        _ => None,
    };
    for (name, value) in arguments.as_object_mut().into_iter().flatten() {
        let kind = definition["inputSchema"]["properties"][name].get("type").and_then(Value::as_str);
        if let Some(converted) = read(kind, value) {
            *value = converted;
        }
    }
    arguments
}

/// Whether the server does not look at the keyword that an error is about.
fn is_unchecked(settings: &Settings, error: &ValidationError<'_>) -> bool {
    const BOUNDS: [&str; 8] =
        ["minimum", "maximum", "exclusiveMaximum", "minLength", "maxLength", "minItems", "maxItems", "pattern"];
    let path = error.schema_path().to_string();
    let keyword = path.rsplit('/').next().unwrap_or_default();
    settings.deviates(Deviation::ArgumentsUnchecked)
        || keyword == "required" && settings.deviates(Deviation::RequiredUnchecked)
        || BOUNDS.contains(&keyword) && settings.deviates(Deviation::BoundsUnchecked)
}

/// From 2025-11-25 on a matter between model and tool, before that a protocol error.
fn invalid_arguments(connection: &Connection, call: &Call, why: &str) -> Reply {
    let server = &connection.server;
    let as_result = if call.revision == Revision::V2025_11_25 {
        true
    } else if call.revision.is_stateless() {
        !server.quirk("invalid-arguments-as-error")
    } else {
        server.quirk("invalid-arguments-as-result")
    };
    if as_result {
        return Reply::Result(failure(&format!("Invalid arguments: {why}")));
    }
    RpcError::invalid_params(format!("arguments: {why}")).into()
}
