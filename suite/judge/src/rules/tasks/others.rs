//! Whose tasks a client is told of, over HTTP.

use std::collections::BTreeSet;

use serde_json::Value;
use verdict::{Intent, Transport};

use super::ledger::tasks;
use crate::{Case, Collector, Rule, Session, View};

pub(super) const RULE: Rule = Rule {
    name: "tasks/others",
    judges: &[
        "tasks.capability.list-without-identity",
        "tasks.isolation.other-context-refused",
        "tasks.isolation.bound-to-context",
        "tasks.list.own-context-only",
    ],
    judge,
};

const ID: &str = RULE.judges[0];
const REFUSED: &str = RULE.judges[1];
const BOUND: &str = RULE.judges[2];
const LISTED: &str = RULE.judges[3];

fn judge(view: &View<'_>, collector: &mut Collector) {
    check_clients(view, collector);
    check_users(view, collector);
}

/// Checks that the second user cannot see or change the tasks of the first.
fn check_users(view: &View<'_>, collector: &mut Collector) {
    let let_in = |case: Case<'_>| case.intent() == Some(Intent::TaskUserLetIn) && case.result().is_some();
    let Some(second) = view.outsiders.iter().find(|session| cases(view, session).any(let_in)) else {
        let why = "needs the credentials of two users (--token-env and --second-token-env VARIABLE, or [auth] token and second)";
        return RULE.judges[1..].iter().for_each(|id| collector.not_observed(id, why));
    };
    let told = view.probes(Intent::TaskOfFirst).filter(|case| case.result().is_some());
    let known: BTreeSet<&str> = told.filter_map(|case| case.param("taskId")?.as_str()).collect();
    for case in cases(view, second).filter(Case::is_decided) {
        let named = case.param("taskId").and_then(Value::as_str);
        match case.intent() {
            Some(Intent::TaskForeign) if named.is_some_and(|id| known.contains(id)) => check_foreign(&case, collector),
            Some(Intent::TasksForeign) => check_listed(&case, &known, collector),
            _ => {}
        }
    }
}

fn cases<'v>(view: &'v View<'v>, session: &'v Session<'v>) -> impl Iterator<Item = Case<'v>> {
    session.exchanges.iter().map(move |exchange| Case { view, session, exchange })
}

fn check_foreign(case: &Case<'_>, collector: &mut Collector) {
    let method = case.method().unwrap_or_default();
    collector.check(REFUSED, case.result().is_none(), || {
        let message = format!(
            "{method} serves a user other than the owner of the task: anyone who obtains an id can get the results."
        );
        case.finding(message, "error -32602 (invalid params), as for an unknown task")
    });
    if method == "tasks/get" {
        collector.check(BOUND, case.result().is_none(), || {
            let message = "A task is not bound to the user who created it: another user can see it.";
            case.finding(message, "error -32602 (invalid params), as for an unknown task")
        });
    }
}

fn check_listed(case: &Case<'_>, known: &BTreeSet<&str>, collector: &mut Collector) {
    let Some(tasks) = case.result().and_then(|result| result.get("tasks")).and_then(Value::as_array) else { return };
    let foreign = tasks.iter().filter_map(|task| task.get("taskId")?.as_str()).any(|id| known.contains(id));
    collector.check(LISTED, !foreign, || {
        let message = "tasks/list shows the tasks of another user.";
        let mut finding = case.finding(message, "the user's own tasks");
        finding.actual = "a task of another user".to_owned();
        finding
    });
}

fn check_clients(view: &View<'_>, collector: &mut Collector) {
    if view.transport != Transport::Http {
        return collector.not_applicable(ID, "whoever started the server is its only client");
    }
    let tasks = tasks(view);
    for case in view.probes(Intent::TasksOfOthers).filter(Case::is_decided) {
        if case.sent_header("authorization").is_some() {
            collector.not_applicable(ID, "the server identifies clients by their authorization");
            continue;
        }
        let Some(listed) = case.result().and_then(|result| result.get("tasks")).and_then(Value::as_array) else {
            continue;
        };
        let listed: BTreeSet<&str> = listed.iter().filter_map(|task| task.get("taskId")?.as_str()).collect();
        let own: BTreeSet<&str> =
            tasks.iter().filter(|task| task.session.id == case.session.id).map(|task| task.id).collect();
        let foreign = tasks.iter().any(|task| listed.contains(task.id) && !own.contains(task.id));
        collector.check(ID, !foreign, || {
            let message = "tasks/list shows the tasks of another client: the server cannot tell its clients apart, so it should not declare tasks.list.";
            let mut finding = case.finding(message, "the client's own tasks, or no tasks.list among the capabilities");
            finding.actual = "a task that another session created".to_owned();
            finding
        });
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;
    use verdict::Status;

    use super::super::tale::{self, made, over_http, start, task};
    use super::*;
    use crate::testing::Script;

    const ONE: &str = "0f3c1b7e9d5a4286";
    const OTHER: &str = "9d5a42860f3c1b7e";

    fn listed(ids: &[&str]) -> Script {
        let script = made(over_http(), ONE, false).session(false, tale::capabilities());
        let ids: Vec<Value> = ids.iter().map(|id| task(id, "working")).collect();
        made(script, OTHER, false).probe(
            Intent::TasksOfOthers,
            "tasks/list",
            json!({}),
            json!({"result": {"tasks": ids}}),
        )
    }

    #[test]
    fn nobody_is_told_of_the_tasks_of_others() {
        assert_eq!(listed(&[OTHER]).status_of(ID), Status::Pass);
        assert_eq!(listed(&[OTHER, ONE]).fails_in("tasks"), [ID]);
        let authorized = listed(&[OTHER]).probe(
            Intent::TasksOfOthers,
            "tasks/list",
            json!({}),
            json!({"result": {"tasks": [task(ONE, "working")]}}),
        );
        assert!(authorized.fails().contains(&ID));
        assert_eq!(start().status_of(ID), Status::NotApplicable);
    }

    /// A task of the first user's, and what the second is told.
    fn users(intent: Intent, method: &str, answer: Value) -> Script {
        let known = |script: Script| {
            script.probe(
                Intent::TaskOfFirst,
                "tasks/get",
                json!({"taskId": ONE}),
                json!({"result": task(ONE, "working")}),
            )
        };
        let second = known(made(over_http(), ONE, false)).outsider();
        let second = second.probe(Intent::TaskUserLetIn, "tools/list", json!({}), json!({"result": {"tools": []}}));
        let params = if intent == Intent::TasksForeign { json!({}) } else { json!({"taskId": ONE}) };
        known(second.probe(intent, method, params, answer).resume(0))
    }

    #[test]
    fn a_task_is_of_the_user_who_made_it() {
        let refused = || tale::refusal(-32602);
        let told = || json!({"result": task(ONE, "working")});
        let get = |answer| users(Intent::TaskForeign, "tasks/get", answer);
        assert_eq!(get(refused()).status_of(REFUSED), Status::Pass);
        assert_eq!(get(refused()).status_of(BOUND), Status::Pass);
        assert_eq!(get(told()).fails_in("tasks"), [BOUND, REFUSED].into_iter().rev().collect::<Vec<_>>());
        let result = users(Intent::TaskForeign, "tasks/result", tale::outcome());
        assert_eq!(result.fails_in("tasks"), [REFUSED]);
        assert_eq!(made(over_http(), ONE, false).status_of(BOUND), Status::NotObserved);
    }

    #[test]
    fn a_user_is_listed_their_own_tasks() {
        let list =
            |id: &str| users(Intent::TasksForeign, "tasks/list", json!({"result": {"tasks": [task(id, "working")]}}));
        assert_eq!(list(OTHER).status_of(LISTED), Status::Pass);
        assert_eq!(list(ONE).fails_in("tasks"), [LISTED]);
    }

    #[test]
    fn who_is_authorized_is_known() {
        let script = made(over_http(), ONE, false).session(false, tale::capabilities());
        let mut script = script;
        script.ask(Some((Intent::TasksOfOthers, Value::Null)), "tasks/list", json!({}));
        let mut script = script.headers(&[("Authorization", "Bearer x")]);
        script.answer(json!({"result": {"tasks": [task(ONE, "working")]}}));
        assert!(!script.fails().contains(&ID));
    }
}
