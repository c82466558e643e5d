//! Faults of the area jsonrpc: errors, and what they answer.

use serde_json::{Value, json};
use wire::mcp::code;

use super::Edit::Set;
use super::Hook::{Refusal, Request, Switch};
use super::On::Error;
use super::replies::{empty, error, invalid, recode};
use super::requests::fill_meta;
use super::{Fault, Hook, fault, rewrite};
use crate::Transport::{Http, Stdio};
use crate::core::{self, Reply};
use crate::deviation::Deviation;
use crate::error::RpcError;
use crate::methods::METHODS;

pub(super) static TABLE: &[Fault] = &[
    fault(
        "jsonrpc.parse-error.code",
        "",
        "what is not JSON gives -32603",
        Refusal(|error| refuse_with(error, code::PARSE_ERROR, code::INTERNAL_ERROR)),
    ),
    fault(
        "jsonrpc.parse-error.code",
        "invalid-request",
        "what is not JSON gives -32600",
        Refusal(|error| refuse_with(error, code::PARSE_ERROR, code::INVALID_REQUEST)),
    ),
    fault(
        "jsonrpc.parse-error.answered-on-http",
        "",
        "what is not JSON is accepted",
        Switch(&[Deviation::UnreadableIsAccepted]),
    )
    .over(&[Http]),
    fault(
        "jsonrpc.parse-error.id",
        "",
        "the error for what is not JSON has an invented id",
        Refusal(|error| (error.code == code::PARSE_ERROR).then(|| json!("server-error"))),
    ),
    fault(
        "jsonrpc.parse-error.id",
        "zero",
        "the error for what is not JSON has id 0",
        Refusal(|error| (error.code == code::PARSE_ERROR).then(|| json!(0))),
    ),
    fault(
        "jsonrpc.parse-error.id",
        "empty",
        "the error for what is not JSON has an empty id",
        Refusal(|error| (error.code == code::PARSE_ERROR).then(|| json!(""))),
    ),
    fault(
        "jsonrpc.parse-error.survives",
        "",
        "what is not JSON ends the process",
        Switch(&[Deviation::UnreadableIsFatal]),
    )
    .over(&[Stdio]),
    fault(
        "jsonrpc.parse-error.survives",
        "blank-line",
        "a blank line ends the process",
        Switch(&[Deviation::UnreadableIsFatal, Deviation::BlankLinesAreFatal]),
    )
    .over(&[Stdio]),
    fault(
        "jsonrpc.invalid-request.code",
        "",
        "what is no request gives -32602",
        Refusal(|error| refuse_with(error, code::INVALID_REQUEST, code::INVALID_PARAMS)),
    ),
    fault(
        "jsonrpc.invalid-request.code",
        "parse",
        "what is no request gives -32700",
        Refusal(|error| refuse_with(error, code::INVALID_REQUEST, code::PARSE_ERROR)),
    ),
    fault(
        "jsonrpc.invalid-request.answered",
        "",
        "what is no request is not answered",
        Switch(&[Deviation::InvalidRequestsAreIgnored]),
    ),
    fault(
        "jsonrpc.invalid-request.not-executed",
        "",
        "requests are served whatever jsonrpc says",
        Switch(&[Deviation::ServesWrongVersion]),
    ),
    fault(
        "jsonrpc.invalid-request.params-not-object",
        "",
        "params that is no object is ignored",
        Request(|_, call| {
            if is_odd(&call.params) {
                fill_meta(call);
            }
            None
        }),
    ),
    fault(
        "jsonrpc.invalid-request.params-not-object",
        "internal",
        "params that is no object gives -32603",
        Request(|_, call| is_odd(&call.params).then(|| error(code::INTERNAL_ERROR, "params could not be read"))),
    ),
    fault(
        "jsonrpc.invalid-request.survives",
        "",
        "what is no request ends the process",
        Switch(&[Deviation::InvalidRequestsAreFatal]),
    )
    .over(&[Stdio]),
    fault(
        "jsonrpc.method-not-found.code",
        "",
        "an unknown method gives -32602",
        Hook::Error(|_, error| recode(error.code == code::METHOD_NOT_FOUND, error, code::INVALID_PARAMS)),
    ),
    fault(
        "jsonrpc.method-not-found.code",
        "invalid-request",
        "an unknown method gives -32600",
        Hook::Error(|_, error| recode(error.code == code::METHOD_NOT_FOUND, error, code::INVALID_REQUEST)),
    ),
    fault(
        "jsonrpc.method-not-found.code",
        "result",
        "an unknown method gives an empty result",
        Hook::Error(|_, error| (error.code == code::METHOD_NOT_FOUND).then(empty)),
    ),
    fault(
        "jsonrpc.method-not-found.wrong-direction",
        "",
        "the client's methods are served",
        Request(|_, call| is_for_clients(call).then(empty)),
    ),
    fault(
        "jsonrpc.method-not-found.wrong-direction",
        "code",
        "the client's methods give -32602",
        Request(|_, call| is_for_clients(call).then(|| invalid("nothing to do with this"))),
    ),
    fault(
        "jsonrpc.method-not-found.exact-name",
        "",
        "letter case, blanks and slashes of methods are ignored",
        Request(|_, call| {
            let plain = call.method.trim().trim_matches('/').to_lowercase();
            if let Some(known) = METHODS.iter().find(|known| known.to_lowercase() == plain) {
                call.method = (*known).to_owned();
            }
            None
        }),
    ),
    fault(
        "jsonrpc.method-not-found.notification-with-id",
        "",
        "a notification's method with an id is not answered",
        Request(|_, call| call.method.starts_with("notifications/").then_some(Reply::Later)),
    ),
    fault(
        "jsonrpc.invalid-params.code",
        "",
        "wrong params give -32603",
        Hook::Error(|call, error| recode(is_plainly_wrong(call, error), error, code::INTERNAL_ERROR)),
    ),
    fault(
        "jsonrpc.invalid-params.code",
        "invalid-request",
        "wrong params give -32600",
        Hook::Error(|call, error| recode(is_plainly_wrong(call, error), error, code::INVALID_REQUEST)),
    ),
    fault(
        "jsonrpc.invalid-params.no-result",
        "",
        "wrong params are mended and served",
        Request(|_, call| {
            repair_params(call);
            None
        }),
    ),
    fault(
        "jsonrpc.invalid-params.missing-params",
        "",
        "requests that lack params are not answered",
        Request(|_, call| lacks_params(call).then_some(Reply::Later)),
    ),
    fault(
        "jsonrpc.invalid-params.missing-params",
        "internal",
        "requests that lack params give -32603",
        Request(|_, call| lacks_params(call).then(|| error(code::INTERNAL_ERROR, "params is undefined"))),
    ),
    rewrite(
        "jsonrpc.error-codes.json-rpc-reserved",
        "",
        "an error has a code that JSON-RPC reserves",
        &[(Error("prompts/get"), Set("/error/code", "-32500"))],
    ),
    rewrite(
        "jsonrpc.error-codes.mcp-range-undefined",
        "",
        "an error has a code that MCP reserves",
        &[(Error("completion/complete"), Set("/error/code", "-32050"))],
    ),
    rewrite(
        "jsonrpc.error-codes.defined-meaning",
        "",
        "wrong params give the code of a missing capability",
        &[(Error("completion/complete"), Set("/error/code", "-32021"))],
    ),
    rewrite(
        "jsonrpc.error-codes.defined-meaning",
        "headers",
        "wrong params give the code of wrong headers",
        &[(Error("completion/complete"), Set("/error/code", "-32020"))],
    ),
    rewrite(
        "jsonrpc.error-codes.no-32002",
        "",
        "a missing resource gives -32002",
        &[(Error("resources/read"), Set("/error/code", "-32002"))],
    ),
    rewrite(
        "jsonrpc.error-codes.no-32042",
        "",
        "an error has code -32042",
        &[(Error("completion/complete"), Set("/error/code", "-32042"))],
    ),
    rewrite(
        "jsonrpc.error-codes.legacy-range",
        "",
        "an error has a code of the drafts",
        &[(Error("completion/complete"), Set("/error/code", "-32001"))],
    ),
    rewrite(
        "jsonrpc.error-codes.new-outside-reserved",
        "",
        "an error has a code of its own in the reserved block",
        &[(Error("completion/complete"), Set("/error/code", "-32250"))],
    ),
];

/// Missing or ill-typed params, and no more than that.
fn is_plainly_wrong(call: &core::Call, error: &RpcError) -> bool {
    error.code == code::INVALID_PARAMS
        && error.message.starts_with("Invalid params: ")
        && !error.message.contains("_meta")
        && !error.message.contains("io.modelcontextprotocol")
        && !error.message.contains("not one of this list")
        && !error.message.starts_with("Invalid params: arguments: ")
        && call.method != "initialize"
}

fn is_odd(params: &Value) -> bool {
    !params.is_null() && !params.is_object()
}

fn lacks_params(call: &core::Call) -> bool {
    let needs = ["tools/call", "prompts/get", "resources/read"].contains(&call.method.as_str());
    needs && call.params.as_object().is_none_or(|params| params.keys().all(|key| key == "_meta"))
}

/// Takes something that will do for what is of the wrong type.
fn repair_params(call: &mut core::Call) {
    let stand_in = match call.method.as_str() {
        "tools/call" => ("name", json!("version")),
        "prompts/get" => ("name", json!("greeting")),
        "resources/read" => ("uri", json!("memory://readme")),
        _ => ("cursor", Value::Null),
    };
    if call.params.get(stand_in.0).is_some_and(|value| !value.is_string()) {
        call.params[stand_in.0] = stand_in.1;
    }
}

/// Gives a refusal with one code another, and no id.
fn refuse_with(error: &mut RpcError, from: i64, to: i64) -> Option<Value> {
    if error.code == from {
        error.code = to;
    }
    None
}

fn is_for_clients(call: &core::Call) -> bool {
    ["sampling/createMessage", "roots/list", "elicitation/create"].contains(&call.method.as_str())
}
