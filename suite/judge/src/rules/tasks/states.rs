//! The states of a task: it ends once, and as the call does.

use serde_json::Value;

use super::ledger::{Seen, Source, Task, tasks};
use crate::{Collector, Rule, View};

pub(super) const RULE: Rule = Rule {
    name: "tasks/states",
    judges: &[
        "tasks.lifecycle.transitions",
        "tasks.lifecycle.terminal-final",
        "tasks.lifecycle.is-error-fails",
        "tasks.lifecycle.rpc-error-fails",
        "tasks.object.timestamps-consistent",
    ],
    judge,
};

const STEPS: &str = RULE.judges[0];
const FINAL: &str = RULE.judges[1];
const TOOL: &str = RULE.judges[2];
const RPC: &str = RULE.judges[3];
const TIMES: &str = RULE.judges[4];

fn judge(view: &View<'_>, collector: &mut Collector) {
    for task in tasks(view) {
        check_steps(&task, collector);
        check_ending(&task, collector);
        check_times(&task, collector);
    }
}

/// Whether one was told for certain after the other had been told.
fn follows(one: &Seen<'_>, next: &Seen<'_>) -> bool {
    let notices = one.from == Source::Notice && next.from == Source::Notice;
    let same = one.incoming.receive.channel == next.incoming.receive.channel;
    if notices { same && next.came > one.came } else { next.from != Source::Notice && next.sent > one.came }
}

fn check_steps(task: &Task<'_>, collector: &mut Collector) {
    if task.seen.iter().any(|one| task.seen.iter().any(|next| follows(one, next))) {
        collector.witness(STEPS);
    }
    let pairs = || {
        let ends = task.seen.iter().filter(|one| one.is_over());
        ends.flat_map(|one| task.seen.iter().filter(|next| follows(one, next)).map(move |next| (one, next)))
    };
    if pairs().next().is_some() {
        collector.witness(FINAL);
    }
    let Some((one, next)) = pairs().find(|(one, next)| next.status() != one.status()) else { return };
    let actual = format!("{}, then {}", one.status(), next.status());
    let finding = |message: &str, expected: &str| {
        let mut finding = task.made.finding(message, expected);
        finding.actual = actual.clone();
        finding.wire = evidence(&[one, next]);
        finding
    };
    if !next.is_over() {
        let message = "A finished task starts working again, so clients that stopped polling miss how it ends.";
        collector.fail(STEPS, finding(message, "no transition out of completed, failed or cancelled"));
    }
    let message = "A finished task is later reported with a different status, but clients have acted on the first one.";
    collector.fail(FINAL, finding(message, "the same status from then on"));
}

fn evidence(seen: &[&Seen<'_>]) -> Vec<String> {
    seen.iter().flat_map(|seen| seen.case.map_or_else(|| vec![seen.incoming.wire()], |case| case.wire())).collect()
}

/// A task ends as the call that it stands for does.
fn check_ending(task: &Task<'_>, collector: &mut Collector) {
    let Some(end) = task.end().filter(|end| end.status() != "cancelled") else { return };
    let failed = end.status() == "failed";
    if let Some(result) = task.results.iter().find(|case| case.is_tool_error()) {
        collector.check(TOOL, failed, || {
            let message = "The tool of a task failed (isError true), but the task is completed: clients that rely on the status treat it as a success.";
            let mut finding = result.finding(message, "status failed");
            finding.actual = "status completed".to_owned();
            finding.wire.extend(evidence(&[end]));
            finding
        });
    }
    if task.plain().is_some_and(|plain| plain.error().is_some()) {
        collector.check(RPC, failed, || {
            let message = "The same call without a task ends in a JSON-RPC error, but the task is completed.";
            let mut finding = task.made.finding(message, "status failed");
            finding.actual = "status completed".to_owned();
            finding.wire = evidence(&[end]);
            finding
        });
    }
}

fn check_times(task: &Task<'_>, collector: &mut Collector) {
    let text = |seen: &Seen<'_>, name: &str| seen.task.get(name).and_then(Value::as_str).and_then(instant);
    let mut complaint = None;
    for (at, seen) in task.seen.iter().enumerate() {
        let (Some(created), Some(updated)) = (text(seen, "createdAt"), text(seen, "lastUpdatedAt")) else { continue };
        if updated < created {
            complaint = complaint.or(Some(("lastUpdatedAt is before createdAt.", at)));
        }
        for earlier in task.seen[..at].iter().filter(|earlier| follows(earlier, seen)) {
            if text(earlier, "createdAt").is_some_and(|before| before != created) {
                complaint = complaint.or(Some(("createdAt of a task changes.", at)));
            }
            if text(earlier, "lastUpdatedAt").is_some_and(|before| before > updated) {
                complaint = complaint.or(Some(("lastUpdatedAt of a task goes backwards.", at)));
            }
        }
    }
    match complaint {
        Some((message, at)) => {
            let mut finding = task.made.finding(
                message,
                "an unchanging createdAt, and a lastUpdatedAt that is never before it and never goes backwards",
            );
            finding.actual = "times that contradict each other".to_owned();
            finding.wire.extend(evidence(&[&task.seen[at]]));
            collector.fail(TIMES, finding);
        }
        None if task.seen.len() > 1 => collector.witness(TIMES),
        None => {}
    }
}

/// A time in UTC in a form that can be compared; others are left alone.
fn instant(text: &str) -> Option<(String, String)> {
    let text = text.strip_suffix(['Z', 'z'])?;
    let (whole, fraction) = text.split_once('.').unwrap_or((text, ""));
    let sound = whole.len() == 19 && fraction.bytes().all(|byte| byte.is_ascii_digit());
    sound.then(|| (whole.replace('t', "T"), format!("{fraction:0<9}")))
}

#[cfg(test)]
mod tests {
    use serde_json::json;
    use verdict::Status;

    use super::super::tale::{ID, asked, get, made, plain, refusal, related, start, task, tell};
    use super::*;
    use crate::testing::Script;

    fn told(statuses: &[&str]) -> Script {
        statuses.iter().fold(made(start(), ID, false), |script, status| get(script, status))
    }

    #[test]
    fn what_is_over_stays_so() {
        assert_eq!(told(&["working", "completed", "completed"]).status_of(FINAL), Status::Pass);
        assert_eq!(told(&["completed", "failed"]).fails(), [FINAL]);
        let again = told(&["completed", "working"]);
        assert!(again.fails().contains(&STEPS) && again.fails().contains(&FINAL));
        // What it did before is not always seen, and what is forgotten has not changed.
        assert_eq!(told(&["working", "input_required", "completed"]).status_of(STEPS), Status::Pass);
        assert!(asked(told(&["cancelled"]), "tasks/get", refusal(-32602)).fails().is_empty());
    }

    #[test]
    fn a_late_notification_is_no_step() {
        let late = tell(told(&["completed"]), "notifications/tasks/status", task(ID, "working"));
        assert!(late.fails().is_empty());
        let back = tell(late, "notifications/tasks/status", task(ID, "completed"));
        let back = tell(back, "notifications/tasks/status", task(ID, "working"));
        assert!(back.fails().contains(&FINAL));
    }

    #[test]
    fn a_task_fails_with_its_tool() {
        let failure = json!({"result": {"content": [], "isError": true, "_meta": related(ID)}});
        let run = |status: &str| get(asked(made(start(), ID, false), "tasks/result", failure.clone()), status);
        assert_eq!(run("failed").status_of(TOOL), Status::Pass);
        assert_eq!(run("completed").fails_in("tasks"), [TOOL]);
        assert_eq!(run("cancelled").status_of(TOOL), Status::NotObserved);
    }

    #[test]
    fn a_task_fails_with_its_request() {
        let run = |status: &str| {
            let script = get(made(plain(start(), "before", refusal(-32042)), ID, false), status);
            plain(script, "after", refusal(-32042))
        };
        assert_eq!(run("failed").status_of(RPC), Status::Pass);
        assert!(run("completed").fails().contains(&RPC));
        let once = get(made(plain(start(), "before", refusal(-32042)), ID, false), "completed");
        assert_eq!(plain(once, "after", json!({"result": {"content": []}})).status_of(RPC), Status::NotObserved);
    }

    #[test]
    fn times_do_not_contradict_each_other() {
        let run = |created: &str, updated: &str| {
            let mut told = task(ID, "working");
            told["createdAt"] = json!(created);
            told["lastUpdatedAt"] = json!(updated);
            asked(made(start(), ID, false), "tasks/get", json!({"result": told}))
        };
        assert_eq!(run("2026-01-01T00:00:00Z", "2026-01-01T00:00:00.5Z").status_of(TIMES), Status::Pass);
        assert_eq!(run("2026-01-01T00:00:00.000Z", "2026-01-01T00:00:01Z").status_of(TIMES), Status::Pass);
        assert!(run("2026-01-01T00:00:01Z", "2026-01-01T00:00:01Z").fails().contains(&TIMES));
        assert!(run("2026-01-01T00:00:00Z", "2025-12-31T23:00:00Z").fails().contains(&TIMES));
    }
}
