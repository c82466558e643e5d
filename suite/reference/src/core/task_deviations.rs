//! How tasks deviate: each function says what becomes of one step, and does nothing unless a deviation is on.

use std::time::Duration;
use wire::mcp::code;

use serde_json::{Value, json};

use super::call::{Call, Reply, failure};
use super::connection::Connection;
use super::schedule::What;
use super::server::Server;
use super::task::{RELATED, Task};
use crate::deviation::Deviation;
use crate::error::RpcError;

/// Returns the declared capability, or `None` if nothing is declared.
pub(super) fn capability(server: &Server, mut capability: Value) -> Option<Value> {
    if server.deviates(Deviation::TasksUndeclared) {
        return None;
    }
    for (deviation, name) in [(Deviation::TaskListUndeclared, "list"), (Deviation::TaskCancelUndeclared, "cancel")] {
        if server.deviates(deviation)
            && let Some(object) = capability.as_object_mut()
        {
            object.shift_remove(name);
        }
    }
    Some(capability)
}

/// The id of a new task, if not a random one.
pub(super) fn id(connection: &Connection, call: &Call) -> Option<String> {
    let server = &connection.server;
    if let Some(proposed) = call.params["task"]["taskId"].as_str()
        && server.deviates(Deviation::TaskIdsFromClient)
    {
        return Some(proposed.to_owned());
    }
    if server.deviates(Deviation::TaskIdsEqual) {
        return Some(format!("7f3e9b2c5a1d4e68{}", server.nonce().trim_start_matches('.')));
    }
    let (counted, timed) = (server.deviates(Deviation::TaskIdsCounted), server.deviates(Deviation::TaskIdsFromClock));
    if !counted && !timed {
        return None;
    }
    let mut state = server.state();
    state.task_count += 1;
    if counted {
        return Some(format!("task-{}", state.task_count));
    }
    let since = std::time::SystemTime::now().duration_since(std::time::UNIX_EPOCH).unwrap_or_default();
    // Tasks of the same moment are told apart.
    Some((since.as_millis() as u64 + state.task_count).to_string())
}

/// The creation is answered when all is over.
pub(super) fn answers_late(connection: &mut Connection, call: &Call) -> bool {
    let late = connection.server.deviates(Deviation::TaskCreatedWhenOver);
    if late && let Some(task) = connection.tasks.last_mut() {
        task.creator = Some(call.clone());
    }
    late
}

/// A task as clients are told of it.
pub(super) fn value(connection: &Connection, task: &Task, value: &mut Value) {
    let server = &connection.server;
    if server.deviates(Deviation::TaskCreatedAtIsNow) {
        value["createdAt"] = json!(connection.stamp(connection.now()));
    }
    if server.deviates(Deviation::TaskUpdatedBeforeCreated) {
        value["lastUpdatedAt"] = json!("2001-01-01T00:00:00Z");
    }
    if server.deviates(Deviation::FailedTaskWithoutMessage)
        && task.status == "failed"
        && let Some(object) = value.as_object_mut()
    {
        object.shift_remove("statusMessage");
    }
    let again = task.is_over() && task.told > 0 && task.told.is_multiple_of(2);
    if server.deviates(Deviation::FinishedTasksWorkAgain) && again {
        value["status"] = json!("working");
    }
    if server.deviates(Deviation::FinishedTasksEndAgain) && again {
        value["status"] = json!(if task.status == "failed" { "completed" } else { "failed" });
        value["statusMessage"] = json!("It is not what it was.");
    }
    if server.deviates(Deviation::CancelledTasksLookWorking)
        && task.status == "cancelled"
        && task.told <= task.cancelled_by
    {
        value["status"] = json!("working");
    }
}

/// How a task ends.
pub(super) fn end(connection: &mut Connection, id: &str, status: &'static str) -> &'static str {
    let server = connection.server.clone();
    let Some(outcome) = connection.task(id).and_then(|task| task.outcome.as_ref()) else { return status };
    let ends_well = status == "failed"
        && (outcome.is_ok() && server.deviates(Deviation::ToolErrorsCompleteTasks)
            || outcome.is_err() && server.deviates(Deviation::RpcErrorsCompleteTasks));
    if ends_well { "completed" } else { status }
}

/// Reports progress after the end of a task.
pub(super) fn after_end(connection: &mut Connection, call: &Call) {
    let Some(token) =
        call.progress_token().filter(|_| connection.server.deviates(Deviation::FinishedTasksReportProgress))
    else {
        return;
    };
    for (at, progress) in [(20, 1_000), (900, 1_001)] {
        let params = json!({"progressToken": token, "progress": progress, "total": 2_000});
        let what = What::Notify(Box::new(call.clone()), "notifications/progress", params);
        connection.later(Duration::from_millis(at), None, what);
    }
}

/// The result of a task that ended with one.
pub(super) fn result(connection: &mut Connection, id: &str, mut result: Value) -> Reply {
    let server = connection.server.clone();
    let Some(task) = connection.tasks.iter().find(|task| task.id == id) else { return Reply::Result(result) };
    if task.fetched > 1 && server.deviates(Deviation::TaskResultsOnce) {
        return RpcError::invalid_params("the result has been fetched").into();
    }
    if result["isError"] == true && server.deviates(Deviation::FailedTaskResultRefused) {
        return RpcError::new(code::INTERNAL_ERROR, "The task failed").into();
    }
    if server.deviates(Deviation::TaskResultDiffers) {
        result["content"] = json!([{"type": "text", "text": "The task is done."}]);
    }
    if server.deviates(Deviation::TaskResultIsTask) {
        result = json!({"task": connection.task_value(task), "_meta": {RELATED: {"taskId": id}}});
    }
    Reply::Result(result)
}

/// The error of a task that ended with one.
pub(super) fn error(connection: &Connection, error: RpcError) -> Reply {
    let server = &connection.server;
    match error.code {
        code::REQUEST_CANCELLED => Reply::Error(error),
        _ if server.deviates(Deviation::TaskErrorDiffers) => {
            Reply::Error(RpcError::new(code::INTERNAL_ERROR, "The task failed"))
        }
        _ if server.deviates(Deviation::TaskErrorIsResult) => Reply::Result(failure(&error.message)),
        _ => Reply::Error(error),
    }
}

/// Keeps the newest task for others to hear of.
pub(super) fn share(connection: &Connection) {
    let shared = [Deviation::ForeignTasksListed, Deviation::ForeignTasksReadable];
    if shared.iter().any(|deviation| connection.server.deviates(*deviation))
        && let Some(task) = connection.tasks.last()
    {
        let value = connection.task_value(task);
        connection.server.state().tasks.push((connection.number, value));
    }
}

/// A notification of a task.
pub(super) fn notification(server: &Server, method: &str, task: &str, params: &mut Value) {
    if server.deviates(Deviation::TaskNotificationsNameOther) {
        params["_meta"][RELATED] = json!({"taskId": "another"});
    }
    if method == "notifications/progress" && server.deviates(Deviation::TaskProgressUsesTaskId) {
        params["progressToken"] = json!(task);
    }
}
