//! Members that messages of several kinds have: `_meta`, the hints of caching, who is who.

use verdict::Revision::{self, V2025_06_18, V2025_11_25, V2026_07_28};
use wire::mcp::meta;

use super::checks::NOT_NEGATIVE;
use super::content::ICONS;
use crate::shapes::forms::URI;
use crate::shapes::row::{Object, Shape, object, opt, req};

/// Method, first and last revision, shape.
pub(in crate::shapes) type Entry = (&'static str, Revision, Revision, Shape);

pub(in crate::shapes) static RESULT: Object = object(&[
    req("resultType", Shape::String, &["jsonrpc.result-type.present"]).from(V2026_07_28),
    opt("_meta", Shape::Struct(&RESULT_META), &["jsonrpc.meta.object"]),
]);
static RESULT_META: Object = object(&[
    opt(
        meta::SERVER_INFO,
        Shape::As(&["jsonrpc.server-info.shape", "jsonrpc.meta.reserved-value-types"], &Shape::Struct(&IMPLEMENTATION)),
        &["jsonrpc.server-info.shape"],
    )
    .from(V2026_07_28),
    opt(meta::RELATED_TASK, Shape::Struct(&RELATED), &["jsonrpc.meta.reserved-value-types"]).only(V2025_11_25),
]);

pub(in crate::shapes) static SCOPE: Shape = Shape::Enum(&["public", "private"]);
/// The types of caching hints; that they are there is claimed by method.
pub(in crate::shapes) static CACHE: Object = object(&[
    opt("ttlMs", Shape::Integer, &["caching.ttl-integer"]).from(V2026_07_28),
    opt("ttlMs", Shape::Is(&NOT_NEGATIVE), &["caching.ttl-non-negative"]).from(V2026_07_28),
    opt("cacheScope", SCOPE, &["caching.scope-enum"]).from(V2026_07_28),
]);

/// The `_meta` key that names the task of a message.
pub(in crate::shapes) static RELATED: Object =
    object(&[req("taskId", Shape::String, &["jsonrpc.meta.reserved-value-types"])]);

/// The `_meta` of a request's params.
pub(in crate::shapes) static META: Object =
    object(&[opt("_meta", Shape::Struct(&REQUEST_META), &["jsonrpc.meta.object"])]);
static REQUEST_META: Object = object(&[
    opt("progressToken", Shape::Token, &["jsonrpc.meta.object"]).until(V2025_11_25),
    opt(meta::RELATED_TASK, Shape::Struct(&RELATED), &["jsonrpc.meta.reserved-value-types"]).only(V2025_11_25),
]);
/// How the request may be made a task.
pub(in crate::shapes) static TASK: Object = object(&[opt("ttl", Shape::Integer, &["jsonrpc.message.params-object"])]);

/// Name and version, and what later revisions added.
pub(in crate::shapes) static IMPLEMENTATION: Object = object(&[
    req("name", Shape::String, &["lifecycle.initialize.server-info"]),
    req("version", Shape::String, &["lifecycle.initialize.server-info"]),
    opt("title", Shape::String, &["lifecycle.server-info.title-type"]).from(V2025_06_18),
    opt("description", Shape::String, &["lifecycle.server-info.description-type"]).from(V2025_11_25),
    opt("websiteUrl", Shape::Text(&URI), &["lifecycle.server-info.website-url"]).from(V2025_11_25),
    opt("icons", Shape::As(&["lifecycle.server-info.icons"], &ICONS), &["lifecycle.server-info.icons"])
        .from(V2025_11_25),
]);
