//! The record of each task: the call that made it, what was seen of it and when, and what was asked about it.

use serde_json::Value;
use verdict::{Intent, Key};
use wire::mcp::code;
use wire::mcp::meta;

use crate::rules::during::param;
use crate::{Case, Incoming, Session, View};

/// The key of `_meta` that names the task that a message belongs to.
pub(super) const RELATED: &str = meta::RELATED_TASK;
pub(super) const CALLS: &str = "tasks.requests.tools.call";

/// Where a task was seen.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Source {
    Create,
    Get,
    List,
    Cancel,
    Notice,
}

/// A task as the server told it once.
#[derive(Clone, Copy, Debug)]
pub(super) struct Seen<'v> {
    pub(super) from: Source,
    pub(super) task: &'v Value,
    /// When it was asked for; it was told of at no earlier time. Nobody asks for a notification: it is as old as can be.
    pub(super) sent: u32,
    /// When it came.
    pub(super) came: u32,
    pub(super) case: Option<Case<'v>>,
    pub(super) incoming: &'v Incoming<'v>,
}

impl Seen<'_> {
    pub(super) fn status(&self) -> &str {
        status(self.task)
    }

    pub(super) fn is_over(&self) -> bool {
        is_over(self.status())
    }
}

/// A task and all that is known of it.
#[derive(Debug)]
pub(super) struct Task<'v> {
    pub(super) id: &'v str,
    pub(super) session: &'v Session<'v>,
    /// The call that was answered with it.
    pub(super) made: Case<'v>,
    /// In the order of coming.
    pub(super) seen: Vec<Seen<'v>>,
    /// `tasks/get`, whatever came of it.
    pub(super) gets: Vec<Case<'v>>,
    /// `tasks/result`, whatever came of it.
    pub(super) results: Vec<Case<'v>>,
    /// `tasks/cancel`, whatever came of it.
    pub(super) cancels: Vec<Case<'v>>,
}

impl<'v> Task<'v> {
    /// The tool called.
    pub(super) fn tool(&self) -> Option<&'v str> {
        self.made.tool()
    }

    /// It takes its time for certain.
    pub(super) fn is_slow(&self) -> bool {
        self.made.about(Key::Slow) == Some(&Value::Bool(true))
    }

    /// When the answer came that told of it first.
    pub(super) fn born(&self) -> u32 {
        self.made.answer().map_or(u32::MAX, |answer| answer.seq)
    }

    /// The status that it ended with, if it was seen.
    pub(super) fn end(&self) -> Option<&Seen<'v>> {
        self.seen.iter().find(|seen| seen.is_over())
    }

    /// Returns the result of the call without a task, before and after, if it was equal both times.
    pub(super) fn plain(&self) -> Option<Case<'v>> {
        let same = |case: &Case<'v>| {
            case.session.id == self.session.id
                && case.tool() == self.tool()
                && case.param("arguments") == self.made.param("arguments")
                && case.is_decided()
        };
        let all: Vec<Case<'v>> = self.made.view.probes(Intent::TaskPlain).filter(same).collect();
        let when = |when: &str| all.iter().find(|case| case.about_str(Key::When) == Some(when)).copied();
        let (before, after) = (when("before")?, when("after")?);
        let core = |case: &Case<'v>| (case.result().map(without_meta), case.error_code());
        // A call that is refused for want of a task says nothing of what it would have given.
        let refused = matches!(before.error_code(), Some(code::INVALID_REQUEST | code::METHOD_NOT_FOUND));
        (core(&before) == core(&after) && before.reply().is_some() && !refused).then_some(before)
    }

    /// Cancelled by `tasks/cancel`, as the answer to it says: when that came.
    pub(super) fn cancelled(&self) -> Option<u32> {
        let done = |case: &&Case<'v>| case.result().is_some_and(|result| status(result) == "cancelled");
        self.cancels.iter().find(done).and_then(|case| Some(case.answer()?.seq))
    }
}

pub(super) fn status(task: &Value) -> &str {
    task.get("status").and_then(Value::as_str).unwrap_or_default()
}

pub(super) fn is_over(status: &str) -> bool {
    matches!(status, "completed" | "failed" | "cancelled")
}

/// A result without what may differ from one time to the next.
pub(super) fn without_meta(result: &Value) -> Value {
    let mut result = result.clone();
    if let Some(object) = result.as_object_mut() {
        object.retain(|name, _| name != "_meta");
    }
    result
}

/// The task that `_meta` says a message belongs to.
pub(super) fn related(holder: Option<&Value>) -> Option<&Value> {
    holder?.get("_meta")?.get(RELATED)
}

/// The task that a call was answered with.
pub(super) fn created<'v>(case: &Case<'v>) -> Option<&'v Value> {
    case.param("task")?;
    case.result()?.get("task").filter(|task| task.is_object())
}

fn id(task: &Value) -> Option<&str> {
    task.get("taskId").and_then(Value::as_str)
}

/// Every task of the judged sessions, by its first appearance in the answer to a call.
pub(super) fn tasks<'v>(view: &'v View<'v>) -> Vec<Task<'v>> {
    let mut all: Vec<Task<'v>> = Vec::new();
    for made in view.calls("tools/call").filter(Case::is_decided) {
        let Some(id) = created(&made).and_then(id) else { continue };
        if all.iter().any(|known| known.id == id && known.session.id == made.session.id) {
            continue;
        }
        let session = made.session;
        all.push(Task { id, session, made, seen: vec![], gets: vec![], results: vec![], cancels: vec![] });
    }
    for task in &mut all {
        fill(view, task);
    }
    all
}

fn fill<'v>(view: &'v View<'v>, task: &mut Task<'v>) {
    let session = task.session;
    for exchange in &session.exchanges {
        let case = Case { view, session, exchange };
        if !case.is_decided() {
            continue;
        }
        let names = case.param("taskId").and_then(Value::as_str) == Some(task.id);
        match case.method() {
            Some("tools/call") => see(task, case, Source::Create, created(&case)),
            Some("tasks/list") => {
                let listed = case.result().and_then(|result| result.get("tasks")).and_then(Value::as_array);
                for listed in listed.into_iter().flatten() {
                    see(task, case, Source::List, Some(listed));
                }
            }
            Some("tasks/get") if names => {
                see(task, case, Source::Get, case.result());
                task.gets.push(case);
            }
            Some("tasks/cancel") if names => {
                see(task, case, Source::Cancel, case.result());
                task.cancels.push(case);
            }
            Some("tasks/result") if names => task.results.push(case),
            _ => {}
        }
    }
    let notices = session.incoming.iter().filter(|incoming| incoming.method() == Some("notifications/tasks/status"));
    for incoming in notices {
        let Some(params) = incoming.message().and_then(wire::Message::params) else { continue };
        if param(incoming, "taskId").and_then(Value::as_str) == Some(task.id) {
            let seen = Seen { from: Source::Notice, task: params, sent: 0, came: incoming.seq, case: None, incoming };
            task.seen.push(seen);
        }
    }
    task.seen.sort_by_key(|seen| seen.came);
}

fn see<'v>(task: &mut Task<'v>, case: Case<'v>, from: Source, told: Option<&'v Value>) {
    let (Some(told), Some(incoming)) = (told, case.answer()) else { return };
    if id(told) == Some(task.id) {
        let (sent, came) = (case.exchange.seq, incoming.seq);
        task.seen.push(Seen { from, task: told, sent, came, case: Some(case), incoming });
    }
}
