//! `execution.taskSupport` against how calls are answered, on servers that declare tasks for tools/call.

use verdict::{Intent, Key};
use wire::mcp::code;

use super::ledger::{CALLS, created};
use crate::rules::common::wants_something;
use crate::{Case, Collector, Rule, Tool, View};

pub(super) const RULE: Rule = Rule {
    name: "tasks/support",
    judges: &[
        "tasks.tool-support.required-without-task",
        "tasks.tool-support.forbidden-with-task",
        "tasks.tool-support.optional-both",
    ],
    judge,
};

const REQUIRED: &str = RULE.judges[0];
const FORBIDDEN: &str = RULE.judges[1];
const OPTIONAL: &str = RULE.judges[2];

pub(super) fn support(tool: &Tool) -> Option<&str> {
    match tool.definition.get("execution").and_then(|execution| execution.get("taskSupport")) {
        None => Some("forbidden"),
        Some(value) => value.as_str(),
    }
}

fn judge(view: &View<'_>, collector: &mut Collector) {
    if !view.declares(CALLS) {
        return;
    }
    let has = |wanted| view.tools().iter().any(|tool| support(tool) == Some(wanted));
    for (wanted, id) in [("required", REQUIRED), ("forbidden", FORBIDDEN), ("optional", OPTIONAL)] {
        if !has(wanted) {
            collector.not_applicable(id, format!("no tool has taskSupport {wanted}"));
        }
    }
    let sound = |case: &Case<'_>| case.is_decided() && case.about(Key::Broken) != Some(&true.into());
    for intent in [Intent::ValidCall, Intent::TaskPlain, Intent::TaskCall, Intent::TaskCreate] {
        for case in view.probes(intent).filter(sound) {
            let Some(support) = case.tool().and_then(|name| view.tool(name)).and_then(support) else { continue };
            match (support, case.param("task").is_some()) {
                ("required", false) => check_required(&case, collector),
                ("forbidden", true) => check_forbidden(&case, collector),
                ("optional", task) => check_optional(&case, task, collector),
                _ => {}
            }
        }
    }
}

/// Whether the server takes no call without a task: then -32600 is as good.
fn demands_tasks(view: &View<'_>) -> bool {
    view.tools().iter().all(|tool| support(tool) == Some("required"))
}

fn check_required(case: &Case<'_>, collector: &mut Collector) {
    if case.reply().is_none() {
        return;
    }
    if case.error_code() == Some(code::INVALID_REQUEST) {
        collector.witness(REQUIRED);
        if !demands_tasks(case.view) {
            collector.note(REQUIRED, "a plain call of a tool that requires a task is refused with -32600, not -32601");
        }
        return;
    }
    collector.check(REQUIRED, case.error_code() == Some(code::METHOD_NOT_FOUND), || {
        let message = "A plain call of a tool that requires a task is not refused with -32601, so clients do not learn how to call it.";
        case.finding(message, "error -32601 (method not found)")
    });
}

fn check_forbidden(case: &Case<'_>, collector: &mut Collector) {
    if case.reply().is_none() {
        return;
    }
    collector.check(FORBIDDEN, case.error_code() == Some(code::METHOD_NOT_FOUND), || {
        let message = if created(case).is_some() {
            "A call of a tool that does not support tasks creates a task."
        } else if case.result().is_some() {
            "A task-augmented call of a tool that does not support tasks runs as a plain call, so a client that waits for a task gets none."
        } else {
            "A task-augmented call of a tool that does not support tasks is refused with a code other than -32601."
        };
        case.finding(message, "error -32601 (method not found)")
    });
}

fn check_optional(case: &Case<'_>, task: bool, collector: &mut Collector) {
    if case.reply().is_none() || wants_something(case) {
        return;
    }
    if task {
        return collector.check(OPTIONAL, created(case).is_some(), || {
            let message = "A task-augmented call of a tool with taskSupport optional creates no task.";
            case.finding(message, "a result with a task")
        });
    }
    if case.error_code() == Some(code::INVALID_REQUEST) {
        collector.witness(OPTIONAL);
        return collector
            .note(OPTIONAL, "the server refuses plain calls of tools that support tasks, which is allowed");
    }
    // An error of the tool's own comes with and without a task; only what refuses the form of the call is meant.
    collector.check(OPTIONAL, case.error_code() != Some(code::METHOD_NOT_FOUND) && created(case).is_none(), || {
        let message = "A tool with taskSupport optional cannot be called without a task.";
        case.finding(message, "an ordinary result")
    });
}

#[cfg(test)]
mod tests {
    use serde_json::{Value, json};
    use verdict::{Intent, Status};

    use super::super::tale::{refusal, start, task, without};
    use super::*;
    use crate::testing::Script;

    fn call(tool: &str, task: bool, answer: Value) -> Script {
        let mut params = json!({"name": tool, "arguments": {}});
        if task {
            params["task"] = json!({});
        }
        start().probe(if task { Intent::TaskCreate } else { Intent::TaskPlain }, "tools/call", params, answer)
    }

    fn result() -> Value {
        json!({"result": {"content": []}})
    }

    fn made() -> Value {
        json!({"result": {"task": task("t", "working")}})
    }

    #[test]
    fn a_tool_that_is_a_task_only_refuses_plain_calls() {
        assert_eq!(call("must", false, refusal(-32601)).status_of(REQUIRED), Status::Pass);
        assert_eq!(call("must", false, result()).fails_in("tasks"), [REQUIRED]);
        let told = json!({"result": {"content": [{"type": "text", "text": "MCP error -32601"}], "isError": true}});
        assert!(call("must", false, told).fails().contains(&REQUIRED));
        let noted = call("must", false, refusal(-32600)).verdict(REQUIRED);
        assert_eq!((noted.status, noted.notes.len()), (Status::Pass, 1));
        let other =
            without().probe(Intent::TaskPlain, "tools/call", json!({"name": "must", "arguments": {}}), result());
        assert_eq!(other.status_of(REQUIRED), Status::NotApplicable);
    }

    #[test]
    fn a_tool_that_is_never_a_task_refuses_to_be_one() {
        assert_eq!(call("never", true, refusal(-32601)).status_of(FORBIDDEN), Status::Pass);
        for answer in [result(), made(), refusal(-32602)] {
            assert_eq!(call("never", true, answer).fails_in("tasks"), [FORBIDDEN]);
        }
    }

    #[test]
    fn an_optional_tool_works_both_ways() {
        assert_eq!(call("may", false, result()).status_of(OPTIONAL), Status::Pass);
        assert_eq!(call("may", true, made()).status_of(OPTIONAL), Status::Pass);
        assert_eq!(call("may", false, refusal(-32601)).fails_in("tasks"), [OPTIONAL]);
        assert!(call("may", true, result()).fails().contains(&OPTIONAL));
        // The receiver may demand tasks for all calls; and a tool may fail.
        assert_eq!(call("may", false, refusal(-32600)).status_of(OPTIONAL), Status::Pass);
        assert!(!call("may", false, refusal(-32042)).fails().contains(&OPTIONAL));
    }
}
