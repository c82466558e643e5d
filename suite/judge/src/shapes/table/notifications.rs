//! Notifications, as whole messages.

use verdict::Revision::{self, V2025_03_26, V2025_06_18, V2025_11_25, V2026_07_28};
use wire::mcp::{LOG_LEVELS, meta};

use super::common::{Entry, RELATED};
use super::tasks::TASK;
use crate::shapes::forms::URI;
use crate::shapes::row::{Object, Shape, object, opt, req};

pub(in crate::shapes) static NOTIFICATIONS: &[Entry] = &[
    ("notifications/cancelled", Revision::FIRST, Revision::LATEST, Shape::Struct(&CANCELLED)),
    ("notifications/progress", Revision::FIRST, Revision::LATEST, Shape::Struct(&PROGRESS)),
    ("notifications/message", Revision::FIRST, Revision::LATEST, Shape::Struct(&LOG)),
    ("notifications/tools/list_changed", Revision::FIRST, Revision::LATEST, Shape::Struct(&TOOLS_CHANGED)),
    ("notifications/prompts/list_changed", Revision::FIRST, Revision::LATEST, Shape::Struct(&PROMPTS_CHANGED)),
    ("notifications/resources/list_changed", Revision::FIRST, Revision::LATEST, Shape::Struct(&RESOURCES_CHANGED)),
    ("notifications/resources/updated", Revision::FIRST, Revision::LATEST, Shape::Struct(&UPDATED)),
    ("notifications/tasks/status", V2025_11_25, V2025_11_25, Shape::Struct(&TASK_STATUS)),
    ("notifications/elicitation/complete", V2025_11_25, V2025_11_25, Shape::Struct(&ELICITED)),
    ("notifications/subscriptions/acknowledged", V2026_07_28, V2026_07_28, Shape::Struct(&ACKNOWLEDGED)),
];
/// Any other notification.
pub(in crate::shapes) static NOTIFICATION: Shape = Shape::Struct(&OTHER);

static OTHER: Object = object(&[opt("params", Shape::Struct(&META), &["jsonrpc.message.params-object"])]);
static META: Object = object(&[opt("_meta", Shape::Struct(&NOTIFICATION_META), &["jsonrpc.meta.object"])]);
static NOTIFICATION_META: Object = object(&[
    opt(meta::SUBSCRIPTION_ID, Shape::Token, &["jsonrpc.meta.reserved-value-types"]).from(V2026_07_28),
    opt(meta::RELATED_TASK, Shape::Struct(&RELATED), &["jsonrpc.meta.reserved-value-types"]).only(V2025_11_25),
]);

static CANCELLED: Object = object(&[req("params", Shape::Struct(&CANCELLED_PARAMS), &["cancellation.sent.shape"])]);
static CANCELLED_PARAMS: Object = Object {
    rows: &[
        req("requestId", Shape::Token, &["cancellation.sent.shape"]).until(V2025_06_18),
        opt("requestId", Shape::Token, &["cancellation.sent.shape"]).only(V2025_11_25),
        req("requestId", Shape::Token, &["cancellation.sent.shape"]).from(V2026_07_28),
        opt("reason", Shape::String, &["cancellation.sent.shape"]),
    ],
    with: &[&META],
};

static PROGRESS: Object = object(&[
    opt("id", Shape::Absent, &["progress.method-and-no-id"]),
    req("params", Shape::Struct(&PROGRESS_PARAMS), &["progress.token-required"]),
]);
static PROGRESS_PARAMS: Object = Object {
    rows: &[
        req("progressToken", Shape::Token, &["progress.token-required"]),
        req("progress", Shape::Number, &["progress.value-number"]),
        opt("total", Shape::Number, &["progress.total-number"]),
        opt("message", Shape::String, &["progress.message-string"]).from(V2025_03_26),
    ],
    with: &[&META],
};

static LOG: Object = object(&[
    opt("id", Shape::Absent, &["logging.message.is-notification"]),
    req("params", Shape::Struct(&LOG_PARAMS), &["logging.message.data-present"]),
]);
static LOG_PARAMS: Object = Object {
    rows: &[
        req("level", Shape::Enum(&LOG_LEVELS), &["logging.message.level"]),
        req("data", Shape::Any, &["logging.message.data-present"]),
        opt("logger", Shape::String, &["logging.message.logger-string"]),
    ],
    with: &[&META],
};

static TOOLS_CHANGED: Object = object(&[
    opt("id", Shape::Absent, &["tools.list-changed.shape"]),
    opt("params", Shape::Struct(&META), &["tools.list-changed.shape"]),
]);
static PROMPTS_CHANGED: Object = object(&[
    opt("id", Shape::Absent, &["prompts.list-changed.shape"]),
    opt("params", Shape::Struct(&META), &["prompts.list-changed.shape"]),
]);
static RESOURCES_CHANGED: Object = object(&[
    opt("id", Shape::Absent, &["resources.list-changed.shape"]),
    opt("params", Shape::Struct(&META), &["resources.list-changed.shape"]),
]);
static UPDATED: Object = object(&[
    opt("id", Shape::Absent, &["subscriptions.resource.updated-shape"]),
    req("params", Shape::Struct(&UPDATED_PARAMS), &["subscriptions.resource.updated-shape"]),
]);
static UPDATED_PARAMS: Object =
    Object { rows: &[req("uri", Shape::Text(&URI), &["subscriptions.resource.updated-shape"])], with: &[&META] };

static TASK_STATUS: Object = object(&[req(
    "params",
    Shape::Also(&["tasks.notification.shape"], &Shape::Struct(&TASK_PARAMS)),
    &["tasks.notification.shape"],
)]);
static TASK_PARAMS: Object = Object { rows: &[], with: &[&TASK, &META] };

static ELICITED: Object = object(&[
    opt("id", Shape::Absent, &["elicitation.complete.shape"]),
    req("params", Shape::Struct(&ELICITED_PARAMS), &["elicitation.complete.shape"]),
]);
static ELICITED_PARAMS: Object = object(&[req("elicitationId", Shape::String, &["elicitation.complete.shape"])]);

static ACKNOWLEDGED: Object =
    object(&[req("params", Shape::Struct(&ACKNOWLEDGED_PARAMS), &["subscriptions.ack.filter-object"])]);
static ACKNOWLEDGED_PARAMS: Object = Object {
    rows: &[req("notifications", Shape::Struct(&FILTER), &["subscriptions.ack.filter-object"])],
    with: &[&META],
};
static FILTER: Object = object(&[
    opt("toolsListChanged", Shape::Boolean, &["subscriptions.ack.filter-object"]),
    opt("promptsListChanged", Shape::Boolean, &["subscriptions.ack.filter-object"]),
    opt("resourcesListChanged", Shape::Boolean, &["subscriptions.ack.filter-object"]),
    opt("resourceSubscriptions", Shape::Array(&Shape::String), &["subscriptions.ack.filter-object"]),
]);
