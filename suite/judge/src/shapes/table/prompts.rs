//! Prompts and their messages.

use verdict::Revision::{self, V2025_03_26, V2025_06_18, V2025_11_25, V2026_07_28};

use super::checks::TEXT_OR_BLOB;
use super::common::RESULT;
use super::content::{ANNOTATIONS, ICONS, LINK, ROLES};
use crate::shapes::forms::{BASE64, MIME, URI};
use crate::shapes::row::{Object, Shape, Union, kind, object, opt, req, whole};

pub(in crate::shapes) static PROMPT: Object = object(&[
    req("name", Shape::String, &["prompts.definition.name-string"]),
    opt("title", Shape::String, &["prompts.definition.title-string"]).from(V2025_06_18),
    opt("description", Shape::String, &["prompts.definition.description-string"]),
    opt("arguments", Shape::Array(&Shape::Struct(&ARGUMENT)), &["prompts.definition.arguments-array"]),
    opt("icons", Shape::As(&["prompts.definition.icons-valid"], &ICONS), &["prompts.definition.icons-valid"])
        .from(V2025_11_25),
    opt("_meta", Shape::Object, &["prompts.definition.meta-object", "jsonrpc.meta.object"]).from(V2025_06_18),
]);
static ARGUMENT: Object = object(&[
    req("name", Shape::String, &["prompts.definition.argument-name"]),
    opt("title", Shape::String, &["prompts.definition.argument-field-types"]).from(V2025_06_18),
    opt("description", Shape::String, &["prompts.definition.argument-field-types"]),
    opt("required", Shape::Boolean, &["prompts.definition.argument-field-types"]),
]);

pub(in crate::shapes) static GET_PROMPT: Object = Object {
    rows: &[
        opt("description", Shape::String, &["prompts.get.description-string"]),
        req("messages", Shape::Array(&Shape::Struct(&MESSAGE)), &["prompts.get.messages-array"]),
        req("resultType", Shape::Const("complete"), &["prompts.get.result-type"]).from(V2026_07_28),
    ],
    with: &[&RESULT],
};
static MESSAGE: Object = object(&[
    req("role", Shape::Enum(ROLES), &["prompts.get.message-role"]),
    req("content", Shape::Tagged(&CONTENT), &["prompts.get.message-content-object"]),
]);
static CONTENT: Union = Union {
    tag: "type",
    tagged_from: Revision::FIRST,
    default: None,
    ids: &[],
    unknown: &["prompts.get.content-known-type"],
    variants: &[
        kind("text", Shape::Struct(&TEXT)),
        kind("image", Shape::Struct(&IMAGE)),
        kind("audio", Shape::Struct(&AUDIO)).from(V2025_03_26),
        kind("resource_link", Shape::As(&["prompts.get.resource-link-valid"], &Shape::Struct(&LINK))).from(V2025_06_18),
        kind("resource", Shape::Struct(&EMBEDDED)),
    ],
};

static BLOCK: Object = object(&[
    opt(
        "annotations",
        Shape::As(&["prompts.get.annotations-valid"], &Shape::Struct(&ANNOTATIONS)),
        &["prompts.get.annotations-valid"],
    ),
    opt("_meta", Shape::Object, &["jsonrpc.meta.object"]).from(V2025_06_18),
]);
static TEXT: Object = Object { rows: &[req("text", Shape::String, &["prompts.get.text-string"])], with: &[&BLOCK] };
static IMAGE: Object = Object {
    rows: &[
        req("data", Shape::Text(&BASE64), &["prompts.get.image-encoded"]),
        req("mimeType", Shape::Text(&MIME), &["prompts.get.image-encoded"]),
    ],
    with: &[&BLOCK],
};
static AUDIO: Object = Object {
    rows: &[
        req("data", Shape::Text(&BASE64), &["prompts.get.audio-encoded"]),
        req("mimeType", Shape::Text(&MIME), &["prompts.get.audio-encoded"]),
    ],
    with: &[&BLOCK],
};
/// Of an embedded resource the page demands the MIME type that the schema leaves optional.
static EMBEDDED: Object = Object {
    rows: &[req("resource", Shape::Struct(&EMBEDDED_CONTENTS), &["prompts.get.embedded-resource-uri"])],
    with: &[&BLOCK],
};
static EMBEDDED_CONTENTS: Object = object(&[
    req("uri", Shape::Text(&URI), &["prompts.get.embedded-resource-uri"]),
    req("mimeType", Shape::Text(&MIME), &["prompts.get.embedded-resource-mime-type"]),
    whole(&TEXT_OR_BLOB, &["prompts.get.embedded-resource-body"]),
    opt("blob", Shape::Is(&BASE64), &["prompts.get.embedded-resource-body"]),
    opt("_meta", Shape::Object, &["jsonrpc.meta.object"]).from(V2025_06_18),
]);
