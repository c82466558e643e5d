//! tasks/get, tasks/result, tasks/list and tasks/cancel, and what makes a call a task (2025-11-25).

use serde_json::{Value, json};
use wire::mcp::code;

use super::task_deviations;
use crate::core::{Call, Connection, Reply, failure, has_tasks, page, tasks_capability as capability};
use crate::deviation::Deviation;
use crate::error::RpcError;

/// A request about tasks; none if the method is another, or not served.
pub(super) fn serve(connection: &mut Connection, call: &Call) -> Option<Reply> {
    let declared = capability(&connection.server, call.revision);
    if !has_tasks(call.revision) {
        return None;
    }
    let has = |name: &str| declared.as_ref().is_some_and(|tasks| tasks.get(name).is_some());
    let served = match call.method.as_str() {
        "tasks/get" | "tasks/result" => declared.is_some(),
        "tasks/list" => has("list"),
        "tasks/cancel" => has("cancel"),
        _ => return None,
    };
    if !task_deviations::serves(&connection.server, &call.method).unwrap_or(served) {
        return None;
    }
    connection.forget_tasks();
    if let Some(reply) = task_deviations::reply_instead(connection, call) {
        return Some(reply);
    }
    Some(match call.method.as_str() {
        "tasks/get" => get(connection, call),
        "tasks/result" => result(connection, call),
        "tasks/list" => list(connection, call),
        _ => cancel(connection, call),
    })
}

/// The task that a request names.
fn task_id(connection: &mut Connection, call: &Call) -> Result<String, RpcError> {
    let id = super::text(&call.params, "taskId")?.to_owned();
    let id = task_deviations::id_from_meta(connection, call).unwrap_or(id);
    if connection.task(&id).is_none() {
        return Err(RpcError::invalid_params("there is no task with this taskId"));
    }
    Ok(id)
}

fn get(connection: &mut Connection, call: &Call) -> Reply {
    let id = match task_id(connection, call) {
        Ok(id) => id,
        Err(error) => return error.into(),
    };
    if task_deviations::hold_get(connection, call, &id) {
        return Reply::Later;
    }
    if let Some(task) = connection.task(&id) {
        task.told += 1;
    }
    let task = connection.tasks.iter().find(|task| task.id == id);
    task.map_or(Reply::Later, |task| Reply::Result(connection.task_value(task)))
}

fn result(connection: &mut Connection, call: &Call) -> Reply {
    let id = match task_id(connection, call) {
        Ok(id) => id,
        Err(error) => return error.into(),
    };
    let Some(task) = connection.task(&id) else { return Reply::Later };
    if task.is_over() {
        return connection.outcome(&id);
    }
    if connection.server.deviates(Deviation::UnfinishedResultRefused) {
        return RpcError::invalid_params("the task is not finished").into();
    }
    if connection.server.deviates(Deviation::UnfinishedResultEmpty) {
        return Reply::Result(json!({"content": [], "_meta": {crate::core::RELATED: {"taskId": id}}}));
    }
    if let Some(task) = connection.task(&id) {
        task.waiting.push(call.clone());
    }
    connection.ask_now(&id);
    Reply::Later
}

fn list(connection: &mut Connection, call: &Call) -> Reply {
    let mut tasks: Vec<Value> = connection.tasks.iter().map(|task| connection.task_value(task)).collect();
    task_deviations::change_list(connection, &mut tasks);
    let server = connection.server.clone();
    page(&server, call, "tasks", tasks).map_or_else(Reply::Error, Reply::Result)
}

fn cancel(connection: &mut Connection, call: &Call) -> Reply {
    let id = match task_id(connection, call) {
        Ok(id) => id,
        Err(error) => return error.into(),
    };
    let lax = connection.server.deviates(Deviation::FinishedTasksCancellable);
    let Some(task) = connection.task(&id) else { return Reply::Later };
    if task.is_over() && !lax {
        let why = format!("the task cannot be cancelled, it is {} already", task.status);
        return RpcError::invalid_params(why).into();
    }
    connection.cancel_task(&id);
    let task = connection.tasks.iter().find(|task| task.id == id);
    let value = task.map(|task| task_deviations::show_as_cancelled(connection.task_value(task)));
    if connection.server.quirk("forgets-cancelled-tasks") {
        connection.tasks.retain(|task| task.id != id);
    }
    value.map_or(Reply::Later, Reply::Result)
}

/// A `tools/call` of a known tool with `task`, or of one that takes no other; none for what is to be served as ever.
pub(super) fn serve_augmented(connection: &mut Connection, call: &Call, definition: &Value) -> Option<Reply> {
    let declared = capability(&connection.server, call.revision).is_some();
    if !(declared || task_deviations::creates_undeclared(&connection.server)) || !has_tasks(call.revision) {
        return None;
    }
    let support = definition["execution"]["taskSupport"].as_str().unwrap_or("forbidden");
    if let Some(decided) = task_deviations::reply_to_augmented(connection, call, support) {
        return decided;
    }
    let Some(task) = call.params.get("task") else {
        let demands = support == "optional" && connection.server.quirk("tasks-only");
        return match support {
            "required" => Some(RpcError::new(code::METHOD_NOT_FOUND, "This tool is called as a task only").into()),
            _ if demands => {
                Some(RpcError::new(code::INVALID_REQUEST, "Task augmentation required for tools/call requests").into())
            }
            _ => None,
        };
    };
    if support == "forbidden" {
        return Some(RpcError::new(code::METHOD_NOT_FOUND, "This tool cannot be called as a task").into());
    }
    match wanted_ttl(task) {
        Ok(ttl) => Some(connection.create_task(call, ttl)),
        Err(error) => Some(error.into()),
    }
}

fn wanted_ttl(task: &Value) -> Result<Option<u64>, RpcError> {
    let wrong = |why: &str| Err(RpcError::invalid_params(why));
    if !task.is_object() {
        return wrong("task must be an object");
    }
    match task.get("ttl") {
        None | Some(Value::Null) => Ok(None),
        Some(ttl) => match ttl.as_f64() {
            Some(ttl) if ttl >= 0.0 => Ok(Some(ttl as u64)),
            _ => wrong("task.ttl must be a number of milliseconds"),
        },
    }
}

/// Does what a task stands for.
pub(crate) fn work(connection: &mut Connection, call: &Call) -> Reply {
    let server = connection.server.clone();
    let name = call.tool().unwrap_or_default();
    let arguments = call.params.get("arguments").filter(|given| given.is_object()).cloned().unwrap_or(json!({}));
    let Some(tool) = server.find_tool((call.revision, connection.transport), name) else {
        return Reply::Result(json!({"content": [{"type": "text", "text": "Done."}]}));
    };
    match tool.check(&arguments, |_| false) {
        Err(why) => Reply::Result(failure(&format!("Invalid arguments: {why}"))),
        Ok(()) => super::run_tool(connection, call, tool.name(), &arguments),
    }
}
