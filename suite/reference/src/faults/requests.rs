//! Faults of the area jsonrpc, second half: what the server makes of notifications, ids, `_meta` and batches.

use serde_json::{Value, json};
use wire::mcp::code;
use wire::mcp::meta;

use super::Hook::{Refusal, Request, Result, Switch};
use super::jsonrpc::SESSIONS;
use super::replies::{error, invalid};
use super::{Fault, fault};
use crate::Transport::{Http, Stdio};
use crate::core::{Call, Reply, VERSION};
use crate::deviation::Deviation;

pub(super) static TABLE: &[Fault] = &[
    fault(
        "jsonrpc.notification.no-reply",
        "",
        "an unknown notification gets -32601",
        Switch(&[Deviation::UnknownNotificationsAreAnswered]),
    )
    .over(&[Stdio]),
    // In 2026-07-28 a POST without id gets 202 before anybody looks at it.
    fault(
        "jsonrpc.notification.no-reply",
        "posted",
        "an unknown notification that is posted gets -32601",
        Switch(&[Deviation::UnknownNotificationsAreAnswered]),
    )
    .only(SESSIONS)
    .over(&[Http]),
    fault(
        "jsonrpc.notification.request-method-without-id",
        "",
        "a request's method without id is answered",
        Switch(&[Deviation::RequestsWithoutIdAreAnswered]),
    )
    .over(&[Stdio]),
    fault(
        "jsonrpc.notification.request-method-without-id",
        "posted",
        "a request's method posted without id is answered",
        Switch(&[Deviation::RequestsWithoutIdAreAnswered]),
    )
    .only(SESSIONS)
    .over(&[Http]),
    fault(
        "jsonrpc.notification.unknown-tolerated",
        "",
        "an unknown notification ends the process",
        Switch(&[Deviation::UnknownNotificationsAreFatal]),
    )
    .over(&[Stdio]),
    fault(
        "jsonrpc.id.string-and-integer-accepted",
        "",
        "string ids are refused",
        Request(|_, call| refuse_id(call, call.id.is_string())),
    ),
    fault(
        "jsonrpc.id.string-and-integer-accepted",
        "integer",
        "integer ids beyond six digits are refused",
        // Small integers are what every client begins with: without them nobody gets as far as to notice.
        Request(|_, call| refuse_id(call, call.id.is_number() && call.id.to_string().len() > 6)),
    ),
    fault("jsonrpc.id.null-not-served", "", "a request with id null is served", Switch(&[Deviation::ServesNullId])),
    fault("jsonrpc.id.wrong-type-not-served", "", "requests with any id are served", Switch(&[Deviation::ServesAnyId])),
    fault(
        "jsonrpc.id.fractional",
        "",
        "a request with a fractional id is served",
        Switch(&[Deviation::ServesFractionalId]),
    ),
    fault(
        "jsonrpc.id.reuse-after-response",
        "",
        "an id is good for once",
        Request(|connection, call| {
            let fresh = connection.used_ids.insert(call.id.to_string());
            (!fresh).then(|| error(code::INVALID_REQUEST, "The id has been used"))
        }),
    )
    .over(&[Stdio]),
    fault(
        "jsonrpc.id.scoped-to-connection",
        "",
        "an id that another connection has used is refused",
        Request(|connection, call| {
            if call.method == "initialize" {
                return None;
            }
            let number = connection.number;
            let owner = *connection.server.state().ids.entry(call.id.to_string()).or_insert(number);
            (owner != number).then(|| error(code::INVALID_REQUEST, "The id has been used"))
        }),
    )
    .over(&[Http]),
    fault(
        "jsonrpc.unknown-members.params",
        "",
        "an unknown member of params is refused",
        Request(|_, call| {
            let unknown = |key: &String| !MEMBERS.contains(&key.as_str());
            call.params.as_object()?.keys().any(unknown).then(|| invalid("unknown member"))
        }),
    ),
    fault(
        "jsonrpc.unknown-members.top-level",
        "",
        "a request with an unknown member is not answered",
        Switch(&[Deviation::UnknownMembersAreFatalToRequests]),
    ),
    fault(
        "jsonrpc.meta.accepted-in-requests",
        "",
        "an unknown key of _meta is refused",
        Request(|_, call| {
            let known = |key: &String| key == "progressToken" || key.starts_with("io.modelcontextprotocol/");
            let all_known = call.params.get("_meta")?.as_object()?.keys().all(known);
            (!all_known).then(|| invalid("unknown key in _meta"))
        }),
    ),
    fault(
        "jsonrpc.meta.trace-context-accepted",
        "",
        "a malformed traceparent is refused",
        Request(|_, call| {
            let parent = call.params.get("_meta")?.get("traceparent")?.as_str().unwrap_or_default();
            (parent.len() != 55).then(|| invalid("traceparent is malformed"))
        }),
    ),
    fault(
        "jsonrpc.request-meta.missing-meta",
        "",
        "a request without _meta is served",
        Request(|_, call| fill_meta_if(lacks_meta(call), call)),
    )
    .over(&[Http]),
    // On stdio a request without a version may be one of an older revision, so any answer is right.
    fault(
        "jsonrpc.request-meta.missing-meta",
        "code",
        "a request without _meta gives -32600",
        Request(|_, call| lacks_meta(call).then(incomplete_meta)),
    )
    .over(&[Http]),
    fault(
        "jsonrpc.request-meta.missing-protocol-version",
        "",
        "a request without protocolVersion is served",
        Request(|_, call| {
            fill_meta_if(member(call, VERSION).is_none() && member(call, meta::CLIENT_CAPABILITIES).is_some(), call)
        }),
    )
    .over(&[Http]),
    fault(
        "jsonrpc.request-meta.missing-client-capabilities",
        "",
        "a request without clientCapabilities is served",
        Request(|_, call| fill_meta_if(lacks_capabilities(call), call)),
    ),
    fault(
        "jsonrpc.request-meta.missing-client-capabilities",
        "code",
        "a request without clientCapabilities gives -32600",
        Request(|_, call| lacks_capabilities(call).then(incomplete_meta)),
    ),
    fault(
        "jsonrpc.request-meta.wrong-type",
        "",
        "_meta fields of the wrong type are let pass",
        Request(|_, call| {
            let odd = call.params.get("_meta").is_some_and(Value::is_array)
                || member(call, VERSION).is_some_and(|version| !version.is_string())
                || member(call, meta::CLIENT_CAPABILITIES).is_some_and(|capabilities| !capabilities.is_object());
            fill_meta_if(odd, call)
        }),
    ),
    fault(
        "jsonrpc.request-meta.optional-wrong-type",
        "",
        "a clientInfo of the wrong type gives -32603",
        Request(|_, call| {
            let odd = member(call, meta::CLIENT_INFO).is_some_and(|info| !info["version"].is_string());
            odd.then(|| error(code::INTERNAL_ERROR, "clientInfo could not be read"))
        }),
    ),
    fault(
        "jsonrpc.request-meta.client-info-optional",
        "",
        "a request without clientInfo is refused",
        Request(|_, call| {
            let anonymous = member(call, VERSION).is_some() && member(call, meta::CLIENT_INFO).is_none();
            anonymous.then(|| invalid("clientInfo is missing"))
        }),
    ),
    fault(
        "jsonrpc.request-meta.client-info-no-influence",
        "",
        "the instructions depend on clientInfo",
        Result(|_, call, result| {
            if call.method == "server/discover" {
                result["instructions"] =
                    json!(format!("Made for {}.", call.params["_meta"][meta::CLIENT_INFO]["name"]));
            }
            None
        }),
    ),
    fault(
        "jsonrpc.request-meta.empty-capabilities-accepted",
        "",
        "a client without capabilities is refused",
        Request(|_, call| {
            let none = member(call, meta::CLIENT_CAPABILITIES) == Some(&json!({})) && call.method != "server/discover";
            none.then(|| invalid("the client has no capabilities"))
        }),
    ),
    fault(
        "jsonrpc.request-meta.unknown-capability-tolerated",
        "",
        "an unknown client capability is refused",
        Request(|_, call| {
            let known = |key: &String| ["roots", "sampling", "elicitation"].contains(&key.as_str());
            let all_known = member(call, meta::CLIENT_CAPABILITIES)?.as_object()?.keys().all(known);
            (!all_known).then(|| invalid("unknown client capability"))
        }),
    ),
    fault("jsonrpc.batch.accepted", "", "batches are refused", Switch(&[Deviation::BatchesAreRefused])),
    fault(
        "jsonrpc.batch.accepted",
        "silent",
        "batches are not answered",
        Switch(&[Deviation::BatchesAreRefused, Deviation::BatchesAreIgnored]),
    ),
    fault(
        "jsonrpc.batch.notifications-get-nothing",
        "",
        "notifications in a batch are answered",
        Switch(&[Deviation::BatchedNotificationsAreAnswered]),
    ),
    fault(
        "jsonrpc.batch.only-notifications",
        "",
        "a batch of notifications is answered with []",
        Switch(&[Deviation::NotificationBatchesAreAnswered]),
    ),
    // Over HTTP they come as events, which is allowed.
    fault(
        "jsonrpc.batch.response-array",
        "",
        "the answers to a batch come one by one",
        Switch(&[Deviation::BatchesAreAnsweredOneByOne]),
    )
    .over(&[Stdio]),
    fault(
        "jsonrpc.batch.empty",
        "",
        "an empty batch is answered with []",
        Switch(&[Deviation::EmptyBatchesAreAnswered]),
    ),
    fault(
        "jsonrpc.batch.empty",
        "code",
        "an empty batch gives -32603",
        Refusal(|error| {
            if error.message.contains("batch is empty") {
                error.code = code::INTERNAL_ERROR;
            }
            None
        }),
    ),
    fault(
        "jsonrpc.batch.invalid-element",
        "",
        "one wrong element has the whole batch refused",
        Switch(&[Deviation::InvalidElementsSpoilBatches]),
    ),
    fault(
        "jsonrpc.batch.invalid-element",
        "ignored",
        "wrong elements of a batch are passed over",
        Switch(&[Deviation::InvalidElementsAreIgnored]),
    ),
    // Over HTTP the missing session is refused first.
    fault(
        "jsonrpc.batch.initialize-refused",
        "",
        "initialize in a batch is served",
        Switch(&[Deviation::BatchedInitializeIsServed]),
    )
    .over(&[Stdio]),
    fault(
        "jsonrpc.batch.not-served",
        "",
        "batches are served where there are none",
        Switch(&[Deviation::BatchesAreAlwaysServed]),
    ),
];

const MEMBERS: [&str; 17] = [
    "_meta",
    "cursor",
    "name",
    "arguments",
    "uri",
    "ref",
    "argument",
    "context",
    "level",
    "protocolVersion",
    "capabilities",
    "clientInfo",
    "notifications",
    "inputResponses",
    "requestState",
    "task",
    "requestId",
];

fn refuse_id(call: &Call, applies: bool) -> Option<Reply> {
    (applies && call.method != "initialize")
        .then(|| error(code::INVALID_REQUEST, "An id of this type is not supported"))
}

/// A member of `_meta`.
fn member<'c>(call: &'c Call, name: &str) -> Option<&'c Value> {
    call.params.get("_meta")?.get(name)
}

fn lacks_meta(call: &Call) -> bool {
    let opens = ["initialize", "ping"].contains(&call.method.as_str());
    !opens && call.params.get("_meta").is_none_or(Value::is_null)
}

fn lacks_capabilities(call: &Call) -> bool {
    member(call, VERSION).is_some() && member(call, meta::CLIENT_CAPABILITIES).is_none()
}

fn incomplete_meta() -> Reply {
    error(code::INVALID_REQUEST, "_meta is incomplete")
}

fn fill_meta_if(applies: bool, call: &mut Call) -> Option<Reply> {
    if applies {
        fill_meta(call);
    }
    None
}

/// Puts good metadata in place of whatever there is.
pub(super) fn fill_meta(call: &mut Call) {
    if !call.params.is_object() {
        call.params = json!({});
    }
    call.params["_meta"] = json!({VERSION: "2026-07-28", meta::CLIENT_CAPABILITIES: {}});
}
