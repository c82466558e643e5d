//! The ids of tasks: one each, made by the server, and not to be guessed.

use std::collections::HashMap;

use serde_json::Value;
use verdict::Transport;

use super::ledger::created;
use crate::{Case, Collector, Rule, View};

pub(super) const RULE: Rule = Rule {
    name: "tasks/ids",
    judges: &["tasks.id.unique", "tasks.id.receiver-generated", "tasks.id.unguessable"],
    judge,
};

const UNIQUE: &str = RULE.judges[0];
const OWN: &str = RULE.judges[1];
const SECRET: &str = RULE.judges[2];

/// So many ids of one session show how they are made.
const ENOUGH: usize = 4;
/// Numbers that lie so close are counted, or the time in some unit.
const CLOSE: u128 = 10_000_000;
/// Shorter ids can hardly be random enough.
const SHORT: usize = 16;

fn judge(view: &View<'_>, collector: &mut Collector) {
    let mut ids: HashMap<(u32, &str), Case<'_>> = HashMap::new();
    let mut sessions: HashMap<u32, Vec<(&str, Case<'_>)>> = HashMap::new();
    for case in view.calls("tools/call").filter(Case::is_decided) {
        let Some(id) = created(&case).and_then(|task| task.get("taskId")).and_then(Value::as_str) else { continue };
        // Over pipes every session is a server of its own.
        let server = if view.transport == Transport::Stdio { case.session.id } else { 0 };
        if let Some(other) = ids.insert((server, id), case) {
            let message = "Two tasks have the same id, so clients get what belongs to another call.";
            let mut finding = case.finding(message, "an id for each task");
            finding.actual = "the id of an earlier task".to_owned();
            finding.wire.splice(0..0, other.wire());
            collector.fail(UNIQUE, finding);
        } else if ids.len() > 1 {
            collector.witness(UNIQUE);
        }
        sessions.entry(case.session.id).or_default().push((id, case));
        own(&case, id, collector);
    }
    let mut sessions: Vec<_> = sessions.into_iter().filter(|(_, ids)| ids.len() >= ENOUGH).collect();
    sessions.sort_by_key(|(session, _)| *session);
    for (_, ids) in sessions {
        secret(&ids, collector);
    }
}

fn own(case: &Case<'_>, id: &str, collector: &mut Collector) {
    let Some(proposed) = case.param("task").and_then(|task| task.get("taskId")).and_then(Value::as_str) else { return };
    collector.check(OWN, id != proposed, || {
        let message =
            "The server takes the id of a task from the client, so one client can choose the id of another's.";
        let mut finding = case.finding(message, "an id that the server made");
        finding.actual = "the id that the client proposed".to_owned();
        finding
    });
}

fn secret(ids: &[(&str, Case<'_>)], collector: &mut Collector) {
    let (_, first) = ids[0];
    if first.sent_header("authorization").is_some() {
        return collector.not_observed(SECRET, "the tester is authorized, so tasks may be bound to that");
    }
    let texts: Vec<&str> = ids.iter().map(|(id, _)| *id).collect();
    if texts.iter().all(|id| *id == texts[0]) {
        return;
    }
    collector.check(SECRET, !is_counted(&texts), || {
        let message = "The ids of tasks are numbers in a row, or the time, so anybody can guess them and get at the results of others.";
        let mut finding = first.finding(message, "ids from a source of randomness, with at least 128 bits");
        finding.actual = "ids that differ in a number alone, and hardly".to_owned();
        finding.wire = ids.iter().take(3).flat_map(|(_, case)| case.wire()).collect();
        finding
    });
    if texts.iter().any(|id| id.len() < SHORT) {
        collector.note(SECRET, "ids of tasks are short: guessing takes fewer tries");
    }
}

/// Whether all that tells the ids apart are numbers that lie close.
fn is_counted(ids: &[&str]) -> bool {
    let common = |a: &str, b: &str| a.bytes().zip(b.bytes()).take_while(|(a, b)| a == b).count();
    let prefix = ids.iter().map(|id| common(ids[0], id)).min().unwrap_or_default();
    // Digits before the difference belong to the number.
    let start = ids[0].as_bytes()[..prefix].iter().rposition(|byte| !byte.is_ascii_digit()).map_or(0, |at| at + 1);
    let numbers: Option<Vec<u128>> = ids.iter().map(|id| id.get(start..)?.parse().ok()).collect();
    let Some(numbers) = numbers else { return false };
    let (least, most) = (numbers.iter().min(), numbers.iter().max());
    least.zip(most).is_some_and(|(least, most)| most - least < CLOSE)
}

#[cfg(test)]
mod tests {
    use serde_json::json;
    use verdict::Status;

    use super::super::tale::{made, made_as, params, start, task};
    use super::*;
    use crate::testing::Script;

    fn several(ids: &[&str]) -> Script {
        ids.iter().fold(start(), |script, id| made(script, id, false))
    }

    #[test]
    fn ids_are_unique() {
        assert_eq!(several(&["0f3c1b7e9d5a4286", "9d5a42860f3c1b7e"]).status_of(UNIQUE), Status::Pass);
        assert_eq!(several(&["0f3c1b7e9d5a4286", "0f3c1b7e9d5a4286"]).fails(), [UNIQUE]);
        // Another process is another server.
        let other = several(&["0f3c1b7e9d5a4286"]).session(false, super::super::tale::capabilities());
        assert!(made(other, "0f3c1b7e9d5a4286", false).fails().is_empty());
    }

    #[test]
    fn the_server_makes_the_id() {
        let run = |id: &str| {
            let mut params = params();
            params["task"]["taskId"] = json!("mine");
            made_as(start(), json!({}), params, json!({"result": {"task": task(id, "working")}}))
        };
        assert_eq!(run("0f3c1b7e9d5a4286").status_of(OWN), Status::Pass);
        assert_eq!(run("mine").fails(), [OWN]);
    }

    #[test]
    fn counters_and_times_are_guessed() {
        assert_eq!(several(&["task-1", "task-2", "task-3", "task-4"]).fails(), [SECRET]);
        assert_eq!(several(&["8", "9", "10", "11"]).fails(), [SECRET]);
        let times = ["1764028800123", "1764028800124", "1764028800130", "1764028801001"];
        assert_eq!(several(&times).fails(), [SECRET]);
        let random = ["0f3c1b7e9d5a4286", "9d5a42860f3c1b7e", "4f1e2d3c4b5a6978", "1111222233334444"];
        assert_eq!(several(&random).status_of(SECRET), Status::Pass);
        let numbers = ["193457612345678901", "887012345678123456", "402345678901234567", "123456789012345678"];
        assert_eq!(several(&numbers).status_of(SECRET), Status::Pass);
        let short = several(&["k3f9", "pq72", "z0a1", "m8x4"]).verdict(SECRET);
        assert_eq!((short.status, short.notes.len()), (Status::Pass, 1));
    }
}
