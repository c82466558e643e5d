//! prompts/list and prompts/get.

use serde_json::{Value, json};

use super::samples;
use crate::core::{Call, Reply, Server, page};
use crate::error::{RpcError, shorten};

pub(super) fn list(server: &Server, call: &Call) -> Reply {
    page(server, call, "prompts", samples::prompts(server, call.revision)).map_or_else(Reply::Error, Reply::Result)
}

pub(super) fn get(server: &Server, call: &Call) -> Reply {
    match build(server, call) {
        Ok((description, messages)) => Reply::Result(json!({"description": description, "messages": messages})),
        Err(error) => error.into(),
    }
}

fn build(server: &Server, call: &Call) -> Result<(String, Vec<Value>), RpcError> {
    let name = super::text(&call.params, "name")?;
    let prompts = samples::prompts(server, call.revision);
    let prompt = prompts
        .iter()
        .find(|prompt| prompt["name"] == name)
        .ok_or_else(|| RpcError::invalid_params(format!("unknown prompt {}", shorten(name))))?;
    let none = json!({});
    let arguments = match call.params.get("arguments") {
        None | Some(Value::Null) => &none,
        Some(arguments) => arguments,
    };
    check(prompt, arguments)?;
    let description = prompt["description"].as_str().unwrap_or_default().to_owned();
    if let Some(messages) = crate::fixtures::messages(server, name, arguments) {
        return Ok((description, messages.map_err(RpcError::invalid_params)?));
    }
    let given = |name: &str, otherwise: &str| arguments[name].as_str().unwrap_or(otherwise).to_owned();
    let content = match name {
        "postcard" => {
            text(&format!("Write a postcard from {}. The mood is {}.", given("city", ""), given("mood", "cheerful")))
        }
        "picture" => json!({"type": "image", "data": crate::tools::content::PNG, "mimeType": "image/png"}),
        "summary" => json!({"type": "resource", "resource": samples::contents(server, "memory://readme")}),
        "sound" => crate::tools::content::audio(),
        "pointer" => crate::tools::content::link(),
        "wish" => text(&format!("Make a wish for {}.", given("for_whom", "everybody"))),
        _ => text("Hello!"),
    };
    Ok((description, vec![json!({"role": "user", "content": content})]))
}

fn text(text: &str) -> Value {
    json!({"type": "text", "text": text})
}

fn check(prompt: &Value, arguments: &Value) -> Result<(), RpcError> {
    let Some(arguments) = arguments.as_object() else {
        return Err(RpcError::invalid_params("arguments must be an object"));
    };
    if let Some((name, _)) = arguments.iter().find(|(_, value)| !value.is_string()) {
        return Err(RpcError::invalid_params(format!("the argument {} must be a string", shorten(name))));
    }
    let declared = prompt["arguments"].as_array().into_iter().flatten();
    for argument in declared.filter(|argument| argument["required"] == true) {
        let name = argument["name"].as_str().unwrap_or_default();
        if !arguments.contains_key(name) {
            return Err(RpcError::invalid_params(format!("the argument {name} is required")));
        }
    }
    Ok(())
}
