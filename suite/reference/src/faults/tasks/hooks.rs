//! Where faults of tasks have a hand in what the server does: each function says what a fault makes of one step, and nothing
//! without one.

use std::time::Duration;

use serde_json::{Value, json};

use super::UNDECLARED;
use crate::core::{Call, Connection, RELATED, Reply, Server, Task, What};
use crate::error::RpcError;

/// What is declared.
pub(crate) fn capability(server: &Server, mut capability: Value) -> Option<Value> {
    if UNDECLARED.iter().any(|fault| server.faulty(fault)) {
        return None;
    }
    for (fault, name) in
        [("tasks.capability.list-undeclared", "list"), ("tasks.capability.cancel-undeclared", "cancel")]
    {
        if server.faulty(fault)
            && let Some(object) = capability.as_object_mut()
        {
            object.shift_remove(name);
        }
    }
    Some(capability)
}

/// Whether a method is served, if not as declared.
pub(crate) fn serves(server: &Server, method: &str) -> Option<bool> {
    let here = |fault: &str, wanted: &str| server.faulty(fault) && method == wanted;
    if here("tasks.capability.list-undeclared", "tasks/list")
        || here("tasks.capability.cancel-undeclared", "tasks/cancel")
    {
        return Some(true);
    }
    if server.faulty_as("tasks.capability.declared", "list") && method == "tasks/list" {
        return Some(true);
    }
    let missing =
        here("tasks.capability.list-served", "tasks/list") || here("tasks.capability.cancel-served", "tasks/cancel");
    missing.then_some(false)
}

pub(crate) fn creates_undeclared(server: &Server) -> bool {
    server.faulty_as("tasks.capability.declared", "") || server.faulty("tasks.undeclared-ignored")
}

/// Requests that are answered without a look at the tasks.
pub(crate) fn instead(connection: &mut Connection, call: &Call) -> Option<Reply> {
    let server = connection.server.clone();
    let id = call.params.get("taskId");
    let known = id.and_then(Value::as_str).is_some_and(|id| connection.task(id).is_some());
    if call.method == "tasks/list" {
        let cursor = call.params.get("cursor").filter(|cursor| !cursor.is_null())?;
        let valid = cursor.as_str().is_some_and(|text| crate::methods::offset("tasks", text, usize::MAX).is_some());
        if valid {
            return None;
        }
        return match server.settings.variant("tasks.list.invalid-cursor")? {
            "" => Some(RpcError::new(-32603, "The cursor could not be read").into()),
            _ => Some(Reply::Result(json!({"tasks": []}))),
        };
    }
    if id.is_none() && server.faulty("tasks.get.missing-id") && call.method == "tasks/get" {
        return Some(RpcError::new(-32603, "taskId is undefined").into());
    }
    if known || id.is_none() {
        return None;
    }
    if let Some(foreign) = foreign(connection, call) {
        return Some(foreign);
    }
    let fault = match call.method.as_str() {
        "tasks/get" => "tasks.get.unknown-id",
        "tasks/result" => "tasks.result.unknown-id",
        _ => "tasks.cancel.unknown-id",
    };
    match server.settings.variant(fault)? {
        "" => Some(RpcError::new(-32603, "There is no such task").into()),
        _ if call.method == "tasks/result" => {
            Some(Reply::Result(json!({"content": [], "_meta": {RELATED: {"taskId": id}}})))
        }
        _ => {
            let at = "2026-01-01T00:00:00Z";
            let status = if call.method == "tasks/get" { "working" } else { "cancelled" };
            Some(Reply::Result(
                json!({"taskId": id, "status": status, "createdAt": at, "lastUpdatedAt": at, "ttl": null}),
            ))
        }
    }
}

/// What is told of the tasks of others.
fn foreign(connection: &Connection, call: &Call) -> Option<Reply> {
    let server = &connection.server;
    let leaks = ["tasks.isolation.other-context-refused", "tasks.isolation.bound-to-context"];
    if !leaks.iter().any(|fault| server.faulty(fault)) {
        return None;
    }
    let id = call.params.get("taskId")?;
    let task = server.state().tasks.iter().find(|(_, task)| task["taskId"] == *id)?.1.clone();
    if call.method == "tasks/result" {
        return Some(Reply::Result(json!({"content": [], "_meta": {RELATED: {"taskId": id}}})));
    }
    Some(Reply::Result(task))
}

/// Requests other than calls, with a `task` that is to be ignored.
pub(crate) fn intercept(call: &Call, id: &str) -> Option<Reply> {
    let other = call.method != "tools/call" && call.params.get("task").is_some();
    (other && id == "tasks.undeclared-other-methods").then(|| RpcError::invalid_params("task is not known here").into())
}

/// The task that a request names, if another.
pub(crate) fn named(connection: &Connection, call: &Call) -> Option<String> {
    let id = call.params["_meta"][RELATED]["taskId"].as_str()?;
    connection.server.faulty("tasks.get.meta-ignored").then(|| id.to_owned())
}

/// A call with or without `task`, where a fault decides. The inner `None` serves it plainly.
pub(crate) fn augmented(connection: &mut Connection, call: &Call, support: &str) -> Option<Option<Reply>> {
    let server = connection.server.clone();
    let task = call.params.get("task");
    let plain = |text: &str| Some(Some(Reply::Result(json!({"content": [{"type": "text", "text": text}]}))));
    if server.faulty("tasks.undeclared-ignored") && task.is_some() {
        return Some(Some(RpcError::invalid_params("task is not known here").into()));
    }
    match (support, task) {
        ("required", None) => match server.settings.variant("tasks.tool-support.required-without-task")? {
            "" => Some(None),
            _ => {
                Some(Some(Reply::Result(crate::tools::failure("MCP error -32601: this tool is called as a task only"))))
            }
        },
        ("forbidden", Some(_)) if server.faulty("tasks.capability.declared") => {
            Some(Some(connection.create_task(call, None)))
        }
        ("forbidden", Some(_)) => match server.settings.variant("tasks.tool-support.forbidden-with-task")? {
            "" => Some(None),
            "task" => Some(Some(connection.create_task(call, None))),
            _ => Some(Some(RpcError::invalid_params("the task could not be created").into())),
        },
        ("optional", Some(_)) if server.faulty_as("tasks.tool-support.optional-both", "") => Some(None),
        ("optional", None) if server.faulty_as("tasks.tool-support.optional-both", "plain") => {
            Some(Some(RpcError::new(-32601, "This tool is called as a task only").into()))
        }
        (_, Some(task)) if *task == json!({}) && server.faulty("tasks.create.ttl-optional") => {
            Some(Some(RpcError::invalid_params("task.ttl is missing").into()))
        }
        (_, Some(task))
            if server.faulty("tasks.create.invalid-task-param") && (!task.is_object() || task["ttl"].is_string()) =>
        {
            match server.settings.variant("tasks.create.invalid-task-param")? {
                "" => Some(Some(connection.create_task(call, None))),
                "plain" => plain("Done."),
                _ => Some(Some(RpcError::new(-32603, "task could not be read").into())),
            }
        }
        _ => None,
    }
}

/// A task of a tool that nobody has.
pub(crate) fn unknown_tool(connection: &mut Connection, call: &Call) -> Option<Reply> {
    let wanted = call.params.get("task").is_some() && connection.server.faulty("tasks.create.invalid-tool");
    wanted.then(|| connection.create_task(call, None))
}

/// The id of a new task.
pub(crate) fn id(connection: &Connection, call: &Call) -> Option<String> {
    let server = &connection.server;
    if let Some(proposed) = call.params["task"]["taskId"].as_str()
        && server.faulty("tasks.id.receiver-generated")
    {
        return Some(proposed.to_owned());
    }
    if server.faulty("tasks.id.unique") {
        return Some(format!("7f3e9b2c5a1d4e68{}", server.nonce().trim_start_matches('.')));
    }
    let variant = server.settings.variant("tasks.id.unguessable")?;
    let mut state = server.state();
    state.task_count += 1;
    Some(match variant {
        "" => format!("task-{}", state.task_count),
        _ => {
            let since = std::time::SystemTime::now().duration_since(std::time::UNIX_EPOCH).unwrap_or_default();
            // Tasks of the same moment are told apart.
            (since.as_millis() as u64 + state.task_count).to_string()
        }
    })
}

/// The creation is answered when all is over.
pub(crate) fn answers_late(connection: &mut Connection, call: &Call) -> bool {
    let late = connection.server.faulty("tasks.create.immediate");
    if late && let Some(task) = connection.tasks.last_mut() {
        task.creator = Some(call.clone());
    }
    late
}

/// A task as clients are told of it.
pub(crate) fn value(connection: &Connection, task: &Task, value: &mut Value) {
    let server = &connection.server;
    if server.faulty_as("tasks.object.timestamps-consistent", "") {
        value["createdAt"] = json!(connection.stamp(connection.now()));
    }
    if server.faulty_as("tasks.object.timestamps-consistent", "before") {
        value["lastUpdatedAt"] = json!("2001-01-01T00:00:00Z");
    }
    if server.faulty("tasks.get.failed-has-message")
        && task.status == "failed"
        && let Some(object) = value.as_object_mut()
    {
        object.shift_remove("statusMessage");
    }
    let again = task.is_over() && task.told > 0 && task.told.is_multiple_of(2);
    if server.faulty("tasks.lifecycle.transitions") && again {
        value["status"] = json!("working");
    }
    if server.faulty("tasks.lifecycle.terminal-final") && again {
        value["status"] = json!(if task.status == "failed" { "completed" } else { "failed" });
        value["statusMessage"] = json!("It is not what it was.");
    }
    if server.faulty("tasks.cancel.visible-at-once") && task.status == "cancelled" && task.told <= task.cancelled_by {
        value["status"] = json!("working");
    }
}

/// The answer to a cancellation.
pub(crate) fn cancelled(mut value: Value) -> Value {
    value["status"] = json!("cancelled");
    value
}

/// Whether a request for the status is left until the end.
pub(crate) fn holds_get(connection: &mut Connection, call: &Call, id: &str) -> bool {
    let server = connection.server.clone();
    let Some(task) = connection.task(id).filter(|task| !task.is_over()) else { return false };
    let waits =
        server.faulty("tasks.get.immediate") || server.faulty("tasks.result.parallel-get") && !task.waiting.is_empty();
    if waits {
        task.gets.push(call.clone());
    } else if server.faulty("tasks.get.right-after-create") && !task.begun {
        connection.finish(call, RpcError::invalid_params("there is no task with this taskId").into());
        return true;
    }
    waits
}

/// How a task ends.
pub(crate) fn end(connection: &mut Connection, id: &str, status: &'static str) -> &'static str {
    let server = connection.server.clone();
    let Some(outcome) = connection.task(id).and_then(|task| task.outcome.as_ref()) else { return status };
    let ends_well = status == "failed"
        && (outcome.is_ok() && server.faulty("tasks.lifecycle.is-error-fails")
            || outcome.is_err() && server.faulty("tasks.lifecycle.rpc-error-fails"));
    if ends_well { "completed" } else { status }
}

/// What is still said when all is over.
pub(crate) fn after_end(connection: &mut Connection, call: &Call) {
    let Some(token) = call.progress_token().filter(|_| connection.server.faulty("progress.task-stops-at-terminal"))
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
pub(crate) fn result(connection: &mut Connection, id: &str, mut result: Value) -> Reply {
    let server = connection.server.clone();
    let Some(task) = connection.tasks.iter().find(|task| task.id == id) else { return Reply::Result(result) };
    if task.fetched > 1 && server.faulty("tasks.result.repeatable") {
        return RpcError::invalid_params("the result has been fetched").into();
    }
    if result["isError"] == true && server.faulty("tasks.result.failed") {
        return RpcError::new(-32603, "The task failed").into();
    }
    match server.settings.variant("tasks.result.same-as-plain") {
        Some("") => result["content"] = json!([{"type": "text", "text": "The task is done."}]),
        Some(_) => result = json!({"task": connection.task_value(task), "_meta": {RELATED: {"taskId": id}}}),
        None => {}
    }
    Reply::Result(result)
}

/// The error of a task that ended with one.
pub(crate) fn error(connection: &Connection, error: RpcError) -> Reply {
    match connection.server.settings.variant("tasks.result.rpc-error").filter(|_| error.code != -32800) {
        Some("") => Reply::Error(RpcError::new(-32603, "The task failed")),
        Some(_) => Reply::Result(crate::tools::failure(&error.message)),
        None => Reply::Error(error),
    }
}

/// The tasks of a list.
pub(crate) fn listed(connection: &Connection, tasks: &mut Vec<Value>) {
    let server = &connection.server;
    if server.faulty("tasks.list.complete") {
        tasks.drain(..tasks.len().min(1));
    }
    let leaks = ["tasks.capability.list-without-identity", "tasks.list.own-context-only"];
    if leaks.iter().any(|fault| server.faulty(fault)) {
        let state = server.state();
        tasks.extend(state.tasks.iter().filter(|(owner, _)| *owner != connection.number).map(|(_, task)| task.clone()));
    }
}

/// Tasks that others are to hear of.
pub(crate) fn remember(connection: &Connection) {
    let shared = [
        "tasks.capability.list-without-identity",
        "tasks.list.own-context-only",
        "tasks.isolation.other-context-refused",
        "tasks.isolation.bound-to-context",
    ];
    if shared.iter().any(|fault| connection.server.faulty(fault))
        && let Some(task) = connection.tasks.last()
    {
        let value = connection.task_value(task);
        connection.server.state().tasks.push((connection.number, value));
    }
}

/// The client cancels a request that has long been answered by a task.
pub(crate) fn cancelled_by_notification(connection: &mut Connection, id: &Value) {
    if !connection.server.faulty("cancellation.task-request-id") {
        return;
    }
    let task = connection.tasks.iter().find(|task| task.call.id == *id).map(|task| task.id.clone());
    if let Some(id) = task {
        connection.cancel_task(&id);
    }
}

/// A notification of a task.
pub(crate) fn notification(server: &Server, method: &str, task: &str, params: &mut Value) {
    if server.faulty("tasks.lifecycle.notifications-related") {
        params["_meta"][RELATED] = json!({"taskId": "another"});
    }
    if method == "notifications/progress" && server.faulty("progress.task-same-token") {
        params["progressToken"] = json!(task);
    }
}
