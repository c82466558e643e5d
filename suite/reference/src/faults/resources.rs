//! Faults of the area resources.

use super::Edit::{Drop, Remove, Set};
use super::Hook::{Request, Switch};
use super::On::{Entry, Of, Result};
use super::replies::{error, invalid, unavailable, undeclare, unknown};
use super::{Fault, Hook, fault, rewrite};
use crate::Transport::Stdio;
use crate::core::{Call, Connection, Reply};
use crate::deviation::Deviation;
use crate::methods::not_found;
use wire::mcp::code;

const LIST: &str = "resources/list";
const TEMPLATES: &str = "resources/templates/list";
pub(super) const READ: &str = "resources/read";
pub(super) const POEM: &str = "memory://poem";
const WEATHER: &str = "weather://{city}";

pub(super) static TABLE: &[Fault] = &[
    rewrite(
        "resources.capability.declared",
        "",
        "resources are served but not declared",
        &[
            (Result("initialize"), Remove("/result/capabilities/resources")),
            (Result("server/discover"), Remove("/result/capabilities/resources")),
        ],
    ),
    rewrite(
        "resources.capability.is-object",
        "",
        "the capability is true",
        &[
            (Result("initialize"), Set("/result/capabilities/resources", "true")),
            (Result("server/discover"), Set("/result/capabilities/resources", "true")),
        ],
    ),
    rewrite(
        "resources.capability.list-changed-boolean",
        "",
        "listChanged is a string",
        &[
            (Result("initialize"), Set("/result/capabilities/resources/listChanged", "\"true\"")),
            (Result("server/discover"), Set("/result/capabilities/resources/listChanged", "\"true\"")),
        ],
    ),
    rewrite(
        "resources.capability.subscribe-boolean",
        "",
        "subscribe is an object",
        &[
            (Result("initialize"), Set("/result/capabilities/resources/subscribe", "{}")),
            (Result("server/discover"), Set("/result/capabilities/resources/subscribe", "{}")),
        ],
    ),
    fault(
        "resources.capability.undeclared-method-not-found",
        "",
        "resources are neither declared nor served, but with -32602",
        Request(|_, call| call.method.starts_with("resources/").then(unavailable)),
    )
    .and(Hook::Result(|_, call, result| undeclare(call, result, "resources"))),
    fault(
        "resources.capability.list-answered",
        "",
        "resources/list is answered with an error",
        Request(|_, call| (call.method == LIST).then(|| error(code::INTERNAL_ERROR, "The list could not be made"))),
    ),
    rewrite("resources.capability.list-answered", "silent", "resources/list is not answered", &[(Result(LIST), Drop)])
        .and(Request(|_, call| {
            (call.method == LIST).then(|| error(code::INTERNAL_ERROR, "The list could not be made"))
        })),
    rewrite(
        "resources.list.result-array",
        "",
        "resources is an object",
        &[(Result(LIST), Set("/result/resources", "{}"))],
    ),
    rewrite(
        "resources.list.result-array",
        "missing",
        "there is no resources",
        &[(Result(LIST), Remove("/result/resources"))],
    ),
    fault(
        "resources.list.accepts-missing-params",
        "",
        "resources/list without params is refused",
        Request(|_, call| (call.method == LIST && call.params.is_null()).then(|| invalid("params is missing"))),
    ),
    fault(
        "resources.list.not-per-connection",
        "",
        "every connection has a resource of its own",
        Switch(&[Deviation::OwnResourcePerServer]),
    )
    .over(&[Stdio]),
    fault(
        "resources.list.not-side-effect",
        "",
        "after a read this connection has a resource less",
        Switch(&[Deviation::ReadsHideResource]),
    )
    .and(Request(note_read))
    .over(&[Stdio]),
    rewrite("resources.definition.uri-string", "", "a uri is a number", &[(Entry(LIST, POEM), Set("/uri", "42"))]),
    rewrite("resources.definition.uri-string", "missing", "a uri is missing", &[(Entry(LIST, POEM), Remove("/uri"))]),
    rewrite(
        "resources.definition.uri-format",
        "",
        "a uri has a space",
        &[(Entry(LIST, POEM), Set("/uri", "\"memory://a poem\""))],
    ),
    rewrite(
        "resources.definition.uri-format",
        "relative",
        "a uri is a path",
        &[(Entry(LIST, POEM), Set("/uri", "\"/poem\""))],
    ),
    rewrite(
        "resources.uri.custom-scheme",
        "",
        "a scheme has an underscore",
        &[(Entry(LIST, POEM), Set("/uri", "\"my_memory://poem\""))],
    ),
    rewrite(
        "resources.definition.uri-unique",
        "",
        "two resources have one uri",
        &[(Entry(LIST, POEM), Set("/uri", "\"memory://readme\""))],
    ),
    rewrite("resources.definition.name-string", "", "a name is a number", &[(Entry(LIST, POEM), Set("/name", "42"))]),
    rewrite(
        "resources.definition.name-string",
        "missing",
        "a name is missing",
        &[(Entry(LIST, POEM), Remove("/name"))],
    ),
    rewrite("resources.definition.title-string", "", "a title is null", &[(Entry(LIST, POEM), Set("/title", "null"))]),
    rewrite(
        "resources.definition.description-string",
        "",
        "a description is null",
        &[(Entry(LIST, POEM), Set("/description", "null"))],
    ),
    rewrite(
        "resources.definition.mime-type-string",
        "",
        "a MIME type is a number",
        &[(Entry(LIST, POEM), Set("/mimeType", "5"))],
    ),
    rewrite(
        "resources.definition.size-number",
        "",
        "a size is a string",
        &[(Entry(LIST, POEM), Set("/size", "\"20\""))],
    ),
    rewrite(
        "resources.definition.size-matches",
        "",
        "a size is not that of the text",
        &[(Entry(LIST, POEM), Set("/size", "9"))],
    ),
    rewrite(
        "resources.definition.size-matches",
        "encoded",
        "a size is that of the Base64",
        &[(Entry(LIST, "memory://pixel"), Set("/size", "96"))],
    ),
    rewrite(
        "resources.definition.annotations-valid",
        "",
        "a priority is 2",
        &[(Entry(LIST, POEM), Set("/annotations", "{\"priority\": 2}"))],
    ),
    rewrite(
        "resources.definition.annotations-valid",
        "audience",
        "an audience is none of the two",
        &[(Entry(LIST, POEM), Set("/annotations", "{\"audience\": [\"system\"]}"))],
    ),
    rewrite(
        "resources.definition.last-modified-iso",
        "",
        "lastModified is a word",
        &[(Entry(LIST, POEM), Set("/annotations", "{\"lastModified\": \"yesterday\"}"))],
    ),
    rewrite(
        "resources.definition.icons-valid",
        "",
        "an icon has no src",
        &[(Entry(LIST, POEM), Set("/icons", "[{}]"))],
    ),
    rewrite(
        "resources.definition.meta-object",
        "",
        "_meta of a resource is an array",
        &[(Entry(LIST, POEM), Set("/_meta", "[]"))],
    ),
    fault(
        "resources.templates.answered",
        "",
        "resources/templates/list does not exist",
        Request(|_, call| (call.method == TEMPLATES).then(|| unknown(&call.method))),
    ),
    rewrite(
        "resources.templates.result-array",
        "",
        "resourceTemplates is an object",
        &[(Result(TEMPLATES), Set("/result/resourceTemplates", "{}"))],
    ),
    fault(
        "resources.templates.accepts-missing-params",
        "",
        "resources/templates/list without params is refused",
        Request(|_, call| (call.method == TEMPLATES && call.params.is_null()).then(|| invalid("params is missing"))),
    ),
    rewrite(
        "resources.templates.uri-template-string",
        "",
        "a template has no uriTemplate",
        &[(Entry(TEMPLATES, WEATHER), Remove("/uriTemplate"))],
    ),
    rewrite(
        "resources.templates.uri-template-format",
        "",
        "a variable has a hyphen",
        &[(Entry(TEMPLATES, WEATHER), Set("/uriTemplate", "\"weather://{city-name}\""))],
    ),
    rewrite(
        "resources.templates.uri-template-format",
        "unbalanced",
        "a brace is not closed",
        &[(Entry(TEMPLATES, WEATHER), Set("/uriTemplate", "\"weather://{city\""))],
    ),
    rewrite(
        "resources.templates.name-string",
        "",
        "a name is null",
        &[(Entry(TEMPLATES, WEATHER), Set("/name", "null"))],
    ),
    rewrite(
        "resources.templates.field-types",
        "",
        "a description is null",
        &[(Entry(TEMPLATES, WEATHER), Set("/description", "null"))],
    ),
    rewrite(
        "resources.templates.annotations-valid",
        "",
        "a priority is negative",
        &[(Entry(TEMPLATES, WEATHER), Set("/annotations", "{\"priority\": -1}"))],
    ),
    rewrite(
        "resources.templates.icons-valid",
        "",
        "an icon has no src",
        &[(Entry(TEMPLATES, WEATHER), Set("/icons", "[{}]"))],
    ),
    rewrite(
        "resources.templates.meta-object",
        "",
        "_meta of a template is null",
        &[(Entry(TEMPLATES, WEATHER), Set("/_meta", "null"))],
    ),
    rewrite(
        "resources.templates.mime-type-uniform",
        "",
        "the resources of a template differ in type",
        &[(Of(READ, "weather://Athens"), Set("/result/contents/0/mimeType", "\"text/html\""))],
    ),
    fault(
        "resources.templates.readable",
        "",
        "a suggested value makes a uri that cannot be read",
        Request(|_, call| {
            (uri(call) == Some("weather://Aarhus")).then(|| not_found(call.revision, "weather://Aarhus").into())
        }),
    ),
];

/// The resource that a request reads.
pub(super) fn uri(call: &Call) -> Option<&str> {
    call.params.get("uri")?.as_str().filter(|_| call.method == READ)
}

/// Remembers that a resource was read.
pub(super) fn note_read(connection: &mut Connection, call: &mut Call) -> Option<Reply> {
    if call.method == READ {
        connection.server.state().served = true;
    }
    None
}
