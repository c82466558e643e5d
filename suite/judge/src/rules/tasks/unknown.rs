//! Requests about tasks that are not there, and cursors that nobody gave out.

use serde_json::Value;
use verdict::Intent;

use crate::rules::common::check_invalid_params_refused;
use crate::{Case, Collector, ExchangeEnd, Rule, View};

pub(super) const RULE: Rule = Rule {
    name: "tasks/unknown",
    judges: &[
        "tasks.get.unknown-id",
        "tasks.get.missing-id",
        "tasks.result.unknown-id",
        "tasks.cancel.unknown-id",
        "tasks.list.invalid-cursor",
        "tasks.errors.informative",
    ],
    judge,
};

/// That the server falls is told elsewhere.
fn stands(case: &Case<'_>) -> bool {
    case.is_decided() && !matches!(case.exchange.end, ExchangeEnd::Gone { .. })
}

fn judge(view: &View<'_>, collector: &mut Collector) {
    if !view.declares("tasks") {
        return;
    }
    for case in view.probes(Intent::TaskUnknown).filter(stands) {
        let (id, what) = match case.method() {
            Some("tasks/get") => (RULE.judges[0], "tasks/get with a taskId that was never issued"),
            Some("tasks/result") => (RULE.judges[2], "tasks/result with a taskId that was never issued"),
            Some("tasks/cancel") if view.declares("tasks.cancel") => {
                (RULE.judges[3], "tasks/cancel with a taskId that was never issued")
            }
            _ => continue,
        };
        check_invalid_params_refused(&case, collector, id, what);
        check_informative(&case, collector);
    }
    for case in view.probes(Intent::TaskUnnamed).filter(stands) {
        check_invalid_params_refused(&case, collector, RULE.judges[1], "tasks/get without taskId");
        check_informative(&case, collector);
    }
    for case in view.probes(Intent::TasksInvalidCursor).filter(stands) {
        check_invalid_params_refused(
            &case,
            collector,
            RULE.judges[4],
            "tasks/list with a cursor that was never issued",
        );
        check_informative(&case, collector);
    }
}

fn check_informative(case: &Case<'_>, collector: &mut Collector) {
    let Some(message) = case.error().and_then(|error| error.get("message")).and_then(Value::as_str) else { return };
    collector.check("tasks.errors.informative", !message.trim().is_empty(), || {
        let text = "An error about a task has no message, so nobody learns what went wrong.";
        let mut finding = case.finding(text, "a message that says what went wrong");
        finding.actual = "an empty message".to_owned();
        finding
    });
}

#[cfg(test)]
mod tests {
    use serde_json::json;
    use verdict::Status;

    use super::super::tale::{ID, get, made, refusal, start, task, without};
    use super::*;
    use crate::testing::Script;

    fn run(script: Script, intent: Intent, method: &str, params: Value, answer: Value) -> Script {
        script.probe_about(intent, json!({"kind": "random"}), method, params, answer)
    }

    #[test]
    fn what_is_not_there_is_refused() {
        let cases = [
            (Intent::TaskUnknown, "tasks/get", json!({"taskId": "x"}), RULE.judges[0]),
            (Intent::TaskUnnamed, "tasks/get", json!({}), RULE.judges[1]),
            (Intent::TaskUnknown, "tasks/result", json!({"taskId": "x"}), RULE.judges[2]),
            (Intent::TaskUnknown, "tasks/cancel", json!({"taskId": "x"}), RULE.judges[3]),
            (Intent::TasksInvalidCursor, "tasks/list", json!({"cursor": "x"}), RULE.judges[4]),
        ];
        for (intent, method, params, id) in cases {
            let of = |answer| run(start(), intent, method, params.clone(), answer);
            assert_eq!(of(refusal(-32602)).status_of(id), Status::Pass);
            assert_eq!(of(refusal(-32603)).fails_in("tasks"), [id]);
            let script = of(
                json!({"result": if method == "tasks/list" { json!({"tasks": []}) } else { task("x", "cancelled") }}),
            );
            assert!(script.fails().contains(&id), "{id}");
            assert_eq!(
                run(without(), intent, method, params.clone(), refusal(-32601)).status_of(id),
                Status::NotApplicable
            );
        }
    }

    #[test]
    fn a_code_for_unknown_methods_is_one_where_the_method_is_known() {
        let script = get(made(start(), ID, false), "working");
        let fails =
            run(script, Intent::TaskUnknown, "tasks/get", json!({"taskId": "x"}), refusal(-32601)).fails_in("tasks");
        assert_eq!(fails, [RULE.judges[0]]);
    }

    #[test]
    fn an_error_says_what_was_wrong() {
        const ID: &str = "tasks.errors.informative";
        let of = |text: &str| {
            run(
                start(),
                Intent::TaskUnknown,
                "tasks/get",
                json!({"taskId": "x"}),
                json!({"error": {"code": -32602, "message": text}}),
            )
        };
        assert_eq!(of("no such task").status_of(ID), Status::Pass);
        assert_eq!(of(" ").fails_in("tasks"), [ID]);
    }
}
