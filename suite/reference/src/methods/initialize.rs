//! The handshake of the revisions up to 2025-11-25.

use std::collections::BTreeSet;

use serde_json::{Value, json};

use crate::Revision;
use crate::core::{Call, Connection, Reply, Server, Session, What, tasks_capability};
use crate::deviation::Deviation;
use crate::error::RpcError;

/// Tells people and models what this server is for.
const INSTRUCTIONS: &str = "A server to test testers with. Every tool is safe to call: nothing leaves its memory.";

pub(crate) fn initialize(connection: &mut Connection, call: &mut Call) -> Reply {
    if connection.session.is_some() {
        return RpcError::invalid_request("this connection has been initialized").into();
    }
    let requested = match check(&call.params) {
        Ok(requested) => requested.to_owned(),
        Err(error) => return error.into(),
    };
    let Some(revision) = negotiate(&connection.server, &requested) else {
        return refuse_initialize(&connection.server, call).into();
    };
    call.revision = revision;
    connection.session = Some(Session {
        revision,
        capabilities: call.params["capabilities"].clone(),
        initialized: false,
        log_level: 1,
        level_changes: 0,
        subscriptions: BTreeSet::new(),
    });
    let result = Reply::Result(json!({
        "protocolVersion": revision.as_str(),
        "capabilities": capabilities(&connection.server, revision),
        "serverInfo": server_info(revision),
        "instructions": INSTRUCTIONS,
    }));
    if connection.server.deviates(Deviation::InitializeTakesTime) {
        let what = What::Finish(Box::new(call.clone()), result);
        connection.later(std::time::Duration::from_millis(50), Some(call.key), what);
        return Reply::Later;
    }
    result
}

fn check(params: &Value) -> Result<&str, RpcError> {
    let version = super::text(params, "protocolVersion")?;
    if !params["capabilities"].is_object() {
        return Err(RpcError::invalid_params("capabilities must be an object"));
    }
    let info = &params["clientInfo"];
    if !info["name"].is_string() || !info["version"].is_string() {
        return Err(RpcError::invalid_params("clientInfo must have a name and a version"));
    }
    Ok(version)
}

fn negotiate(server: &Server, requested: &str) -> Option<Revision> {
    let known = server.settings.legacy();
    known.iter().copied().find(|revision| revision.as_str() == requested).or(server.newest_legacy())
}

/// Returns the error of a server of 2026-07-28 alone for a client that wants a handshake.
pub(crate) fn refuse_initialize(server: &Server, call: &Call) -> RpcError {
    let supported = server.modern_versions();
    match call.params["protocolVersion"].as_str() {
        Some(version) if !supported.contains(&version) => RpcError::unsupported_version(version, supported),
        _ => RpcError::invalid_params("there is no handshake; supported versions are in data.supported")
            .with_data(json!({"supported": supported})),
    }
}

pub(crate) fn capabilities(server: &Server, revision: Revision) -> Value {
    let mut capabilities = json!({
        "tools": {"listChanged": true},
        "resources": {"subscribe": true, "listChanged": true},
        "prompts": {"listChanged": true},
        "logging": {},
    });
    // What is not supported cannot be acknowledged unless there is something.
    if server.deviates(Deviation::AcknowledgesUndeclared) {
        capabilities["prompts"] = json!({});
    }
    if server.quirk("bare-capabilities") {
        capabilities = json!({"tools": {}, "resources": {}, "prompts": {}, "logging": {}});
    }
    if revision >= Revision::V2025_03_26 {
        capabilities["completions"] = json!({});
    }
    if server.deviates(Deviation::SubscribeUndeclared) {
        capabilities["resources"] = json!({});
    }
    if let Some(tasks) = tasks_capability(server, revision) {
        capabilities["tasks"] = tasks;
    }
    // Deprecated in 2026-07-28: only a server that has older clients goes on with it.
    if revision.is_stateless()
        && server.newest_legacy().is_none()
        && let Some(object) = capabilities.as_object_mut()
    {
        object.shift_remove("logging");
    }
    capabilities
}

pub(crate) fn server_info(revision: Revision) -> Value {
    let mut info = json!({"name": "reference-mcp-server", "version": env!("CARGO_PKG_VERSION")});
    if revision >= Revision::V2025_06_18 {
        info["title"] = json!("mcp-conform reference server");
    }
    if revision >= Revision::V2025_11_25 {
        info["description"] = json!("Conforms to every revision, unless told not to.");
        info["websiteUrl"] = json!("https://github.com/mcp-conform/mcp-conform");
        info["icons"] = json!([crate::tools::icon()]);
    }
    info
}

pub(super) fn instructions() -> &'static str {
    INSTRUCTIONS
}
