//! Faults of the area jsonrpc: `_meta`, and what the server says of itself.

use super::Edit::{After, Before, Remove, Set};
use super::On::{AnyResult, Call, Notification, Result, Tool};
use super::{Fault, rewrite};

pub(super) static TABLE: &[Fault] = &[
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
