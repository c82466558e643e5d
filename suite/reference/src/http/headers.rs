//! The headers of 2026-07-28 that mirror the body: read, decoded, and compared with it.

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use hyper::HeaderMap;
use serde_json::Value;

use super::check::Posted;
use crate::Revision;
use crate::core::{Server, Transport, VERSION};
use crate::deviation::Deviation;
use crate::error::RpcError;
use crate::settings::Settings;

pub(crate) const VERSION_HEADER: &str = "mcp-protocol-version";

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
    let settings = &server.settings;
    let params = &message.value["params"];
    let method = message.method().unwrap_or_default();
    version(settings, headers, params)?;
    match text(settings, Deviation::HeaderCharactersDropped, headers, "mcp-method")?.as_deref() {
        None if settings.deviates(Deviation::McpMethodOptional) => {}
        None => return Err(RpcError::header_mismatch("Mcp-Method is missing")),
        Some(named) if named == method || is_overlooked(settings, named, method) => {}
        Some(_) => return Err(RpcError::header_mismatch("Mcp-Method differs from the body")),
    }
    let (member, optional, unchecked) = match method {
        "tools/call" => ("name", Deviation::ToolNameHeaderOptional, Deviation::ToolNameHeaderUnchecked),
        "prompts/get" => ("name", Deviation::PromptNameHeaderOptional, Deviation::PromptNameHeaderUnchecked),
        "resources/read" => ("uri", Deviation::ResourceNameHeaderOptional, Deviation::ResourceNameHeaderUnchecked),
        "prompts/list" if settings.deviates(Deviation::McpNameRequiredForPromptsList) => {
            return Err(RpcError::header_mismatch("Mcp-Name is missing"));
        }
        _ => return Ok(()),
    };
    name(settings, headers, (optional, unchecked), params[member].as_str())?;
    if method == "tools/call" { check_parameters(server, headers, params) } else { Ok(()) }
}

fn version(settings: &Settings, headers: &HeaderMap, params: &Value) -> Result<(), RpcError> {
    let Some(version) = value(headers, VERSION_HEADER)? else {
        if settings.deviates(Deviation::VersionHeaderOptional) {
            return Ok(());
        }
        return Err(RpcError::header_mismatch("MCP-Protocol-Version is missing"));
    };
    let Some(named) = params["_meta"].get(VERSION).filter(|named| *named != version) else { return Ok(()) };
    let older = named == "2026-07-28";
    if older && settings.deviates(Deviation::OlderVersionHeaderAllowed) {
        return Ok(());
    }
    if !older && settings.deviates(Deviation::VersionMismatchIsInvalidRequest) {
        return Err(RpcError::invalid_request("the versions differ"));
    }
    Err(RpcError::header_mismatch("MCP-Protocol-Version differs from the body"))
}

/// Another method in the header, as faults let it pass.
fn is_overlooked(settings: &Settings, named: &str, method: &str) -> bool {
    let spelt = named.eq_ignore_ascii_case(method);
    spelt && settings.deviates(Deviation::McpMethodAnyCase)
        || !spelt && settings.deviates(Deviation::McpMethodUnchecked)
}

/// `Mcp-Name`, as faults compare it.
fn name(
    settings: &Settings,
    headers: &HeaderMap,
    (optional, unchecked): (Deviation, Deviation),
    body: Option<&str>,
) -> Result<(), RpcError> {
    let header = text(settings, Deviation::HeaderCharactersDropped, headers, "mcp-name")?;
    let Some(header) = header else {
        return if settings.deviates(optional) { Ok(()) } else { check_text("Mcp-Name", None, body) };
    };
    let marked = header.starts_with("=?base64?");
    let lenient = match decode(&header) {
        None => settings.deviates(Deviation::UndecodableNameHeaderAllowed),
        Some(_) if marked => settings.deviates(Deviation::EncodedNameHeaderUnchecked),
        Some(_) => settings.deviates(unchecked),
    };
    if lenient {
        return Ok(());
    }
    if marked && settings.deviates(Deviation::NameHeaderNeverDecoded) && Some(header.as_str()) != body {
        return Err(RpcError::header_mismatch("Mcp-Name differs from the body"));
    }
    let any_case = settings.deviates(Deviation::MarkerAnyCase);
    let header = if any_case { header.replace("BASE64", "base64") } else { header };
    check_text("Mcp-Name", Some(&header), body)
}

/// A header as it is given; for a fault without the characters that it may not have.
fn text(settings: &Settings, lenient: Deviation, headers: &HeaderMap, name: &str) -> Result<Option<String>, RpcError> {
    if settings.deviates(lenient)
        && let Some(value) = headers.get(name).filter(|value| value.to_str().is_err())
    {
        let plain: Vec<u8> = value.as_bytes().iter().copied().filter(u8::is_ascii).collect();
        return Ok(Some(String::from_utf8_lossy(&plain).into_owned()));
    }
    if settings.deviates(Deviation::FirstOfDuplicateHeadersCounts) {
        return Ok(headers.get(name).and_then(|value| value.to_str().ok()).map(str::to_owned));
    }
    value(headers, name).map(|value| value.map(str::to_owned))
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
    let name = crate::tools::inner_name(&server.settings, params["name"].as_str().unwrap_or_default());
    let Some(tool) = server.find_tool((Revision::V2026_07_28, Transport::Http), name) else { return Ok(()) };
    let marked = tool.header_parameters();
    let settings = &server.settings;
    if settings.deviates(Deviation::UnknownParamHeadersRefused) {
        let known =
            |name: &str| marked.iter().any(|(header, _)| name == format!("mcp-param-{}", header.to_ascii_lowercase()));
        let unknown = headers.keys().any(|name| name.as_str().starts_with("mcp-param-") && !known(name.as_str()));
        if unknown {
            return Err(RpcError::header_mismatch("there is no such parameter"));
        }
    }
    for (header, path) in marked {
        if path.len() > 1 && settings.deviates(Deviation::NestedParametersUnchecked) {
            continue;
        }
        let full = format!("mcp-param-{}", header.to_ascii_lowercase());
        let argument = path.iter().try_fold(&params["arguments"], |place, step| place.get(step));
        let given = text(settings, Deviation::ParamCharactersDropped, headers, &full)?;
        check_parameter(settings, &full, given.as_deref(), argument)?;
    }
    Ok(())
}

fn check_parameter(
    settings: &Settings,
    name: &str,
    header: Option<&str>,
    argument: Option<&Value>,
) -> Result<(), RpcError> {
    let mismatch = || Err(RpcError::header_mismatch(&format!("{name} differs from the body")));
    let on = |deviation| settings.deviates(deviation);
    let Some(header) = header else {
        let expected = match argument {
            None => on(Deviation::AbsentArgumentNeedsParamHeader),
            Some(Value::Null) => on(Deviation::NullNeedsParamHeader),
            Some(_) => !on(Deviation::ParamHeadersOptional),
        };
        return if expected { check_text(name, None, Some("")) } else { Ok(()) };
    };
    let encoded = header.starts_with("=?base64?") || header.ends_with("?=");
    let same = match argument {
        _ if on(Deviation::ParamHeadersNeverMatch) => false,
        None => on(Deviation::StrayParamHeadersAllowed),
        Some(Value::String(_)) if on(Deviation::UndecodableParamHeadersAllowed) && decode(header).is_none() => true,
        Some(Value::String(text)) if on(Deviation::ParamHeadersNeverDecoded) => header == text,
        Some(Value::String(_)) if on(Deviation::HalfMarkedIsEncoded) && encoded && !is_marked(header) => false,
        Some(Value::String(text)) => decode(header).as_deref() == Some(text) || is_loose(settings, header, text),
        Some(Value::Bool(flag)) if on(Deviation::BooleansAnyCase) => header.eq_ignore_ascii_case(&flag.to_string()),
        Some(Value::Bool(flag)) => header == flag.to_string(),
        Some(Value::Number(number)) if on(Deviation::NumbersComparedAsText) => header == number.to_string(),
        Some(Value::Number(number)) => header.parse::<f64>().ok() == number.as_f64(),
        Some(_) => false,
    };
    if same || !encoded && argument.is_some() && on(Deviation::ParamHeadersUnchecked) { Ok(()) } else { mismatch() }
}

fn is_marked(header: &str) -> bool {
    header.starts_with("=?base64?") && header.ends_with("?=")
}

/// With the fault what cannot be read is left out, and what is left may be the argument.
fn is_loose(settings: &Settings, header: &str, text: &str) -> bool {
    settings.deviates(Deviation::ParamCharactersDropped) && header == text
}
