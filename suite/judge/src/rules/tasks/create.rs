//! How a call becomes a task.

use serde_json::{Value, json};
use verdict::{Intent, Key};
use wire::mcp::meta;

use super::ledger::{Seen, Task, created, related, tasks};
use super::support::support;
use crate::rules::common::{check_invalid_params_refused, wants_something};
use crate::{Case, Collector, ExchangeEnd, Rule, View};

pub(super) const RULE: Rule = Rule {
    name: "tasks/create",
    judges: &[
        "tasks.create.result",
        "tasks.create.immediate",
        "tasks.create.starts-working",
        "tasks.create.ttl-optional",
        "tasks.create.invalid-task-param",
        "tasks.create.invalid-tool",
        "tasks.create.immediate-response-type",
    ],
    judge,
};

const RESULT: &str = RULE.judges[0];
const IMMEDIATE: &str = RULE.judges[1];
const WORKING: &str = RULE.judges[2];
const TTL: &str = RULE.judges[3];
const PARAM: &str = RULE.judges[4];
const TOOL: &str = RULE.judges[5];
const WORD: &str = RULE.judges[6];

fn judge(view: &View<'_>, collector: &mut Collector) {
    let tasks = tasks(view);
    for task in &tasks {
        check_first(task, collector);
    }
    for case in view.probes(Intent::TaskCreate).filter(Case::is_decided) {
        if matches!(case.exchange.end, ExchangeEnd::GaveUp | ExchangeEnd::Settled)
            && case.about(Key::Slow) == Some(&Value::Bool(true))
        {
            let message = "A task-augmented call of a slow tool is not answered within the time limit, though the task is to be returned immediately.";
            collector.fail(IMMEDIATE, case.finding(message, "a result with a task"));
        }
        check_result(&case, collector);
        check_ttl(&case, collector);
        check_word(&case, collector);
    }
    // That the server falls is told elsewhere: over HTTP it may fall of what others do.
    let stands = |case: &Case<'_>| case.is_decided() && !matches!(case.exchange.end, ExchangeEnd::Gone { .. });
    for case in view.probes(Intent::TaskInvalid).filter(stands) {
        check_invalid_params_refused(&case, collector, PARAM, "A call whose `task` has the wrong type");
    }
    for case in view.probes(Intent::TaskOfUnknownTool).filter(Case::is_decided) {
        check_unknown(&case, &tasks, collector);
    }
}

/// A tool that can be a task gives one, and nothing of its result yet.
fn check_result(case: &Case<'_>, collector: &mut Collector) {
    let tool = case.tool().and_then(|name| case.view.tool(name));
    let Some(result) = case.result().filter(|_| tool.and_then(support) != Some("forbidden")) else { return };
    let content = result.get("content").is_some();
    collector.check(RESULT, created(case).is_some() && !content, || {
        let message = match (result.get("taskId").is_some(), content) {
            (true, _) => "A task-augmented call is answered with the members of the task at the top level: clients look for them in `task`.",
            (_, true) => "A task-augmented call is answered with the result of the tool, which belongs in tasks/result: clients wait for a task.",
            _ => "A task-augmented call is answered with a result that has no task.",
        };
        case.finding(message, "a result with task, and without content")
    });
}

/// The status that a new task has.
fn check_first(task: &Task<'_>, collector: &mut Collector) {
    let Some(first) = created(&task.made) else { return };
    let status = super::ledger::status(first);
    if !task.is_slow() {
        match status {
            "working" => collector.witness(WORKING),
            _ => collector.note(WORKING, format!("a new task already has status {status} when it is returned")),
        }
        return;
    }
    let still = |seen: &Seen<'_>| seen.sent > task.born() && !seen.is_over();
    let waited = super::ledger::is_over(status) && !task.seen.iter().any(still);
    collector.check(IMMEDIATE, !waited, || {
        let message = "A task-augmented call of a slow tool is answered only when the work is done, so clients wait as long as without a task.";
        let mut finding = task.made.finding(message, "a task with status working, immediately");
        finding.actual = format!("a task with status {status}");
        finding
    });
    if !waited && !asks(task) {
        collector.check(WORKING, status == "working", || {
            let message = "A new task does not have status working, though its work has barely begun.";
            let mut finding = task.made.finding(message, "status working");
            finding.actual = format!("status {status}");
            finding
        });
    }
}

/// Whether the server asks the client for something on behalf of the task.
fn asks(task: &Task<'_>) -> bool {
    let mut requests = task.session.incoming.iter().filter_map(|incoming| incoming.message());
    requests.any(|message| {
        message.kind == wire::Kind::Request
            && related(message.params()).is_some_and(|related| related.get("taskId") == Some(&json!(task.id)))
    })
}

fn check_ttl(case: &Case<'_>, collector: &mut Collector) {
    if case.param("task") != Some(&json!({})) || case.reply().is_none() || wants_something(case) {
        return;
    }
    if created(case).is_some() {
        return collector.witness(TTL);
    }
    let other = |other: &Case<'_>| {
        let ttl = other.param("task").is_some_and(|task| task.get("ttl").is_some_and(Value::is_number));
        other.session.id == case.session.id && other.tool() == case.tool() && ttl && created(other).is_some()
    };
    if case.view.probes(Intent::TaskCreate).any(|control| other(&control)) {
        let message = "A call with an empty `task` creates no task, though `ttl` is optional and the same call with it creates one.";
        collector.fail(TTL, case.finding(message, "a result with a task"));
    }
}

fn check_word(case: &Case<'_>, collector: &mut Collector) {
    const KEY: &str = meta::MODEL_IMMEDIATE_RESPONSE;
    let found = case.result().filter(|_| created(case).is_some()).and_then(|result| result.get("_meta")?.get(KEY));
    if let Some(word) = found {
        collector.check(WORD, word.is_string(), || {
            let message = "The message for the model while a task runs is not a string, so it cannot be passed on.";
            case.finding(message, format!("a string at _meta[\"{KEY}\"]"))
        });
    }
}

fn check_unknown(case: &Case<'_>, tasks: &[Task<'_>], collector: &mut Collector) {
    if case.error().is_some() || case.is_tool_error() {
        return collector.witness(TOOL);
    }
    let task = created(case).and_then(|task| task.get("taskId")).and_then(Value::as_str);
    let Some(task) = task else {
        if case.result().is_some() {
            let message = "A task-augmented call of a tool that does not exist is accepted as valid.";
            collector.fail(TOOL, case.finding(message, "an error, or a task that fails"));
        }
        return;
    };
    let task = tasks.iter().find(|known| known.id == task && known.session.id == case.session.id);
    if let Some(end) = task.and_then(Task::end) {
        collector.check(TOOL, end.status() != "completed", || {
            let message =
                "A task for a tool that does not exist is completed, so clients mistake the error for a success.";
            let mut finding = case.finding(message, "an error, or a task that fails");
            finding.actual = "a completed task".to_owned();
            finding
        });
    }
}

#[cfg(test)]
mod tests {
    use verdict::Status;

    use super::super::tale::{ID, asked, get, made, made_as, outcome, params, refusal, start, task};
    use super::*;
    use crate::testing::Script;

    fn first(status: &str, slow: bool) -> Script {
        made_as(start(), json!({"slow": slow}), params(), json!({"result": {"task": task(ID, status)}}))
    }

    #[test]
    fn a_call_gives_a_task() {
        assert_eq!(first("working", false).status_of(RESULT), Status::Pass);
        let run = |result: Value| made_as(start(), json!({}), params(), json!({"result": result}));
        assert!(run(task(ID, "working")).fails().contains(&RESULT));
        assert!(run(json!({"content": []})).fails().contains(&RESULT));
        assert!(run(json!({"task": task(ID, "working"), "content": []})).fails().contains(&RESULT));
    }

    #[test]
    fn a_slow_task_is_told_of_while_it_works() {
        let good = get(made(start(), ID, true), "working");
        assert_eq!((good.status_of(IMMEDIATE), good.status_of(WORKING)), (Status::Pass, Status::Pass));
        let late = get(first("completed", true), "completed");
        assert_eq!(late.fails(), [IMMEDIATE]);
        let mut silent = start();
        silent.ask(Some((Intent::TaskCreate, json!({"slow": true}))), "tools/call", params());
        assert!(silent.gave_up().settled().fails().contains(&IMMEDIATE));
    }

    #[test]
    fn a_new_task_is_working() {
        assert_eq!(get(first("input_required", true), "working").fails(), [WORKING]);
        // A quick one may be done already.
        let quick = get(first("completed", false), "completed");
        assert!(quick.fails().is_empty());
        assert_eq!(quick.verdict(WORKING).notes.len(), 1);
    }

    #[test]
    fn a_ttl_is_optional() {
        let bare = |answer: Value| {
            let mut params = params();
            params["task"] = json!({});
            made_as(made(start(), ID, false), json!({}), params, answer)
        };
        assert_eq!(bare(json!({"result": {"task": task("b", "working")}})).status_of(TTL), Status::Pass);
        assert_eq!(bare(refusal(-32602)).fails_in("tasks"), ["tasks.tool-support.optional-both", TTL]);
    }

    #[test]
    fn a_task_of_the_wrong_type_is_refused() {
        let run = |answer: Value| {
            let params = json!({"name": "may", "arguments": {}, "task": true});
            let call = json!({"name": "may", "arguments": {}});
            let script = start().plain("tools/call", call, json!({"result": {"content": []}}));
            script.probe(Intent::TaskInvalid, "tools/call", params, answer)
        };
        assert_eq!(run(refusal(-32602)).status_of(PARAM), Status::Pass);
        assert_eq!(run(refusal(-32603)).fails_in("tasks"), [PARAM]);
        assert!(run(json!({"result": {"content": []}})).fails().contains(&PARAM));
        assert!(run(json!({"result": {"task": task("b", "working")}})).fails().contains(&PARAM));
    }

    #[test]
    fn a_task_of_no_tool_fails_sooner_or_later() {
        let params = json!({"name": "none", "arguments": {}, "task": {}});
        let run = |answer: Value| start().probe(Intent::TaskOfUnknownTool, "tools/call", params.clone(), answer);
        let made = || run(json!({"result": {"task": task(ID, "working")}}));
        assert_eq!(run(refusal(-32602)).status_of(TOOL), Status::Pass);
        assert_eq!(get(made(), "failed").status_of(TOOL), Status::Pass);
        assert!(get(asked(made(), "tasks/result", outcome()), "completed").fails().contains(&TOOL));
        assert!(run(json!({"result": {"content": []}})).fails().contains(&TOOL));
    }

    #[test]
    fn the_word_for_the_model_is_text() {
        let run = |word: Value| {
            let answer = json!({"result": {"task": task(ID, "working"), "_meta": {"io.modelcontextprotocol/model-immediate-response": word}}});
            made_as(start(), json!({}), params(), answer)
        };
        assert_eq!(run(json!("Wait.")).status_of(WORD), Status::Pass);
        assert!(run(json!(5)).fails().contains(&WORD));
    }
}
