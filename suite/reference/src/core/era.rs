//! Which era a request belongs to, and the checks of the per-request `_meta` of 2026-07-28.

use serde_json::Value;
use wire::mcp::meta;

use super::call::ModernMeta;
use super::log::LEVELS;
use super::server::Server;
use crate::error::RpcError;

pub(crate) const VERSION: &str = meta::PROTOCOL_VERSION;
const CAPABILITIES: &str = meta::CLIENT_CAPABILITIES;
const CLIENT_INFO: &str = meta::CLIENT_INFO;
const LOG_LEVEL: &str = meta::LOG_LEVEL;

/// Whether a request speaks of itself as modern, rightly or not.
pub(crate) fn looks_modern(params: &Value) -> bool {
    let meta = &params["_meta"];
    [VERSION, CAPABILITIES, CLIENT_INFO, LOG_LEVEL].iter().any(|key| meta.get(key).is_some())
}

/// The modern `_meta` of a request, or how it is wrong.
pub(crate) fn modern_meta(server: &Server, params: &Value) -> Result<ModernMeta, RpcError> {
    let meta = params.get("_meta").ok_or_else(|| RpcError::invalid_params("_meta is missing"))?;
    if !meta.is_object() {
        return Err(RpcError::invalid_params("_meta must be an object"));
    }
    let version = meta.get(VERSION).ok_or_else(|| RpcError::invalid_params(format!("_meta lacks {VERSION}")))?;
    let version = version.as_str().ok_or_else(|| RpcError::invalid_params(format!("{VERSION} must be a string")))?;
    if !server.modern_versions().contains(&version) {
        return Err(RpcError::unsupported_version(version, server.modern_versions()));
    }
    let capabilities =
        meta.get(CAPABILITIES).ok_or_else(|| RpcError::invalid_params(format!("_meta lacks {CAPABILITIES}")))?;
    check_capabilities(capabilities)?;
    check_client_info(meta.get(CLIENT_INFO))?;
    Ok(ModernMeta { capabilities: capabilities.clone(), log_level: log_level(meta.get(LOG_LEVEL))? })
}

fn check_capabilities(capabilities: &Value) -> Result<(), RpcError> {
    let Some(object) = capabilities.as_object() else {
        return Err(RpcError::invalid_params(format!("{CAPABILITIES} must be an object")));
    };
    for name in ["roots", "sampling", "elicitation", "experimental", "extensions"] {
        if object.get(name).is_some_and(|value| !value.is_object()) {
            return Err(RpcError::invalid_params(format!("the client capability {name} must be an object")));
        }
    }
    Ok(())
}

fn check_client_info(info: Option<&Value>) -> Result<(), RpcError> {
    let Some(info) = info else { return Ok(()) };
    if info["name"].is_string() && info["version"].is_string() {
        return Ok(());
    }
    Err(RpcError::invalid_params(format!("{CLIENT_INFO} must have a name and a version")))
}

fn log_level(level: Option<&Value>) -> Result<Option<usize>, RpcError> {
    let Some(level) = level else { return Ok(None) };
    let index = level.as_str().and_then(|level| LEVELS.iter().position(|known| *known == level));
    index.map(Some).ok_or_else(|| RpcError::invalid_params(format!("{LOG_LEVEL} must be a log level")))
}
