//! Content blocks, annotations, icons, resource contents.

use verdict::Revision::{self, V2025_03_26, V2025_06_18, V2025_11_25};

use super::checks::{COUNT, TEXT_OR_BLOB, UNIT};
use crate::shapes::forms::{BASE64, ICON_DATA, ICON_SCHEME, ICON_SIZE, MIME, TIME, URI};
use crate::shapes::row::{Object, Shape, Union, kind, object, opt, req, whole};

pub(in crate::shapes) static ROLES: &[&str] = &["user", "assistant"];

pub(in crate::shapes) static ICON: Object = object(&[
    req("src", Shape::Text(&URI), &["tools.icons.src-required"]),
    opt("src", Shape::Is(&ICON_SCHEME), &["tools.icons.src-scheme"]).soft(),
    opt("src", Shape::Is(&ICON_DATA), &["tools.icons.data-uri-base64"]).soft(),
    opt("mimeType", Shape::String, &["tools.icons.mime-type-string"]),
    opt("sizes", Shape::Array(&Shape::String), &["tools.icons.sizes-strings"]),
    opt("sizes", Shape::Is(&ICON_SIZE), &["tools.icons.sizes-format"]).soft(),
    opt("theme", Shape::Enum(&["light", "dark"]), &["tools.icons.theme-enum"]),
]);
pub(in crate::shapes) static ICONS: Shape = Shape::Array(&Shape::Struct(&ICON));

pub(in crate::shapes) static ANNOTATIONS: Object = object(&[
    opt("audience", Shape::Array(&Shape::Enum(ROLES)), &["tools.content.annotations-audience"]),
    opt("priority", Shape::Number, &["tools.content.annotations-priority"]),
    opt("priority", Shape::Is(&UNIT), &["tools.content.annotations-priority"]),
    opt("lastModified", Shape::String, &["tools.content.annotations-last-modified-string"]).from(V2025_06_18),
    opt("lastModified", Shape::Is(&TIME), &["tools.content.annotations-last-modified-iso"]).from(V2025_06_18).soft(),
]);

/// The members of every content block.
static BLOCK: Object = object(&[
    opt("annotations", Shape::Struct(&ANNOTATIONS), &["tools.content.annotations-object"]),
    opt("_meta", Shape::Object, &["tools.content.meta-object", "jsonrpc.meta.object"]).from(V2025_06_18),
]);
pub(in crate::shapes) static TEXT: Object =
    Object { rows: &[req("text", Shape::String, &["tools.content.text-string"])], with: &[&BLOCK] };
pub(in crate::shapes) static IMAGE: Object = Object {
    rows: &[
        req("data", Shape::Text(&BASE64), &["tools.content.image-data-base64"]),
        req("mimeType", Shape::String, &["tools.content.image-mime-type"]),
        opt("mimeType", Shape::Is(&MIME), &["tools.content.image-mime-type"]).noted(),
    ],
    with: &[&BLOCK],
};
pub(in crate::shapes) static AUDIO: Object = Object {
    rows: &[
        req("data", Shape::Text(&BASE64), &["tools.content.audio-data-base64"]),
        req("mimeType", Shape::String, &["tools.content.audio-mime-type"]),
        opt("mimeType", Shape::Is(&MIME), &["tools.content.audio-mime-type"]).noted(),
    ],
    with: &[&BLOCK],
};
pub(in crate::shapes) static LINK: Object = Object {
    rows: &[
        req("uri", Shape::Text(&URI), &["tools.content.link-uri"]),
        req("name", Shape::String, &["tools.content.link-name"]),
        opt("title", Shape::String, &["tools.content.link-field-types"]),
        opt("description", Shape::String, &["tools.content.link-field-types"]),
        opt("mimeType", Shape::String, &["tools.content.link-field-types"]),
        opt("size", Shape::Number, &["tools.content.link-field-types"]),
        opt("size", Shape::Is(&COUNT), &["tools.content.link-field-types"]).noted(),
        opt("icons", ICONS, &["tools.content.link-field-types"]).from(V2025_11_25),
    ],
    with: &[&BLOCK],
};
/// The annotations of an embedded resource may stand beside it or, as on the page, in it: those inside are not looked at.
static EMBEDDED: Object = Object {
    rows: &[req("resource", Shape::Struct(&EMBEDDED_CONTENTS), &["tools.content.embedded-shape"])],
    with: &[&BLOCK],
};
static EMBEDDED_CONTENTS: Object = object(&[
    req("uri", Shape::Text(&URI), &["tools.content.embedded-shape"]),
    opt("mimeType", Shape::String, &["tools.content.embedded-shape"]),
    whole(&TEXT_OR_BLOB, &["tools.content.embedded-shape"]),
    opt("blob", Shape::Is(&BASE64), &["tools.content.embedded-blob-base64"]),
    opt("_meta", Shape::Object, &["jsonrpc.meta.object"]).from(V2025_06_18),
]);

/// A block of a tool result.
pub(in crate::shapes) static CONTENT: Union = Union {
    tag: "type",
    tagged_from: Revision::FIRST,
    default: None,
    ids: &["tools.call.content-known-type"],
    unknown: &["tools.call.content-known-type"],
    variants: &[
        kind("text", Shape::Struct(&TEXT)),
        kind("image", Shape::Struct(&IMAGE)),
        kind("audio", Shape::Struct(&AUDIO)).from(V2025_03_26),
        kind("resource_link", Shape::Struct(&LINK)).from(V2025_06_18),
        kind("resource", Shape::Struct(&EMBEDDED)),
    ],
};
