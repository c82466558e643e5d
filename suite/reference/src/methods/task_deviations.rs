//! How the methods about tasks deviate: each function says what becomes of one step, and does nothing unless a deviation is on.

use serde_json::{Value, json};
use wire::mcp::code;

use crate::core::{Call, Connection, RELATED, Reply, Server, failure, offset};
use crate::deviation::Deviation;
use crate::error::RpcError;

/// Whether a method is served, if not as declared.
pub(super) fn serves(server: &Server, method: &str) -> Option<bool> {
    let list = [Deviation::TaskListUndeclared, Deviation::TaskListServedAnyway];
    match method {
        "tasks/list" if list.iter().any(|deviation| server.deviates(*deviation)) => Some(true),
        "tasks/cancel" if server.deviates(Deviation::TaskCancelUndeclared) => Some(true),
        "tasks/list" if server.deviates(Deviation::TaskListNotServed) => Some(false),
        "tasks/cancel" if server.deviates(Deviation::TaskCancelNotServed) => Some(false),
        _ => None,
    }
}

/// Whether tasks are created though none are declared.
pub(super) fn creates_undeclared(server: &Server) -> bool {
    server.deviates(Deviation::TasksCreatedUndeclared) || server.deviates(Deviation::UndeclaredTaskRefused)
}

/// The answer to a request about a task that is not looked at.
pub(super) fn reply_instead(connection: &mut Connection, call: &Call) -> Option<Reply> {
    let server = connection.server.clone();
    let id = call.params.get("taskId");
    let known = id.and_then(Value::as_str).is_some_and(|id| connection.task(id).is_some());
    if call.method == "tasks/list" {
        return list_by_invalid_cursor(&server, call);
    }
    if id.is_none() && server.deviates(Deviation::MissingTaskIdIsInternalError) && call.method == "tasks/get" {
        return Some(RpcError::new(code::INTERNAL_ERROR, "taskId is undefined").into());
    }
    if known || id.is_none() {
        return None;
    }
    if let Some(foreign) = foreign_task_reply(connection, call) {
        return Some(foreign);
    }
    let (error, served) = match call.method.as_str() {
        "tasks/get" => (Deviation::UnknownTaskGetIsInternalError, Deviation::UnknownTaskGetIsServed),
        "tasks/result" => (Deviation::UnknownTaskResultIsInternalError, Deviation::UnknownTaskResultIsServed),
        _ => (Deviation::UnknownTaskCancelIsInternalError, Deviation::UnknownTaskCancelIsServed),
    };
    if server.deviates(error) {
        return Some(RpcError::new(code::INTERNAL_ERROR, "There is no such task").into());
    }
    server.deviates(served).then(|| invented_reply(call))
}

fn list_by_invalid_cursor(server: &Server, call: &Call) -> Option<Reply> {
    let cursor = call.params.get("cursor").filter(|cursor| !cursor.is_null())?;
    if cursor.as_str().is_some_and(|text| offset("tasks", text, usize::MAX).is_some()) {
        return None;
    }
    if server.deviates(Deviation::TaskCursorIsInternalError) {
        return Some(RpcError::new(code::INTERNAL_ERROR, "The cursor could not be read").into());
    }
    server.deviates(Deviation::TaskCursorGivesNothing).then(|| Reply::Result(json!({"tasks": []})))
}

/// The answer about a task that does not exist.
fn invented_reply(call: &Call) -> Reply {
    let id = &call.params["taskId"];
    if call.method == "tasks/result" {
        return Reply::Result(json!({"content": [], "_meta": {RELATED: {"taskId": id}}}));
    }
    let at = "2026-01-01T00:00:00Z";
    let status = if call.method == "tasks/get" { "working" } else { "cancelled" };
    Reply::Result(json!({"taskId": id, "status": status, "createdAt": at, "lastUpdatedAt": at, "ttl": null}))
}

/// Returns the reply about a task of another connection.
fn foreign_task_reply(connection: &Connection, call: &Call) -> Option<Reply> {
    let server = &connection.server;
    let id = call.params.get("taskId").filter(|_| server.deviates(Deviation::ForeignTasksReadable))?;
    let task = server.state().tasks.iter().find(|(_, task)| task["taskId"] == *id)?.1.clone();
    if call.method == "tasks/result" {
        return Some(Reply::Result(json!({"content": [], "_meta": {RELATED: {"taskId": id}}})));
    }
    Some(Reply::Result(task))
}

/// The task that a request names, if another.
pub(super) fn id_from_meta(connection: &Connection, call: &Call) -> Option<String> {
    let id = call.params["_meta"][RELATED]["taskId"].as_str()?;
    connection.server.deviates(Deviation::TaskIdFromMeta).then(|| id.to_owned())
}

/// The answer to a call with or without `task`, where a deviation decides. The inner `None` serves it plainly.
pub(super) fn reply_to_augmented(connection: &mut Connection, call: &Call, support: &str) -> Option<Option<Reply>> {
    let server = connection.server.clone();
    let on = |deviation| server.deviates(deviation);
    let task = call.params.get("task");
    let invalid = |why: &str| Some(Some(RpcError::invalid_params(why).into()));
    let odd = task.is_some_and(|task| !task.is_object() || task["ttl"].is_string());
    match (support, task.is_some()) {
        (_, true) if on(Deviation::UndeclaredTaskRefused) => invalid("task is not known here"),
        ("required", false) if on(Deviation::RequiredTaskOptional) => Some(None),
        ("required", false) if on(Deviation::RequiredTaskIsToolError) => {
            Some(Some(Reply::Result(failure("MCP error -32601: this tool is called as a task only"))))
        }
        ("forbidden", true) if on(Deviation::TasksCreatedUndeclared) || on(Deviation::ForbiddenTaskCreated) => {
            Some(Some(connection.create_task(call, None)))
        }
        ("forbidden", true) if on(Deviation::ForbiddenTaskRunsPlainly) => Some(None),
        ("forbidden", true) if on(Deviation::ForbiddenTaskIsInvalidParams) => invalid("the task could not be created"),
        ("optional", true) if on(Deviation::OptionalTaskRunsPlainly) => Some(None),
        ("optional", false) if on(Deviation::OptionalTaskRequired) => {
            Some(Some(RpcError::new(code::METHOD_NOT_FOUND, "This tool is called as a task only").into()))
        }
        ("forbidden", true) => None,
        (_, true) if task == Some(&json!({})) && on(Deviation::TaskTtlRequired) => invalid("task.ttl is missing"),
        (_, true) if odd && on(Deviation::InvalidTaskCreated) => Some(Some(connection.create_task(call, None))),
        (_, true) if odd && on(Deviation::InvalidTaskRunsPlainly) => {
            Some(Some(Reply::Result(json!({"content": [{"type": "text", "text": "Done."}]}))))
        }
        (_, true) if odd && on(Deviation::InvalidTaskIsInternalError) => {
            Some(Some(RpcError::new(code::INTERNAL_ERROR, "task could not be read").into()))
        }
        _ => None,
    }
}

/// A task of a tool that nobody has.
pub(super) fn create_for_unknown_tool(connection: &mut Connection, call: &Call) -> Option<Reply> {
    let wanted = call.params.get("task").is_some() && connection.server.deviates(Deviation::UnknownToolTaskCreated);
    wanted.then(|| connection.create_task(call, None))
}

/// The answer to a cancellation.
pub(super) fn show_as_cancelled(mut value: Value) -> Value {
    value["status"] = json!("cancelled");
    value
}

/// Whether a request for the status is left until the end.
pub(super) fn hold_get(connection: &mut Connection, call: &Call, id: &str) -> bool {
    let server = connection.server.clone();
    let Some(task) = connection.task(id).filter(|task| !task.is_over()) else { return false };
    let waits = server.deviates(Deviation::TaskStatusWaitsForEnd)
        || server.deviates(Deviation::TaskStatusWaitsForResult) && !task.waiting.is_empty();
    if waits {
        task.gets.push(call.clone());
    } else if server.deviates(Deviation::NewTasksUnknown) && !task.begun {
        connection.finish(call, RpcError::invalid_params("there is no task with this taskId").into());
        return true;
    }
    waits
}

/// The tasks of a list.
pub(super) fn change_list(connection: &Connection, tasks: &mut Vec<Value>) {
    let server = &connection.server;
    if server.deviates(Deviation::FirstTaskNotListed) {
        tasks.drain(..tasks.len().min(1));
    }
    if server.deviates(Deviation::ForeignTasksListed) {
        let state = server.state();
        tasks.extend(state.tasks.iter().filter(|(owner, _)| *owner != connection.number).map(|(_, task)| task.clone()));
    }
}

/// The client cancels a request that has long been answered by a task.
pub(super) fn cancel_by_notification(connection: &mut Connection, id: &Value) {
    if !connection.server.deviates(Deviation::TasksCancelledByRequestId) {
        return;
    }
    let task = connection.tasks.iter().find(|task| task.call.id == *id).map(|task| task.id.clone());
    if let Some(id) = task {
        connection.cancel_task(&id);
    }
}
