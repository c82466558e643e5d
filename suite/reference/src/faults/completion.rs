//! Faults of the area completion.

use serde_json::json;
use wire::mcp::code;

use super::Edit::{Remove, Set};
use super::Hook::{Error, Request, Switch};
use super::On::Result;
use super::replies::{invalid, recode, unavailable, undeclare};
use super::{Fault, Hook, fault, rewrite};
use crate::Revision::{V2025_03_26, V2025_06_18, V2025_11_25, V2026_07_28};
use crate::core::{Call, Reply};
use crate::deviation::Deviation;
use crate::error::RpcError;

const COMPLETE: &str = "completion/complete";

pub(super) static TABLE: &[Fault] = &[
    rewrite(
        "completion.capability-declared",
        "",
        "completions are served but not declared",
        &[
            (Result("initialize"), Remove("/result/capabilities/completions")),
            (Result("server/discover"), Remove("/result/capabilities/completions")),
        ],
    ),
    fault(
        "completion.undeclared",
        "",
        "completions are neither declared nor served, but with -32602",
        Request(|_, call| call.method.starts_with("completion/").then(unavailable)),
    )
    .and(Hook::Result(|_, call, result| undeclare(call, result, "completions"))),
    // In 2024-11-05 a server that refuses everything is one that does not complete.
    fault(
        "completion.served",
        "",
        "nothing is completed",
        Request(|_, call| completes(call).then(|| invalid("nothing can be completed"))),
    )
    .only(&[V2025_03_26, V2025_06_18, V2025_11_25, V2026_07_28]),
    rewrite(
        "completion.result.object",
        "",
        "completion is an array",
        &[(Result(COMPLETE), Set("/result/completion", "[]"))],
    ),
    rewrite(
        "completion.result.object",
        "missing",
        "there is no completion",
        &[(Result(COMPLETE), Remove("/result/completion"))],
    ),
    rewrite(
        "completion.result.values",
        "",
        "values are numbers",
        &[(Result(COMPLETE), Set("/result/completion/values", "[1]"))],
    ),
    rewrite(
        "completion.result.values",
        "missing",
        "there are no values",
        &[(Result(COMPLETE), Remove("/result/completion/values"))],
    ),
    fault(
        "completion.result.max-100",
        "",
        "there are 101 values",
        Request(|_, call| {
            let values = || (0..101).map(|number| number.to_string()).collect::<Vec<_>>();
            (value(call) == Some("")).then(|| suggestions(&values()))
        }),
    ),
    rewrite(
        "completion.result.total",
        "",
        "total is a string",
        &[(Result(COMPLETE), Set("/result/completion/total", "\"6\""))],
    ),
    rewrite(
        "completion.result.total",
        "fraction",
        "total is a fraction",
        &[(Result(COMPLETE), Set("/result/completion/total", "6.5"))],
    ),
    rewrite(
        "completion.result.has-more",
        "",
        "hasMore is a string",
        &[(Result(COMPLETE), Set("/result/completion/hasMore", "\"no\""))],
    ),
    rewrite(
        "completion.result.consistent",
        "",
        "hasMore is true though there is no more",
        &[(Result(COMPLETE), Set("/result/completion/hasMore", "true"))],
    ),
    fault(
        "completion.ref.prompt",
        "",
        "completion for prompts is refused",
        Request(|_, call| (kind(call) == Some("ref/prompt")).then(|| invalid("ref/prompt is not supported"))),
    ),
    fault(
        "completion.ref.resource",
        "",
        "completion for templates is refused",
        Request(|_, call| (kind(call) == Some("ref/resource")).then(|| invalid("ref/resource is not supported"))),
    ),
    fault(
        "completion.ref.unknown-type",
        "",
        "a reference of unknown type gives -32603",
        Error(|call, error| spoil(call, error, |why| why.starts_with("ref must be"))),
    ),
    fault(
        "completion.ref.unknown-prompt",
        "",
        "an unknown prompt gives -32603",
        Error(|call, error| spoil(call, error, |why| why == "ref names no prompt")),
    ),
    fault(
        "completion.ref.unknown-prompt",
        "served",
        "an unknown prompt has suggestions",
        Switch(&[Deviation::UnknownPromptHasSuggestions]),
    ),
    fault(
        "completion.ref.unknown-resource",
        "",
        "an unknown template gives -32603",
        Error(|call, error| spoil(call, error, |why| why == "ref names no resource template")),
    ),
    fault(
        "completion.argument.missing",
        "",
        "a missing argument gives -32603",
        Error(|call, error| spoil(call, error, |why| why.ends_with("is missing"))),
    ),
    fault(
        "completion.argument.wrong-type",
        "",
        "a value that is no string gives -32603",
        Error(|call, error| spoil(call, error, |why| why.ends_with("must be a string"))),
    ),
    fault(
        "completion.argument.unknown-name",
        "",
        "an argument that does not exist has suggestions",
        Switch(&[Deviation::UnknownArgumentHasSuggestions]),
    ),
    fault(
        "completion.argument.empty-value",
        "",
        "an empty value is refused",
        Request(|_, call| (value(call) == Some("")).then(|| invalid("value is empty"))),
    ),
    fault(
        "completion.context.accepted",
        "",
        "a context with arguments is refused",
        Request(|_, call| has_context(call).then(|| invalid("context is not known"))),
    ),
    fault(
        "completion.context.optional",
        "",
        "a request without context is refused",
        Request(|_, call| (completes(call) && !has_context(call)).then(|| invalid("context is missing"))),
    ),
    fault(
        "completion.context.unknown-tolerated",
        "",
        "a context is refused as an unknown member",
        Request(|_, call| has_context(call).then(|| invalid("context is not known"))),
    ),
    fault(
        "completion.inputs-validated",
        "",
        "a long value is not answered",
        Request(|_, call| value(call).is_some_and(|value| value.len() > 10_000).then_some(Reply::Later)),
    ),
    fault(
        "completion.inputs-validated",
        "files",
        "a path leads to files of the machine",
        Request(|_, call| {
            let leads_out = value(call).is_some_and(|value| value.contains("../"));
            leads_out.then(|| suggestions(&["/etc/passwd".to_owned()]))
        }),
    ),
];

fn completes(call: &Call) -> bool {
    call.method == COMPLETE
}

/// The text to be completed.
fn value(call: &Call) -> Option<&str> {
    call.params["argument"]["value"].as_str().filter(|_| completes(call))
}

/// The type of what it is completed for.
fn kind(call: &Call) -> Option<&str> {
    call.params["ref"]["type"].as_str().filter(|_| completes(call))
}

fn has_context(call: &Call) -> bool {
    let arguments = call.params["context"]["arguments"].as_object();
    completes(call) && arguments.is_some_and(|arguments| !arguments.is_empty())
}

fn suggestions(values: &[String]) -> Reply {
    Reply::Result(json!({"completion": {"values": values}}))
}

/// Makes an internal error of one for invalid params.
fn spoil(call: &Call, error: &mut RpcError, applies: fn(&str) -> bool) -> Option<Reply> {
    let why = error.message.strip_prefix("Invalid params: ").unwrap_or_default();
    recode(completes(call) && applies(why), error, code::INTERNAL_ERROR)
}
