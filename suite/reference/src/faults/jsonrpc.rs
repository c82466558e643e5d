//! Faults of the area jsonrpc, first half: messages, responses, errors and their codes, `_meta`, results.

use serde_json::{Value, json};

use super::Edit::{Before, Drop, Remove, Set, Text, Twice, Wrap};
use super::Hook::{AnswerId, Request};
use super::On::{AnyError, AnyResult, Notification, Result};
use super::{Fault, fault, rewrite};
use crate::Revision::{V2024_11_05, V2025_03_26, V2025_06_18, V2025_11_25, V2026_07_28};
use crate::Transport::{Http, Stdio};
use crate::core::Reply;

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
        "jsonrpc.response.id-echo",
        "strings",
        "every id that is a number comes back as a string",
        AnswerId(|id| Some(Value::from(id.as_number()?.to_string()))),
    )
    .in_a_run(),
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
    fault("jsonrpc.response.success-id-not-null", "all", "every answer has id null", AnswerId(|_| Some(Value::Null)))
        .in_a_run(),
    rewrite(
        "jsonrpc.response.success-id-not-null",
        "none",
        "no answer has an id",
        &[(Result("initialize"), Remove("/id")), (AnyResult, Remove("/id")), (AnyError, Remove("/id"))],
    )
    .in_a_run(),
    rewrite(
        "jsonrpc.response.success-id-not-null",
        "capitals",
        "every answer has its id under the name Id",
        &[
            (Result("initialize"), Text("\"id\":", "\"Id\":")),
            (AnyResult, Text("\"id\":", "\"Id\":")),
            (AnyError, Text("\"id\":", "\"Id\":")),
        ],
    )
    .in_a_run(),
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
];
