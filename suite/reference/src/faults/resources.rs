//! Faults of the area resources.

use serde_json::json;

use super::Edit::{Drop, Remove, Set};
use super::Hook::{Error, Request, Switch};
use super::On::{Entry, Notification, Of, Result};
use super::replies::{error, invalid, recode, unavailable, undeclare, unknown};
use super::{Fault, Hook, fault, rewrite};
use crate::Revision::{V2024_11_05, V2025_03_26, V2025_06_18, V2025_11_25, V2026_07_28};
use crate::Transport::{Http, Stdio};
use crate::core::{Call, Connection, Reply};
use crate::deviation::Deviation;
use crate::error::RpcError;
use crate::methods::not_found;

const LIST: &str = "resources/list";
const TEMPLATES: &str = "resources/templates/list";
const READ: &str = "resources/read";
const POEM: &str = "memory://poem";
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
        Request(|_, call| (call.method == LIST).then(|| error(-32603, "The list could not be made"))),
    ),
    rewrite("resources.capability.list-answered", "silent", "resources/list is not answered", &[(Result(LIST), Drop)]),
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
    rewrite(
        "resources.read.contents-array",
        "",
        "contents is an object",
        &[(Result(READ), Set("/result/contents", "{}"))],
    ),
    rewrite(
        "resources.read.contents-array",
        "missing",
        "there is no contents",
        &[(Result(READ), Remove("/result/contents"))],
    ),
    rewrite(
        "resources.read.content-uri",
        "",
        "the uri of contents is missing",
        &[(Of(READ, POEM), Remove("/result/contents/0/uri"))],
    ),
    rewrite(
        "resources.read.content-uri",
        "relative",
        "the uri of contents is a word",
        &[(Of(READ, POEM), Set("/result/contents/0/uri", "\"poem\""))],
    ),
    rewrite(
        "resources.read.text-or-blob",
        "",
        "contents have neither text nor blob",
        &[(Of(READ, POEM), Remove("/result/contents/0/text"))],
    ),
    rewrite(
        "resources.read.blob-base64",
        "",
        "a blob is in the URL-safe alphabet",
        &[(Of(READ, "memory://pixel"), Set("/result/contents/0/blob", "\"_-8=\""))],
    ),
    rewrite(
        "resources.read.mime-type-string",
        "",
        "the MIME type of contents is null",
        &[(Of(READ, POEM), Set("/result/contents/0/mimeType", "null"))],
    ),
    rewrite(
        "resources.read.meta-object",
        "",
        "_meta of contents is an array",
        &[(Of(READ, POEM), Set("/result/contents/0/_meta", "[]"))],
    ),
    rewrite(
        "resources.read.text-is-text",
        "",
        "bytes are given as text",
        &[(Of(READ, POEM), Set("/result/contents/0/text", "\"\\u0089PNG\\u0000\\u0000\""))],
    ),
    fault(
        "resources.read.listed-readable",
        "",
        "a listed resource is not found",
        Request(|_, call| {
            (uri(call) == Some("memory://poem")).then(|| not_found(call.revision, "memory://poem").into())
        }),
    ),
    fault(
        "resources.read.internal-error-code",
        "",
        "a read fails with -32000",
        Request(|_, call| (uri(call) == Some("memory://poem")).then(|| error(-32000, "The disk is gone"))),
    ),
    rewrite(
        "resources.read.uri-echo",
        "",
        "contents have another uri",
        &[(Of(READ, POEM), Set("/result/contents/0/uri", "\"memory://verse\""))],
    ),
    rewrite(
        "resources.read.mime-matches-listing",
        "",
        "contents have another type than in the list",
        &[(Of(READ, POEM), Set("/result/contents/0/mimeType", "\"text/html\""))],
    ),
    rewrite(
        "resources.read.result-type",
        "",
        "a read has no resultType",
        &[(Result(READ), Remove("/result/resultType"))],
    ),
    fault(
        "resources.read.not-found-error",
        "",
        "a missing resource has contents",
        Error(|call, error| {
            is_not_found(error).then(|| contents(call.params["uri"].as_str().unwrap_or_default(), "Something."))
        }),
    ),
    fault(
        "resources.read.not-found-code",
        "",
        "a missing resource gives -32603",
        Error(|_, error| recode(is_not_found(error), error, -32603)),
    ),
    fault(
        "resources.read.no-32002",
        "",
        "a missing resource gives -32002",
        Error(|_, error| recode(is_not_found(error), error, -32002)),
    ),
    fault(
        "resources.read.not-found-no-empty-contents",
        "",
        "a missing resource has empty contents",
        Error(|_, error| is_not_found(error).then(|| Reply::Result(json!({"contents": []})))),
    ),
    fault(
        "resources.read.not-found-data-uri",
        "",
        "the error for a missing resource has no data",
        Error(|_, error| {
            if is_not_found(error) {
                error.data = None;
            }
            None
        }),
    ),
    fault(
        "resources.read.missing-uri",
        "",
        "a read without uri gives -32603",
        Request(|_, call| lacks_uri(call).then(|| error(-32603, "uri could not be read"))),
    ),
    fault(
        "resources.read.missing-uri",
        "served",
        "a read without uri gives the first resource",
        Request(|_, call| lacks_uri(call).then(|| contents("memory://readme", "Something."))),
    ),
    fault(
        "resources.read.uri-not-string",
        "",
        "a read whose uri is no string gives -32603",
        Request(|_, call| {
            let odd = call.method == READ && call.params.get("uri").is_some_and(|uri| !uri.is_string());
            odd.then(|| error(-32603, "uri could not be read"))
        }),
    ),
    fault(
        "resources.read.uri-validated",
        "",
        "what is no URI has contents",
        Request(|_, call| {
            uri(call).is_some_and(|uri| !uri.contains(':')).then(|| contents("memory://readme", "Something."))
        }),
    ),
    fault(
        "resources.read.uri-validated",
        "long",
        "a long uri is not answered",
        Request(|_, call| uri(call).is_some_and(|uri| uri.len() > 10_000).then_some(Reply::Later)),
    ),
    fault(
        "resources.security.path-traversal",
        "",
        "a detour leads to /etc/passwd",
        Request(|_, call| uri(call).filter(|uri| uri.contains("/../")).map(passwords)),
    ),
    fault(
        "resources.security.path-traversal",
        "encoded",
        "an encoded detour leads to /etc/passwd",
        Request(|_, call| uri(call).filter(|uri| uri.contains("/%2e%2e%2f")).map(passwords)),
    ),
    rewrite(
        "resources.list-changed.sent",
        "",
        "a change of the resources is not announced",
        &[(Notification("notifications/resources/list_changed"), Drop)],
    )
    .only(&[V2024_11_05, V2025_03_26, V2025_06_18, V2025_11_25]),
    rewrite(
        "resources.list-changed.sent",
        "subscribed",
        "a change of the resources is not announced to subscribers",
        &[(Notification("notifications/resources/list_changed"), Drop)],
    )
    .only(&[V2026_07_28])
    .over(&[Http]),
    rewrite(
        "resources.list-changed.shape",
        "",
        "a list change has an id",
        &[(Notification("notifications/resources/list_changed"), Set("/id", "1"))],
    )
    .only(&[V2024_11_05, V2025_03_26, V2025_06_18, V2025_11_25]),
    rewrite(
        "resources.list-changed.shape",
        "subscribed",
        "a list change for subscribers has an id",
        &[(Notification("notifications/resources/list_changed"), Set("/id", "1"))],
    )
    .only(&[V2026_07_28])
    .over(&[Http]),
    rewrite(
        "resources.list-changed.only-if-declared",
        "",
        "list changes are sent but not declared",
        &[(Result("initialize"), Set("/result/capabilities/resources/listChanged", "false"))],
    )
    .only(&[V2024_11_05, V2025_03_26, V2025_06_18, V2025_11_25]),
    rewrite(
        "resources.list-changed.only-if-declared",
        "subscribed",
        "list changes are sent to subscribers but not declared",
        &[(Result("server/discover"), Set("/result/capabilities/resources/listChanged", "false"))],
    )
    .only(&[V2026_07_28])
    .over(&[Http]),
];

/// The resource that a request reads.
fn uri(call: &Call) -> Option<&str> {
    call.params.get("uri")?.as_str().filter(|_| call.method == READ)
}

fn lacks_uri(call: &Call) -> bool {
    call.method == READ && call.params.as_object().is_some_and(|params| !params.contains_key("uri"))
}

fn is_not_found(error: &RpcError) -> bool {
    error.message.starts_with("Resource not found")
}

fn contents(uri: &str, text: &str) -> Reply {
    Reply::Result(json!({"contents": [{"uri": uri, "mimeType": "text/plain", "text": text}]}))
}

fn passwords(uri: &str) -> Reply {
    contents(uri, "root:x:0:0:root:/root:/bin/sh\n")
}

/// Remembers that a resource was read.
pub(super) fn note_read(connection: &mut Connection, call: &mut Call) -> Option<Reply> {
    if call.method == READ {
        connection.server.state().served = true;
    }
    None
}
