//! Faults of the area tools, first half: capability, list, definitions, schemas, names.

use serde_json::json;
use wire::mcp::code;

use super::Edit::{Drop, Remove, Set};
use super::Hook::{Request, Switch, ToolName, Tools};
use super::On::{Result, Tool};
use super::replies::{error, invalid, undeclare};
use super::{Fault, Hook, fault, rewrite};
use crate::Revision::{V2025_06_18, V2025_11_25, V2026_07_28};
use crate::Transport::Stdio;
use crate::deviation::Deviation;

const LIST: &str = "tools/list";

pub(super) static TABLE: &[Fault] = &[
    rewrite(
        "tools.capability.declared",
        "",
        "tools are served but not declared",
        &[
            (Result("initialize"), Remove("/result/capabilities/tools")),
            (Result("server/discover"), Remove("/result/capabilities/tools")),
        ],
    ),
    rewrite(
        "tools.capability.is-object",
        "",
        "the capability is true",
        &[
            (Result("initialize"), Set("/result/capabilities/tools", "true")),
            (Result("server/discover"), Set("/result/capabilities/tools", "true")),
        ],
    ),
    rewrite(
        "tools.capability.is-object",
        "array",
        "the capability is an array",
        &[
            (Result("initialize"), Set("/result/capabilities/tools", "[]")),
            (Result("server/discover"), Set("/result/capabilities/tools", "[]")),
        ],
    ),
    rewrite(
        "tools.capability.is-object",
        "null",
        "the capability is null",
        &[
            (Result("initialize"), Set("/result/capabilities/tools", "null")),
            (Result("server/discover"), Set("/result/capabilities/tools", "null")),
        ],
    ),
    rewrite(
        "tools.capability.list-changed-boolean",
        "",
        "listChanged is a string",
        &[
            (Result("initialize"), Set("/result/capabilities/tools/listChanged", "\"true\"")),
            (Result("server/discover"), Set("/result/capabilities/tools/listChanged", "\"true\"")),
        ],
    ),
    rewrite(
        "tools.capability.list-changed-boolean",
        "null",
        "listChanged is null",
        &[
            (Result("initialize"), Set("/result/capabilities/tools/listChanged", "null")),
            (Result("server/discover"), Set("/result/capabilities/tools/listChanged", "null")),
        ],
    ),
    fault(
        "tools.capability.undeclared-method-not-found",
        "",
        "tools are neither declared nor served, but with -32602",
        Request(|_, call| {
            ["tools/call", LIST]
                .contains(&call.method.as_str())
                .then(|| error(code::INVALID_PARAMS, "Tools are not available"))
        }),
    )
    .and(Hook::Result(|_, call, result| undeclare(call, result, "tools"))),
    fault(
        "tools.capability.list-answered",
        "",
        "tools/list is answered with an error",
        Request(|_, call| (call.method == LIST).then(|| error(code::INTERNAL_ERROR, "The list could not be made"))),
    ),
    rewrite("tools.capability.list-answered", "silent", "tools/list is not answered", &[(Result("tools/list"), Drop)]),
    rewrite("tools.list.tools-array", "", "tools is an object", &[(Result("tools/list"), Set("/result/tools", "{}"))]),
    rewrite("tools.list.tools-array", "null", "tools is null", &[(Result("tools/list"), Set("/result/tools", "null"))]),
    rewrite(
        "tools.list.tools-array",
        "missing",
        "there is no tools",
        &[(Result("tools/list"), Remove("/result/tools"))],
    ),
    rewrite(
        "tools.list.tools-array",
        "strings",
        "the list holds names",
        &[(Result("tools/list"), Set("/result/tools", "[\"echo\"]"))],
    ),
    fault(
        "tools.list.accepts-missing-params",
        "",
        "tools/list without params is refused",
        Request(|_, call| (call.method == LIST && call.params.is_null()).then(|| invalid("params is missing"))),
    ),
    // Over HTTP a connection is a request, and a list that differs each time may be one that changes.
    fault(
        "tools.list.not-per-connection",
        "",
        "every connection has a tool of its own",
        Tools(|connection, _, tools| {
            let nonce = connection.server.nonce().trim_start_matches('.');
            let name = format!("tool_of_{nonce}_{}", connection.number);
            tools.push(json!({"name": name, "inputSchema": {"type": "object", "additionalProperties": false}}));
        }),
    )
    .over(&[Stdio]),
    fault(
        "tools.list.not-side-effect",
        "",
        "after a call this connection has a tool less",
        Tools(|connection, _, tools| {
            if connection.called {
                tools.pop();
            }
        }),
    )
    .over(&[Stdio]),
    fault(
        "tools.list.deterministic-order",
        "",
        "every other walk goes backwards",
        Tools(|connection, call, tools| {
            let begun = u64::from(call.params.get("cursor").is_none());
            let walks = connection.server.state().walks.get("tools").copied().unwrap_or_default() + begun;
            if walks % 2 == 0 {
                tools.reverse();
            }
        }),
    ),
    rewrite("tools.definition.name-string", "", "a name is a number", &[(Tool("empty"), Set("/name", "42"))]),
    rewrite("tools.definition.name-string", "missing", "a name is missing", &[(Tool("empty"), Remove("/name"))]),
    rewrite("tools.definition.title-string", "", "a title is null", &[(Tool("echo"), Set("/title", "null"))]),
    rewrite(
        "tools.definition.description-string",
        "",
        "a description is null",
        &[(Tool("echo"), Set("/description", "null"))],
    ),
    rewrite("tools.definition.meta-object", "", "_meta of a tool is an array", &[(Tool("add"), Set("/_meta", "[]"))]),
    rewrite("tools.definition.meta-object", "null", "_meta of a tool is null", &[(Tool("add"), Set("/_meta", "null"))]),
    rewrite(
        "tools.definition.icons-array",
        "",
        "icons is one object",
        &[(Tool("add"), Set("/icons", "{\"src\": \"https://example.com/icon.png\"}"))],
    ),
    rewrite("tools.icons.src-required", "", "an icon has no src", &[(Tool("add"), Remove("/icons/0/src"))]),
    rewrite(
        "tools.icons.src-required",
        "relative",
        "the src of an icon is a path",
        &[(Tool("add"), Set("/icons/0/src", "\"/icon.png\""))],
    ),
    rewrite(
        "tools.icons.src-scheme",
        "",
        "the src of an icon is a script",
        &[(Tool("add"), Set("/icons/0/src", "\"javascript:alert(1)\""))],
    ),
    rewrite(
        "tools.icons.src-scheme",
        "file",
        "the src of an icon is a file",
        &[(Tool("add"), Set("/icons/0/src", "\"file:///icon.png\""))],
    ),
    rewrite(
        "tools.icons.data-uri-base64",
        "",
        "an icon's data: URI is not Base64",
        &[(Tool("add"), Set("/icons/0/src", "\"data:image/png,%89PNG\""))],
    ),
    rewrite(
        "tools.icons.data-uri-base64",
        "undecodable",
        "an icon's Base64 cannot be decoded",
        &[(Tool("add"), Set("/icons/0/src", "\"data:image/png;base64,iVBOR*\""))],
    ),
    rewrite(
        "tools.icons.mime-type-string",
        "",
        "an icon's mimeType is null",
        &[(Tool("add"), Set("/icons/0/mimeType", "null"))],
    ),
    rewrite(
        "tools.icons.sizes-strings",
        "",
        "an icon's sizes is one string",
        &[(Tool("add"), Set("/icons/0/sizes", "\"48x48\""))],
    ),
    rewrite(
        "tools.icons.sizes-format",
        "",
        "an icon's size is one number",
        &[(Tool("add"), Set("/icons/0/sizes", "[\"48\"]"))],
    ),
    rewrite(
        "tools.icons.theme-enum",
        "",
        "an icon's theme is blue",
        &[(Tool("add"), Set("/icons/0/theme", "\"blue\""))],
    ),
    rewrite(
        "tools.input-schema.is-object",
        "",
        "an input schema is null",
        &[(Tool("version"), Set("/inputSchema", "null"))],
    ),
    rewrite(
        "tools.input-schema.is-object",
        "missing",
        "an input schema is missing",
        &[(Tool("version"), Remove("/inputSchema"))],
    ),
    rewrite(
        "tools.input-schema.is-object",
        "boolean",
        "an input schema is true",
        &[(Tool("version"), Set("/inputSchema", "true"))],
    ),
    rewrite(
        "tools.input-schema.root-type-object",
        "",
        "an input schema has no type",
        &[(Tool("version"), Remove("/inputSchema/type"))],
    ),
    rewrite(
        "tools.input-schema.root-type-object",
        "nullable",
        "an input schema allows null",
        &[(Tool("version"), Set("/inputSchema/type", "[\"object\", \"null\"]"))],
    ),
    rewrite(
        "tools.input-schema.properties-object",
        "",
        "a property's schema is a string",
        &[(Tool("greet"), Set("/inputSchema/properties/name", "\"string\""))],
    ),
    rewrite(
        "tools.input-schema.properties-object",
        "array",
        "properties is an array",
        &[(Tool("greet"), Set("/inputSchema/properties", "[]"))],
    ),
    rewrite(
        "tools.input-schema.required-strings",
        "",
        "required is true",
        &[(Tool("greet"), Set("/inputSchema/required", "true"))],
    ),
    rewrite(
        "tools.input-schema.required-strings",
        "number",
        "required holds a number",
        &[(Tool("greet"), Set("/inputSchema/required", "[1]"))],
    ),
    rewrite(
        "tools.input-schema.required-strings",
        "twice",
        "required names a property twice",
        &[(Tool("echo"), Set("/inputSchema/required", "[\"message\", \"message\"]"))],
    ),
    rewrite(
        "tools.input-schema.required-known",
        "",
        "required names what no property describes",
        &[(Tool("keep_note"), Set("/inputSchema/required", "[\"text\", \"colour\"]"))],
    ),
    rewrite(
        "tools.input-schema.valid-2020-12",
        "",
        "a type that does not exist",
        &[(Tool("greet"), Set("/inputSchema/properties/name/type", "\"text\""))],
    ),
    rewrite(
        "tools.input-schema.valid-declared-dialect",
        "",
        "draft-07 is named and not kept",
        &[
            (Tool("greet"), Set("/inputSchema/$schema", "\"http://json-schema.org/draft-07/schema#\"")),
            (Tool("greet"), Set("/inputSchema/properties/name/type", "\"text\"")),
        ],
    ),
    rewrite(
        "tools.input-schema.dollar-schema-string",
        "",
        "$schema is a number",
        &[(Tool("greet"), Set("/inputSchema/$schema", "7"))],
    ),
    rewrite(
        "tools.input-schema.no-parameters-form",
        "",
        "a tool without parameters has schema {}",
        &[(Tool("version"), Set("/inputSchema", "{}"))],
    ),
    rewrite(
        "tools.input-schema.local-refs-resolve",
        "",
        "a $ref leads nowhere",
        &[(Tool("measure_tree"), Set("/inputSchema/properties/top/$ref", "\"#/$defs/gone\""))],
    ),
    rewrite(
        "tools.input-schema.local-refs-resolve",
        "output",
        "a $ref of an output schema leads nowhere",
        &[(Tool("add"), Set("/outputSchema/properties/sum", "{\"$ref\":\"#/$defs/gone\"}"))],
    )
    .only(&[V2025_06_18, V2025_11_25, V2026_07_28]),
    rewrite(
        "tools.input-schema.no-network-ref",
        "",
        "a $ref leads to the network",
        &[(Tool("measure_tree"), Set("/inputSchema/properties/top/$ref", "\"https://example.com/node.json\""))],
    ),
    rewrite(
        "tools.output-schema.is-object",
        "",
        "an output schema is null",
        &[(Tool("add"), Set("/outputSchema", "null"))],
    ),
    rewrite(
        "tools.output-schema.is-object",
        "boolean",
        "an output schema is true",
        &[(Tool("add"), Set("/outputSchema", "true"))],
    ),
    rewrite(
        "tools.output-schema.root-type-object",
        "",
        "an output schema has no type",
        &[(Tool("add"), Remove("/outputSchema/type"))],
    ),
    rewrite(
        "tools.output-schema.properties-required-shape",
        "",
        "required of an output schema holds a number",
        &[(Tool("add"), Set("/outputSchema/required", "[7]"))],
    ),
    rewrite(
        "tools.output-schema.valid-2020-12",
        "",
        "a type that does not exist in an output schema",
        &[(Tool("add"), Set("/outputSchema/properties/note", "{\"type\": \"text\"}"))],
    ),
    rewrite(
        "tools.output-schema.valid-declared-dialect",
        "",
        "draft-07 is named and not kept in an output schema",
        &[
            (Tool("add"), Set("/outputSchema/$schema", "\"http://json-schema.org/draft-07/schema#\"")),
            (Tool("add"), Set("/outputSchema/properties/note", "{\"type\": \"text\"}")),
        ],
    ),
    rewrite("tools.annotations.is-object", "", "annotations is null", &[(Tool("echo"), Set("/annotations", "null"))]),
    rewrite(
        "tools.annotations.is-object",
        "array",
        "annotations is an array",
        &[(Tool("echo"), Set("/annotations", "[]"))],
    ),
    rewrite(
        "tools.annotations.title-string",
        "",
        "the title in annotations is null",
        &[(Tool("add"), Set("/annotations/title", "null"))],
    ),
    rewrite(
        "tools.annotations.hints-boolean",
        "",
        "a hint is null",
        &[(Tool("echo"), Set("/annotations/idempotentHint", "null"))],
    ),
    rewrite(
        "tools.annotations.hints-boolean",
        "string",
        "a hint is a string",
        &[(Tool("add"), Set("/annotations/idempotentHint", "\"true\""))],
    ),
    rewrite(
        "tools.annotations.no-contradiction",
        "",
        "a read-only tool says it is destructive",
        &[(Tool("echo"), Set("/annotations/destructiveHint", "true"))],
    ),
    rewrite(
        "tools.execution.is-object",
        "",
        "execution is a string",
        &[(Tool("never_a_task"), Set("/execution", "\"forbidden\""))],
    ),
    rewrite(
        "tools.execution.task-support-enum",
        "",
        "taskSupport is none of the three",
        &[(Tool("never_a_task"), Set("/execution/taskSupport", "\"sometimes\""))],
    ),
    rewrite(
        "tools.name.unique",
        "",
        "two tools have one name",
        &[(Tool("version"), Set("/name", "\"describe_order\""))],
    ),
    fault("tools.name.length", "", "a name has 129 characters", ToolName(LONG_NAME)),
    fault("tools.name.length", "empty", "a name is empty", ToolName("")),
    fault("tools.name.charset", "", "a name has an umlaut", ToolName("leer_für_immer")),
    fault("tools.name.charset", "slash", "a name has a slash", ToolName("be/empty")),
    fault("tools.name.no-spaces-or-commas", "", "a name has a space", ToolName("be empty")),
    fault("tools.name.no-spaces-or-commas", "comma", "a name has a comma", ToolName("be,empty")),
    fault("tools.name.case-sensitive", "", "letter case of names is ignored", Switch(&[Deviation::ToolNamesAnyCase])),
    rewrite(
        "tools.x-mcp-header.string",
        "",
        "x-mcp-header is true",
        &[(Tool("query_region"), Set("/inputSchema/properties/region/x-mcp-header", "true"))],
    ),
    rewrite(
        "tools.x-mcp-header.not-empty",
        "",
        "x-mcp-header is empty",
        &[(Tool("query_region"), Set("/inputSchema/properties/region/x-mcp-header", "\"\""))],
    ),
    rewrite(
        "tools.x-mcp-header.token",
        "",
        "x-mcp-header has a space",
        &[(Tool("query_region"), Set("/inputSchema/properties/region/x-mcp-header", "\"My Region\""))],
    ),
    rewrite(
        "tools.x-mcp-header.no-control",
        "",
        "x-mcp-header has a line break",
        &[(Tool("query_region"), Set("/inputSchema/properties/region/x-mcp-header", "\"Region\\r\\nX\""))],
    ),
    rewrite(
        "tools.x-mcp-header.unique",
        "",
        "x-mcp-header is used twice",
        &[(Tool("query_region"), Set("/inputSchema/properties/limit/x-mcp-header", "\"region\""))],
    ),
    rewrite(
        "tools.x-mcp-header.primitive-type",
        "",
        "x-mcp-header stands on an object",
        &[(Tool("query_region"), Set("/inputSchema/properties/options/x-mcp-header", "\"Options\""))],
    ),
    rewrite(
        "tools.x-mcp-header.statically-reachable",
        "",
        "x-mcp-header stands in items",
        &[(
            Tool("query_region"),
            Set(
                "/inputSchema/properties/tags",
                r#"{"type": "array", "items": {"type": "string", "x-mcp-header": "Tag"}}"#,
            ),
        )],
    ),
    rewrite(
        "tools.x-mcp-header.not-sensitive",
        "",
        "x-mcp-header stands on a password",
        &[(
            Tool("query_region"),
            Set("/inputSchema/properties/password", r#"{"type": "string", "x-mcp-header": "Password"}"#),
        )],
    ),
];

/// One character more than a name may have.
const LONG_NAME: &str = "eeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeee";
