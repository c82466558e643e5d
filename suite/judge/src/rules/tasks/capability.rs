//! Everything declared is served, and nothing else is.

use serde_json::Value;
use verdict::Intent;
use wire::mcp::code;

use super::ledger::{CALLS, created};
use crate::rules::common::{is_bare_refusal, wants_something};
use crate::{Case, Collector, Rule, View};

pub(super) const RULE: Rule = Rule {
    name: "tasks/capability",
    judges: &[
        "tasks.capability.declared",
        "tasks.capability.list-served",
        "tasks.capability.list-undeclared",
        "tasks.capability.cancel-served",
        "tasks.capability.cancel-undeclared",
        "tasks.undeclared-ignored",
        "tasks.undeclared-other-methods",
    ],
    judge,
};

const DECLARED: &str = "tasks.capability.declared";
const IGNORED: &str = "tasks.undeclared-ignored";

fn judge(view: &View<'_>, collector: &mut Collector) {
    list(view, collector);
    check_cancel(view, collector);
    check_calls(view, collector);
    check_others(view, collector);
}

fn list(view: &View<'_>, collector: &mut Collector) {
    const SERVED: &str = "tasks.capability.list-served";
    const UNDECLARED: &str = "tasks.capability.list-undeclared";
    if view.declares("tasks.list") {
        collector.not_applicable(UNDECLARED, "the server declares tasks.list");
    }
    for case in view.probes(Intent::TasksList).filter(Case::is_decided) {
        if !view.declares("tasks.list") {
            check_unserved(&case, collector, UNDECLARED, "tasks.list");
            if !view.declares("tasks") {
                check_working(&case, collector);
            }
        } else if case.result().is_some() {
            collector.witness(SERVED);
        } else if !wants_something(&case) {
            let message = "The server declares tasks.list, but tasks/list does not return a list.";
            collector.fail(SERVED, case.finding(message, "a result with tasks"));
        }
    }
}

fn check_cancel(view: &View<'_>, collector: &mut Collector) {
    const SERVED: &str = "tasks.capability.cancel-served";
    const UNDECLARED: &str = "tasks.capability.cancel-undeclared";
    let declared = view.declares("tasks.cancel");
    if declared {
        collector.not_applicable(UNDECLARED, "the server declares tasks.cancel");
    }
    for case in view.calls("tasks/cancel").filter(Case::is_decided) {
        let unknown = case.intent() == Some(Intent::TaskUnknown);
        if !declared && unknown {
            check_unserved(&case, collector, UNDECLARED, "tasks.cancel");
        } else if declared && case.reply().is_some() {
            collector.check(SERVED, case.error_code() != Some(code::METHOD_NOT_FOUND), || {
                let message = "The server declares tasks.cancel but does not support tasks/cancel, so clients cannot stop what they started.";
                case.finding(message, "an answer to tasks/cancel")
            });
        }
    }
    if !view.declares("tasks") {
        let random = view.probes(Intent::TaskUnknown).filter(|case| case.method() != Some("tasks/cancel"));
        random.filter(Case::is_decided).for_each(|case| check_working(&case, collector));
    }
}

/// A method that is not declared is not there.
fn check_unserved(case: &Case<'_>, collector: &mut Collector, id: &'static str, capability: &str) {
    if wants_something(case) || is_bare_refusal(case) {
        return collector.not_observed(
            id,
            "the request is answered with a bare HTTP status, or the server requires something from the client first",
        );
    }
    let method = case.method().unwrap_or_default();
    collector.check(id, case.error_code() == Some(code::METHOD_NOT_FOUND), || {
        let message =
            format!("The server does not declare {capability}, but does not refuse {method} as unknown, so clients cannot rely on the declared capabilities.");
        case.finding(message, "error -32601 (method not found)")
    });
}

/// A request about tasks must not work where none are declared.
fn check_working(case: &Case<'_>, collector: &mut Collector) {
    if case.result().is_some() {
        let message = format!(
            "{} works, but the server does not declare tasks, so clients will not use it.",
            case.method().unwrap_or_default()
        );
        collector.fail(DECLARED, case.finding(message, "tasks in the capabilities of initialize, or error -32601"));
    } else if case.error().is_some() {
        collector.witness(DECLARED);
    }
}

fn check_calls(view: &View<'_>, collector: &mut Collector) {
    if view.declares(CALLS) {
        collector.not_applicable(IGNORED, "the server declares tasks for tools/call");
        let made = view.calls("tools/call").filter(|case| created(case).is_some()).count();
        collector.witness_times(DECLARED, u32::from(made > 0));
        return;
    }
    for case in view.probes(Intent::TaskCall).filter(Case::is_decided) {
        let same = |other: &Case<'_>| {
            other.session.id == case.session.id
                && other.tool() == case.tool()
                && other.param("arguments") == case.param("arguments")
        };
        let plain = view.probes(Intent::ValidCall).filter(Case::is_decided).find(same);
        let Some(plain) = plain.filter(|plain| plain.result().is_some()) else { continue };
        if created(&case).is_some() {
            let message = "The server answers a call with a task but does not declare tasks, so clients that rely on the capabilities never use tasks.";
            collector
                .fail(DECLARED, case.finding(message, "tasks.requests.tools.call in the capabilities of initialize"));
        } else if case.reply().is_some() {
            collector.witness(DECLARED);
        }
        check_ignored(&case, &plain, collector, IGNORED);
    }
}

fn check_others(view: &View<'_>, collector: &mut Collector) {
    for case in view.probes(Intent::OtherTask).filter(Case::is_decided) {
        let same = |other: &Case<'_>| {
            let named = ["name", "uri"].iter().all(|name| other.param(name) == case.param(name));
            other.session.id == case.session.id && other.method() == case.method() && named
        };
        let plain = view.probes(Intent::OtherPlain).filter(Case::is_decided).find(same);
        if let Some(plain) = plain.filter(|plain| plain.result().is_some()) {
            check_ignored(&case, &plain, collector, "tasks.undeclared-other-methods");
        }
    }
}

/// A request with `task` is answered like the one without.
fn check_ignored(case: &Case<'_>, plain: &Case<'_>, collector: &mut Collector, id: &'static str) {
    if case.reply().is_none() {
        return;
    }
    let task = |case: &Case<'_>| case.result().and_then(|result| result.get("task")).is_some_and(Value::is_object);
    collector.check(id, case.result().is_some() && (!task(case) || task(plain)), || {
        let method = case.method().unwrap_or_default();
        let message = format!(
            "{method} with `task` is not answered like one without it, though the server does not support {method} as a task and has to ignore the member."
        );
        case.finding(message, "the ordinary result")
    });
}

#[cfg(test)]
mod tests {
    use serde_json::{Value, json};
    use verdict::{Revision, Status};

    use super::super::tale::{refusal, start, task, without};
    use super::*;
    use crate::testing::Script;

    fn empty() -> Value {
        json!({"result": {"tasks": []}})
    }

    fn lists(script: Script, answer: Value) -> Script {
        script.probe(Intent::TasksList, "tasks/list", json!({}), answer)
    }

    fn cancels(script: Script, answer: Value) -> Script {
        script.probe(Intent::TaskUnknown, "tasks/cancel", json!({"taskId": "x"}), answer)
    }

    #[test]
    fn what_is_declared_is_served() {
        assert_eq!(lists(start(), empty()).status_of("tasks.capability.list-served"), Status::Pass);
        let fails = lists(start(), refusal(-32601)).fails_in("tasks");
        assert_eq!(fails, ["tasks.capability.list-served"]);
        assert_eq!(cancels(start(), refusal(-32602)).status_of("tasks.capability.cancel-served"), Status::Pass);
        assert!(cancels(start(), refusal(-32601)).fails().contains(&"tasks.capability.cancel-served"));
    }

    #[test]
    fn what_is_not_declared_is_not_there() {
        const LIST: &str = "tasks.capability.list-undeclared";
        const CANCEL: &str = "tasks.capability.cancel-undeclared";
        let some = || Script::new(Revision::V2025_11_25, json!({"tasks": {"requests": {"tools": {"call": {}}}}}));
        assert_eq!(lists(some(), refusal(-32601)).status_of(LIST), Status::Pass);
        assert_eq!(lists(some(), empty()).fails(), [LIST]);
        assert_eq!(lists(start(), empty()).status_of(LIST), Status::NotApplicable);
        assert_eq!(cancels(without(), refusal(-32601)).status_of(CANCEL), Status::Pass);
        assert_eq!(cancels(some(), refusal(-32602)).fails(), [CANCEL]);
    }

    #[test]
    fn tasks_without_the_capability_fail() {
        assert_eq!(lists(without(), refusal(-32601)).status_of(DECLARED), Status::Pass);
        assert!(lists(without(), empty()).fails().contains(&DECLARED));
        let get = |answer| without().probe(Intent::TaskUnknown, "tasks/get", json!({"taskId": "x"}), answer);
        assert!(get(json!({"result": task("x", "working")})).fails().contains(&DECLARED));
        assert_eq!(get(refusal(-32602)).status_of(DECLARED), Status::Pass);
    }

    fn call(answer: Value) -> Script {
        let params = json!({"name": "may", "arguments": {}});
        let mut task = params.clone();
        task["task"] = json!({});
        let plain = without().probe(Intent::ValidCall, "tools/call", params, json!({"result": {"content": []}}));
        plain.probe(Intent::TaskCall, "tools/call", task, answer)
    }

    #[test]
    fn a_call_is_served_plainly_where_tasks_are_not_declared() {
        let plain = call(json!({"result": {"content": []}}));
        assert_eq!(plain.status_of(IGNORED), Status::Pass);
        assert_eq!(plain.status_of(DECLARED), Status::Pass);
        assert!(call(refusal(-32602)).fails().contains(&IGNORED));
        let made = call(json!({"result": {"task": task("x", "working")}}));
        assert!(made.fails().contains(&DECLARED) && made.fails().contains(&IGNORED));
    }

    #[test]
    fn other_requests_are_never_tasks() {
        const ID: &str = "tasks.undeclared-other-methods";
        let run = |plain: Value, task: Value| {
            let script = start().probe(Intent::OtherPlain, "prompts/get", json!({"name": "p"}), plain);
            script.probe(Intent::OtherTask, "prompts/get", json!({"name": "p", "task": {}}), task)
        };
        let good = || json!({"result": {"messages": []}});
        assert_eq!(run(good(), good()).status_of(ID), Status::Pass);
        assert_eq!(run(good(), refusal(-32602)).fails_in("tasks"), [ID]);
        assert!(run(good(), json!({"result": {"task": task("x", "working")}})).fails().contains(&ID));
        assert_eq!(run(refusal(-32603), refusal(-32603)).status_of(ID), Status::NotObserved);
    }
}
