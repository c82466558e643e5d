//! Probes about tasks.

macro_rules! tasks {
    ($next:ident $($more:ident)*; $($before:tt)*) => {
        $next! { $($more)*; $($before)*
        area "tasks" "Tasks" {
            /// A `tools/call` with `task`. `slow` is true if the same call without a task took its time, `broken`
            /// if the arguments break the inputSchema.
            TaskCreate = "task-create" needs [Tool] may [Slow Broken];
            /// The same call as `task-create` without a task. `when` is `before` or `after`.
            TaskPlain = "task-plain" needs [When Broken];
            /// A `tools/call` whose `task` has the wrong type.
            TaskInvalid = "task-invalid" needs [Tool];
            /// A `tools/call` with `task` of a tool that is on no list.
            TaskOfUnknownTool = "task-of-unknown-tool";
            /// A `tools/call`; the client accepts requests of the server as tasks. Rules read what the server
            /// asks.
            AsksAsTask = "asks-as-task" needs [Tool] (background);
            /// A `tools/call`; the client accepts requests of the server as tasks that take longer than the server
            /// waits. Rules read what the server asks.
            AsksEndlessTask = "asks-endless-task" needs [Tool] (background);
            /// A `tasks/get` as soon as the task was announced.
            TaskFirst = "task-first";
            /// A `tasks/get` whose `_meta` names another task.
            TaskNamedTwice = "task-named-twice";
            /// A `tasks/get` while the task works. Rules read every answer about a task.
            TaskPoll = "task-poll" (background);
            /// A `tasks/get` while the task waits for input. Rules read every answer about a task.
            TaskAsking = "task-asking" (background);
            /// A `tasks/get` after the input was given. Rules read every answer about a task.
            TaskAnswered = "task-answered" (background);
            /// A `tasks/result`. Rules read every answer about a task.
            TaskResult = "task-result" (background);
            /// A second `tasks/result`. Rules read every answer about a task.
            TaskResultAgain = "task-result-again" (background);
            /// A `tasks/result` of a task that is cancelled. Rules read every answer about a task.
            TaskResultCancelled = "task-result-cancelled" (background);
            /// A `tasks/get` while a `tasks/result` of the task is waited for. Rules read every answer about a
            /// task.
            TaskBeside = "task-beside" (background);
            /// A `tasks/get` after the task is over. Rules read every answer about a task.
            TaskAfter = "task-after" (background);
            /// A `tasks/cancel`. Rules read every answer about a task.
            TaskCancel = "task-cancel" (background);
            /// A second `tasks/cancel`. Rules read every answer about a task.
            TaskCancelAgain = "task-cancel-again" (background);
            /// A `tasks/cancel` of a task that is over. Rules read every answer about a task.
            TaskCancelOver = "task-cancel-over" (background);
            /// A `tasks/cancel` of a task that is no longer needed. It only cleans up.
            TaskCancelUnwanted = "task-cancel-unwanted" (background);
            /// A `tasks/get` right before `task-cancel`. Rules read every answer about a task.
            TaskBeforeCancel = "task-before-cancel" (background);
            /// A `tasks/get` right after `task-cancel`. Rules read every answer about a task.
            TaskAfterCancel = "task-after-cancel" (background);
            /// A `tasks/get` when the cancelled task had time to end. Rules read every answer about a task.
            TaskAfterAll = "task-after-all" (background);
            /// `notifications/cancelled` with the id of the call that made a task.
            TaskRequestCancelled = "task-request-cancelled";
            /// A `tasks/get` after `task-request-cancelled`. Rules read every answer about a task.
            TaskAfterNotification = "task-after-notification" (background);
            /// No message: what was cancelled had time to end.
            TaskGrace = "task-grace";
            /// No message: what was over had time to fall silent.
            TasksOver = "tasks-over";
            /// A `tasks/get` before `task-forsaken`. Rules read every answer about a task.
            TaskBeforeLoss = "task-before-loss" (background);
            /// A `tasks/result` whose connection is dropped. Rules read what `task-after-loss` gets.
            TaskForsaken = "task-forsaken" (background);
            /// A `tasks/get` after `task-forsaken`.
            TaskAfterLoss = "task-after-loss";
            /// A `tasks/get` of a task with a short `ttl` when that is over.
            TaskShortAfter = "task-short-after";
            /// A request about a taskId that nobody gave out. `kind` is `random` or `empty`.
            TaskUnknown = "task-unknown" needs [Kind];
            /// A request about a task without a taskId.
            TaskUnnamed = "task-unnamed" needs [Kind];
            /// A `tasks/list` without a cursor.
            TasksList = "tasks-list" needs [Kind];
            /// A `tasks/list` with a cursor that nobody gave out.
            TasksInvalidCursor = "tasks-invalid-cursor" needs [Kind];
            /// A `tasks/list` from the start, then with each nextCursor.
            TasksWalk = "tasks-walk";
            /// A `tasks/get` before `tasks-walk`. Rules compare every answer about a task with the list.
            TaskBeforeList = "task-before-list" (background);
            /// A `tasks/get` after `tasks-walk`. Rules compare every answer about a task with the list.
            TaskAfterList = "task-after-list" (background);
            /// A `tasks/list` in a session beside another one that has made tasks.
            TasksOfOthers = "tasks-of-others";
            /// A request of a second user in a session of their own.
            TaskUserLetIn = "task-user-let-in";
            /// A request of the second user about a task of the first user.
            TaskForeign = "task-foreign";
            /// A `tasks/list` of the second user.
            TasksForeign = "tasks-foreign";
            /// A `tasks/get` by the first user, before and after `task-foreign`.
            TaskOfFirst = "task-of-first";
            /// A request that is no `tools/call`, without `task`.
            OtherPlain = "other-plain";
            /// The same request as `other-plain` with `task`.
            OtherTask = "other-task";
        }}
    };
}
