//! What faults of resources, prompts and completion make of requests and of errors.

use serde_json::{Value, json};

use super::intercept::{invalid, refused};
use crate::core::{Call, Connection, Reply};
use crate::error::RpcError;

/// Requests that never reach their handler, or reach it changed.
pub(super) fn intercept(connection: &mut Connection, call: &mut Call, id: &str, variant: &str) -> Option<Reply> {
    match call.method.as_str() {
        method if method.ends_with("/list") => lists(call, id),
        "resources/read" => {
            connection.server.state().served = true;
            resources(call, id, variant)
        }
        "prompts/get" => prompts(call, id, variant),
        "completion/complete" => completion(call, id, variant),
        _ => None,
    }
    .or_else(|| undeclared(call, id))
}

fn undeclared(call: &Call, id: &str) -> Option<Reply> {
    let area = call.method.split('/').next().unwrap_or_default();
    let gone = match id {
        "resources.capability.undeclared-method-not-found" => area == "resources",
        "prompts.capability.undeclared-method-not-found" => area == "prompts",
        "completion.undeclared" => area == "completion",
        _ => false,
    };
    if gone { refused(-32602, "This is not available") } else { None }
}

fn lists(call: &Call, id: &str) -> Option<Reply> {
    let bare = call.params.is_null();
    match (call.method.as_str(), id) {
        ("resources/list", "resources.capability.list-answered")
        | ("prompts/list", "prompts.capability.list-answered") => refused(-32603, "The list could not be made"),
        ("resources/list", "resources.list.accepts-missing-params")
        | ("resources/templates/list", "resources.templates.accepts-missing-params")
        | ("prompts/list", "prompts.list.accepts-missing-params")
            if bare =>
        {
            invalid("params is missing")
        }
        ("resources/templates/list", "resources.templates.answered") => {
            Some(RpcError::unknown_method(&call.method).into())
        }
        _ => None,
    }
}

fn text(uri: &str, text: &str) -> Reply {
    Reply::Result(json!({"contents": [{"uri": uri, "mimeType": "text/plain", "text": text}]}))
}

fn resources(call: &Call, id: &str, variant: &str) -> Option<Reply> {
    let params = call.params.as_object()?;
    let Some(uri) = params.get("uri") else {
        return match (id, variant) {
            ("resources.read.missing-uri", "served") => Some(text("memory://readme", "Something.")),
            ("resources.read.missing-uri", _) => refused(-32603, "uri could not be read"),
            _ => None,
        };
    };
    let Some(uri) = uri.as_str() else {
        return if id == "resources.read.uri-not-string" { refused(-32603, "uri could not be read") } else { None };
    };
    let dots = if variant == "encoded" { uri.contains("/%2e%2e%2f") } else { uri.contains("/../") };
    match (id, variant) {
        ("resources.read.listed-readable", _) if uri == "memory://poem" => {
            Some(crate::methods::not_found(call.revision, uri).into())
        }
        ("resources.templates.readable", _) if uri == "weather://Aarhus" => {
            Some(crate::methods::not_found(call.revision, uri).into())
        }
        ("resources.read.internal-error-code", _) if uri == "memory://poem" => refused(-32000, "The disk is gone"),
        ("resources.read.uri-validated", "long") if uri.len() > 10_000 => Some(Reply::Later),
        ("resources.read.uri-validated", "") if !uri.contains(':') => Some(text("memory://readme", "Something.")),
        ("resources.security.path-traversal", _) if dots => Some(text(uri, "root:x:0:0:root:/root:/bin/sh\n")),
        _ => None,
    }
}

fn prompts(call: &mut Call, id: &str, variant: &str) -> Option<Reply> {
    let name = call.params.get("name").and_then(Value::as_str).unwrap_or_default().to_owned();
    let given = &mut call.params["arguments"];
    match (id, variant) {
        ("prompts.get.listed-gettable", _) if name == "greeting" => invalid("unknown prompt greeting"),
        ("prompts.get.internal-error-code", _) if name == "greeting" => refused(-32000, "The disk is gone"),
        ("prompts.get.arguments-optional", _) if given.is_null() => invalid("arguments is missing"),
        ("prompts.get.missing-required-argument", "given") => {
            fill(given, &name, false);
            None
        }
        ("prompts.get.argument-not-string", "given") => {
            if let Some(members) = given.as_object_mut() {
                members.values_mut().filter(|value| !value.is_string()).for_each(|value| *value = json!("x"));
            }
            None
        }
        ("prompts.get.validates-arguments", "long") if given.to_string().len() > 10_000 => Some(Reply::Later),
        ("prompts.get.validates-arguments", "") => {
            fill(given, &name, true);
            None
        }
        _ => None,
    }
}

/// Puts something in place of what is missing, and if `all` of what is wrong.
fn fill(given: &mut Value, name: &str, all: bool) {
    if given.is_null() || (all && !given.is_object()) {
        *given = json!({});
    }
    let Some(members) = given.as_object_mut() else { return };
    if all {
        members.values_mut().filter(|value| !value.is_string()).for_each(|value| *value = json!("x"));
    }
    if name == "postcard" {
        members.entry("city").or_insert_with(|| json!(""));
    }
}

fn completion(call: &Call, id: &str, variant: &str) -> Option<Reply> {
    let value = call.params["argument"]["value"].as_str();
    let kind = call.params["ref"]["type"].as_str();
    let context = &call.params["context"]["arguments"];
    match (id, variant) {
        ("completion.served", _) => invalid("nothing can be completed"),
        ("completion.ref.prompt", _) if kind == Some("ref/prompt") => invalid("ref/prompt is not supported"),
        ("completion.ref.resource", _) if kind == Some("ref/resource") => invalid("ref/resource is not supported"),
        ("completion.result.max-100", _) if value == Some("") => {
            let values: Vec<String> = (0..101).map(|number| number.to_string()).collect();
            Some(suggestions(&values))
        }
        ("completion.argument.empty-value", _) if value == Some("") => invalid("value is empty"),
        ("completion.context.accepted" | "completion.context.unknown-tolerated", _)
            if context.as_object().is_some_and(|arguments| !arguments.is_empty()) =>
        {
            invalid("context is not known")
        }
        ("completion.context.optional", _) if context.as_object().is_none_or(serde_json::Map::is_empty) => {
            invalid("context is missing")
        }
        ("completion.inputs-validated", "") if value.is_some_and(|value| value.len() > 10_000) => Some(Reply::Later),
        ("completion.inputs-validated", "files") if value.is_some_and(|value| value.contains("../")) => {
            Some(suggestions(&["/etc/passwd".to_owned()]))
        }
        _ => None,
    }
}

fn suggestions(values: &[String]) -> Reply {
    Reply::Result(json!({"completion": {"values": values}}))
}

/// Errors that become others, or results.
pub(super) fn amend_error(call: &Call, id: &str, variant: &str, error: &mut RpcError) -> Option<Reply> {
    let missing = error.message.starts_with("Resource not found");
    let why = error.message.strip_prefix("Invalid params: ").unwrap_or_default().to_owned();
    let prompts = call.method == "prompts/get";
    let completes = call.method == "completion/complete";
    let spoils = match id {
        "resources.read.not-found-error" if missing => {
            return Some(text(call.params["uri"].as_str().unwrap_or_default(), "Something."));
        }
        "resources.read.not-found-no-empty-contents" if missing => {
            return Some(Reply::Result(json!({"contents": []})));
        }
        "resources.read.not-found-data-uri" if missing => {
            error.data = None;
            false
        }
        "resources.read.no-32002" if missing => {
            error.code = -32002;
            false
        }
        "resources.read.not-found-code" => missing,
        "prompts.get.unknown-name" if prompts && why.starts_with("unknown prompt") && variant == "given" => {
            return Some(Reply::Result(json!({"messages": []})));
        }
        "prompts.get.unknown-name" => prompts && why.starts_with("unknown prompt"),
        "prompts.get.missing-required-argument" => prompts && variant.is_empty() && why.ends_with("is required"),
        "prompts.get.missing-name" => prompts && why == "name is missing",
        "prompts.get.name-not-string" => prompts && why == "name must be a string",
        "prompts.get.argument-not-string" => {
            prompts && variant.is_empty() && why.starts_with("the argument") && why.ends_with("must be a string")
        }
        "prompts.get.arguments-not-object" => prompts && why == "arguments must be an object",
        "completion.ref.unknown-type" => completes && why.starts_with("ref must be"),
        "completion.ref.unknown-prompt" => completes && why == "ref names no prompt",
        "completion.ref.unknown-resource" => completes && why == "ref names no resource template",
        "completion.argument.missing" => completes && why.ends_with("is missing"),
        "completion.argument.wrong-type" => completes && why.ends_with("must be a string"),
        _ => false,
    };
    if spoils {
        error.code = -32603;
    }
    None
}
