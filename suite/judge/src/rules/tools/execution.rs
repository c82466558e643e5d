//! Tools and tasks (2025-11-25): `execution.taskSupport` against how calls are answered.

use crate::{Case, Collector, Rule, Tool, View};
use wire::mcp::code;

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

/// The area `tasks` judges the same words of the specification, on more traffic: one defect is to be one finding.
const JUDGED: [(&str, &str); 4] = [
    ("tools.execution.required-plain-call", "tasks.tool-support.required-without-task"),
    ("tools.execution.forbidden-task-call", "tasks.tool-support.forbidden-with-task"),
    ("tools.execution.optional-both-ways", "tasks.tool-support.optional-both"),
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
    let demanded = support(tool) == Some("optional") && case.error_code() == Some(code::INVALID_REQUEST);
    case.view.declares(TASKS) && (support(tool) == Some("required") || demanded)
}

fn judge(view: &View<'_>, collector: &mut Collector) {
    let declared = view.declares(TASKS);
    check_beside(view, declared, collector);
    for (id, other) in JUDGED {
        collector.not_observed(id, format!("covered by {other}"));
    }
}

fn check_beside(view: &View<'_>, declared: bool, collector: &mut Collector) {
    if declared {
        collector.not_applicable("tools.execution.undeclared-task-ignored", "the server declares tasks for tools/call");
    }
    let has = |wanted| view.tools().iter().any(|tool| support(tool) == Some(wanted));
    for (wanted, id) in [("required", RULE.judges[0]), ("forbidden", RULE.judges[1]), ("optional", RULE.judges[2])] {
        if !has(wanted) {
            collector.not_applicable(id, format!("no tool has taskSupport {wanted}"));
        }
    }
}

#[cfg(test)]
mod tests {
    use serde_json::{Value, json};
    use verdict::{Intent, Revision, Status};

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
        script.probe(if task { Intent::TaskCall } else { Intent::ValidCall }, "tools/call", params, answer)
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

    /// One defect is one finding: the area `tasks` has these.
    #[test]
    fn what_the_area_tasks_judges_is_not_judged_twice() {
        let required = call(start(true, "required"), false, plain());
        assert!(required.fails().contains(&"tasks.tool-support.required-without-task"));
        let forbidden = call(start(true, ""), true, task());
        assert!(forbidden.fails().contains(&"tasks.tool-support.forbidden-with-task"));
        let optional = call(start(true, "optional"), true, plain());
        assert!(optional.fails().contains(&"tasks.tool-support.optional-both"));
        let undeclared = call(call(start(false, ""), false, plain()), true, not_found());
        assert!(undeclared.fails().contains(&"tasks.undeclared-ignored"));
        for (script, (id, other)) in [required, forbidden, optional, undeclared].iter().zip(JUDGED) {
            assert!(verdict::requirement(other).is_some());
            assert_eq!(script.status_of(id), Status::NotObserved, "{id}");
        }
    }
}
