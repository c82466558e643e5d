//! Tools and tasks (2025-11-25): `execution.taskSupport` against how calls are answered.
//!
//! Intent `task-call`: a `tools/call` with `params.task`, whose arguments a `valid-call` of the same session uses as well.

use super::call::{Came, came, excuse_held_back};
use crate::rules::common::wants_something;
use crate::{Bench, Case, Rule, Tool, View};

pub(super) const RULE: Rule = Rule {
    name: "tools/execution",
    judges: &[
        "tools.execution.required-plain-call",
        "tools.execution.forbidden-task-call",
        "tools.execution.optional-both-ways",
        "tools.execution.undeclared-task-ignored",
    ],
    judge,
};

const TASKS: &str = "tasks.requests.tools.call";

fn support(tool: &Tool) -> Option<&str> {
    match tool.definition.get("execution").and_then(|execution| execution.get("taskSupport")) {
        None => Some("forbidden"),
        Some(value) => value.as_str(),
    }
}

/// A call that is refused for want of a task, whatever its arguments: tools may demand one, and so may servers.
pub(super) fn wants_task(case: &Case<'_>, tool: &Tool) -> bool {
    let demanded = support(tool) == Some("optional") && case.error_code() == Some(-32600);
    case.view.declares(TASKS) && (support(tool) == Some("required") || demanded)
}

fn judge(view: &View<'_>, bench: &mut Bench) {
    let declared = view.declares(TASKS);
    beside(view, declared, bench);
    for case in view.probes("valid-call").filter(Case::is_decided) {
        match case.tool().and_then(|name| view.tool(name)).and_then(support) {
            Some("required") if declared => required(&case, bench),
            Some("optional") if declared => way(&case, Came::Plain, bench),
            _ => {}
        }
    }
    for case in view.probes("task-call").filter(Case::is_decided) {
        let Some(support) = case.tool().and_then(|name| view.tool(name)).and_then(support) else { continue };
        match support {
            _ if !declared => ignored(&case, bench),
            "forbidden" => forbidden(&case, bench),
            "optional" => way(&case, Came::Task, bench),
            _ => {}
        }
    }
    excuse_held_back(view, bench, RULE.judges);
}

fn beside(view: &View<'_>, declared: bool, bench: &mut Bench) {
    if declared {
        bench.beside("tools.execution.undeclared-task-ignored", "the server declares tasks for tools/call");
    }
    let has = |wanted| view.tools().iter().any(|tool| support(tool) == Some(wanted));
    for (wanted, id) in [("required", RULE.judges[0]), ("forbidden", RULE.judges[1]), ("optional", RULE.judges[2])] {
        if !has(wanted) {
            bench.beside(id, format!("no tool has taskSupport {wanted}"));
        }
    }
}

fn required(case: &Case<'_>, bench: &mut Bench) {
    bench.check("tools.execution.required-plain-call", case.error_code() == Some(-32601), || {
        let message =
            "A tool that can only run as a task is called without one, and the call is not refused with -32601.";
        case.finding(message, "error -32601 (method not found)")
    });
}

fn forbidden(case: &Case<'_>, bench: &mut Bench) {
    bench.check("tools.execution.forbidden-task-call", case.error_code() == Some(-32601), || {
        let message = "A tool that does not run as a task is called as one, and the call is not refused with -32601.";
        case.finding(message, "error -32601 (method not found)")
    });
}

/// An optional tool gives a result to a plain call and a task to the other.
fn way(case: &Case<'_>, wanted: Came, bench: &mut Bench) {
    let seen = came(case);
    // The server may demand a task for every call.
    let demanded = wanted == Came::Plain && case.error_code() == Some(-32600);
    if seen == Came::Nothing || demanded || wants_something(case) {
        return;
    }
    let good = seen == wanted || (wanted == Came::Plain && seen == Came::ToolError);
    bench.check("tools.execution.optional-both-ways", good, || {
        let (message, expected) = match wanted {
            Came::Task => {
                ("A tool with taskSupport optional does not give a task when one is asked for.", "a result with a task")
            }
            _ => ("A tool with taskSupport optional cannot be called without a task.", "an ordinary result"),
        };
        case.finding(message, expected)
    });
}

fn ignored(case: &Case<'_>, bench: &mut Bench) {
    let same = |other: &Case<'_>| {
        other.session.id == case.session.id
            && other.tool() == case.tool()
            && other.param("arguments") == case.param("arguments")
    };
    let plain = case.view.probes("valid-call").filter(Case::is_decided).find(same).map(|plain| came(&plain));
    // A call that fails without a task says nothing of the task.
    if !matches!(plain, Some(Came::Plain | Came::ToolError)) || came(case) == Came::Nothing {
        return;
    }
    let good = matches!(came(case), Came::Plain | Came::ToolError);
    bench.check("tools.execution.undeclared-task-ignored", good, || {
        let message = "A call with `task` is not answered like one without, though the server does not declare tasks and has to ignore the member.";
        case.finding(message, "the ordinary result")
    });
}

#[cfg(test)]
mod tests {
    use serde_json::{Value, json};
    use verdict::{Revision, Status};

    use crate::testing::Script;

    fn start(declared: bool, support: &str) -> Script {
        let mut capabilities = json!({"tools": {}});
        if declared {
            capabilities["tasks"] = json!({"requests": {"tools": {"call": {}}}});
        }
        let mut tool = json!({"name": "a", "inputSchema": {"type": "object", "additionalProperties": false}});
        if !support.is_empty() {
            tool["execution"] = json!({"taskSupport": support});
        }
        Script::new(Revision::V2025_11_25, capabilities).plain(
            "tools/list",
            json!({}),
            json!({"result": {"tools": [tool]}}),
        )
    }

    fn call(script: Script, task: bool, answer: Value) -> Script {
        let mut params = json!({"name": "a", "arguments": {}});
        if task {
            params["task"] = json!({});
        }
        script.probe(if task { "task-call" } else { "valid-call" }, "tools/call", params, answer)
    }

    fn plain() -> Value {
        json!({"result": {"content": []}})
    }

    fn task() -> Value {
        json!({"result": {"task": {"taskId": "1", "status": "working", "createdAt": "2026-01-01T00:00:00Z", "lastUpdatedAt": "2026-01-01T00:00:00Z", "ttl": null}}})
    }

    fn not_found() -> Value {
        json!({"error": {"code": -32601, "message": "needs a task"}})
    }

    #[test]
    fn required_tools_refuse_plain_calls() {
        const ID: &str = "tools.execution.required-plain-call";
        assert!(call(start(true, "required"), false, plain()).fails().contains(&ID));
        assert_eq!(call(start(true, "required"), false, not_found()).status_of(ID), Status::Pass);
        assert!(!call(start(false, "required"), false, plain()).fails().contains(&ID));
    }

    #[test]
    fn forbidden_tools_refuse_task_calls() {
        const ID: &str = "tools.execution.forbidden-task-call";
        assert!(call(start(true, ""), true, task()).fails().contains(&ID));
        assert_eq!(call(start(true, "forbidden"), true, not_found()).status_of(ID), Status::Pass);
    }

    #[test]
    fn optional_tools_work_both_ways() {
        const ID: &str = "tools.execution.optional-both-ways";
        let both = call(call(start(true, "optional"), false, plain()), true, task());
        assert_eq!(both.status_of(ID), Status::Pass);
        assert!(call(start(true, "optional"), false, not_found()).fails().contains(&ID));
        let demanded = json!({"error": {"code": -32600, "message": "Task augmentation required"}});
        assert!(!call(start(true, "optional"), false, demanded).fails().contains(&ID));
        assert!(call(start(true, "optional"), true, plain()).fails().contains(&ID));
        let visit = json!({"error": {"code": -32042, "message": "a page is to be visited first", "data": {"elicitations": []}}});
        assert!(!call(start(true, "optional"), false, visit).fails().contains(&ID));
    }

    #[test]
    fn an_undeclared_task_is_ignored() {
        const ID: &str = "tools.execution.undeclared-task-ignored";
        let run = |answer| call(call(start(false, ""), false, plain()), true, answer);
        assert_eq!(run(plain()).status_of(ID), Status::Pass);
        assert!(run(task()).fails().contains(&ID));
        assert!(run(not_found()).fails().contains(&ID));
        let broken = call(call(start(false, ""), false, not_found()), true, not_found());
        assert_eq!(broken.status_of(ID), Status::NotObserved);
    }
}
