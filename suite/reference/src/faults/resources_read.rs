//! Faults of the area resources: reading, and changes of the list.

use serde_json::json;
use wire::mcp::code;

use super::Edit::{Drop, Remove, Set};
use super::Hook::{Error, Request};
use super::On::{Notification, Of, Result};
use super::replies::{error, recode};
use super::resources::{POEM, READ, uri};
use super::{Fault, fault, rewrite};
use crate::Revision::{V2024_11_05, V2025_03_26, V2025_06_18, V2025_11_25, V2026_07_28};
use crate::Transport::Http;
use crate::core::{Call, Reply};
use crate::error::RpcError;
use crate::methods::not_found;

pub(super) static TABLE: &[Fault] = &[
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
        Request(|_, call| (uri(call) == Some("memory://poem")).then(|| error(code::SERVER_ERROR, "The disk is gone"))),
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
        Error(|_, error| recode(is_not_found(error), error, code::INTERNAL_ERROR)),
    ),
    fault(
        "resources.read.no-32002",
        "",
        "a missing resource gives -32002",
        Error(|_, error| recode(is_not_found(error), error, code::RESOURCE_NOT_FOUND)),
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
        Request(|_, call| lacks_uri(call).then(|| error(code::INTERNAL_ERROR, "uri could not be read"))),
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
            odd.then(|| error(code::INTERNAL_ERROR, "uri could not be read"))
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
