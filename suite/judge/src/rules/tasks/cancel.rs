//! Cancelled tasks, by `tasks/cancel` and by nothing else.

use serde_json::Value;
use verdict::Intent;
use wire::mcp::code;

use super::ledger::{Seen, Source, Task, status, tasks};
use crate::rules::during::{meta, param};
use crate::{Case, Collector, Incoming, Rule, View};

pub(super) const RULE: Rule = Rule {
    name: "tasks/cancel",
    judges: &[
        "tasks.cancel.result",
        "tasks.cancel.visible-at-once",
        "tasks.cancel.stays-cancelled",
        "tasks.cancel.stops-work",
        "tasks.cancel.terminal-refused",
        "cancellation.task-request-id",
    ],
    judge,
};

const RESULT: &str = RULE.judges[0];
const VISIBLE: &str = RULE.judges[1];
const STAYS: &str = RULE.judges[2];
const STOPS: &str = RULE.judges[3];
const OVER: &str = RULE.judges[4];
const REQUEST: &str = RULE.judges[5];

fn judge(view: &View<'_>, collector: &mut Collector) {
    let tasks = tasks(view);
    for task in &tasks {
        for case in &task.cancels {
            check_answered(task, case, collector);
            check_refused(task, case, collector);
        }
        if let Some(at) = task.cancelled() {
            check_afterwards(task, at, collector);
            check_work(task, at, &tasks, collector);
        }
        by_notification(task, collector);
    }
}

/// Whether the task had been told to be over before a moment.
fn over_before<'t, 'v>(task: &'t Task<'v>, seq: u32) -> Option<&'t Seen<'v>> {
    task.seen.iter().find(|seen| seen.came < seq && seen.is_over())
}

/// The answer is the task, cancelled.
fn check_answered(task: &Task<'_>, case: &Case<'_>, collector: &mut Collector) {
    if over_before(task, case.exchange.seq).is_some() {
        return;
    }
    let Some(result) = case.result() else {
        return refused_while_working(task, case, collector);
    };
    let good = result.get("taskId").and_then(Value::as_str) == Some(task.id) && status(result) == "cancelled";
    collector.check(RESULT, good, || {
        let message = "tasks/cancel does not return the task with status cancelled, so clients do not know whether it was stopped.";
        let mut finding = case.finding(message, "the task, with its taskId and status cancelled");
        finding.actual = match status(result) {
            "" => "a result without a status".to_owned(),
            "cancelled" => "a result of another task".to_owned(),
            other => format!("a result with status {other}"),
        };
        finding
    });
}

/// An error, though the task worked before and works after it.
fn refused_while_working(task: &Task<'_>, case: &Case<'_>, collector: &mut Collector) {
    let Some(answer) =
        case.answer().filter(|_| case.error().is_some() && case.error_code() != Some(code::METHOD_NOT_FOUND))
    else {
        return;
    };
    let works = |seen: &&Seen<'_>| seen.from == Source::Get && seen.sent > answer.seq && !seen.is_over();
    if task.seen.iter().any(|seen| works(&seen)) {
        let message = "tasks/cancel of a running task is refused, so clients cannot stop what they started.";
        collector.fail(RESULT, case.finding(message, "the task with status cancelled"));
    }
}

fn check_refused(task: &Task<'_>, case: &Case<'_>, collector: &mut Collector) {
    let Some(over) = over_before(task, case.exchange.seq) else { return };
    if case.reply().is_none() || case.error_code() == Some(code::METHOD_NOT_FOUND) {
        return;
    }
    collector.check(OVER, case.error_code() == Some(code::INVALID_PARAMS), || {
        let message = if case.result().is_some() {
            "tasks/cancel of a finished task is answered as if the task had been stopped, though its work is done."
        } else {
            "tasks/cancel of a finished task is refused with a code other than -32602."
        };
        let mut finding = case.finding(message, "error -32602 (invalid params)");
        finding.place = Some(over.status().to_owned());
        finding
    });
}

/// Checks the answers of `tasks/get` after the cancellation was answered, at once and later on.
fn check_afterwards(task: &Task<'_>, at: u32, collector: &mut Collector) {
    let mut kept = false;
    let later = task.gets.iter().filter(|get| get.exchange.seq > at && get.reply().is_some());
    for (number, get) in later.enumerate() {
        let gone = get.error_code() == Some(code::INVALID_PARAMS);
        let good = gone || get.result().is_some_and(|result| status(result) == "cancelled");
        let finding = |message: &str, expected: &str| {
            let mut finding = get.finding(message, expected);
            if let Some(result) = get.result() {
                finding.actual = format!("status {}", status(result));
            }
            finding
        };
        if number == 0 {
            collector.check(VISIBLE, good, || {
                let message = "tasks/cancel was answered, but tasks/get does not show the task as cancelled.";
                finding(message, "status cancelled, or error -32602 if the task is forgotten")
            });
        } else if kept || good {
            collector.check(STAYS, good, || {
                let message = "A cancelled task does not stay cancelled.";
                finding(message, "status cancelled from then on, or error -32602 once the task is forgotten")
            });
        }
        kept |= good;
    }
}

/// The first progress of a task after a moment.
fn beats<'v>(task: &Task<'v>, from: u32) -> Option<&'v Incoming<'v>> {
    let token = meta(task.made.exchange, "progressToken")?;
    let mut incoming = task.session.incoming.iter().filter(|incoming| incoming.seq > from);
    incoming.find(|incoming| {
        incoming.method() == Some("notifications/progress") && param(incoming, "progressToken") == Some(token)
    })
}

/// Progress of what was cancelled, long after.
fn check_work(task: &Task<'_>, at: u32, tasks: &[Task<'_>], collector: &mut Collector) {
    let grace = task.session.probes.iter().find(|(seq, probe)| *seq > at && probe.intent == Intent::TaskGrace);
    let Some((grace, _)) = grace else { return };
    if let Some(beat) = beats(task, *grace) {
        let message = "A cancelled task keeps working: its progress is still reported.";
        let mut finding = task.made.finding(message, "no progress once the task is cancelled");
        finding.actual = "progress half a second later".to_owned();
        finding.wire.push(beat.wire());
        return collector.fail(STOPS, finding);
    }
    // Another call of the same tool shows that there would be progress.
    let twin = |other: &&Task<'_>| {
        other.session.id == task.session.id
            && other.id != task.id
            && other.tool() == task.tool()
            && other.cancelled().is_none()
    };
    if tasks.iter().filter(twin).any(|other| beats(other, *grace).is_some()) {
        collector.witness(STOPS);
    }
}

/// A notification for the id of a call that was answered long ago cancels nothing.
fn by_notification(task: &Task<'_>, collector: &mut Collector) {
    let id = task.made.sent().and_then(|message| message.member("id"));
    let mut notices = task.made.view.probes(Intent::TaskRequestCancelled).filter(|case| {
        case.session.id == task.session.id && case.exchange.seq > task.born() && case.param("requestId") == id
    });
    let Some(notice) = notices.next() else { return };
    let wanted = task.cancels.first().map_or(u32::MAX, |case| case.exchange.seq);
    let mut later = task.seen.iter().filter(|seen| seen.sent > notice.exchange.seq && seen.came < wanted).peekable();
    if later.peek().is_none() {
        return;
    }
    let bad = later.find(|seen| seen.status() == "cancelled");
    collector.check(REQUEST, bad.is_none(), || {
        let message = "notifications/cancelled with the id of a call that was answered with a task cancels the task, which is reserved for tasks/cancel.";
        let mut finding = task.made.finding(message, "the task continues");
        finding.actual = "status cancelled".to_owned();
        finding.wire.extend(notice.wire());
        finding.wire.extend(bad.map(|seen| seen.incoming.wire()));
        finding
    });
}

#[cfg(test)]
mod tests {
    use serde_json::json;
    use verdict::Status;

    use super::super::tale::{ID, asked, get, made, made_as, params, refusal, start, task, tell};
    use super::*;
    use crate::testing::Script;

    fn cancels(script: Script, answer: Value) -> Script {
        asked(script, "tasks/cancel", answer)
    }

    fn stopped() -> Script {
        cancels(get(made(start(), ID, false), "working"), json!({"result": task(ID, "cancelled")}))
    }

    #[test]
    fn a_cancellation_is_answered_with_the_task() {
        assert_eq!(stopped().status_of(RESULT), Status::Pass);
        let run = |answer: Value| cancels(get(made(start(), ID, false), "working"), answer);
        assert_eq!(run(json!({"result": task(ID, "working")})).fails(), [RESULT]);
        assert!(run(json!({"result": {}})).fails().contains(&RESULT));
        assert_eq!(get(run(refusal(-32603)), "working").fails_in("tasks"), [RESULT]);
        // It may have been over by then.
        assert!(get(run(refusal(-32602)), "completed").fails().is_empty());
    }

    #[test]
    fn a_cancellation_shows_at_once() {
        assert_eq!(get(stopped(), "cancelled").status_of(VISIBLE), Status::Pass);
        assert_eq!(asked(stopped(), "tasks/get", refusal(-32602)).status_of(VISIBLE), Status::Pass);
        assert!(get(stopped(), "working").fails().contains(&VISIBLE));
    }

    #[test]
    fn a_cancelled_task_stays_cancelled() {
        let once = || get(stopped(), "cancelled");
        assert_eq!(get(once(), "cancelled").status_of(STAYS), Status::Pass);
        assert_eq!(asked(once(), "tasks/get", refusal(-32602)).status_of(STAYS), Status::Pass);
        assert!(get(once(), "completed").fails().contains(&STAYS));
    }

    #[test]
    fn what_is_over_cannot_be_cancelled() {
        let over = || get(made(start(), ID, false), "completed");
        assert_eq!(cancels(over(), refusal(-32602)).status_of(OVER), Status::Pass);
        assert_eq!(cancels(over(), refusal(-32603)).fails_in("tasks"), [OVER]);
        assert!(cancels(over(), json!({"result": task(ID, "completed")})).fails().contains(&OVER));
        assert_eq!(cancels(stopped(), refusal(-32602)).status_of(OVER), Status::Pass);
        assert!(cancels(stopped(), json!({"result": task(ID, "cancelled")})).fails().contains(&OVER));
    }

    #[test]
    fn work_stops() {
        let beat = |script: Script, token: &str| {
            tell(script, "notifications/progress", json!({"progressToken": token, "progress": 1}))
        };
        let mut other = params();
        other["_meta"]["progressToken"] = json!("q");
        let twin = |script: Script| {
            made_as(script, json!({}), other.clone(), json!({"result": {"task": task("b7e9d5a42860f3c1", "working")}}))
        };
        let graced = || twin(stopped()).means(Intent::TaskGrace, json!({}));
        assert_eq!(beat(graced(), "q").status_of(STOPS), Status::Pass);
        assert!(beat(graced(), "p").fails().contains(&STOPS));
        assert_eq!(graced().status_of(STOPS), Status::NotObserved);
        // What was under way may still come.
        assert!(!beat(stopped(), "p").fails().contains(&STOPS));
    }

    #[test]
    fn only_tasks_cancel_cancels() {
        // The handshake, the list and the call: the call is request 3.
        let noted = || {
            made(start(), ID, false).raw(
                Intent::TaskRequestCancelled,
                json!({}),
                r#"{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":3}}"#,
            )
        };
        assert_eq!(get(noted(), "working").status_of(REQUEST), Status::Pass);
        assert_eq!(get(noted(), "cancelled").fails(), [REQUEST]);
        let wanted = cancels(noted(), json!({"result": task(ID, "cancelled")}));
        assert!(get(wanted, "cancelled").fails().is_empty());
    }
}
