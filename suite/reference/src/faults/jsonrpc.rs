//! Faults of the area jsonrpc, first half: messages, responses, errors and their codes, `_meta`, results.

use super::Edit::{After, Before, Drop, Remove, Set, Text, Twice, Wrap};
use super::On::{AnyError, AnyResult, Call, Error, Notification, Result, Tool};
use super::{Fault, rewrite, switch};
use crate::Revision::{V2024_11_05, V2025_03_26, V2025_06_18, V2025_11_25, V2026_07_28};
use crate::Transport::{Http, Stdio};

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
    switch("jsonrpc.response.id-echo", "", "an id of digits comes back as a number"),
    switch("jsonrpc.response.id-echo", "string", "an id beyond six digits comes back as a string"),
    switch("jsonrpc.response.id-edge-values", "", "a request with id 0 or \"\" is taken for a notification"),
    switch("jsonrpc.response.id-edge-values", "ascii", "characters beyond ASCII get lost from ids"),
    switch("jsonrpc.response.id-edge-values", "truncated", "long ids are cut"),
    switch("jsonrpc.response.id-edge-values", "nul", "ids end at U+0000"),
    switch("jsonrpc.response.id-beyond-double", "", "large ids are rounded"),
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
    switch("jsonrpc.response.pipelined-all-answered", "", "of many requests at once some are lost").over(&[Stdio]),
    // In 2026-07-28 every POST stands alone.
    switch("jsonrpc.response.pipelined-all-answered", "posted", "of many POSTs of a session at once some are lost")
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
    switch("jsonrpc.parse-error.code", "", "what is not JSON gives -32603"),
    switch("jsonrpc.parse-error.code", "invalid-request", "what is not JSON gives -32600"),
    switch("jsonrpc.parse-error.answered-on-http", "", "what is not JSON is accepted").over(&[Http]),
    switch("jsonrpc.parse-error.id", "", "the error for what is not JSON has an invented id"),
    switch("jsonrpc.parse-error.id", "zero", "the error for what is not JSON has id 0"),
    switch("jsonrpc.parse-error.id", "empty", "the error for what is not JSON has an empty id"),
    switch("jsonrpc.parse-error.survives", "", "what is not JSON ends the process").over(&[Stdio]),
    switch("jsonrpc.parse-error.survives", "blank-line", "a blank line ends the process").over(&[Stdio]),
    switch("jsonrpc.invalid-request.code", "", "what is no request gives -32602"),
    switch("jsonrpc.invalid-request.code", "parse", "what is no request gives -32700"),
    switch("jsonrpc.invalid-request.answered", "", "what is no request is not answered"),
    switch("jsonrpc.invalid-request.not-executed", "", "requests are served whatever jsonrpc says"),
    switch("jsonrpc.invalid-request.params-not-object", "", "params that is no object is ignored"),
    switch("jsonrpc.invalid-request.params-not-object", "internal", "params that is no object gives -32603"),
    switch("jsonrpc.invalid-request.survives", "", "what is no request ends the process").over(&[Stdio]),
    switch("jsonrpc.method-not-found.code", "", "an unknown method gives -32602"),
    switch("jsonrpc.method-not-found.code", "invalid-request", "an unknown method gives -32600"),
    switch("jsonrpc.method-not-found.code", "result", "an unknown method gives an empty result"),
    switch("jsonrpc.method-not-found.wrong-direction", "", "the client's methods are served"),
    switch("jsonrpc.method-not-found.wrong-direction", "code", "the client's methods give -32602"),
    switch("jsonrpc.method-not-found.exact-name", "", "letter case, blanks and slashes of methods are ignored"),
    switch("jsonrpc.method-not-found.notification-with-id", "", "a notification's method with an id is not answered"),
    switch("jsonrpc.invalid-params.code", "", "wrong params give -32603"),
    switch("jsonrpc.invalid-params.code", "invalid-request", "wrong params give -32600"),
    switch("jsonrpc.invalid-params.no-result", "", "wrong params are mended and served"),
    switch("jsonrpc.invalid-params.missing-params", "", "requests that lack params are not answered"),
    switch("jsonrpc.invalid-params.missing-params", "internal", "requests that lack params give -32603"),
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
