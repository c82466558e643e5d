//! What faults make of answers before they are written: other codes, other channels, other ids.

use serde_json::{Value, json};

use super::{practice_calls, stateless};
use crate::Revision;
use crate::core::{Call, Connection, Reply};
use crate::error::RpcError;
use crate::settings::Settings;
use crate::tools::failure;

/// Lets every fault have a look at an answer.
pub(crate) fn amend(connection: &Connection, call: &Call, mut reply: Reply) -> Reply {
    for fault in connection.server.settings.faults() {
        reply = match reply {
            Reply::Error(error) => amend_error(call, fault.id, fault.variant, error),
            Reply::Result(mut result) => {
                stateless::amend_result(connection, call, fault.id, &mut result);
                practice_calls::amend_result(connection, call, fault.id, &mut result);
                amend_result(call, fault.id, fault.variant, result)
            }
            other => other,
        };
    }
    reply
}

fn amend_error(call: &Call, id: &str, variant: &str, mut error: RpcError) -> Reply {
    let offers = super::offers::amend_error(call, id, variant, &mut error);
    if let Some(reply) = offers.or_else(|| stateless::amend_error(call, id, variant, &mut error)) {
        return reply;
    }
    let unknown_tool = error.message.starts_with("Unknown tool");
    let arguments = error.message.starts_with("Invalid params: arguments: ");
    match (id, variant) {
        ("tools.call.unknown-tool", "success") if unknown_tool => return Reply::Result(done()),
        ("tools.call.unknown-tool", _) if unknown_tool => return Reply::Result(failure(&error.message)),
        ("tools.call.unknown-tool-code", "internal") if unknown_tool => error.code = -32603,
        ("tools.call.unknown-tool-code", _) if unknown_tool => error.code = -32601,
        ("tools.call.invalid-arguments-code", how) if arguments => error.code = other_code(how),
        ("lifecycle.initialize.missing-fields-code", _) if call.method == "initialize" && error.code == -32602 => {
            error.code = -32603;
        }
        ("jsonrpc.method-not-found.code", "result") if error.code == -32601 => return Reply::Result(json!({})),
        ("jsonrpc.method-not-found.code", "invalid-request") if error.code == -32601 => error.code = -32600,
        ("jsonrpc.method-not-found.code", _) if error.code == -32601 => error.code = -32602,
        ("jsonrpc.invalid-params.code", how) if is_plainly_wrong(call, &error) && !arguments => {
            error.code = if how == "invalid-request" { -32600 } else { -32603 };
        }
        _ => {}
    }
    Reply::Error(error)
}

fn done() -> Value {
    json!({"content": [{"type": "text", "text": "Done."}]})
}

fn other_code(how: &str) -> i64 {
    if how == "server" { -32000 } else { -32603 }
}

/// Missing or ill-typed params, and no more than that.
fn is_plainly_wrong(call: &Call, error: &RpcError) -> bool {
    error.code == -32602
        && error.message.starts_with("Invalid params: ")
        && !error.message.contains("_meta")
        && !error.message.contains("io.modelcontextprotocol")
        && !error.message.contains("not one of this list")
        && call.method != "initialize"
}

fn amend_result(call: &Call, id: &str, variant: &str, mut result: Value) -> Reply {
    let text = result["content"][0]["text"].as_str().unwrap_or_default();
    let refusal = text.strip_prefix("Invalid arguments: ").map(|why| format!("arguments: {why}"));
    match (id, variant, refusal) {
        ("tools.call.invalid-arguments-as-execution-error", _, Some(why)) if call.revision == Revision::V2025_11_25 => {
            return RpcError::invalid_params(why).into();
        }
        ("tools.call.invalid-arguments-code", how, Some(why)) => return RpcError::new(other_code(how), why).into(),
        ("tools.structured.conforms", how @ ("" | "type"), _) if call.tool() == Some("add") => {
            break_sum(&mut result, how);
        }
        ("lifecycle.version.no-blind-echo", _, _) if call.method == "initialize" => {
            result["protocolVersion"] = call.params["protocolVersion"].clone();
        }
        ("lifecycle.version.released", _, _) if offers_another(call, &result) => {
            result["protocolVersion"] = json!("2024-10-07");
        }
        ("lifecycle.version.no-modern-by-handshake", _, _)
            if offers_another(call, &result) && call.params["protocolVersion"] == "2026-07-28" =>
        {
            result["protocolVersion"] = json!("2026-07-28");
        }
        ("jsonrpc.request-meta.client-info-no-influence", _, _) if call.method == "server/discover" => {
            let name = &call.params["_meta"]["io.modelcontextprotocol/clientInfo"]["name"];
            result["instructions"] = json!(format!("Made for {name}."));
        }
        _ => {}
    }
    Reply::Result(result)
}

fn offers_another(call: &Call, result: &Value) -> bool {
    call.method == "initialize" && result["protocolVersion"] != call.params["protocolVersion"]
}

fn break_sum(result: &mut Value, how: &str) {
    if result["structuredContent"].is_object() {
        let sum = result["structuredContent"]["sum"].to_string();
        let broken = if how == "type" { json!({"sum": sum}) } else { json!({"total": 3}) };
        result["content"][0]["text"] = json!(broken.to_string());
        result["structuredContent"] = broken;
    }
}

/// The id an answer carries.
pub(crate) fn answer_id(settings: &Settings, id: &Value) -> Value {
    for fault in settings.faults() {
        let changed = match (fault.id, fault.variant, id) {
            ("jsonrpc.response.id-echo", "", Value::String(text)) => text.parse::<i64>().ok().map(Value::from),
            ("jsonrpc.response.id-echo", "string", Value::Number(number)) => {
                Some(number.to_string()).filter(|text| text.len() > 6).map(Value::from)
            }
            ("jsonrpc.response.id-edge-values", "ascii", Value::String(text)) => {
                Some(json!(text.chars().filter(char::is_ascii).collect::<String>()))
            }
            ("jsonrpc.response.id-edge-values", "truncated", Value::String(text)) => {
                Some(json!(text.chars().take(255).collect::<String>()))
            }
            ("jsonrpc.response.id-edge-values", "nul", Value::String(text)) => {
                text.split_once('\0').map(|(before, _)| json!(before))
            }
            ("jsonrpc.response.id-beyond-double", _, Value::Number(number)) => {
                let rounded = number.as_f64().filter(|number| number.abs() > 9_007_199_254_740_991.0);
                rounded.map(|number| json!(number as i64))
            }
            _ => None,
        };
        if let Some(changed) = changed {
            return changed;
        }
    }
    id.clone()
}

/// The error for what is no request, with the id it is to have if not none.
pub(crate) fn refusal(settings: &Settings, error: &mut RpcError) -> Option<Value> {
    let mut id = None;
    for fault in settings.faults() {
        match (fault.id, fault.variant) {
            ("jsonrpc.parse-error.code", "invalid-request") if error.code == -32700 => error.code = -32600,
            ("jsonrpc.parse-error.code", _) if error.code == -32700 => error.code = -32603,
            ("jsonrpc.parse-error.id", how) if error.code == -32700 => {
                id = Some(match how {
                    "zero" => json!(0),
                    "empty" => json!(""),
                    _ => json!("server-error"),
                });
            }
            ("jsonrpc.invalid-request.code", "parse") if error.code == -32600 => error.code = -32700,
            ("jsonrpc.invalid-request.code", _) if error.code == -32600 => error.code = -32602,
            ("jsonrpc.batch.empty", "code") if error.message.contains("batch is empty") => error.code = -32603,
            _ => {}
        }
    }
    id
}
