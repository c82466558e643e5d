//! Faults of the area tools: content, structured content, list changes.

use serde_json::{Value, json};

use super::Edit::{Drop, Remove, Set};
use super::Hook::{Request, Switch};
use super::On::{Call, Notification, Result};
use super::replies::{undeclare, unknown};
use super::{Fault, Hook, fault, rewrite};
use crate::Revision::{V2024_11_05, V2025_03_26, V2025_06_18, V2025_11_25};
use crate::core::{self, Reply};
use crate::deviation::Deviation;

pub(super) static TABLE: &[Fault] = &[
    rewrite(
        "tools.content.text-string",
        "",
        "a text is a number",
        &[(Call("version"), Set("/result/content/0/text", "1"))],
    ),
    rewrite(
        "tools.content.text-string",
        "missing",
        "a text is missing",
        &[(Call("version"), Remove("/result/content/0/text"))],
    ),
    rewrite(
        "tools.content.image-data-base64",
        "",
        "an image is a data: URI",
        &[(Call("draw_pixel"), Set("/result/content/0/data", "\"data:image/png;base64,iVBORw0KGgo=\""))],
    ),
    rewrite(
        "tools.content.image-data-base64",
        "url-safe",
        "an image is in the URL-safe alphabet",
        &[(Call("draw_pixel"), Set("/result/content/0/data", "\"_-_-_-_-\""))],
    ),
    rewrite(
        "tools.content.image-data-base64",
        "lines",
        "an image is in lines",
        &[(Call("draw_pixel"), Set("/result/content/0/data", "\"iVBORw0K\\r\\nGgo=\""))],
    ),
    rewrite(
        "tools.content.image-mime-type",
        "",
        "an image has no mimeType",
        &[(Call("draw_pixel"), Remove("/result/content/0/mimeType"))],
    ),
    rewrite(
        "tools.content.audio-data-base64",
        "",
        "a sound is no Base64",
        &[(Call("play_silence"), Set("/result/content/0/data", "\"silence!\""))],
    ),
    rewrite(
        "tools.content.audio-mime-type",
        "",
        "a sound has no mimeType",
        &[(Call("play_silence"), Remove("/result/content/0/mimeType"))],
    ),
    rewrite(
        "tools.content.media-matches-mime",
        "",
        "a PNG is called a JPEG",
        &[(Call("draw_pixel"), Set("/result/content/0/mimeType", "\"image/jpeg\""))],
    ),
    rewrite(
        "tools.content.link-uri",
        "",
        "a link has a path for a URI",
        &[(Call("link_poem"), Set("/result/content/0/uri", "\"poem.md\""))],
    ),
    rewrite(
        "tools.content.link-name",
        "",
        "a link has no name",
        &[(Call("link_poem"), Remove("/result/content/0/name"))],
    ),
    rewrite(
        "tools.content.link-field-types",
        "",
        "the size of a link is a string",
        &[(Call("link_poem"), Set("/result/content/0/size", "\"19\""))],
    ),
    rewrite(
        "tools.content.link-field-types",
        "null",
        "the title of a link is null",
        &[(Call("link_poem"), Set("/result/content/0/title", "null"))],
    ),
    rewrite(
        "tools.content.link-fetchable",
        "",
        "a link leads nowhere",
        &[(Call("link_poem"), Set("/result/content/0/uri", "\"memory://gone\""))],
    ),
    rewrite(
        "tools.content.embedded-shape",
        "",
        "an embedded resource has neither text nor blob",
        &[(Call("embed_readme"), Remove("/result/content/0/resource/text"))],
    ),
    rewrite(
        "tools.content.embedded-shape",
        "flat",
        "an embedded resource is not wrapped",
        &[(
            Call("embed_readme"),
            Set(
                "/result/content/0",
                r#"{"type": "resource", "uri": "memory://readme", "text": "Everything here lives in memory."}"#,
            ),
        )],
    ),
    rewrite(
        "tools.content.embedded-blob-base64",
        "",
        "an embedded blob is no Base64",
        &[(Call("mixed"), Set("/result/content/3/resource/blob", "\"a blob\""))],
    ),
    fault(
        "tools.content.embedded-needs-resources",
        "",
        "resources are embedded but not offered",
        Request(|_, call| call.method.starts_with("resources/").then(|| unknown(&call.method))),
    )
    .and(Hook::Result(|_, call, result| undeclare(call, result, "resources"))),
    rewrite(
        "tools.content.embedded-refetchable",
        "",
        "an embedded resource cannot be read",
        &[(Call("embed_readme"), Set("/result/content/0/resource/uri", "\"memory://gone\""))],
    ),
    rewrite(
        "tools.content.annotations-object",
        "",
        "annotations of a block is an array",
        &[(Call("mixed"), Set("/result/content/0/annotations", "[]"))],
    ),
    rewrite(
        "tools.content.annotations-object",
        "null",
        "annotations of a block is null",
        &[(Call("mixed"), Set("/result/content/0/annotations", "null"))],
    ),
    rewrite(
        "tools.content.annotations-audience",
        "",
        "an audience is a string",
        &[(Call("mixed"), Set("/result/content/0/annotations/audience", "\"user\""))],
    ),
    rewrite(
        "tools.content.annotations-audience",
        "unknown",
        "an audience is the model",
        &[(Call("mixed"), Set("/result/content/0/annotations/audience", "[\"model\"]"))],
    ),
    rewrite(
        "tools.content.annotations-priority",
        "",
        "a priority is 5",
        &[(Call("mixed"), Set("/result/content/0/annotations/priority", "5"))],
    ),
    rewrite(
        "tools.content.annotations-priority",
        "string",
        "a priority is a string",
        &[(Call("mixed"), Set("/result/content/0/annotations/priority", "\"high\""))],
    ),
    rewrite(
        "tools.content.annotations-last-modified-string",
        "",
        "lastModified is a number",
        &[(Call("mixed"), Set("/result/content/0/annotations/lastModified", "1768230058"))],
    ),
    rewrite(
        "tools.content.annotations-last-modified-iso",
        "",
        "lastModified is in words",
        &[(Call("mixed"), Set("/result/content/0/annotations/lastModified", "\"yesterday\""))],
    ),
    rewrite(
        "tools.content.meta-object",
        "",
        "_meta of a block is an array",
        &[(Call("mixed"), Set("/result/content/0/_meta", "[]"))],
    ),
    rewrite(
        "tools.content.meta-object",
        "null",
        "_meta of a block is null",
        &[(Call("mixed"), Set("/result/content/0/_meta", "null"))],
    ),
    rewrite(
        "tools.call.result-type",
        "",
        "a finished call has another resultType",
        &[(Call("version"), Set("/result/resultType", "\"done\""))],
    ),
    rewrite(
        "tools.structured.is-object",
        "",
        "structuredContent is an array",
        &[(Call("add"), Set("/result/structuredContent", "[3]"))],
    ),
    rewrite(
        "tools.structured.is-object",
        "null",
        "structuredContent is null",
        &[(Call("add"), Set("/result/structuredContent", "null"))],
    ),
    rewrite(
        "tools.structured.present",
        "",
        "structuredContent is missing",
        &[(Call("add"), Remove("/result/structuredContent"))],
    ),
    fault(
        "tools.structured.conforms",
        "",
        "structuredContent lacks a property",
        Hook::Result(|_, call, result| break_sum(call, result, |_| json!({"total": 3}))),
    ),
    fault(
        "tools.structured.conforms",
        "type",
        "structuredContent has a string for a number",
        Hook::Result(|_, call, result| break_sum(call, result, |sum| json!({"sum": sum.to_string()}))),
    ),
    rewrite(
        "tools.structured.error-conforms-if-present",
        "",
        "an error result has other structuredContent",
        &[(Call("add"), Set("/result/structuredContent", "{}")), (Call("add"), Set("/result/isError", "true"))],
    ),
    rewrite(
        "tools.structured.text-twin",
        "",
        "structuredContent has no twin in text",
        &[(Call("add"), Set("/result/content", r#"[{"type": "text", "text": "Done."}]"#))],
    ),
    // In 2026-07-28 the list is the same again when the call is over: no change can be seen.
    rewrite(
        "tools.list-changed.sent",
        "",
        "a change of the tools is not announced",
        &[(Notification("notifications/tools/list_changed"), Drop)],
    )
    .only(&[V2024_11_05, V2025_03_26, V2025_06_18, V2025_11_25]),
    fault(
        "tools.list-changed.list-follows",
        "",
        "a change of the tools is announced and does not come",
        Switch(&[Deviation::ListChangesDoNotFollow]),
    )
    .only(&[V2024_11_05, V2025_03_26, V2025_06_18, V2025_11_25]),
    // Params of another type break jsonrpc.message.params-object.
    rewrite(
        "tools.list-changed.shape",
        "",
        "a list change has an id",
        &[(Notification("notifications/tools/list_changed"), Set("/id", "1"))],
    ),
    rewrite(
        "tools.list-changed.only-if-declared",
        "",
        "list changes are sent but not declared",
        &[
            (Result("initialize"), Set("/result/capabilities/tools/listChanged", "false")),
            (Result("server/discover"), Set("/result/capabilities/tools/listChanged", "false")),
        ],
    ),
];

/// Puts something else in place of the structured content of a sum.
fn break_sum(call: &core::Call, result: &mut Value, broken: fn(&Value) -> Value) -> Option<Reply> {
    if call.tool() == Some("add") && result["structuredContent"].is_object() {
        let broken = broken(&result["structuredContent"]["sum"]);
        result["content"][0]["text"] = json!(broken.to_string());
        result["structuredContent"] = broken;
    }
    None
}
