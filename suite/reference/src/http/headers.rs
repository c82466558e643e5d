//! The headers of 2026-07-28 that mirror the body: read, decoded, and compared with it.

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use hyper::HeaderMap;
use serde_json::Value;

use super::check::Posted;
use crate::Revision;
use crate::core::{Server, Transport, VERSION};
use crate::error::RpcError;

pub(super) const VERSION_HEADER: &str = "mcp-protocol-version";

/// A header given at most once (or always alike), in visible ASCII and blanks.
pub(super) fn value<'a>(headers: &'a HeaderMap, name: &str) -> Result<Option<&'a str>, RpcError> {
    let mut found = None;
    for value in headers.get_all(name) {
        let text = value.to_str().map_err(|_| RpcError::header_mismatch(&format!("{name} has other characters")))?;
        if found.is_some_and(|found| found != text) {
            return Err(RpcError::header_mismatch(&format!("{name} is given twice")));
        }
        found = Some(text);
    }
    Ok(found)
}

/// Compares the headers of a request with its body.
pub(super) fn check(server: &Server, headers: &HeaderMap, message: &Posted) -> Result<(), RpcError> {
    let params = &message.value["params"];
    let version =
        value(headers, VERSION_HEADER)?.ok_or_else(|| RpcError::header_mismatch("MCP-Protocol-Version is missing"))?;
    if params["_meta"].get(VERSION).is_some_and(|named| named != version) {
        return Err(RpcError::header_mismatch("MCP-Protocol-Version differs from the body"));
    }
    let method = message.method().unwrap_or_default();
    match value(headers, "mcp-method")? {
        None => return Err(RpcError::header_mismatch("Mcp-Method is missing")),
        Some(named) if named != method => return Err(RpcError::header_mismatch("Mcp-Method differs from the body")),
        Some(_) => {}
    }
    let member = match method {
        "tools/call" | "prompts/get" => "name",
        "resources/read" => "uri",
        _ => return Ok(()),
    };
    check_text("Mcp-Name", value(headers, "mcp-name")?, params[member].as_str())?;
    if method == "tools/call" { check_parameters(server, headers, params) } else { Ok(()) }
}

fn check_text(name: &str, header: Option<&str>, body: Option<&str>) -> Result<(), RpcError> {
    match (header, body) {
        (None, Some(_)) => Err(RpcError::header_mismatch(&format!("{name} is missing"))),
        (None, None) => Ok(()),
        (Some(header), body) => {
            let decoded = decode(header).ok_or_else(|| RpcError::header_mismatch(&format!("{name} is not Base64")))?;
            if Some(decoded.as_str()) == body {
                return Ok(());
            }
            Err(RpcError::header_mismatch(&format!("{name} differs from the body")))
        }
    }
}

/// A value as meant: what stands between the Base64 markers is decoded, all else is literal.
fn decode(text: &str) -> Option<String> {
    match text.strip_prefix("=?base64?").and_then(|rest| rest.strip_suffix("?=")) {
        Some(encoded) => String::from_utf8(STANDARD.decode(encoded).ok()?).ok(),
        None => Some(text.to_owned()),
    }
}

fn check_parameters(server: &Server, headers: &HeaderMap, params: &Value) -> Result<(), RpcError> {
    let name = params["name"].as_str().unwrap_or_default();
    let Some(tool) = server.toolbox.find(server, (Revision::V2026_07_28, Transport::Http), name) else { return Ok(()) };
    for (header, path) in tool.header_parameters() {
        let full = format!("mcp-param-{}", header.to_ascii_lowercase());
        let argument = path.iter().try_fold(&params["arguments"], |place, step| place.get(step));
        check_parameter(&full, value(headers, &full)?, argument.unwrap_or(&Value::Null))?;
    }
    Ok(())
}

fn check_parameter(name: &str, header: Option<&str>, argument: &Value) -> Result<(), RpcError> {
    let Some(header) = header else {
        return if argument.is_null() { Ok(()) } else { check_text(name, None, Some("")) };
    };
    let same = match argument {
        Value::String(text) => return check_text(name, Some(header), Some(text)),
        Value::Bool(flag) => header == flag.to_string(),
        Value::Number(number) => header.parse::<f64>().ok() == number.as_f64(),
        _ => false,
    };
    if same { Ok(()) } else { Err(RpcError::header_mismatch(&format!("{name} differs from the body"))) }
}
