//! Faults of the area tools, second half: calls, content, structured content, list changes.

use serde_json::{Value, json};
use wire::mcp::code;

use super::Edit::{Remove, Set};
use super::Hook::{Error, Request, Switch};
use super::On::Call;
use super::replies::{error, invalid, recode};
use super::{Fault, Hook, fault, rewrite};
use crate::Revision::{V2024_11_05, V2025_03_26, V2025_11_25};
use crate::core::{self, Reply, failure};
use crate::deviation::Deviation;
use crate::error::RpcError;

pub(super) static TABLE: &[Fault] = &[
    fault(
        "tools.call.unknown-tool",
        "",
        "an unknown tool gives a result with isError",
        Error(|_, error| is_unknown_tool(error).then(|| Reply::Result(failure(&error.message)))),
    ),
    fault(
        "tools.call.unknown-tool",
        "success",
        "an unknown tool gives a plain result",
        Error(|_, error| is_unknown_tool(error).then(|| Reply::Result(done()))),
    ),
    fault(
        "tools.call.unknown-tool-code",
        "",
        "an unknown tool gives -32601",
        Error(|_, error| recode(is_unknown_tool(error), error, code::METHOD_NOT_FOUND)),
    ),
    fault(
        "tools.call.unknown-tool-code",
        "internal",
        "an unknown tool gives -32603",
        Error(|_, error| recode(is_unknown_tool(error), error, code::INTERNAL_ERROR)),
    ),
    fault(
        "tools.call.missing-name",
        "",
        "a call without name gives -32603",
        Request(|_, call| lacks_name(call).then(|| error(code::INTERNAL_ERROR, "name could not be read"))),
    ),
    fault(
        "tools.call.missing-name",
        "result",
        "a call without name gives a result with isError",
        Request(|_, call| lacks_name(call).then(name_a_tool)),
    ),
    fault(
        "tools.call.missing-params",
        "",
        "a call without params gives -32603",
        Request(|_, call| {
            (calls(call) && call.params.is_null()).then(|| error(code::INTERNAL_ERROR, "params is undefined"))
        }),
    ),
    fault(
        "tools.call.missing-params",
        "silent",
        "a call without params is not answered",
        Request(|_, call| (calls(call) && call.params.is_null()).then_some(Reply::Later)),
    ),
    fault(
        "tools.call.name-not-string",
        "",
        "a name that is no string gives -32603",
        Request(|_, call| has_odd_name(call).then(|| error(code::INTERNAL_ERROR, "name could not be read"))),
    ),
    fault(
        "tools.call.name-not-string",
        "result",
        "a name that is no string gives a result with isError",
        Request(|_, call| has_odd_name(call).then(name_a_tool)),
    ),
    fault(
        "tools.call.arguments-not-object",
        "",
        "arguments that are no object are taken for none",
        Request(|_, call| has_odd_arguments(call).then(|| Reply::Result(done()))),
    ),
    fault(
        "tools.call.arguments-not-object",
        "internal",
        "arguments that are no object give -32603",
        Request(|_, call| has_odd_arguments(call).then(|| error(code::INTERNAL_ERROR, "arguments could not be read"))),
    ),
    fault(
        "tools.call.arguments-optional",
        "",
        "a call without arguments is refused",
        Request(|_, call| {
            (calls(call) && call.params.get("arguments").is_none()).then(|| invalid("arguments is missing"))
        }),
    ),
    fault(
        "tools.call.listed-tool-known",
        "",
        "a tool that is listed is unknown when called",
        Request(|_, call| {
            let refused = || error(code::INVALID_PARAMS, "Unknown tool: reference_give_nothing");
            (call.tool() == Some("empty")).then(refused)
        }),
    ),
    fault(
        "tools.call.valid-arguments-accepted",
        "",
        "some tools refuse all arguments",
        Request(|_, call| {
            let refused = ["statistics", "greet", "measure_tree"].iter().any(|name| call.tool() == Some(name));
            refused.then(|| invalid("arguments: a value is out of range"))
        }),
    ),
    fault(
        "tools.call.valid-arguments-accepted",
        "corner",
        "integers from 100 on and booleans are refused",
        Request(|_, call| {
            let refused = calls(call) && has_large_or_boolean(&call.params["arguments"]);
            refused.then(|| invalid("arguments: a value is out of range"))
        }),
    ),
    fault(
        "tools.call.invalid-arguments-rejected",
        "",
        "arguments are not validated",
        Switch(&[Deviation::ArgumentsUnchecked]),
    ),
    fault(
        "tools.call.invalid-arguments-rejected",
        "missing",
        "missing arguments are not noticed",
        Switch(&[Deviation::RequiredUnchecked]),
    ),
    fault(
        "tools.call.invalid-arguments-rejected",
        "bounds",
        "bounds, lengths and patterns are not checked",
        Switch(&[Deviation::BoundsUnchecked]),
    ),
    fault(
        "tools.call.invalid-arguments-as-execution-error",
        "",
        "invalid arguments give -32602",
        Hook::Result(|_, call, result| {
            let why = refusal(result).filter(|_| call.revision == V2025_11_25)?;
            Some(invalid(&why))
        }),
    )
    .only(&[V2025_11_25]),
    fault(
        "tools.call.invalid-arguments-code",
        "",
        "invalid arguments give -32603",
        Error(|_, error| recode(error.message.starts_with("Invalid params: arguments: "), error, code::INTERNAL_ERROR)),
    )
    .and(Hook::Result(|_, _, result| refusal(result).map(|why| error(code::INTERNAL_ERROR, why)))),
    fault(
        "tools.call.invalid-arguments-code",
        "server",
        "invalid arguments give -32000",
        Error(|_, error| recode(error.message.starts_with("Invalid params: arguments: "), error, code::SERVER_ERROR)),
    )
    .and(Hook::Result(|_, _, result| refusal(result).map(|why| error(code::SERVER_ERROR, why)))),
    fault(
        "tools.error.execution-in-result",
        "",
        "a tool that fails gives a JSON-RPC error of its own",
        Request(|_, call| (call.tool() == Some("fail")).then(|| error(1, "The tool failed"))),
    ),
    fault(
        "tools.error.execution-in-result",
        "internal",
        "a tool that fails gives -32603",
        Request(|_, call| (call.tool() == Some("fail")).then(|| error(code::INTERNAL_ERROR, "The tool failed"))),
    ),
    rewrite(
        "tools.error.actionable-content",
        "",
        "a tool that fails says nothing",
        &[(Call("fail"), Set("/result/content", "[]"))],
    ),
    rewrite(
        "tools.error.actionable-content",
        "blank",
        "a tool that fails says a blank",
        &[(Call("fail"), Set("/result/content/0/text", "\" \""))],
    ),
    rewrite("tools.call.content-array", "", "a result has no content", &[(Call("add"), Remove("/result/content"))]),
    rewrite(
        "tools.call.content-array",
        "object",
        "content is one block",
        &[(Call("echo"), Set("/result/content", r#"{"type": "text", "text": "hello"}"#))],
    ),
    rewrite(
        "tools.call.content-array",
        "string",
        "content is a string",
        &[(Call("version"), Set("/result/content", "\"hello\""))],
    ),
    rewrite("tools.call.is-error-boolean", "", "isError is null", &[(Call("echo"), Set("/result/isError", "null"))]),
    rewrite(
        "tools.call.is-error-boolean",
        "string",
        "isError is a string",
        &[(Call("version"), Set("/result/isError", "\"false\""))],
    ),
    rewrite(
        "tools.call.content-known-type",
        "",
        "a block is of a type that no revision has",
        &[(Call("version"), Set("/result/content", r#"[{"type": "markdown", "text": "hello"}]"#))],
    ),
    rewrite(
        "tools.call.content-known-type",
        "newer",
        "a block is of a type that only later revisions have",
        &[(
            Call("version"),
            Set("/result/content", r#"[{"type": "resource_link", "uri": "memory://poem", "name": "poem"}]"#),
        )],
    )
    .only(&[V2024_11_05, V2025_03_26]),
];

fn is_unknown_tool(error: &RpcError) -> bool {
    error.message.starts_with("Unknown tool")
}

fn done() -> Value {
    json!({"content": [{"type": "text", "text": "Done."}]})
}

fn name_a_tool() -> Reply {
    Reply::Result(failure("Name a tool that tools/list has."))
}

/// Whether a request calls a tool.
pub(super) fn calls(call: &core::Call) -> bool {
    call.method == "tools/call"
}

fn lacks_name(call: &core::Call) -> bool {
    calls(call) && call.params.is_object() && call.params.get("name").is_none()
}

fn has_odd_name(call: &core::Call) -> bool {
    calls(call) && call.params.get("name").is_some_and(|name| !name.is_string())
}

fn has_odd_arguments(call: &core::Call) -> bool {
    let odd = |arguments: &Value| !arguments.is_object() && !arguments.is_null();
    calls(call) && call.params.get("arguments").is_some_and(odd)
}

fn has_large_or_boolean(value: &Value) -> bool {
    match value {
        Value::Bool(_) => true,
        Value::Number(number) => number.as_f64().is_some_and(|number| number >= 100.0),
        Value::Array(items) => items.iter().any(has_large_or_boolean),
        Value::Object(object) => object.values().any(has_large_or_boolean),
        _ => false,
    }
}

/// Why a result refuses the arguments of its call, if it does.
fn refusal(result: &Value) -> Option<String> {
    let text = result["content"][0]["text"].as_str()?;
    text.strip_prefix("Invalid arguments: ").map(|why| format!("arguments: {why}"))
}
