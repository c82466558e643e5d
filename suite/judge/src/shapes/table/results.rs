//! Results, by the method of the request they answer.

use verdict::Revision::{self, V2025_06_18, V2025_11_25, V2026_07_28};
use wire::mcp::meta;

use super::checks::{HUNDRED, INPUTS_OR_STATE};
use super::client::INPUT_REQUEST;
use super::common::{CACHE, Entry, RESULT};
use super::content::CONTENT;
use super::lifecycle::{DISCOVER, INITIALIZE};
use super::prompts::{GET_PROMPT, PROMPT};
use super::resources::{CONTENTS, RESOURCE, TEMPLATE};
use super::tasks::{CANCEL_TASK, CREATE_TASK, GET_TASK, LIST_TASKS};
use super::tools::TOOL;
use crate::shapes::row::{Object, Shape, object, opt, req, whole};

pub(in crate::shapes) static RESULTS: &[Entry] = &[
    ("initialize", Revision::FIRST, Revision::LATEST_HANDSHAKE, Shape::Struct(&INITIALIZE)),
    ("server/discover", V2026_07_28, V2026_07_28, Shape::Struct(&DISCOVER)),
    ("ping", Revision::FIRST, Revision::LATEST_HANDSHAKE, Shape::Struct(&RESULT)),
    ("tools/list", Revision::FIRST, Revision::LATEST, Shape::Struct(&LIST_TOOLS)),
    ("tools/call", Revision::FIRST, Revision::LATEST, Shape::Struct(&CALL_TOOL)),
    ("resources/list", Revision::FIRST, Revision::LATEST, Shape::Struct(&LIST_RESOURCES)),
    ("resources/templates/list", Revision::FIRST, Revision::LATEST, Shape::Struct(&LIST_TEMPLATES)),
    ("resources/read", Revision::FIRST, Revision::LATEST, Shape::Struct(&READ_RESOURCE)),
    ("resources/subscribe", Revision::FIRST, Revision::LATEST_HANDSHAKE, Shape::Struct(&RESULT)),
    ("resources/unsubscribe", Revision::FIRST, Revision::LATEST_HANDSHAKE, Shape::Struct(&RESULT)),
    ("prompts/list", Revision::FIRST, Revision::LATEST, Shape::Struct(&LIST_PROMPTS)),
    ("prompts/get", Revision::FIRST, Revision::LATEST, Shape::Struct(&GET_PROMPT)),
    ("completion/complete", Revision::FIRST, Revision::LATEST, Shape::Struct(&COMPLETE)),
    ("logging/setLevel", Revision::FIRST, Revision::LATEST_HANDSHAKE, Shape::Struct(&RESULT)),
    ("tasks/get", V2025_11_25, V2025_11_25, Shape::Struct(&GET_TASK)),
    ("tasks/result", V2025_11_25, V2025_11_25, Shape::Struct(&CALL_TOOL)),
    ("tasks/list", V2025_11_25, V2025_11_25, Shape::Struct(&LIST_TASKS)),
    ("tasks/cancel", V2025_11_25, V2025_11_25, Shape::Struct(&CANCEL_TASK)),
    ("subscriptions/listen", V2026_07_28, V2026_07_28, Shape::Struct(&LISTEN)),
];
/// The result of a task-augmented call.
pub(in crate::shapes) static TASK_CREATED: Shape = Shape::Struct(&CREATE_TASK);
/// The result of a request that needs input from the client first.
pub(in crate::shapes) static INPUT_REQUIRED: Shape = Shape::Struct(&INPUT_REQUIRED_RESULT);

static PAGE: Object =
    Object { rows: &[opt("nextCursor", Shape::String, &["pagination.next-cursor-string"])], with: &[&RESULT] };
static LIST_TOOLS: Object = Object {
    rows: &[
        req(
            "tools",
            Shape::Array(&Shape::Struct(&TOOL)),
            &["tools.list.tools-array", "pagination.array-on-every-page"],
        ),
        req("ttlMs", Shape::Any, &["caching.hints.tools-list"]).from(V2026_07_28),
        req("cacheScope", Shape::Any, &["caching.hints.tools-list"]).from(V2026_07_28),
    ],
    with: &[&PAGE, &CACHE],
};
static LIST_RESOURCES: Object = Object {
    rows: &[
        req(
            "resources",
            Shape::Array(&Shape::Struct(&RESOURCE)),
            &["resources.list.result-array", "pagination.array-on-every-page"],
        ),
        req("ttlMs", Shape::Any, &["caching.hints.resources-list"]).from(V2026_07_28),
        req("cacheScope", Shape::Any, &["caching.hints.resources-list"]).from(V2026_07_28),
    ],
    with: &[&PAGE, &CACHE],
};
static LIST_TEMPLATES: Object = Object {
    rows: &[
        req(
            "resourceTemplates",
            Shape::Array(&Shape::Struct(&TEMPLATE)),
            &["resources.templates.result-array", "pagination.array-on-every-page"],
        ),
        req("ttlMs", Shape::Any, &["caching.hints.resources-templates-list"]).from(V2026_07_28),
        req("cacheScope", Shape::Any, &["caching.hints.resources-templates-list"]).from(V2026_07_28),
    ],
    with: &[&PAGE, &CACHE],
};
static LIST_PROMPTS: Object = Object {
    rows: &[
        req(
            "prompts",
            Shape::Array(&Shape::Struct(&PROMPT)),
            &["prompts.list.result-array", "pagination.array-on-every-page"],
        ),
        req("ttlMs", Shape::Any, &["caching.hints.prompts-list"]).from(V2026_07_28),
        req("cacheScope", Shape::Any, &["caching.hints.prompts-list"]).from(V2026_07_28),
    ],
    with: &[&PAGE, &CACHE],
};
static READ_RESOURCE: Object = Object {
    rows: &[
        req("contents", Shape::Array(&Shape::Struct(&CONTENTS)), &["resources.read.contents-array"]),
        req("resultType", Shape::Const("complete"), &["resources.read.result-type"]).from(V2026_07_28),
        req("ttlMs", Shape::Any, &["caching.hints.resources-read"]).from(V2026_07_28),
        req("cacheScope", Shape::Any, &["caching.hints.resources-read"]).from(V2026_07_28),
    ],
    with: &[&RESULT, &CACHE],
};

pub(in crate::shapes) static CALL_TOOL: Object = Object {
    rows: &[
        req("content", Shape::Array(&Shape::Tagged(&CONTENT)), &["tools.call.content-array"]),
        opt("isError", Shape::Boolean, &["tools.call.is-error-boolean"]),
        opt("structuredContent", Shape::Object, &["tools.structured.is-object"]).from(V2025_06_18).until(V2025_11_25),
        req("resultType", Shape::Const("complete"), &["tools.call.result-type"]).from(V2026_07_28),
    ],
    with: &[&RESULT],
};

static COMPLETE: Object =
    Object { rows: &[req("completion", Shape::Struct(&COMPLETION), &["completion.result.object"])], with: &[&RESULT] };
static COMPLETION: Object = object(&[
    req("values", Shape::Array(&Shape::String), &["completion.result.values"]),
    opt("values", Shape::Is(&HUNDRED), &["completion.result.max-100"]),
    opt("total", Shape::Integer, &["completion.result.total"]),
    opt("hasMore", Shape::Boolean, &["completion.result.has-more"]),
]);

static LISTEN: Object = Object {
    rows: &[
        req("resultType", Shape::Const("complete"), &["subscriptions.graceful-result-shape"]).mute(),
        req("_meta", Shape::Struct(&LISTEN_META), &["subscriptions.graceful-result-shape"]).mute(),
    ],
    with: &[&RESULT],
};
static LISTEN_META: Object = object(&[req(
    meta::SUBSCRIPTION_ID,
    Shape::Token,
    &["subscriptions.graceful-result-shape", "jsonrpc.meta.reserved-value-types"],
)
.mute()]);

static INPUT_REQUIRED_RESULT: Object = Object {
    rows: &[
        req("resultType", Shape::Const("input_required"), &["mrtr.result-type"]),
        whole(&INPUTS_OR_STATE, &["mrtr.inputs-or-state"]),
        opt("inputRequests", Shape::Map(&Shape::Tagged(&INPUT_REQUEST)), &["mrtr.input-requests-object"]),
        opt("requestState", Shape::String, &["mrtr.request-state-string"]),
    ],
    with: &[&RESULT],
};
