//! Tasks of 2025-11-25.

use super::common::RESULT;
use crate::shapes::forms::TIME;
use crate::shapes::row::{Object, Shape, object, opt, req};

pub(in crate::shapes) static TASK: Object = object(&[
    req("taskId", Shape::String, &["tasks.id.string"]),
    req("status", Shape::Enum(STATUSES), &["tasks.object.status"]),
    opt("statusMessage", Shape::String, &["tasks.object.status-message"]),
    req("createdAt", Shape::Text(&TIME), &["tasks.object.created-at"]),
    req("lastUpdatedAt", Shape::Text(&TIME), &["tasks.object.last-updated-at"]),
    req("ttl", Shape::IntegerOrNull, &["tasks.object.ttl"]),
    opt("pollInterval", Shape::Integer, &["tasks.object.poll-interval"]),
]);
static STATUSES: &[&str] = &["working", "input_required", "completed", "failed", "cancelled"];

pub(in crate::shapes) static CREATE_TASK: Object =
    Object { rows: &[req("task", Shape::Struct(&TASK), &["tasks.create.result"])], with: &[&RESULT] };
/// That the id is the one asked for is for a rule to say.
pub(in crate::shapes) static GET_TASK: Object =
    Object { rows: &[req("taskId", Shape::Any, &["tasks.get.result"]).mute()], with: &[&TASK, &RESULT] };
pub(in crate::shapes) static CANCEL_TASK: Object =
    Object { rows: &[req("taskId", Shape::Any, &["tasks.cancel.result"]).mute()], with: &[&TASK, &RESULT] };
pub(in crate::shapes) static LIST_TASKS: Object = Object {
    rows: &[
        req("tasks", Shape::Array(&Shape::Struct(&TASK)), &["tasks.list.shape"]),
        opt("nextCursor", Shape::String, &["tasks.list.next-cursor-type", "pagination.next-cursor-string"]),
    ],
    with: &[&RESULT],
};
