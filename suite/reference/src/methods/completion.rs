//! completion/complete.

use serde_json::{Value, json};

use super::samples;
use crate::core::{Call, Reply, Server};
use crate::deviation::Deviation;
use crate::error::RpcError;

pub(super) fn complete(server: &Server, call: &Call) -> Reply {
    match values(server, call) {
        Ok(values) => Reply::Result(json!({"completion": {"total": values.len(), "hasMore": false, "values": values}})),
        Err(error) => error.into(),
    }
}

fn values(server: &Server, call: &Call) -> Result<Vec<&'static str>, RpcError> {
    let reference = call.params.get("ref").ok_or_else(|| RpcError::invalid_params("ref is missing"))?;
    let argument = call.params.get("argument").ok_or_else(|| RpcError::invalid_params("argument is missing"))?;
    let name = super::text(argument, "name")?;
    let value = super::text(argument, "value")?;
    check_context(call.params.get("context"))?;
    let known = match reference["type"].as_str() {
        Some("ref/prompt") => prompt_values(server, call, super::text(reference, "name")?, name)?,
        Some("ref/resource") => template_values(server, call, super::text(reference, "uri")?, name)?,
        _ => return Err(RpcError::invalid_params("ref must be of type ref/prompt or ref/resource")),
    };
    let typed = value.to_lowercase();
    Ok(known.iter().copied().filter(|known| known.to_lowercase().starts_with(&typed)).collect())
}

fn check_context(context: Option<&Value>) -> Result<(), RpcError> {
    let Some(arguments) = context.and_then(|context| context.get("arguments")) else { return Ok(()) };
    let all_text = arguments.as_object().is_some_and(|object| object.values().all(Value::is_string));
    if all_text { Ok(()) } else { Err(RpcError::invalid_params("context.arguments must be an object of strings")) }
}

/// Suggestions of deviations where there is nothing to suggest.
const INVENTED: [&str; 1] = ["one"];

/// Nothing is known of an argument of this name.
fn unknown(server: &Server) -> &'static [&'static str] {
    if server.deviates(Deviation::UnknownArgumentHasSuggestions) { &INVENTED } else { &[] }
}

fn prompt_values(
    server: &Server,
    call: &Call,
    prompt: &str,
    argument: &str,
) -> Result<&'static [&'static str], RpcError> {
    if !samples::prompts(server, call.revision).iter().any(|known| known["name"] == prompt) {
        if server.settings.deviates(Deviation::UnknownPromptHasSuggestions) {
            return Ok(&INVENTED);
        }
        return Err(RpcError::invalid_params("ref names no prompt"));
    }
    Ok(match (prompt, argument) {
        ("postcard", "city") => &samples::CITIES,
        ("postcard", "mood") => &["cheerful", "tired", "wistful"],
        ("wish", "for_whom") => &["everybody", "nobody"],
        _ => unknown(server),
    })
}

fn template_values(
    server: &Server,
    call: &Call,
    uri: &str,
    variable: &str,
) -> Result<&'static [&'static str], RpcError> {
    if !samples::templates(server, call.revision).iter().any(|known| known["uriTemplate"] == uri) {
        return Err(RpcError::invalid_params("ref names no resource template"));
    }
    Ok(match (uri, variable) {
        ("weather://{city}", "city") => &samples::CITIES,
        ("shout://{word}", "word") => &["hello", "help", "yes"],
        _ => unknown(server),
    })
}
