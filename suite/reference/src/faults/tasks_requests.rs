//! Faults of the area tasks: requests about tasks, their life, and who may see them.

use super::Edit::{Remove, Set};
use super::Hook::Switch;
use super::On::{Error, Notification, Request, Result};
use super::tasks::GET;
use super::{Fault, carried, fault, rewrite};
use crate::Revision::V2025_11_25;
use crate::Transport::Http;
use crate::deviation::Deviation;

const STATUS: &str = "notifications/tasks/status";
const RELATED_POINTER: &str = "/result/_meta/io.modelcontextprotocol~1related-task/taskId";

pub(super) static TABLE: &[Fault] = &[
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
