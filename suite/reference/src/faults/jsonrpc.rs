//! Faults of the area jsonrpc, first half: messages, responses, errors and their codes, `_meta`, results.

use serde_json::{Value, json};

use super::Edit::{After, Before, Drop, Remove, Set, Text, Twice, Wrap};
use super::Hook::{AnswerId, Refusal, Request, Switch};
use super::On::{AnyError, AnyResult, Call, Error, Notification, Result, Tool};
use super::replies::{empty, error, invalid, recode};
use super::requests::fill_meta;
use super::{Fault, Hook, fault, rewrite};
use crate::Revision::{V2024_11_05, V2025_03_26, V2025_06_18, V2025_11_25, V2026_07_28};
use crate::Transport::{Http, Stdio};
use crate::core::{self, Reply};
use crate::deviation::Deviation;
use crate::error::RpcError;
use crate::methods::METHODS;

/// The revisions with a handshake. In 2026-07-28 what these faults break shows in messages that no scenario asks for yet.
pub(super) const HANDSHAKE: &[crate::Revision] = &[V2024_11_05, V2025_03_26, V2025_06_18, V2025_11_25];

/// The revisions in which HTTP has sessions.
pub(super) const SESSIONS: &[crate::Revision] = &[V2025_03_26, V2025_06_18, V2025_11_25];

pub(super) static TABLE: &[Fault] = &[
    rewrite(
        "jsonrpc.message.version-member",
        "",
        "jsonrpc is \"1.0\"",
        &[(Result("tools/list"), Set("/jsonrpc", "\"1.0\""))],
    ),
    rewrite(
        "jsonrpc.message.version-member",
        "number",
        "jsonrpc is a number",
        &[(Result("tools/list"), Set("/jsonrpc", "2.0"))],
    ),
    rewrite(
        "jsonrpc.message.version-member",
        "missing",
        "jsonrpc is missing",
        &[(Result("tools/list"), Remove("/jsonrpc"))],
    ),
    rewrite(
        "jsonrpc.message.version-member",
        "error",
        "jsonrpc is missing in errors",
        &[(AnyError, Remove("/jsonrpc"))],
    )
    // In the body of an HTTP error it would be no message at all.
    .over(&[Stdio]),
    rewrite("jsonrpc.message.single-object", "", "lists come in an array", &[(Result("tools/list"), Wrap)]).only(&[
        V2024_11_05,
        V2025_06_18,
        V2025_11_25,
        V2026_07_28,
    ]),
    rewrite(
        "jsonrpc.message.one-kind",
        "",
        "a response has a method",
        &[(Result("tools/list"), Set("/method", "\"tools/list\""))],
    ),
    rewrite(
        "jsonrpc.message.one-kind",
        "neither",
        "a message that is of no kind",
        &[(Result("tools/list"), Before(r#"{"jsonrpc":"2.0","hello":true}"#))],
    ),
    rewrite(
        "jsonrpc.message.method-string",
        "",
        "a method is a number",
        &[
            (Notification("notifications/progress"), Set("/method", "7")),
            (Notification("notifications/message"), Set("/method", "7")),
        ],
    )
    .only(HANDSHAKE),
    rewrite(
        "jsonrpc.message.params-object",
        "",
        "params is an array",
        &[
            (Notification("notifications/progress"), Set("/params", "[1, 2]")),
            (Notification("notifications/message"), Set("/params", "[\"info\"]")),
        ],
    )
    .only(HANDSHAKE),
    rewrite(
        "jsonrpc.message.params-object",
        "null",
        "params is null",
        &[(Notification("notifications/tools/list_changed"), Set("/params", "null"))],
    )
    .only(HANDSHAKE),
    rewrite(
        "jsonrpc.message.unique-members",
        "",
        "a member is there twice",
        &[(Result("tools/list"), Text("\"jsonrpc\":\"2.0\"", "\"jsonrpc\":\"2.0\",\"jsonrpc\":\"2.0\""))],
    ),
    rewrite(
        "jsonrpc.response.every-request-answered",
        "",
        "prompts/list is not answered",
        &[(Result("prompts/list"), Drop)],
    ),
    rewrite("jsonrpc.response.every-request-answered", "errors", "errors are not sent", &[(AnyError, Drop)]),
    rewrite("jsonrpc.response.exactly-one", "", "tools/list is answered twice", &[(Result("tools/list"), Twice)]),
    fault(
        "jsonrpc.response.id-echo",
        "",
        "an id of digits comes back as a number",
        AnswerId(|id| id.as_str()?.parse::<i64>().ok().map(Value::from)),
    ),
    fault(
        "jsonrpc.response.id-echo",
        "string",
        "an id beyond six digits comes back as a string",
        AnswerId(|id| Some(id.as_number()?.to_string()).filter(|text| text.len() > 6).map(Value::from)),
    ),
    fault(
        "jsonrpc.response.id-edge-values",
        "",
        "a request with id 0 or \"\" is taken for a notification",
        Request(|connection, call| {
            if call.id != 0 && call.id != "" {
                return None;
            }
            connection.abandon(call.key);
            Some(Reply::Later)
        }),
    ),
    fault(
        "jsonrpc.response.id-edge-values",
        "ascii",
        "characters beyond ASCII get lost from ids",
        AnswerId(|id| Some(json!(id.as_str()?.chars().filter(char::is_ascii).collect::<String>()))),
    ),
    fault(
        "jsonrpc.response.id-edge-values",
        "truncated",
        "long ids are cut",
        AnswerId(|id| Some(json!(id.as_str()?.chars().take(255).collect::<String>()))),
    ),
    fault(
        "jsonrpc.response.id-edge-values",
        "nul",
        "ids end at U+0000",
        AnswerId(|id| id.as_str()?.split_once('\0').map(|(before, _)| json!(before))),
    ),
    fault(
        "jsonrpc.response.id-beyond-double",
        "",
        "large ids are rounded",
        AnswerId(|id| {
            let rounded = id.as_f64().filter(|number| number.abs() > 9_007_199_254_740_991.0);
            rounded.map(|number| json!(number as i64))
        }),
    ),
    rewrite(
        "jsonrpc.response.no-unknown-id",
        "",
        "a response to what nobody asked",
        &[(
            Result("tools/list"),
            Before(r#"{"jsonrpc":"2.0","id":"nobody-asked","result":{"resultType":"complete"}}"#),
        )],
    ),
    rewrite(
        "jsonrpc.response.result-xor-error",
        "",
        "a response has a result and error null",
        &[(Result("tools/list"), Set("/error", "null"))],
    ),
    rewrite(
        "jsonrpc.response.result-xor-error",
        "neither",
        "a response has neither result nor error",
        &[(Result("tools/list"), Remove("/result"))],
    ),
    rewrite(
        "jsonrpc.response.result-object",
        "",
        "empty results are null",
        &[(Result("ping"), Set("/result", "null")), (Result("completion/complete"), Set("/result", "null"))],
    )
    .only(HANDSHAKE),
    rewrite(
        "jsonrpc.response.result-object",
        "array",
        "a result is an array",
        &[(Result("prompts/list"), Set("/result", "[]"))],
    ),
    rewrite(
        "jsonrpc.response.success-id-not-null",
        "",
        "a result has id null",
        &[(Result("prompts/list"), Set("/id", "null"))],
    ),
    rewrite(
        "jsonrpc.response.success-id-not-null",
        "missing",
        "a result has no id",
        &[(Result("prompts/list"), Remove("/id"))],
    ),
    fault(
        "jsonrpc.response.pipelined-all-answered",
        "",
        "of many requests at once some are lost",
        Request(|connection, _| (connection.burst() % 10 == 9).then_some(Reply::Later)),
    )
    .over(&[Stdio]),
    // In 2026-07-28 every POST stands alone.
    fault(
        "jsonrpc.response.pipelined-all-answered",
        "posted",
        "of many POSTs of a session at once some are lost",
        Request(|connection, _| (connection.burst() % 10 == 9).then_some(Reply::Later)),
    )
    .only(SESSIONS)
    .over(&[Http]),
    rewrite("jsonrpc.error.object", "", "error is a string", &[(AnyError, Set("/error", "\"it failed\""))]),
    rewrite("jsonrpc.error.object", "message", "error has no message", &[(AnyError, Remove("/error/message"))]),
    rewrite("jsonrpc.error.object", "code", "error has no code", &[(AnyError, Remove("/error/code"))]),
    rewrite("jsonrpc.error.code-integer", "", "a code is a string", &[(AnyError, Set("/error/code", "\"-32602\""))]),
    rewrite(
        "jsonrpc.error.code-integer",
        "fraction",
        "a code has a fraction",
        &[(AnyError, Set("/error/code", "-32602.5"))],
    ),
    rewrite("jsonrpc.error.code-integer", "name", "a code is a name", &[(AnyError, Set("/error/code", "\"INVALID\""))]),
    rewrite("jsonrpc.error.message-string", "", "a message is null", &[(AnyError, Set("/error/message", "null"))]),
    rewrite(
        "jsonrpc.error.message-string",
        "object",
        "a message is an object",
        &[(AnyError, Set("/error/message", "{\"text\": \"it failed\"}"))],
    ),
    rewrite(
        "jsonrpc.error.message-concise",
        "",
        "a message has several lines",
        &[(AnyError, Set("/error/message", "\"It failed.\\n  at one\\n  at two\\n  at three\""))],
    ),
    rewrite(
        "jsonrpc.error.message-concise",
        "empty",
        "a message is empty",
        &[(AnyError, Set("/error/message", "\"\""))],
    ),
    rewrite("jsonrpc.error.same-id", "", "errors have id null", &[(AnyError, Set("/id", "null"))]),
    rewrite(
        "jsonrpc.error.same-id",
        "invented",
        "errors have an id of their own",
        &[(AnyError, Set("/id", "\"error\""))],
    ),
    fault(
        "jsonrpc.parse-error.code",
        "",
        "what is not JSON gives -32603",
        Refusal(|error| refuse_with(error, -32700, -32603)),
    ),
    fault(
        "jsonrpc.parse-error.code",
        "invalid-request",
        "what is not JSON gives -32600",
        Refusal(|error| refuse_with(error, -32700, -32600)),
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
        Refusal(|error| (error.code == -32700).then(|| json!("server-error"))),
    ),
    fault(
        "jsonrpc.parse-error.id",
        "zero",
        "the error for what is not JSON has id 0",
        Refusal(|error| (error.code == -32700).then(|| json!(0))),
    ),
    fault(
        "jsonrpc.parse-error.id",
        "empty",
        "the error for what is not JSON has an empty id",
        Refusal(|error| (error.code == -32700).then(|| json!(""))),
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
        Refusal(|error| refuse_with(error, -32600, -32602)),
    ),
    fault(
        "jsonrpc.invalid-request.code",
        "parse",
        "what is no request gives -32700",
        Refusal(|error| refuse_with(error, -32600, -32700)),
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
        Request(|_, call| is_odd(&call.params).then(|| error(-32603, "params could not be read"))),
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
        Hook::Error(|_, error| recode(error.code == -32601, error, -32602)),
    ),
    fault(
        "jsonrpc.method-not-found.code",
        "invalid-request",
        "an unknown method gives -32600",
        Hook::Error(|_, error| recode(error.code == -32601, error, -32600)),
    ),
    fault(
        "jsonrpc.method-not-found.code",
        "result",
        "an unknown method gives an empty result",
        Hook::Error(|_, error| (error.code == -32601).then(empty)),
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
        Hook::Error(|call, error| recode(is_plainly_wrong(call, error), error, -32603)),
    ),
    fault(
        "jsonrpc.invalid-params.code",
        "invalid-request",
        "wrong params give -32600",
        Hook::Error(|call, error| recode(is_plainly_wrong(call, error), error, -32600)),
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
        Request(|_, call| lacks_params(call).then(|| error(-32603, "params is undefined"))),
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
    rewrite(
        "jsonrpc.meta.object",
        "",
        "_meta of a result is an array",
        &[(Result("prompts/list"), Set("/result/_meta", "[]"))],
    ),
    rewrite(
        "jsonrpc.meta.object",
        "null",
        "_meta of a result is null",
        &[(Result("prompts/list"), Set("/result/_meta", "null"))],
    ),
    rewrite(
        "jsonrpc.meta.key-prefix",
        "",
        "the prefix of a _meta key starts with a digit",
        &[(Result("prompts/list"), Set("/result/_meta/1st_one~1key", "1"))],
    ),
    rewrite(
        "jsonrpc.meta.key-prefix",
        "slashes",
        "a _meta key has two slashes",
        &[(Result("prompts/list"), Set("/result/_meta/com.example~1a~1b", "1"))],
    ),
    rewrite(
        "jsonrpc.meta.key-name",
        "",
        "the name of a _meta key has a blank",
        &[(Result("prompts/list"), Set("/result/_meta/com.example~1my key", "1"))],
    ),
    rewrite(
        "jsonrpc.meta.reserved-prefix",
        "",
        "_meta keys with reserved prefixes",
        &[
            (Result("prompts/list"), Set("/result/_meta/mcp.dev~1mine", "1")),
            (Result("prompts/list"), Set("/result/_meta/dev.mcp~1mine", "1")),
        ],
    ),
    rewrite(
        "jsonrpc.meta.reverse-dns",
        "",
        "the prefix of a _meta key is not in reverse order",
        &[(Result("prompts/list"), Set("/result/_meta/example.com~1key", "1"))],
    ),
    rewrite(
        "jsonrpc.meta.reserved-value-types",
        "",
        "reserved _meta keys have other values",
        &[
            (Result("prompts/list"), Set("/result/_meta/io.modelcontextprotocol~1related-task", "7")),
            (Result("prompts/list"), Set("/result/_meta/io.modelcontextprotocol~1serverInfo", "\"reference\"")),
        ],
    ),
    rewrite(
        "jsonrpc.meta.trace-context-format",
        "",
        "traceparent is no trace context",
        &[(Result("prompts/list"), Set("/result/_meta/traceparent", "\"00-xyz\""))],
    ),
    rewrite(
        "jsonrpc.result-type.present",
        "",
        "a result has no resultType",
        &[(Result("prompts/list"), Remove("/result/resultType"))],
    ),
    rewrite(
        "jsonrpc.result-type.present",
        "null",
        "a resultType is null",
        &[(Result("prompts/list"), Set("/result/resultType", "null"))],
    ),
    rewrite(
        "jsonrpc.result-type.known-value",
        "",
        "a resultType is unknown",
        &[(Result("prompts/list"), Set("/result/resultType", "\"done\""))],
    ),
    rewrite(
        "jsonrpc.result-type.extension-negotiated",
        "",
        "a result is of a type the client did not ask for",
        &[
            (
                Result("server/discover"),
                Set("/result/capabilities/extensions", "{\"io.modelcontextprotocol/tasks\": {}}"),
            ),
            (
                Call("version"),
                Set(
                    "/result",
                    concat!(
                        r#"{"resultType": "task", "taskId": "t", "status": "working", "createdAt": "2026-01-12T15:00:58Z", "#,
                        r#""lastUpdatedAt": "2026-01-12T15:00:58Z", "ttlMs": null}"#
                    ),
                ),
            ),
        ],
    ),
    rewrite(
        "jsonrpc.server-info.in-result-meta",
        "",
        "results do not name the server",
        &[(AnyResult, Remove("/result/_meta"))],
    ),
    rewrite(
        "jsonrpc.server-info.shape",
        "",
        "serverInfo has no version",
        &[(AnyResult, Remove("/result/_meta/io.modelcontextprotocol~1serverInfo/version"))],
    ),
    rewrite(
        "jsonrpc.server-info.consistent",
        "",
        "prompts/list names another server",
        &[(Result("prompts/list"), Set("/result/_meta/io.modelcontextprotocol~1serverInfo/name", "\"another\""))],
    ),
    rewrite(
        "jsonrpc.schema.valid",
        "",
        "a published schema is not valid",
        &[(Tool("greet"), Set("/inputSchema/properties/name/type", "\"text\""))],
    ),
    rewrite(
        "jsonrpc.schema.dialect-declaration",
        "",
        "$schema is no URI",
        &[(Tool("greet"), Set("/inputSchema/$schema", "\"draft 7\""))],
    ),
    rewrite(
        "jsonrpc.schema.self-contained",
        "",
        "a schema needs the network",
        &[(Tool("measure_tree"), Set("/inputSchema/properties/top/$ref", "\"https://example.com/node.json\""))],
    ),
    rewrite(
        "jsonrpc.notification.no-id",
        "",
        "notifications have id null",
        &[
            (Notification("notifications/progress"), Set("/id", "null")),
            (Notification("notifications/message"), Set("/id", "null")),
            (Notification("notifications/tools/list_changed"), Set("/id", "null")),
        ],
    ),
    rewrite(
        "jsonrpc.notification.known-methods",
        "",
        "a notification that no revision has",
        &[(Call("version"), Before(r#"{"jsonrpc":"2.0","method":"notifications/hello"}"#))],
    ),
    rewrite(
        "jsonrpc.server-request.none",
        "",
        "the server sends a request",
        &[(Result("tools/list"), Before(r#"{"jsonrpc":"2.0","id":"server-0","method":"ping"}"#))],
    ),
    rewrite(
        "jsonrpc.server-request.id-type",
        "",
        "a request of the server has id null",
        &[(Result("tools/list"), After(r#"{"jsonrpc":"2.0","id":null,"method":"ping"}"#))],
    ),
    rewrite(
        "jsonrpc.server-request.id-unique",
        "",
        "requests of the server have one id",
        &[(Result("tools/list"), Before(r#"{"jsonrpc":"2.0","id":"always","method":"ping"}"#))],
    ),
    rewrite(
        "jsonrpc.server-request.known-methods",
        "",
        "a request that no revision has",
        &[(Result("tools/list"), Before(r#"{"jsonrpc":"2.0","id":"server-0","method":"server/hello"}"#))],
    ),
];

/// Missing or ill-typed params, and no more than that.
fn is_plainly_wrong(call: &core::Call, error: &RpcError) -> bool {
    error.code == -32602
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
