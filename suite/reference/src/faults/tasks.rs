//! Faults of the area tasks, and of what the areas cancellation and progress say of tasks.

use super::Edit::{Remove, Set};
use super::Hook::Switch;
use super::On::{Created, Result};
use super::replies::invalid;
use super::{Fault, Hook, fault, rewrite};
use crate::Transport::Http;
use crate::deviation::Deviation;

pub(super) const GET: &str = "tasks/get";
const TASK: &str = r#"{"taskId": "1", "status": "working", "createdAt": "2026-01-01T00:00:00Z", "lastUpdatedAt": "2026-01-01T00:00:00Z", "ttl": null}"#;

pub(super) static TABLE: &[Fault] = &[
    fault(
        "tasks.capability.declared",
        "",
        "a call is made a task, though tasks are not declared",
        Switch(&[Deviation::TasksUndeclared, Deviation::TasksCreatedUndeclared]),
    ),
    fault(
        "tasks.capability.declared",
        "list",
        "tasks are listed, though they are not declared",
        Switch(&[Deviation::TasksUndeclared, Deviation::TaskListServedAnyway]),
    ),
    rewrite(
        "tasks.capability.shape",
        "",
        "tasks.list is true",
        &[(Result("initialize"), Set("/result/capabilities/tasks/list", "true"))],
    ),
    fault(
        "tasks.capability.list-served",
        "",
        "tasks/list is declared and not known",
        Switch(&[Deviation::TaskListNotServed]),
    ),
    fault(
        "tasks.capability.list-undeclared",
        "",
        "tasks/list is served and not declared",
        Switch(&[Deviation::TaskListUndeclared]),
    ),
    fault(
        "tasks.capability.cancel-served",
        "",
        "tasks/cancel is declared and not known",
        Switch(&[Deviation::TaskCancelNotServed]),
    ),
    fault(
        "tasks.capability.cancel-undeclared",
        "",
        "tasks/cancel is served and not declared",
        Switch(&[Deviation::TaskCancelUndeclared]),
    ),
    fault(
        "tasks.capability.list-without-identity",
        "",
        "everybody is told of everybody's tasks",
        Switch(&[Deviation::ForeignTasksListed]),
    )
    .over(&[Http]),
    fault(
        "tasks.undeclared-ignored",
        "",
        "a call with task is refused, though tasks are not declared",
        Switch(&[Deviation::TasksUndeclared, Deviation::UndeclaredTaskRefused]),
    ),
    fault(
        "tasks.undeclared-other-methods",
        "",
        "other requests than calls are refused if they have a task",
        Hook::Request(|_, call| {
            let other = call.method != "tools/call" && call.params.get("task").is_some();
            other.then(|| invalid("task is not known here"))
        }),
    ),
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
    fault(
        "tasks.tool-support.required-without-task",
        "",
        "a tool that is a task only is called like any other",
        Switch(&[Deviation::RequiredTaskOptional]),
    ),
    fault(
        "tasks.tool-support.required-without-task",
        "result",
        "a plain call of such a tool gets an isError result",
        Switch(&[Deviation::RequiredTaskIsToolError]),
    ),
    fault(
        "tasks.tool-support.forbidden-with-task",
        "",
        "a tool that is never a task runs plainly",
        Switch(&[Deviation::ForbiddenTaskRunsPlainly]),
    ),
    fault(
        "tasks.tool-support.forbidden-with-task",
        "task",
        "a tool that is never a task is made one",
        Switch(&[Deviation::ForbiddenTaskCreated]),
    ),
    fault(
        "tasks.tool-support.forbidden-with-task",
        "code",
        "a task of such a tool is refused with -32602",
        Switch(&[Deviation::ForbiddenTaskIsInvalidParams]),
    ),
    fault(
        "tasks.tool-support.optional-both",
        "",
        "a call with task is served plainly",
        Switch(&[Deviation::OptionalTaskRunsPlainly]),
    ),
    fault(
        "tasks.tool-support.optional-both",
        "plain",
        "a call without task is refused",
        Switch(&[Deviation::OptionalTaskRequired]),
    ),
    rewrite("tasks.create.result", "", "the members of a new task are not in task", &[(Created, Set("/result", TASK))]),
    fault(
        "tasks.create.immediate",
        "",
        "a new task is told of when it is over",
        Switch(&[Deviation::TaskCreatedWhenOver]),
    ),
    rewrite(
        "tasks.create.starts-working",
        "",
        "a new task waits for input that it does not need",
        &[(Created, Set("/result/task/status", "\"input_required\""))],
    ),
    fault("tasks.create.ttl-optional", "", "task without ttl is refused", Switch(&[Deviation::TaskTtlRequired])),
    fault(
        "tasks.create.invalid-task-param",
        "",
        "a task that is no object makes a task",
        Switch(&[Deviation::InvalidTaskCreated]),
    ),
    fault(
        "tasks.create.invalid-task-param",
        "plain",
        "a call with a task that is no object runs plainly",
        Switch(&[Deviation::InvalidTaskRunsPlainly]),
    ),
    fault(
        "tasks.create.invalid-task-param",
        "code",
        "a task that is no object is refused with -32603",
        Switch(&[Deviation::InvalidTaskIsInternalError]),
    ),
    fault(
        "tasks.create.invalid-tool",
        "",
        "a task of an unknown tool is completed",
        Switch(&[Deviation::UnknownToolTaskCreated]),
    ),
    rewrite(
        "tasks.create.immediate-response-type",
        "",
        "the word for the model is a number",
        &[(Created, Set("/result/_meta/io.modelcontextprotocol~1model-immediate-response", "5"))],
    ),
    rewrite("tasks.id.string", "", "the id of a task is a number", &[(Result(GET), Set("/result/taskId", "5"))]),
    fault("tasks.id.unique", "", "all tasks have the same id", Switch(&[Deviation::TaskIdsEqual])),
    fault("tasks.id.receiver-generated", "", "the client may choose the id", Switch(&[Deviation::TaskIdsFromClient])),
    fault("tasks.id.unguessable", "", "tasks are numbered", Switch(&[Deviation::TaskIdsCounted])),
    fault("tasks.id.unguessable", "time", "the id of a task is the time", Switch(&[Deviation::TaskIdsFromClock])),
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
    fault("tasks.object.timestamps-consistent", "", "createdAt is now", Switch(&[Deviation::TaskCreatedAtIsNow])),
    fault(
        "tasks.object.timestamps-consistent",
        "before",
        "lastUpdatedAt is before createdAt",
        Switch(&[Deviation::TaskUpdatedBeforeCreated]),
    ),
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
];
