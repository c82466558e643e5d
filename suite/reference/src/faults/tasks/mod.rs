//! Faults of the area tasks, and of what the areas cancellation and progress say of tasks.

mod hooks;

pub(crate) use hooks::*;

use super::Edit::{Remove, Set};
use super::On::{Created, Error, Notification, Request, Result};
use super::{Fault, carried, rewrite, switch};
use crate::Revision::V2025_11_25;
use crate::Transport::Http;

/// Faults of servers that declare no tasks.
const UNDECLARED: [&str; 2] = ["tasks.capability.declared", "tasks.undeclared-ignored"];

const GET: &str = "tasks/get";
const STATUS: &str = "notifications/tasks/status";
const RELATED_POINTER: &str = "/result/_meta/io.modelcontextprotocol~1related-task/taskId";
const TASK: &str = r#"{"taskId": "1", "status": "working", "createdAt": "2026-01-01T00:00:00Z", "lastUpdatedAt": "2026-01-01T00:00:00Z", "ttl": null}"#;

pub(super) static TABLE: &[Fault] = &[
    switch("tasks.capability.declared", "", "a call is made a task, though tasks are not declared"),
    switch("tasks.capability.declared", "list", "tasks are listed, though they are not declared"),
    rewrite(
        "tasks.capability.shape",
        "",
        "tasks.list is true",
        &[(Result("initialize"), Set("/result/capabilities/tasks/list", "true"))],
    ),
    switch("tasks.capability.list-served", "", "tasks/list is declared and not known"),
    switch("tasks.capability.list-undeclared", "", "tasks/list is served and not declared"),
    switch("tasks.capability.cancel-served", "", "tasks/cancel is declared and not known"),
    switch("tasks.capability.cancel-undeclared", "", "tasks/cancel is served and not declared"),
    switch("tasks.capability.list-without-identity", "", "everybody is told of everybody's tasks").over(&[Http]),
    switch("tasks.undeclared-ignored", "", "a call with task is refused, though tasks are not declared"),
    switch("tasks.undeclared-other-methods", "", "other requests than calls are refused if they have a task"),
    rewrite(
        "tasks.tool-support.value",
        "",
        "taskSupport is a boolean",
        &[(super::On::Tool("never_a_task"), Set("/execution/taskSupport", "false"))],
    ),
    rewrite(
        "tasks.tool-support.value",
        "unknown",
        "taskSupport is \"none\"",
        &[(super::On::Tool("never_a_task"), Set("/execution/taskSupport", "\"none\""))],
    ),
    switch("tasks.tool-support.required-without-task", "", "a tool that is a task only is called like any other"),
    switch("tasks.tool-support.required-without-task", "result", "a plain call of such a tool gets an isError result"),
    switch("tasks.tool-support.forbidden-with-task", "", "a tool that is never a task runs plainly"),
    switch("tasks.tool-support.forbidden-with-task", "task", "a tool that is never a task is made one"),
    switch("tasks.tool-support.forbidden-with-task", "code", "a task of such a tool is refused with -32602"),
    switch("tasks.tool-support.optional-both", "", "a call with task is served plainly"),
    switch("tasks.tool-support.optional-both", "plain", "a call without task is refused"),
    rewrite("tasks.create.result", "", "the members of a new task are not in task", &[(Created, Set("/result", TASK))]),
    switch("tasks.create.immediate", "", "a new task is told of when it is over"),
    rewrite(
        "tasks.create.starts-working",
        "",
        "a new task waits for input that it does not need",
        &[(Created, Set("/result/task/status", "\"input_required\""))],
    ),
    switch("tasks.create.ttl-optional", "", "task without ttl is refused"),
    switch("tasks.create.invalid-task-param", "", "a task that is no object makes a task"),
    switch("tasks.create.invalid-task-param", "plain", "a call with a task that is no object runs plainly"),
    switch("tasks.create.invalid-task-param", "code", "a task that is no object is refused with -32603"),
    switch("tasks.create.invalid-tool", "", "a task of an unknown tool is completed"),
    rewrite(
        "tasks.create.immediate-response-type",
        "",
        "the word for the model is a number",
        &[(Created, Set("/result/_meta/io.modelcontextprotocol~1model-immediate-response", "5"))],
    ),
    rewrite("tasks.id.string", "", "the id of a task is a number", &[(Result(GET), Set("/result/taskId", "5"))]),
    switch("tasks.id.unique", "", "all tasks have the same id"),
    switch("tasks.id.receiver-generated", "", "the client may choose the id"),
    switch("tasks.id.unguessable", "", "tasks are numbered"),
    switch("tasks.id.unguessable", "time", "the id of a task is the time"),
    rewrite("tasks.object.status", "", "a task is running", &[(Created, Set("/result/task/status", "\"running\""))]),
    rewrite("tasks.object.created-at", "", "a task has no createdAt", &[(Result(GET), Remove("/result/createdAt"))]),
    rewrite(
        "tasks.object.created-at",
        "number",
        "createdAt is a number",
        &[(Created, Set("/result/task/createdAt", "1768230058"))],
    ),
    rewrite(
        "tasks.object.last-updated-at",
        "",
        "a task has no lastUpdatedAt",
        &[(Result(GET), Remove("/result/lastUpdatedAt"))],
    ),
    switch("tasks.object.timestamps-consistent", "", "createdAt is now"),
    switch("tasks.object.timestamps-consistent", "before", "lastUpdatedAt is before createdAt"),
    rewrite("tasks.object.ttl", "", "a task has no ttl", &[(Result(GET), Remove("/result/ttl"))]),
    rewrite("tasks.object.ttl", "string", "ttl is a string", &[(Created, Set("/result/task/ttl", "\"60000\""))]),
    rewrite(
        "tasks.object.poll-interval",
        "",
        "pollInterval is a string",
        &[(Result(GET), Set("/result/pollInterval", "\"50\""))],
    ),
    rewrite(
        "tasks.object.status-message",
        "",
        "statusMessage is null",
        &[(Result(GET), Set("/result/statusMessage", "null"))],
    ),
    rewrite("tasks.get.result", "", "a task is in task", &[(Result(GET), Set("/result", "{\"task\": {}}"))]),
    switch("tasks.get.immediate", "", "tasks/get is answered when the task is over"),
    switch("tasks.get.right-after-create", "", "a new task is not known for a moment"),
    switch("tasks.get.unknown-id", "", "tasks/get of an unknown task gets -32603"),
    switch("tasks.get.unknown-id", "result", "tasks/get of an unknown task gets one"),
    switch("tasks.get.missing-id", "", "tasks/get without taskId gets -32603"),
    switch("tasks.get.meta-ignored", "", "the task is the one of related-task"),
    rewrite(
        "tasks.get.no-related-task",
        "",
        "tasks/get carries related-task",
        &[(Result(GET), Set(RELATED_POINTER, "\"1\""))],
    ),
    carried("tasks.get.no-sse-upgrade", "", "tasks/get alone is answered with an event stream"),
    switch("tasks.get.failed-has-message", "", "a failed task has no statusMessage"),
    switch("tasks.lifecycle.transitions", "", "a task that is over works again"),
    switch("tasks.lifecycle.terminal-final", "", "a task that is over ends in another way"),
    switch("tasks.lifecycle.is-error-fails", "", "a task whose tool failed is completed"),
    switch("tasks.lifecycle.rpc-error-fails", "", "a task that ended in an error is completed"),
    switch("tasks.lifecycle.input-required", "", "a task that asks the client is working"),
    rewrite(
        "tasks.lifecycle.input-requests-related",
        "",
        "what a task asks does not name it",
        &[(Request("elicitation/create"), Remove("/params/_meta"))],
    ),
    switch("tasks.lifecycle.notifications-related", "", "progress names another task"),
    carried("tasks.lifecycle.survives-disconnect", "", "a task is forgotten when a connection is lost"),
    switch("tasks.result.same-as-plain", "", "the result of a task has other content"),
    switch("tasks.result.same-as-plain", "task", "the result of a task is the task"),
    switch("tasks.result.rpc-error", "", "a task that ended in an error gives another"),
    switch("tasks.result.rpc-error", "result", "a task that ended in an error gives a result"),
    switch("tasks.result.blocks", "", "tasks/result of a task that works is refused"),
    switch("tasks.result.blocks", "result", "tasks/result of a task that works gives nothing"),
    switch("tasks.result.parallel-get", "", "tasks/get waits while tasks/result does"),
    rewrite(
        "tasks.result.related-task",
        "",
        "a result does not name its task",
        &[(Result("tasks/result"), Remove("/result/_meta"))],
    ),
    switch("tasks.result.unknown-id", "", "tasks/result of an unknown task gets -32603"),
    switch("tasks.result.unknown-id", "result", "tasks/result of an unknown task gets one"),
    switch("tasks.result.failed", "", "the result of a failed task is refused"),
    switch("tasks.result.cancelled", "", "whoever waits for the result of a cancelled task waits for ever"),
    switch("tasks.result.repeatable", "", "a result can be fetched once"),
    rewrite("tasks.list.shape", "", "tasks is an object", &[(Result("tasks/list"), Set("/result/tasks", "{}"))]),
    rewrite(
        "tasks.list.next-cursor-type",
        "",
        "nextCursor is null",
        &[(Result("tasks/list"), Set("/result/nextCursor", "null"))],
    ),
    rewrite(
        "tasks.list.next-cursor-when-more",
        "",
        "there is no nextCursor",
        &[(Result("tasks/list"), Remove("/result/nextCursor"))],
    ),
    switch("tasks.list.complete", "", "the first task is not listed"),
    switch("tasks.list.invalid-cursor", "", "an unknown cursor gets -32603"),
    switch("tasks.list.invalid-cursor", "empty", "an unknown cursor gets an empty list"),
    switch("tasks.list.own-context-only", "", "the tasks of others are listed").over(&[Http]),
    rewrite("tasks.cancel.result", "", "tasks/cancel gives nothing", &[(Result("tasks/cancel"), Set("/result", "{}"))]),
    switch("tasks.cancel.visible-at-once", "", "a cancelled task works for a while"),
    switch("tasks.cancel.stays-cancelled", "", "a cancelled task is completed after all"),
    switch("tasks.cancel.stops-work", "", "a cancelled task goes on to report progress"),
    switch("tasks.cancel.terminal-refused", "", "a task that is over can be cancelled"),
    switch("tasks.cancel.unknown-id", "", "tasks/cancel of an unknown task gets -32603"),
    switch("tasks.cancel.unknown-id", "result", "tasks/cancel of an unknown task succeeds"),
    rewrite("tasks.notification.shape", "", "a status has no ttl", &[(Notification(STATUS), Remove("/params/ttl"))]),
    rewrite(
        "tasks.notification.known-task",
        "",
        "a status is of another task",
        &[(Notification(STATUS), Set("/params/taskId", "\"another\""))],
    ),
    rewrite(
        "tasks.notification.no-related-task",
        "",
        "a status carries related-task",
        &[(Notification(STATUS), Set("/params/_meta/io.modelcontextprotocol~1related-task/taskId", "\"1\""))],
    ),
    switch("tasks.isolation.other-context-refused", "", "whoever knows an id is told of the task").over(&[Http]),
    switch("tasks.isolation.bound-to-context", "", "whoever knows an id is told of the task").over(&[Http]),
    rewrite(
        "tasks.errors.informative",
        "",
        "errors about tasks say nothing",
        &[(Error(GET), Set("/error/message", "\"\""))],
    ),
    rewrite(
        "tasks.server-as-requestor.capability",
        "",
        "a question to the client is to be a task",
        &[(Request("elicitation/create"), Set("/params/task", "{}"))],
    ),
    switch("tasks.server-as-requestor.polling", "", "the client is asked after its tasks all the time").in_a_run(),
    switch(
        "cancellation.sent.task-by-tasks-cancel",
        "",
        "a task of the client's is taken back by the id of the request",
    )
    .in_a_run(),
    switch("cancellation.task-request-id", "", "a task is cancelled by the id of the call that made it"),
    switch("progress.task-same-token", "", "progress of a task has the id of the task for a token")
        .only(&[V2025_11_25]),
    switch("progress.task-stops-at-terminal", "", "progress of a task goes on when it is over").only(&[V2025_11_25]),
];
