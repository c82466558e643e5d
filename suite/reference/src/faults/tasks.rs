//! Faults of the area tasks, and of what the areas cancellation and progress say of tasks.

use super::Edit::{Remove, Set};
use super::Hook::Switch;
use super::On::{Created, Error, Notification, Request, Result};
use super::replies::invalid;
use super::{Fault, Hook, carried, fault, rewrite};
use crate::Revision::V2025_11_25;
use crate::Transport::Http;
use crate::deviation::Deviation;

const GET: &str = "tasks/get";
const STATUS: &str = "notifications/tasks/status";
const RELATED_POINTER: &str = "/result/_meta/io.modelcontextprotocol~1related-task/taskId";
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
    rewrite("tasks.get.result", "", "a task is in task", &[(Result(GET), Set("/result", "{\"task\": {}}"))]),
    fault(
        "tasks.get.immediate",
        "",
        "tasks/get is answered when the task is over",
        Switch(&[Deviation::TaskStatusWaitsForEnd]),
    ),
    fault(
        "tasks.get.right-after-create",
        "",
        "a new task is not known for a moment",
        Switch(&[Deviation::NewTasksUnknown]),
    ),
    fault(
        "tasks.get.unknown-id",
        "",
        "tasks/get of an unknown task gets -32603",
        Switch(&[Deviation::UnknownTaskGetIsInternalError]),
    ),
    fault(
        "tasks.get.unknown-id",
        "result",
        "tasks/get of an unknown task gets one",
        Switch(&[Deviation::UnknownTaskGetIsServed]),
    ),
    fault(
        "tasks.get.missing-id",
        "",
        "tasks/get without taskId gets -32603",
        Switch(&[Deviation::MissingTaskIdIsInternalError]),
    ),
    fault("tasks.get.meta-ignored", "", "the task is the one of related-task", Switch(&[Deviation::TaskIdFromMeta])),
    rewrite(
        "tasks.get.no-related-task",
        "",
        "tasks/get carries related-task",
        &[(Result(GET), Set(RELATED_POINTER, "\"1\""))],
    ),
    carried(
        "tasks.get.no-sse-upgrade",
        "",
        "tasks/get alone is answered with an event stream",
        Switch(&[Deviation::TaskStatusIsStreamed]),
    ),
    fault(
        "tasks.get.failed-has-message",
        "",
        "a failed task has no statusMessage",
        Switch(&[Deviation::FailedTaskWithoutMessage]),
    ),
    fault(
        "tasks.lifecycle.transitions",
        "",
        "a task that is over works again",
        Switch(&[Deviation::FinishedTasksWorkAgain]),
    ),
    fault(
        "tasks.lifecycle.terminal-final",
        "",
        "a task that is over ends in another way",
        Switch(&[Deviation::FinishedTasksEndAgain]),
    ),
    fault(
        "tasks.lifecycle.is-error-fails",
        "",
        "a task whose tool failed is completed",
        Switch(&[Deviation::ToolErrorsCompleteTasks]),
    ),
    fault(
        "tasks.lifecycle.rpc-error-fails",
        "",
        "a task that ended in an error is completed",
        Switch(&[Deviation::RpcErrorsCompleteTasks]),
    ),
    fault(
        "tasks.lifecycle.input-required",
        "",
        "a task that asks the client is working",
        Switch(&[Deviation::TasksAskWhileWorking]),
    ),
    rewrite(
        "tasks.lifecycle.input-requests-related",
        "",
        "what a task asks does not name it",
        &[(Request("elicitation/create"), Remove("/params/_meta"))],
    ),
    fault(
        "tasks.lifecycle.notifications-related",
        "",
        "progress names another task",
        Switch(&[Deviation::TaskNotificationsNameOther]),
    ),
    carried(
        "tasks.lifecycle.survives-disconnect",
        "",
        "a task is forgotten when a connection is lost",
        Switch(&[Deviation::DisconnectsForgetTasks]),
    ),
    fault(
        "tasks.result.same-as-plain",
        "",
        "the result of a task has other content",
        Switch(&[Deviation::TaskResultDiffers]),
    ),
    fault(
        "tasks.result.same-as-plain",
        "task",
        "the result of a task is the task",
        Switch(&[Deviation::TaskResultIsTask]),
    ),
    fault(
        "tasks.result.rpc-error",
        "",
        "a task that ended in an error gives another",
        Switch(&[Deviation::TaskErrorDiffers]),
    ),
    fault(
        "tasks.result.rpc-error",
        "result",
        "a task that ended in an error gives a result",
        Switch(&[Deviation::TaskErrorIsResult]),
    ),
    fault(
        "tasks.result.blocks",
        "",
        "tasks/result of a task that works is refused",
        Switch(&[Deviation::UnfinishedResultRefused]),
    ),
    fault(
        "tasks.result.blocks",
        "result",
        "tasks/result of a task that works gives nothing",
        Switch(&[Deviation::UnfinishedResultEmpty]),
    ),
    fault(
        "tasks.result.parallel-get",
        "",
        "tasks/get waits while tasks/result does",
        Switch(&[Deviation::TaskStatusWaitsForResult]),
    ),
    rewrite(
        "tasks.result.related-task",
        "",
        "a result does not name its task",
        &[(Result("tasks/result"), Remove("/result/_meta"))],
    ),
    fault(
        "tasks.result.unknown-id",
        "",
        "tasks/result of an unknown task gets -32603",
        Switch(&[Deviation::UnknownTaskResultIsInternalError]),
    ),
    fault(
        "tasks.result.unknown-id",
        "result",
        "tasks/result of an unknown task gets one",
        Switch(&[Deviation::UnknownTaskResultIsServed]),
    ),
    fault(
        "tasks.result.failed",
        "",
        "the result of a failed task is refused",
        Switch(&[Deviation::FailedTaskResultRefused]),
    ),
    fault(
        "tasks.result.cancelled",
        "",
        "whoever waits for the result of a cancelled task waits for ever",
        Switch(&[Deviation::CancelledResultNeverSent]),
    ),
    fault("tasks.result.repeatable", "", "a result can be fetched once", Switch(&[Deviation::TaskResultsOnce])),
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
    fault("tasks.list.complete", "", "the first task is not listed", Switch(&[Deviation::FirstTaskNotListed])),
    fault(
        "tasks.list.invalid-cursor",
        "",
        "an unknown cursor gets -32603",
        Switch(&[Deviation::TaskCursorIsInternalError]),
    ),
    fault(
        "tasks.list.invalid-cursor",
        "empty",
        "an unknown cursor gets an empty list",
        Switch(&[Deviation::TaskCursorGivesNothing]),
    ),
    fault(
        "tasks.list.own-context-only",
        "",
        "the tasks of others are listed",
        Switch(&[Deviation::ForeignTasksListed]),
    )
    .over(&[Http]),
    rewrite("tasks.cancel.result", "", "tasks/cancel gives nothing", &[(Result("tasks/cancel"), Set("/result", "{}"))]),
    fault(
        "tasks.cancel.visible-at-once",
        "",
        "a cancelled task works for a while",
        Switch(&[Deviation::CancelledTasksLookWorking]),
    ),
    fault(
        "tasks.cancel.stays-cancelled",
        "",
        "a cancelled task is completed after all",
        Switch(&[Deviation::CancelledTasksComplete]),
    ),
    fault(
        "tasks.cancel.stops-work",
        "",
        "a cancelled task goes on to report progress",
        Switch(&[Deviation::CancelledTasksReportProgress]),
    ),
    fault(
        "tasks.cancel.terminal-refused",
        "",
        "a task that is over can be cancelled",
        Switch(&[Deviation::FinishedTasksCancellable]),
    ),
    fault(
        "tasks.cancel.unknown-id",
        "",
        "tasks/cancel of an unknown task gets -32603",
        Switch(&[Deviation::UnknownTaskCancelIsInternalError]),
    ),
    fault(
        "tasks.cancel.unknown-id",
        "result",
        "tasks/cancel of an unknown task succeeds",
        Switch(&[Deviation::UnknownTaskCancelIsServed]),
    ),
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
    fault(
        "tasks.isolation.other-context-refused",
        "",
        "whoever knows an id is told of the task",
        Switch(&[Deviation::ForeignTasksReadable]),
    )
    .over(&[Http]),
    fault(
        "tasks.isolation.bound-to-context",
        "",
        "whoever knows an id is told of the task",
        Switch(&[Deviation::ForeignTasksReadable]),
    )
    .over(&[Http]),
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
    fault(
        "tasks.server-as-requestor.polling",
        "",
        "the client is asked after its tasks all the time",
        Switch(&[Deviation::PollsClientTasksTooOften]),
    )
    .in_a_run(),
    fault(
        "cancellation.sent.task-by-tasks-cancel",
        "",
        "a task of the client's is taken back by the id of the request",
        Switch(&[Deviation::CancelsClientTasksByRequestId, Deviation::ExpiresSoon]),
    )
    .in_a_run(),
    fault(
        "cancellation.task-request-id",
        "",
        "a task is cancelled by the id of the call that made it",
        Switch(&[Deviation::TasksCancelledByRequestId]),
    ),
    fault(
        "progress.task-same-token",
        "",
        "progress of a task has the id of the task for a token",
        Switch(&[Deviation::TaskProgressUsesTaskId]),
    )
    .only(&[V2025_11_25]),
    fault(
        "progress.task-stops-at-terminal",
        "",
        "progress of a task goes on when it is over",
        Switch(&[Deviation::FinishedTasksReportProgress]),
    )
    .only(&[V2025_11_25]),
];
