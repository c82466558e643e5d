//! `tasks/result`: what the call would have given, when the task is over, marked with the task.

use serde_json::{Value, json};

use super::ledger::{Seen, Task, related, tasks, without_meta};
use crate::{Case, Collector, ExchangeEnd, Rule, View};

pub(super) const RULE: Rule = Rule {
    name: "tasks/result",
    judges: &[
        "tasks.result.same-as-plain",
        "tasks.result.rpc-error",
        "tasks.result.failed",
        "tasks.result.blocks",
        "tasks.result.parallel-get",
        "tasks.result.related-task",
        "tasks.result.cancelled",
        "tasks.result.repeatable",
    ],
    judge,
};

const SAME: &str = RULE.judges[0];
const ERROR: &str = RULE.judges[1];
const FAILED: &str = RULE.judges[2];
const BLOCKS: &str = RULE.judges[3];
const PARALLEL: &str = RULE.judges[4];
const RELATED: &str = RULE.judges[5];
const CANCELLED: &str = RULE.judges[6];
const AGAIN: &str = RULE.judges[7];

fn judge(view: &View<'_>, collector: &mut Collector) {
    for task in tasks(view) {
        for case in &task.results {
            check_blocks(&task, case, collector);
            check_parallel(&task, case, collector);
            check_marked(&task, case, collector);
            check_cancelled(&task, case, collector);
        }
        if let Some(case) = task.results.iter().find(|case| case.reply().is_some() && is_final(&task, case)) {
            check_outcome(&task, case, collector);
        }
        check_again(&task, collector);
    }
}

fn came(case: &Case<'_>) -> Option<u32> {
    case.answer().map(|answer| answer.seq)
}

/// Whether the task was over, other than by a cancellation, when the result came.
fn is_final(task: &Task<'_>, case: &Case<'_>) -> bool {
    let later = task.seen.iter().filter(|seen| Some(seen.sent) > came(case));
    let ends: Vec<&str> = later.filter(|seen| seen.is_over()).map(Seen::status).collect();
    task.cancels.iter().all(|cancel| cancel.result().is_none()) && !ends.is_empty() && !ends.contains(&"cancelled")
}

/// Against the same call without a task, where that gives the same every time.
fn check_outcome(task: &Task<'_>, case: &Case<'_>, collector: &mut Collector) {
    match task.plain() {
        Some(plain) if plain.error().is_some() => check_error(case, &plain, collector),
        Some(plain) => {
            check_failed(task, case, Some(&plain), collector);
            let same = case.result().map(without_meta) == plain.result().map(without_meta);
            // That a failure is refused is told above.
            if case.result().is_some() || !plain.is_tool_error() {
                collector.check(SAME, same, || {
                    let message = "The result of a task differs from that of the same call without a task, which is the same every time.";
                    let mut finding = case.finding(message, "the result of the call without a task, with _meta added");
                    finding.wire.extend(plain.wire());
                    finding
                });
            }
        }
        None => {
            check_failed(task, case, None, collector);
            check_shape(case, collector);
        }
    }
}

/// Without anything to compare with: the result is at least one of a tool.
fn check_shape(case: &Case<'_>, collector: &mut Collector) {
    let Some(result) = case.result() else { return };
    collector.check(SAME, result.get("content").is_some_and(Value::is_array), || {
        let message = "The result of a task is not the result of a call: it has no content, so clients do not get what they called for.";
        let mut finding = case.finding(message, "the result of the tool, with content");
        finding.actual = "a result without content".to_owned();
        finding
    });
}

fn check_error(case: &Case<'_>, plain: &Case<'_>, collector: &mut Collector) {
    collector.check(ERROR, case.error_code() == plain.error_code(), || {
        let message =
            "The same call without a task ends in a JSON-RPC error, but tasks/result does not return that error.";
        let mut finding = case.finding(message, plain.outcome());
        finding.wire.extend(plain.wire());
        finding
    });
}

/// Checks that the result of a failed task reports the failure.
fn check_failed(task: &Task<'_>, case: &Case<'_>, plain: Option<&Case<'_>>, collector: &mut Collector) {
    let is_failed = task.end().is_some_and(|end| end.status() == "failed");
    if case.is_tool_error() {
        return collector.witness(FAILED);
    }
    let refused = case.error().is_some() && plain.is_some_and(|plain| plain.is_tool_error());
    if is_failed && refused {
        let message = "The tool of a task failed, but tasks/result returns an error instead of the result with isError that says why.";
        collector.fail(FAILED, case.finding(message, "the result with isError true"));
    }
}

fn check_blocks(task: &Task<'_>, case: &Case<'_>, collector: &mut Collector) {
    let Some(came) = came(case) else { return };
    let mut later = task.seen.iter().filter(|seen| seen.sent > came);
    if let Some(early) = later.clone().find(|seen| !seen.is_over()).filter(|_| !was_over(task, came)) {
        let message = "tasks/result of an unfinished task is answered, so clients mistake the answer for the result.";
        let mut finding = case.finding(message, "no answer until the task is completed, failed or cancelled");
        finding.actual = format!("{}, but then status {}", case.outcome(), early.status());
        finding.wire.extend(early.case.map(|case| case.wire()).unwrap_or_default());
        return collector.fail(BLOCKS, finding);
    }
    // Not over when it was asked for, and over when it was told.
    let open = task.seen.iter().any(|seen| seen.came < case.exchange.seq + 1 && !seen.is_over());
    let over_before = was_over(task, case.exchange.seq);
    if open && !over_before && later.any(|seen| seen.is_over()) {
        collector.witness(BLOCKS);
    }
}

/// Whether the task had been told to be over by then: what it does afterwards is for another rule.
fn was_over(task: &Task<'_>, seq: u32) -> bool {
    task.seen.iter().any(|seen| seen.came < seq && seen.is_over())
}

/// Who waits for the result can ask for the status beside.
fn check_parallel(task: &Task<'_>, case: &Case<'_>, collector: &mut Collector) {
    let (asked, came) = (case.exchange.seq, came(case).unwrap_or(u32::MAX));
    for get in task.gets.iter().filter(|get| get.exchange.seq > asked && get.exchange.seq < came) {
        if get.session.open.confirm {
            collector.repeated(PARALLEL);
        }
        let answered = get.answer().map(|answer| answer.seq);
        if answered.is_some_and(|seq| seq < came) {
            collector.witness(PARALLEL);
        } else if !get.view.loses_answers && (task.is_slow() || matches!(get.exchange.end, ExchangeEnd::GaveUp)) {
            let message =
                "tasks/get is not answered while tasks/result waits, so clients cannot show how the task is going.";
            let mut finding = get.finding(message, "the current status, before the result");
            finding.actual = "no answer before the result".to_owned();
            collector.suspect(PARALLEL, get, finding);
        }
    }
}

fn check_marked(task: &Task<'_>, case: &Case<'_>, collector: &mut Collector) {
    let Some(result) = case.result() else { return };
    let named = related(Some(result)).and_then(|related| related.get("taskId"));
    collector.check(RELATED, named == Some(&json!(task.id)), || {
        let message = "The result of a task does not name its task, and nothing else in it does.";
        let mut finding = case.finding(message, format!("_meta[\"{}\"] with the taskId", super::ledger::RELATED));
        finding.actual = if named.is_some() { "another taskId" } else { "a result without it" }.to_owned();
        finding
    });
}

/// Who waits for a task that is cancelled does not wait for ever.
fn check_cancelled(task: &Task<'_>, case: &Case<'_>, collector: &mut Collector) {
    let Some(cancelled) = task.cancelled() else { return };
    if came(case).is_some_and(|came| came < cancelled) {
        return;
    }
    if case.reply().is_some() {
        return collector.witness(CANCELLED);
    }
    let hangs = matches!(case.exchange.end, ExchangeEnd::GaveUp | ExchangeEnd::Settled);
    let lives = case.session.exchanges.iter().any(|other| other.seq > case.exchange.seq && !other.answers.is_empty());
    if hangs && lives {
        let message = "tasks/result of a cancelled task is never answered, so clients that wait for it wait forever.";
        collector.fail(CANCELLED, case.finding(message, "a result or an error, immediately"));
    }
}

fn check_again(task: &Task<'_>, collector: &mut Collector) {
    let first = task.results.iter().find(|case| case.result().is_some());
    let Some(first) = first.and_then(came) else { return };
    let Some(second) = task.results.iter().find(|case| case.exchange.seq > first && case.reply().is_some()) else {
        return;
    };
    collector.check(AGAIN, second.result().is_some(), || {
        let message = "The result of a task can be fetched only once, so a client that loses it cannot get it back.";
        second.finding(message, "the result again, as long as the task is kept")
    });
}

#[cfg(test)]
mod tests {
    use verdict::Status;

    use super::super::tale::{self, ID, asked, get, made, outcome, plain, refusal, start};
    use super::*;
    use crate::testing::Script;

    fn text(text: &str, error: bool, meta: bool) -> Value {
        let mut result = json!({"content": [{"type": "text", "text": text}], "isError": error});
        if meta {
            result["_meta"] = tale::related(ID);
        }
        json!({"result": result})
    }

    /// The call without, the task, its result and status, and the call without once more.
    fn life(plainly: &Value, answer: Value, status: &str) -> Script {
        let script = made(plain(start(), "before", plainly.clone()), ID, false);
        plain(get(asked(script, "tasks/result", answer), status), "after", plainly.clone())
    }

    #[test]
    fn a_task_gives_what_the_call_gives() {
        let plainly = text("a", false, false);
        assert_eq!(life(&plainly, text("a", false, true), "completed").status_of(SAME), Status::Pass);
        assert_eq!(life(&plainly, text("b", false, true), "completed").fails_in("tasks"), [SAME]);
        assert_eq!(life(&plainly, refusal(-32603), "completed").fails_in("tasks"), [SAME]);
        // Of a tool that is different each time nothing is known.
        let script = made(plain(start(), "before", plainly), ID, false);
        let script = get(asked(script, "tasks/result", text("b", false, true)), "completed");
        assert!(plain(script, "after", text("c", false, false)).fails().is_empty());
    }

    #[test]
    fn a_task_without_anything_to_compare_gives_a_result_of_a_tool() {
        let run = |answer: Value| get(asked(made(start(), ID, false), "tasks/result", answer), "completed");
        assert_eq!(run(outcome()).status_of(SAME), Status::Pass);
        let task = json!({"result": {"task": tale::task(ID, "completed"), "_meta": tale::related(ID)}});
        assert!(run(task).fails().contains(&SAME));
    }

    #[test]
    fn a_task_gives_the_error_that_the_call_gives() {
        let plainly = refusal(-32042);
        let of = |answer: Value| life(&plainly, answer, "failed");
        assert_eq!(of(refusal(-32042)).status_of(ERROR), Status::Pass);
        assert!(of(refusal(-32603)).fails().contains(&ERROR));
        assert!(of(text("a", true, true)).fails().contains(&ERROR));
        // What is refused for want of a task would have given something else.
        assert!(!life(&refusal(-32600), outcome(), "completed").fails().contains(&ERROR));
    }

    #[test]
    fn a_failure_is_told() {
        let plainly = text("a", true, false);
        assert_eq!(life(&plainly, text("a", true, true), "failed").status_of(FAILED), Status::Pass);
        assert_eq!(life(&plainly, refusal(-32603), "failed").fails_in("tasks"), [FAILED]);
    }

    #[test]
    fn a_result_comes_when_the_task_is_over() {
        let run =
            |status: &str| get(asked(get(made(start(), ID, false), "working"), "tasks/result", outcome()), status);
        assert_eq!(run("completed").status_of(BLOCKS), Status::Pass);
        assert_eq!(run("working").fails(), [BLOCKS]);
        let refused = get(asked(made(start(), ID, false), "tasks/result", refusal(-32602)), "working");
        assert_eq!(refused.fails_in("tasks"), [BLOCKS]);
        // What works again is another matter.
        let script = asked(get(made(start(), ID, false), "completed"), "tasks/result", outcome());
        assert!(!get(script, "working").fails().contains(&BLOCKS));
    }

    #[test]
    fn the_status_is_told_beside_the_result() {
        let wait = |early: bool| {
            let script = made(start(), ID, true);
            let params = json!({"taskId": ID});
            // Ids count up with the answers: initialize, the list and the call have had theirs.
            let request = |id: u32, method: &str| {
                json!({"jsonrpc": "2.0", "id": id, "method": method, "params": params}).to_string()
            };
            let answer = |id: u32, result: &Value| json!({"jsonrpc": "2.0", "id": id, "result": result});
            let script = script.raw_plain(&request(91, "tasks/result")).raw_plain(&request(92, "tasks/get"));
            let (working, done) = (tale::task(ID, if early { "working" } else { "completed" }), &outcome()["result"]);
            if early {
                script.says_json(&answer(92, &working)).says_json(&answer(91, done))
            } else {
                script.says_json(&answer(91, done)).says_json(&answer(92, &working))
            }
        };
        assert_eq!(wait(true).status_of(PARALLEL), Status::Pass);
        assert_eq!(wait(false).status_of(PARALLEL), Status::Inconclusive);
    }

    #[test]
    fn a_slow_status_twice_fails() {
        let params = json!({"taskId": ID});
        let request =
            |id: u32, method: &str| json!({"jsonrpc": "2.0", "id": id, "method": method, "params": params}).to_string();
        let script = made(tale::list(start().session(true, tale::capabilities())), ID, true);
        let script = script.raw_plain(&request(91, "tasks/result")).raw_plain(&request(92, "tasks/get"));
        let script = script.says_json(&json!({"jsonrpc": "2.0", "id": 91, "result": outcome()["result"]}));
        let script = script.says_json(&json!({"jsonrpc": "2.0", "id": 92, "result": tale::task(ID, "completed")}));
        assert_eq!(script.fails(), [PARALLEL]);
    }

    #[test]
    fn a_result_names_its_task() {
        let run = |answer: Value| asked(made(start(), ID, false), "tasks/result", answer);
        assert_eq!(run(outcome()).status_of(RELATED), Status::Pass);
        assert_eq!(run(json!({"result": {"content": []}})).fails(), [RELATED]);
        assert_eq!(run(refusal(-32603)).status_of(RELATED), Status::NotObserved);
    }

    #[test]
    fn who_waits_for_a_cancelled_task_is_told() {
        let cancelled =
            || asked(made(start(), ID, false), "tasks/cancel", json!({"result": tale::task(ID, "cancelled")}));
        assert_eq!(asked(cancelled(), "tasks/result", refusal(-32602)).status_of(CANCELLED), Status::Pass);
        let silent = cancelled().unanswered_plainly("tasks/result", json!({"taskId": ID})).gave_up();
        assert!(get(silent, "cancelled").fails().contains(&CANCELLED));
    }

    #[test]
    fn a_result_can_be_fetched_again() {
        let once = || asked(made(start(), ID, false), "tasks/result", outcome());
        assert_eq!(asked(once(), "tasks/result", outcome()).status_of(AGAIN), Status::Pass);
        assert_eq!(asked(once(), "tasks/result", refusal(-32602)).fails_in("tasks"), [AGAIN]);
    }
}
