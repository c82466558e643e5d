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
const OPTIONAL: &str = "tools.execution.optional-both-ways";

/// The area `tasks` judges the same words of the specification, on more traffic: one defect is to be one finding.
const JUDGED: [(&str, &str); 3] = [
    ("tools.execution.required-plain-call", "tasks.tool-support.required-without-task"),
    ("tools.execution.forbidden-task-call", "tasks.tool-support.forbidden-with-task"),
    ("tools.execution.undeclared-task-ignored", "tasks.undeclared-ignored"),
];

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
    for (id, other) in JUDGED {
        bench.excuse(id, format!("judged as {other}"));
    }
    let optional = |case: &Case<'_>| case.tool().and_then(|name| view.tool(name)).and_then(support) == Some("optional");
    for (intent, wanted) in [("valid-call", Came::Plain), ("task-call", Came::Task)] {
        let cases = view.probes(intent).filter(|case| declared && case.is_decided() && optional(case));
        cases.for_each(|case| way(&case, wanted, bench));
    }
    excuse_held_back(view, bench, &[OPTIONAL]);
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

/// An optional tool gives a result to a plain call and a task to the other.
fn way(case: &Case<'_>, wanted: Came, bench: &mut Bench) {
    let seen = came(case);
    // The server may demand a task for every call.
    let demanded = wanted == Came::Plain && case.error_code() == Some(-32600);
    if seen == Came::Nothing || demanded || wants_something(case) {
        return;
    }
    let good = seen == wanted || (wanted == Came::Plain && seen == Came::ToolError);
    bench.check(OPTIONAL, good, || {
        let (message, expected) = match wanted {
            Came::Task => {
                ("A tool with taskSupport optional does not give a task when one is asked for.", "a result with a task")
            }
            _ => ("A tool with taskSupport optional cannot be called without a task.", "an ordinary result"),
        };
        case.finding(message, expected)
    });
}

#[cfg(test)]
mod tests {
    use serde_json::{Value, json};
    use verdict::{Revision, Status};

    use super::JUDGED;
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

    /// One defect is one finding: the area `tasks` has these.
    #[test]
    fn what_the_area_tasks_judges_is_not_judged_twice() {
        let required = call(start(true, "required"), false, plain());
        assert!(required.fails().contains(&"tasks.tool-support.required-without-task"));
        let forbidden = call(start(true, ""), true, task());
        assert!(forbidden.fails().contains(&"tasks.tool-support.forbidden-with-task"));
        let undeclared = call(call(start(false, ""), false, plain()), true, not_found());
        assert!(undeclared.fails().contains(&"tasks.undeclared-ignored"));
        for (script, (id, other)) in [required, forbidden, undeclared].iter().zip(JUDGED) {
            assert!(verdict::requirement(other).is_some());
            assert_eq!(script.status_of(id), Status::NotObserved, "{id}");
        }
    }
}
