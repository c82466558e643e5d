//! Which tools can be called as tasks, and with which arguments.

use std::time::Duration;

use serde_json::{Value, json};
use tokio::sync::Notify;

use crate::scenario::Cx;
use crate::scenario::observations::{LONG, Pace, listed, tuned};
use crate::scenario::tools::is_repeatable;
use crate::{Arguments, ServerProfile, Session, Tool};

/// The capability that makes calls tasks.
pub(super) const CALLS: &str = "tasks.requests.tools.call";
/// Tools that are tried.
const TOOLS: usize = 6;

/// A tool with arguments, to be called as a task.
#[derive(Clone, Debug)]
pub(super) struct Subject {
    pub(super) tool: String,
    pub(super) arguments: Value,
    /// It can be called without a task as well.
    pub(super) plain: bool,
    /// The arguments are such that it takes about a second, if it does as its parameters say.
    pub(super) tuned: bool,
    /// The arguments break the inputSchema.
    pub(super) broken: bool,
}

impl Subject {
    /// The params of a call with this in `task`.
    pub(super) fn task(&self, task: &Value) -> Value {
        json!({"name": self.tool, "arguments": self.arguments, "task": task})
    }

    /// The params of a call without.
    pub(super) fn call(&self) -> Value {
        json!({"name": self.tool, "arguments": self.arguments})
    }
}

/// Whether the server takes calls as tasks.
pub(super) fn supports_task_calls(profile: &ServerProfile) -> bool {
    profile.revision.traits().core_tasks && profile.declares(CALLS)
}

pub(super) fn support(tool: &Tool) -> &str {
    let execution = tool.definition.get("execution").and_then(|execution| execution.get("taskSupport"));
    execution.and_then(Value::as_str).unwrap_or("forbidden")
}

/// Every tool that can be a task and may be called, with each kind of arguments; those that change nothing come first. A client
/// that declares everything may be shown more tools than others.
pub(super) async fn subjects(cx: &Cx, session: &Session) -> Vec<Subject> {
    paced(cx, session, LONG).await
}

/// Returns the same as [`subjects`]; tools that can be told how long to work are told to take the time of `pace`.
pub(super) async fn paced(cx: &Cx, session: &Session, pace: Pace) -> Vec<Subject> {
    let listed = listed(cx, session).await;
    let fits = |tool: &&Tool| tool.callable && matches!(support(tool), "optional" | "required");
    let mut tools: Vec<&Tool> = listed.iter().filter(fits).collect();
    tools.sort_by_key(|tool| !is_repeatable(tool, &cx.options));
    tools.into_iter().take(TOOLS).flat_map(|tool| of(cx, tool, pace)).collect()
}

fn of(cx: &Cx, tool: &Tool, pace: Pace) -> Vec<Subject> {
    let subject = |arguments: Value, tuned: bool, broken: bool| Subject {
        tool: tool.name.clone(),
        arguments,
        plain: support(tool) == "optional",
        tuned,
        broken,
    };
    if let Some(trigger) = cx.options.triggers.slow.as_ref().filter(|trigger| trigger.call == tool.name) {
        return vec![subject(trigger.arguments.clone(), true, false)];
    }
    let made = Arguments::of(tool, cx.profile.revision, &cx.options);
    let Ok(valid) = made.valid else { return Vec::new() };
    let mut found = match tuned(tool, &valid, cx.profile.revision, pace) {
        Some(long) => vec![subject(long, true, false)],
        None => vec![subject(valid.clone(), false, false)],
    };
    // Flags that are off by themselves may be what makes a tool ask.
    let mut full = made.full.unwrap_or(valid);
    if set_flags(&mut full) && found.iter().all(|subject| subject.arguments != full) {
        found.push(subject(full, false, false));
    }
    let broken = made.invalid.into_iter().find(|set| set.firm);
    found.extend(broken.map(|set| subject(set.arguments, false, true)));
    found
}

fn set_flags(arguments: &mut Value) -> bool {
    let mut any = false;
    for value in arguments.as_object_mut().into_iter().flat_map(|object| object.values_mut()) {
        if *value == Value::Bool(false) {
            *value = Value::Bool(true);
            any = true;
        }
    }
    any
}

/// How long to wait before a task is asked after again: as the server wishes, within reason.
pub(super) fn pause(task: &Value) -> Duration {
    let wished = task.get("pollInterval").and_then(Value::as_u64).unwrap_or(50);
    Duration::from_millis(wished.clamp(10, 1_000))
}

/// Tells whoever waits for the result of this task if it is over: there is no more work behind it.
pub(super) fn note_over(over: &Notify, task: Option<&Value>) {
    if task.is_some_and(is_over) {
        over.notify_one();
    }
}

pub(super) fn is_over(task: &Value) -> bool {
    matches!(task.get("status").and_then(Value::as_str), Some("completed" | "failed" | "cancelled"))
}
