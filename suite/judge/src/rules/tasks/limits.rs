//! Observations about limits, which are for the server to choose: noted, and never a finding. And tasks that outlive a connection.

use serde_json::Value;
use verdict::Intent;

use super::ledger::{created, status, tasks};
use crate::{Case, Collector, Rule, View};

pub(super) const RULE: Rule = Rule {
    name: "tasks/limits",
    judges: &["tasks.resources.limits", "tasks.resources.cleanup", "tasks.lifecycle.survives-disconnect"],
    judge,
};

const LIMITS: &str = RULE.judges[0];
const CLEANUP: &str = RULE.judges[1];
const SURVIVES: &str = RULE.judges[2];

/// Thirty years, in milliseconds.
const LONG: f64 = 1e12;

fn judge(view: &View<'_>, collector: &mut Collector) {
    for case in view.calls("tools/call").filter(Case::is_decided) {
        let wanted = case.param("task").and_then(|task| task.get("ttl")).and_then(Value::as_f64);
        let Some(given) = created(&case).and_then(|task| task.get("ttl")) else { continue };
        if wanted.is_none_or(|wanted| wanted < LONG) {
            continue;
        }
        if given.as_f64().is_some_and(|given| given < LONG) {
            collector.witness(LIMITS);
        } else {
            collector.note(LIMITS, "the server keeps tasks for thirty years if a client asks for it");
        }
    }
    for task in tasks(view) {
        for get in &task.gets {
            match (get.intent(), get.result()) {
                (Some(Intent::TaskShortAfter), None) if get.error().is_some() => collector.witness(CLEANUP),
                (Some(Intent::TaskShortAfter), Some(_)) => {
                    collector.note(CLEANUP, "a task still exists after its ttl, which is allowed");
                }
                (Some(Intent::TaskAfterLoss), _) => check_survives(get, collector),
                _ => {}
            }
        }
    }
}

fn check_survives(get: &Case<'_>, collector: &mut Collector) {
    if get.reply().is_none() {
        return;
    }
    let lives = get.result().is_some_and(|result| status(result) != "cancelled");
    collector.check(SURVIVES, lives, || {
        let message = "A task is lost when the client waiting for its result disconnects, though tasks are meant to be polled later.";
        let mut finding = get.finding(message, "the task, as if nothing had happened");
        if let Some(result) = get.result() {
            finding.actual = format!("status {}", status(result));
        }
        finding
    });
}

#[cfg(test)]
mod tests {
    use serde_json::json;
    use verdict::Status;

    use super::super::tale::{ID, made, made_as, over_http, params, refusal, start, task};
    use super::*;
    use crate::testing::Script;

    #[test]
    fn limits_are_noted() {
        let run = |given: Value| {
            let (mut params, mut made) = (params(), task(ID, "working"));
            params["task"]["ttl"] = json!(1_000_000_000_000_u64);
            made["ttl"] = given;
            made_as(start(), json!({}), params, json!({"result": {"task": made}})).verdict(LIMITS)
        };
        assert_eq!(run(json!(60_000)).status, Status::Pass);
        for given in [json!(1_000_000_000_000_u64), Value::Null] {
            assert_eq!((run(given.clone()).status, run(given).notes.len()), (Status::NotObserved, 1));
        }
    }

    fn after(script: Script, intent: Intent, answer: Value) -> Script {
        made(script, ID, false).probe(intent, "tasks/get", json!({"taskId": ID}), answer)
    }

    #[test]
    fn what_is_kept_too_long_is_noted() {
        assert_eq!(after(start(), Intent::TaskShortAfter, refusal(-32602)).status_of(CLEANUP), Status::Pass);
        let kept = after(start(), Intent::TaskShortAfter, json!({"result": task(ID, "completed")})).verdict(CLEANUP);
        assert_eq!((kept.status, kept.notes.len()), (Status::NotObserved, 1));
    }

    #[test]
    fn a_task_outlives_a_connection() {
        let run = |answer: Value| after(over_http(), Intent::TaskAfterLoss, answer);
        assert_eq!(run(json!({"result": task(ID, "working")})).status_of(SURVIVES), Status::Pass);
        assert!(run(json!({"result": task(ID, "cancelled")})).fails().contains(&SURVIVES));
        assert!(run(refusal(-32602)).fails().contains(&SURVIVES));
    }
}
