//! `tasks/get`: the task that was asked for, at once, and nothing else.

use serde_json::Value;
use verdict::{Intent, Transport};

use super::ledger::{RELATED, Task, is_over, related, status, tasks};
use crate::{Case, Collector, ExchangeEnd, Rule, View};

pub(super) const RULE: Rule = Rule {
    name: "tasks/get",
    judges: &[
        "tasks.get.result",
        "tasks.get.immediate",
        "tasks.get.right-after-create",
        "tasks.get.meta-ignored",
        "tasks.get.no-related-task",
        "tasks.get.no-sse-upgrade",
        "tasks.get.failed-has-message",
    ],
    judge,
};

const RESULT: &str = RULE.judges[0];
const IMMEDIATE: &str = RULE.judges[1];
const AFTER: &str = RULE.judges[2];
const META: &str = RULE.judges[3];
const BARE: &str = RULE.judges[4];
const STREAM: &str = RULE.judges[5];
const MESSAGE: &str = RULE.judges[6];

fn judge(view: &View<'_>, collector: &mut Collector) {
    let tasks = tasks(view);
    for task in &tasks {
        for case in &task.gets {
            if case.intent() == Some(Intent::TaskNamedTwice) {
                named_twice(case, collector);
                continue;
            }
            check_itself(case, collector);
            if case.intent() == Some(Intent::TaskFirst) {
                check_first(task, case, collector);
            }
            check_message(case, collector);
            if view.transport == Transport::Http {
                check_stream(case, collector);
            }
        }
    }
    for method in ["tasks/get", "tasks/list", "tasks/cancel"] {
        view.calls(method).filter(Case::is_decided).for_each(|case| check_unmarked(&case, collector));
    }
}

/// The result is the task that was asked for.
fn check_itself(case: &Case<'_>, collector: &mut Collector) {
    let Some(result) = case.result() else { return };
    let wrapped = result.get("taskId").is_none() && result.get("task").is_some();
    collector.check(RESULT, result.get("taskId") == case.param("taskId"), || {
        let message = if wrapped {
            "The task is inside a member `task`, as only the answer to the call has it, so clients do not find its status."
        } else {
            "tasks/get returns a task other than the one requested."
        };
        let mut finding =
            case.finding(message, "taskId and the other members of the requested task, at the top level of the result");
        finding.actual =
            if wrapped { "a result with task" } else { "a result with another taskId, or none" }.to_owned();
        finding
    });
}

fn check_first(task: &Task<'_>, case: &Case<'_>, collector: &mut Collector) {
    if case.error().is_some() {
        let message = "A task that was just returned is unknown to tasks/get, so clients consider it lost.";
        return collector.fail(AFTER, case.finding(message, "the task"));
    }
    if case.result().is_some() {
        collector.witness(AFTER);
    }
    if case.session.open.confirm {
        collector.repeated(IMMEDIATE);
    }
    let over = case.result().is_some_and(|result| is_over(status(result)));
    let late = over && task.is_slow() && task.made.result().is_some_and(|made| !is_over(status(&made["task"])));
    if late || matches!(case.exchange.end, ExchangeEnd::GaveUp | ExchangeEnd::Settled) {
        let message =
            "tasks/get of a long-running task is answered only when the work is done, which blocks clients that poll.";
        let mut finding = case.finding(message, "the current status, immediately");
        finding.actual = if late { "a finished task" } else { "no answer within the time limit" }.to_owned();
        collector.suspect(IMMEDIATE, case, finding);
    } else if case.result().is_some() && !over {
        collector.witness(IMMEDIATE);
    }
}

fn named_twice(case: &Case<'_>, collector: &mut Collector) {
    let silent = matches!(case.exchange.end, ExchangeEnd::GaveUp | ExchangeEnd::Settled);
    if case.reply().is_none() && !silent {
        return;
    }
    let same = case.result().and_then(|result| result.get("taskId")) == case.param("taskId");
    collector.check(META, same, || {
        let message =
            "tasks/get does not use taskId when `_meta` names a different task, though the task in `_meta` is to be ignored.";
        let mut finding = case.finding(message, "the task that taskId names");
        if case.result().is_some() {
            finding.actual = "the task that _meta names, or another".to_owned();
        }
        finding
    });
}

/// Answers that name their task need no mark.
fn check_unmarked(case: &Case<'_>, collector: &mut Collector) {
    let Some(result) = case.result() else { return };
    collector.check(BARE, related(Some(result)).is_none(), || {
        let message = format!(
            "The result of {} carries {RELATED}, which clients do not need to expect there.",
            case.method().unwrap_or_default()
        );
        case.finding(message, format!("a result without _meta[\"{RELATED}\"]"))
    });
}

/// Who polls is not to be given a stream by a server that can do without.
fn check_stream(case: &Case<'_>, collector: &mut Collector) {
    let kind = |case: &Case<'_>, wanted: &str| case.media_type().as_deref() == Some(wanted);
    if case.result().is_none() {
        return;
    }
    if kind(case, "application/json") {
        return collector.witness(STREAM);
    }
    let other = |other: &Case<'_>| {
        other.method() != Some("tasks/get") && other.result().is_some() && kind(other, "application/json")
    };
    if kind(case, "text/event-stream") {
        if case.view.cases().any(|case| other(&case)) {
            let message = "The server answers tasks/get with an event stream but other requests without one, though the client wants to poll.";
            let mut finding = case.finding(message, "Content-Type: application/json");
            finding.actual = "Content-Type: text/event-stream".to_owned();
            return collector.fail(STREAM, finding);
        }
        collector.note(STREAM, "the server answers every request with an event stream, including tasks/get");
    }
}

fn check_message(case: &Case<'_>, collector: &mut Collector) {
    let Some(result) = case.result().filter(|result| status(result) == "failed") else { return };
    let told = result.get("statusMessage").and_then(Value::as_str).is_some_and(|text| !text.trim().is_empty());
    collector.check(MESSAGE, told, || {
        let message = "A failed task has no statusMessage, so clients do not learn why it failed.";
        let mut finding = case.finding(message, "statusMessage with what went wrong");
        finding.actual = "no statusMessage".to_owned();
        finding
    });
}

#[cfg(test)]
mod tests {
    use serde_json::json;
    use verdict::Status;

    use super::super::tale::{ID, asked, get, made, over_http, refusal, related, start, task};
    use super::*;
    use crate::testing::Script;

    fn gets(answer: Value) -> Script {
        asked(made(start(), ID, false), "tasks/get", answer)
    }

    #[test]
    fn the_task_is_in_the_result() {
        assert_eq!(get(made(start(), ID, false), "working").status_of(RESULT), Status::Pass);
        assert!(gets(json!({"result": {"task": task(ID, "working")}})).fails().contains(&RESULT));
        assert_eq!(gets(json!({"result": task("other", "working")})).fails(), [RESULT]);
    }

    fn first(slow: bool, answer: Value) -> Script {
        made(start(), ID, slow).probe(Intent::TaskFirst, "tasks/get", json!({"taskId": ID}), answer)
    }

    #[test]
    fn a_task_is_known_at_once() {
        assert_eq!(first(false, json!({"result": task(ID, "working")})).status_of(AFTER), Status::Pass);
        assert_eq!(first(false, refusal(-32602)).fails_in("tasks"), [AFTER]);
    }

    #[test]
    fn polling_does_not_wait_for_the_end() {
        let over = || json!({"result": task(ID, "completed")});
        assert_eq!(first(true, json!({"result": task(ID, "working")})).status_of(IMMEDIATE), Status::Pass);
        assert_eq!(first(true, over()).status_of(IMMEDIATE), Status::Inconclusive);
        assert_eq!(first(false, over()).status_of(IMMEDIATE), Status::NotObserved);
        let again = first(true, over()).session(true, super::super::tale::capabilities());
        let again = made(super::super::tale::list(again), "b7e9d5a42860f3c1", true);
        let again = again.probe(
            Intent::TaskFirst,
            "tasks/get",
            json!({"taskId": "b7e9d5a42860f3c1"}),
            json!({"result": task("b7e9d5a42860f3c1", "completed")}),
        );
        assert_eq!(again.fails(), [IMMEDIATE]);
    }

    #[test]
    fn meta_does_not_name_the_task() {
        let run = |answer: Value| {
            let params = json!({"taskId": ID, "_meta": related("other")});
            made(start(), ID, false).probe(Intent::TaskNamedTwice, "tasks/get", params, answer)
        };
        assert_eq!(run(json!({"result": task(ID, "working")})).status_of(META), Status::Pass);
        assert_eq!(run(json!({"result": task("other", "working")})).fails(), [META]);
        assert!(run(refusal(-32602)).fails().contains(&META));
        let params = json!({"taskId": ID, "_meta": related("other")});
        let silent = made(start(), ID, false).unanswered(Intent::TaskNamedTwice, "tasks/get", params);
        assert!(silent.gave_up().fails().contains(&META));
    }

    #[test]
    fn answers_that_name_their_task_are_not_marked() {
        let mut marked = task(ID, "working");
        marked["_meta"] = related(ID);
        assert_eq!(gets(json!({"result": marked})).fails(), [BARE]);
        assert_eq!(get(made(start(), ID, false), "working").status_of(BARE), Status::Pass);
        let list = start().plain("tasks/list", json!({}), json!({"result": {"tasks": [], "_meta": related(ID)}}));
        assert_eq!(list.fails(), [BARE]);
    }

    #[test]
    fn who_can_answer_without_a_stream_does() {
        let run = |plain: &str, polled: &str| {
            let head = |script: Script, kind: &str| script.head(200, &[("content-type", kind)]);
            let mut script = over_http();
            script.ask(None, "ping", json!({}));
            let mut script = head(script, plain);
            script.answer(json!({"result": {}}));
            let mut script = made(script, ID, false);
            script.ask(None, "tasks/get", json!({"taskId": ID}));
            let mut script = head(script, polled);
            script.answer(json!({"result": task(ID, "working")}));
            script
        };
        let (json, sse) = ("application/json", "text/event-stream");
        assert_eq!(run(json, json).status_of(STREAM), Status::Pass);
        assert!(run(json, sse).fails().contains(&STREAM));
        let always = run(sse, sse).verdict(STREAM);
        assert_eq!((always.status, always.notes.len()), (Status::NotObserved, 1));
    }

    #[test]
    fn a_failed_task_says_why() {
        assert_eq!(get(made(start(), ID, false), "failed").status_of(MESSAGE), Status::Pass);
        let mut mute = task(ID, "failed");
        mute["statusMessage"] = json!("");
        assert_eq!(gets(json!({"result": mute})).fails(), [MESSAGE]);
    }
}
