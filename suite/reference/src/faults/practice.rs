//! Faults of the area practice: names, definitions and hints.

use serde_json::{Value, json};

use super::Edit::{Remove, Set};
use super::Hook::{Switch, ToolName, Tools};
use super::On::{AnyResult, Result, Tool};
use super::{Fault, fault, rewrite};
use crate::deviation::Deviation;

/// Says something about returns, in enough words, without an example.
const WITHOUT_EXAMPLE: &str = "\"Returns whatever anybody has ever handed over to this server.\"";

pub(super) static TABLE: &[Fault] = &[
    rewrite(
        "practice.server-name.convention",
        "",
        "the server's name follows no pattern",
        &[
            (Result("initialize"), Set("/result/serverInfo/name", "\"reference\"")),
            (AnyResult, Set("/result/_meta/io.modelcontextprotocol~1serverInfo/name", "\"reference\"")),
        ],
    ),
    rewrite(
        "practice.server-name.lower-case",
        "",
        "the server's name has spaces and capital letters",
        &[
            (Result("initialize"), Set("/result/serverInfo/name", "\"Reference Server\"")),
            (AnyResult, Set("/result/_meta/io.modelcontextprotocol~1serverInfo/name", "\"Reference Server\"")),
        ],
    ),
    rewrite(
        "practice.server-name.no-version",
        "",
        "the server's name has a version",
        &[
            (Result("initialize"), Set("/result/serverInfo/name", "\"reference-v2-mcp-server\"")),
            (AnyResult, Set("/result/_meta/io.modelcontextprotocol~1serverInfo/name", "\"reference-v2-mcp-server\"")),
        ],
    ),
    fault("practice.tool-name.snake-case", "", "a tool's name is in camelCase", ToolName("referenceGiveNothing")),
    fault("practice.tool-name.service-prefix", "", "a tool's name begins otherwise", ToolName("other_give_nothing")),
    fault("practice.tool-name.verb", "", "no tool's name has a verb", Switch(&[Deviation::ToolNamesWithoutVerb])),
    fault(
        "practice.tool-name.service-action-resource",
        "",
        "a tool's name has two words",
        ToolName("reference_nothing"),
    ),
    fault("practice.tool-name.specific", "", "a tool is called fetch", ToolName("fetch")),
    fault("practice.tool-name.consistent", "", "a tool's name is in kebab-case", ToolName("reference-give-nothing")),
    rewrite(
        "practice.tool.description-present",
        "",
        "a tool has no description",
        &[(Tool("version"), Remove("/description"))],
    ),
    rewrite(
        "practice.tool.description-present",
        "blank",
        "a description is blank",
        &[(Tool("version"), Set("/description", "\" \""))],
    ),
    rewrite(
        "practice.tool.description-informative",
        "",
        "a description repeats the name",
        &[(Tool("read_counter"), Set("/description", "\"Read the counter (reference).\""))],
    ),
    fault(
        "practice.tool.description-narrow",
        "",
        "a description has thousands of characters",
        Tools(|_, _, tools| {
            let long = "Returns the message that it was sent, word for word. ".repeat(50);
            describe(tools, "echo", &long);
        }),
    ),
    fault(
        "practice.tool.description-distinct",
        "",
        "two tools have one description",
        Tools(|_, _, tools| {
            let first = tools.first().and_then(|tool| tool["description"].as_str()).unwrap_or_default().to_owned();
            describe(tools, "version", &first);
        }),
    ),
    rewrite(
        "practice.tool.examples",
        "",
        "a tool with a parameter shows no example",
        &[
            (Tool("echo"), Remove("/inputSchema/properties/message/examples")),
            (Tool("echo"), Set("/description", WITHOUT_EXAMPLE)),
        ],
    ),
    rewrite(
        "practice.tool.returns-documented",
        "",
        "a description does not say what comes back",
        &[(Tool("draw_pixel"), Set("/description", "\"Paints one very small dot, as PNG.\""))],
    ),
    rewrite(
        "practice.tool.atomic",
        "",
        "a tool does what its parameter action says",
        &[(
            Tool("greet"),
            Set(
                "/inputSchema/properties/action",
                r#"{"type": "string", "enum": ["get", "create", "delete"], "description": "What to do."}"#,
            ),
        )],
    ),
    rewrite(
        "practice.tool.schema-typed",
        "",
        "a parameter has no type",
        &[(Tool("echo"), Remove("/inputSchema/properties/message/type"))],
    ),
    rewrite(
        "practice.tool.schema-described",
        "",
        "a parameter has no description",
        &[(Tool("echo"), Remove("/inputSchema/properties/message/description"))],
    ),
    rewrite(
        "practice.tool.schema-described",
        "nested",
        "a parameter within a parameter has no description",
        &[(Tool("describe_order"), Remove("/inputSchema/properties/customer/properties/name/description"))],
    ),
    rewrite(
        "practice.tool.schema-bounded",
        "",
        "a limit has no maximum",
        &[(Tool("list_towns"), Remove("/inputSchema/properties/limit/maximum"))],
    ),
    rewrite(
        "practice.tool.schema-closed",
        "",
        "unknown parameters are allowed",
        &[(Tool("echo"), Remove("/inputSchema/additionalProperties"))],
    ),
    fault(
        "practice.tool.definitions-stable",
        "",
        "a description changes from walk to walk",
        Tools(|connection, _, tools| {
            let walks = connection.server.state().walks.get("tools").copied().unwrap_or_default();
            describe(tools, "echo", &format!("Returns the message that it was sent, in version {}.", walks / 2));
        }),
    ),
    rewrite(
        "practice.annotations.present",
        "",
        "a tool does not say whether it only reads",
        &[(Tool("version"), Remove("/annotations/readOnlyHint"))],
    ),
    rewrite(
        "practice.annotations.present",
        "open-world",
        "a tool does not say whether it reaches out",
        &[(Tool("version"), Remove("/annotations/openWorldHint"))],
    ),
    rewrite(
        "practice.annotations.title",
        "",
        "a tool has no title",
        &[(Tool("version"), Remove("/annotations/title"))],
    ),
    rewrite(
        "practice.annotations.match-verb",
        "",
        "a tool that reads says that it writes",
        &[(Tool("read_counter"), Set("/annotations/readOnlyHint", "false"))],
    ),
    fault(
        "practice.annotations.read-only-has-no-effect",
        "",
        "a tool that says it reads counts on",
        Switch(&[Deviation::ReadOnlyToolsCount]),
    )
    .in_a_run(),
    fault(
        "practice.annotations.read-only-has-no-effect",
        "used-up",
        "a tool that says it reads serves no call twice",
        Switch(&[Deviation::ReadOnlyToolsUsedUp]),
    )
    .in_a_run(),
    fault(
        "practice.annotations.idempotent-truthful",
        "",
        "a tool that says it is idempotent counts on",
        Switch(&[Deviation::IdempotentToolsCount]),
    )
    .in_a_run(),
    rewrite(
        "practice.response.format-parameter",
        "",
        "no format can be chosen",
        &[(Tool("list_towns"), Remove("/inputSchema/properties/response_format"))],
    ),
    rewrite(
        "practice.response.markdown-default",
        "",
        "JSON is the default format",
        &[(Tool("list_towns"), Set("/inputSchema/properties/response_format/default", "\"json\""))],
    ),
    rewrite(
        "practice.list.pagination-offered",
        "",
        "a list has a limit and no offset",
        &[(Tool("list_towns"), Remove("/inputSchema/properties/offset"))],
    ),
];

fn describe(tools: &mut [Value], name: &str, description: &str) {
    for tool in tools.iter_mut().filter(|tool| tool["name"] == name) {
        tool["description"] = json!(description);
    }
}
