//! Resources, templates, contents.

use verdict::Revision::{V2025_06_18, V2025_11_25};

use super::checks::{COUNT, TEXT_OR_BLOB};
use super::content::{ANNOTATIONS, ICONS};
use crate::shapes::forms::{BASE64, MIME, SCHEME, TIME, URI};
use crate::shapes::row::{Check, Object, Shape, object, opt, req, whole};
use crate::shapes::template::URI_TEMPLATE;

static MARKS: Shape = Shape::Struct(&ANNOTATIONS);
/// The time of the last change, where it is a string.
static LAST_MODIFIED: Check = Check {
    expected: TIME.expected,
    judge: |value, revision| {
        value.get("lastModified").map_or(crate::shapes::Outcome::Beside, |time| (TIME.judge)(time, revision))
    },
};

pub(in crate::shapes) static RESOURCE: Object = object(&[
    req("uri", Shape::String, &["resources.definition.uri-string"]),
    opt("uri", Shape::Is(&URI), &["resources.definition.uri-format"]),
    opt("uri", Shape::Is(&SCHEME), &["resources.uri.custom-scheme"]).from(V2025_06_18),
    req("name", Shape::String, &["resources.definition.name-string"]),
    opt("title", Shape::String, &["resources.definition.title-string"]).from(V2025_06_18),
    opt("description", Shape::String, &["resources.definition.description-string"]),
    opt("mimeType", Shape::String, &["resources.definition.mime-type-string"]),
    opt("mimeType", Shape::Is(&MIME), &["resources.definition.mime-type-string"]).noted(),
    opt("size", Shape::Number, &["resources.definition.size-number"]),
    opt("size", Shape::Is(&COUNT), &["resources.definition.size-number"]).noted(),
    opt(
        "annotations",
        Shape::As(&["resources.definition.annotations-valid"], &MARKS),
        &["resources.definition.annotations-valid"],
    ),
    opt("annotations", Shape::Is(&LAST_MODIFIED), &["resources.definition.last-modified-iso"]).from(V2025_06_18),
    opt("icons", Shape::As(&["resources.definition.icons-valid"], &ICONS), &["resources.definition.icons-valid"])
        .from(V2025_11_25),
    opt("_meta", Shape::Object, &["resources.definition.meta-object", "jsonrpc.meta.object"]).from(V2025_06_18),
]);

pub(in crate::shapes) static TEMPLATE: Object = object(&[
    req("uriTemplate", Shape::String, &["resources.templates.uri-template-string"]),
    opt("uriTemplate", Shape::Is(&URI_TEMPLATE), &["resources.templates.uri-template-format"]),
    req("name", Shape::String, &["resources.templates.name-string"]),
    opt("title", Shape::String, &["resources.templates.field-types"]).from(V2025_06_18),
    opt("description", Shape::String, &["resources.templates.field-types"]),
    opt("mimeType", Shape::String, &["resources.templates.field-types"]),
    opt(
        "annotations",
        Shape::As(&["resources.templates.annotations-valid"], &MARKS),
        &["resources.templates.annotations-valid"],
    ),
    opt("icons", Shape::As(&["resources.templates.icons-valid"], &ICONS), &["resources.templates.icons-valid"])
        .from(V2025_11_25),
    opt("_meta", Shape::Object, &["resources.templates.meta-object", "jsonrpc.meta.object"]).from(V2025_06_18),
]);

pub(in crate::shapes) static CONTENTS: Object = object(&[
    req("uri", Shape::Text(&URI), &["resources.read.content-uri"]),
    whole(&TEXT_OR_BLOB, &["resources.read.text-or-blob"]),
    opt("blob", Shape::Is(&BASE64), &["resources.read.blob-base64"]),
    opt("mimeType", Shape::String, &["resources.read.mime-type-string"]),
    opt("_meta", Shape::Object, &["resources.read.meta-object", "jsonrpc.meta.object"]).from(V2025_06_18),
]);
