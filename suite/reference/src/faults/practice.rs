//! Faults of the area practice: names, definitions and hints.

use super::Edit::{Remove, Set};
use super::On::{AnyResult, Result, Tool};
use super::{Fault, rewrite, switch};

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
    switch("practice.tool-name.snake-case", "", "a tool's name is in camelCase"),
    switch("practice.tool-name.service-prefix", "", "a tool's name begins otherwise"),
    switch("practice.tool-name.verb", "", "no tool's name has a verb"),
    switch("practice.tool-name.service-action-resource", "", "a tool's name has two words"),
    switch("practice.tool-name.specific", "", "a tool is called fetch"),
    switch("practice.tool-name.consistent", "", "a tool's name is in kebab-case"),
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
    switch("practice.tool.description-narrow", "", "a description has thousands of characters"),
    switch("practice.tool.description-distinct", "", "two tools have one description"),
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
    switch("practice.tool.definitions-stable", "", "a description changes from walk to walk"),
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
    switch("practice.annotations.read-only-has-no-effect", "", "a tool that says it reads counts on").in_a_run(),
    switch("practice.annotations.read-only-has-no-effect", "used-up", "a tool that says it reads serves no call twice")
        .in_a_run(),
    switch("practice.annotations.idempotent-truthful", "", "a tool that says it is idempotent counts on").in_a_run(),
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

/// The name of the tool that has another one.
pub(super) fn renamed(id: &str) -> Option<&'static str> {
    match id {
        "practice.tool-name.snake-case" => Some("referenceGiveNothing"),
        "practice.tool-name.service-prefix" => Some("other_give_nothing"),
        "practice.tool-name.service-action-resource" => Some("reference_nothing"),
        "practice.tool-name.specific" => Some("fetch"),
        "practice.tool-name.consistent" => Some("reference-give-nothing"),
        _ => None,
    }
}

/// Definitions that need more than an edit.
pub(crate) fn redefine(server: &crate::core::Server, tools: &mut [serde_json::Value]) {
    use serde_json::json;
    if server.faulty("practice.tool.description-narrow") {
        let long = "Returns the message that it was sent, word for word. ".repeat(50);
        tools.iter_mut().filter(|tool| tool["name"] == "echo").for_each(|tool| tool["description"] = json!(long));
    }
    if server.faulty("practice.tool.description-distinct") {
        let first = tools.first().map(|tool| tool["description"].clone()).unwrap_or_default();
        tools.iter_mut().filter(|tool| tool["name"] == "version").for_each(|tool| tool["description"] = first.clone());
    }
    if server.faulty("practice.tool.definitions-stable") {
        let walks = server.state().walks.get("tools").copied().unwrap_or_default();
        let text = format!("Returns the message that it was sent, in version {}.", walks / 2);
        tools.iter_mut().filter(|tool| tool["name"] == "echo").for_each(|tool| tool["description"] = json!(text));
    }
}
