//! What faults make of the `_meta` of requests.

use serde_json::{Value, json};

use super::intercept::{invalid, refused};
use crate::core::{Call, Reply, VERSION};

const CAPABILITIES: &str = "io.modelcontextprotocol/clientCapabilities";
const CLIENT_INFO: &str = "io.modelcontextprotocol/clientInfo";

pub(super) fn intercept(call: &mut Call, id: &str, variant: &str) -> Option<Reply> {
    let meta = call.params.get("_meta").cloned().unwrap_or_default();
    match (id, variant) {
        ("jsonrpc.meta.accepted-in-requests", _) => {
            let known = |key: &String| key == "progressToken" || key.starts_with("io.modelcontextprotocol/");
            if meta.as_object()?.keys().all(known) { None } else { invalid("unknown key in _meta") }
        }
        ("jsonrpc.meta.trace-context-accepted", _) => {
            let parent = meta.get("traceparent")?.as_str().unwrap_or_default();
            if parent.len() == 55 { None } else { invalid("traceparent is malformed") }
        }
        _ => modern(call, &meta, id, variant),
    }
}

fn modern(call: &mut Call, meta: &Value, id: &str, variant: &str) -> Option<Reply> {
    let names_version = meta.get(VERSION).is_some();
    let capabilities = meta.get(CAPABILITIES);
    match (id, variant) {
        ("jsonrpc.request-meta.missing-meta", how) if meta.is_null() && !opens(call) => fill_or_refuse(call, how),
        ("jsonrpc.request-meta.missing-protocol-version", how) if !names_version && capabilities.is_some() => {
            fill_or_refuse(call, how)
        }
        ("jsonrpc.request-meta.missing-client-capabilities", how) if names_version && capabilities.is_none() => {
            fill_or_refuse(call, how)
        }
        ("jsonrpc.request-meta.wrong-type", how)
            if meta.is_array()
                || names_version && !meta[VERSION].is_string()
                || capabilities.is_some_and(|capabilities| !capabilities.is_object()) =>
        {
            fill_or_refuse(call, how)
        }
        ("jsonrpc.request-meta.optional-wrong-type", _)
            if meta.get(CLIENT_INFO).is_some_and(|info| !info["version"].is_string()) =>
        {
            refused(-32603, "clientInfo could not be read")
        }
        ("jsonrpc.request-meta.client-info-optional", _) if names_version && meta.get(CLIENT_INFO).is_none() => {
            invalid("clientInfo is missing")
        }
        ("jsonrpc.request-meta.empty-capabilities-accepted", _)
            if capabilities == Some(&json!({})) && call.method != "server/discover" =>
        {
            invalid("the client has no capabilities")
        }
        ("jsonrpc.request-meta.unknown-capability-tolerated", _) => {
            let known = |key: &String| ["roots", "sampling", "elicitation"].contains(&key.as_str());
            if capabilities?.as_object()?.keys().all(known) { None } else { invalid("unknown client capability") }
        }
        _ => None,
    }
}

fn opens(call: &Call) -> bool {
    ["initialize", "ping"].contains(&call.method.as_str())
}

fn fill_or_refuse(call: &mut Call, how: &str) -> Option<Reply> {
    if how == "code" {
        return refused(-32600, "_meta is incomplete");
    }
    fill(call);
    None
}

/// Puts good metadata in place of whatever there is.
pub(super) fn fill(call: &mut Call) {
    if !call.params.is_object() {
        call.params = json!({});
    }
    call.params["_meta"] = json!({VERSION: "2026-07-28", CAPABILITIES: {}});
}
