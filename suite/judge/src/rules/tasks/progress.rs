//! The progress of tasks: under the token of the call, until the task is over.
//!
//! Over HTTP, where streams may overtake each other, only what comes later counts.

use serde_json::{Value, json};
use verdict::{Intent, Transport};

use super::ledger::{Task, related, tasks};
use crate::rules::during::{carrier, meta, open_at, param, told_of};
use crate::{Collector, Incoming, Rule, View};

pub(super) const RULE: Rule =
    Rule { name: "tasks/progress", judges: &["progress.task-same-token", "progress.task-stops-at-terminal"], judge };

const SAME: &str = RULE.judges[0];
const STOPS: &str = RULE.judges[1];

fn judge(view: &View<'_>, collector: &mut Collector) {
    let tasks = tasks(view);
    for task in &tasks {
        let Some(token) = meta(task.made.exchange, "progressToken") else { continue };
        for incoming in
            task.session.incoming.iter().filter(|incoming| incoming.method() == Some("notifications/progress"))
        {
            check_same(task, token, incoming, &tasks, collector);
        }
        check_stops(task, token, collector);
    }
}

/// Progress that can only be of this task has its token.
fn check_same(task: &Task<'_>, token: &Value, incoming: &Incoming<'_>, tasks: &[Task<'_>], collector: &mut Collector) {
    let used = param(incoming, "progressToken");
    if used == Some(token) {
        return if incoming.seq > task.born() {
            collector.witness(SAME)
        };
    }
    let own = |value: Option<&Value>| value == Some(&json!(task.id));
    let named = related(incoming.message().and_then(wire::Message::params)).and_then(|related| related.get("taskId"));
    let live = |other: &&Task<'_>| {
        other.session.id == task.session.id && other.born() < incoming.seq && !is_over(other, incoming.seq)
    };
    let given =
        |exchange: &crate::Exchange<'_>| meta(exchange, "progressToken").is_some_and(|given| Some(given) == used);
    let outsider = !task.session.exchanges.iter().any(given);
    let lonely = outsider
        && tasks.iter().filter(live).count() == 1
        && tasks.iter().find(live).is_some_and(|only| only.id == task.id)
        && open_at(task.session, incoming.seq).all(|open| meta(open, "progressToken").is_none());
    if own(named) || own(used) || lonely {
        let message = "The progress of a task has a token other than that of the call, so clients do not know what it belongs to.";
        let finding =
            told_of(task.made.exchange, incoming, message, "the progressToken of the call", "a different token");
        collector.fail(SAME, finding);
    }
}

fn is_over(task: &Task<'_>, seq: u32) -> bool {
    task.seen.iter().any(|seen| seen.came < seq && seen.is_over())
}

fn check_stops(task: &Task<'_>, token: &Value, collector: &mut Collector) {
    let Some(end) = task.end() else { return };
    let mut from = end.came;
    if task.session.open.transport != Transport::Stdio {
        let grace = |probe: &&(u32, &verdict::transcript::Probe)| {
            probe.0 > end.came && [Intent::TaskGrace, Intent::TasksOver].contains(&probe.1.intent)
        };
        let Some((grace, _)) = task.session.probes.iter().find(grace) else { return };
        from = *grace;
    }
    let beats: Vec<&Incoming<'_>> = task
        .session
        .incoming
        .iter()
        .filter(|incoming| {
            incoming.method() == Some("notifications/progress") && param(incoming, "progressToken") == Some(token)
        })
        .collect();
    if beats.is_empty() {
        return;
    }
    // A stream that was opened since may tell what was sent before.
    let is_old = |beat: &Incoming<'_>| carrier(task.session, beat).is_none_or(|stream| stream.seq < end.came);
    let late = beats.iter().find(|beat| beat.seq > from && is_old(beat));
    collector.check(STOPS, late.is_none(), || {
        let message = "Progress is reported for a finished task, so clients show finished work as running.";
        let mut finding = task.made.finding(message, "no progress once the task is completed, failed or cancelled");
        finding.actual = format!("progress after status {}", end.status());
        finding.wire.push(end.incoming.wire());
        finding.wire.extend(late.map(|beat| beat.wire()));
        finding
    });
}

#[cfg(test)]
mod tests {
    use verdict::{Intent, Status};

    use super::super::tale::{self, ID, get, made, over_http, start, tell};
    use super::*;
    use crate::testing::Script;

    fn beat(script: Script, token: &str, meta: Value) -> Script {
        let params = json!({"progressToken": token, "progress": 1, "_meta": meta});
        tell(script, "notifications/progress", params)
    }

    #[test]
    fn the_token_stays_the_same() {
        let run = |token: &str, meta: Value| beat(made(start(), ID, false), token, meta);
        assert_eq!(run("p", json!({})).status_of(SAME), Status::Pass);
        assert!(run("x", tale::related(ID)).fails().contains(&SAME));
        assert!(run(ID, json!({})).fails().contains(&SAME));
        assert!(run("x", json!({})).fails().contains(&SAME));
        // Of two tasks nobody knows which.
        let two = made(made(start(), ID, false), "b7e9d5a42860f3c1", false);
        assert!(!beat(two, "x", json!({})).fails().contains(&SAME));
    }

    #[test]
    fn progress_stops_with_the_task() {
        let before = get(beat(made(start(), ID, false), "p", json!({})), "completed");
        assert_eq!(before.status_of(STOPS), Status::Pass);
        assert!(beat(before, "p", json!({})).fails().contains(&STOPS));
    }

    #[test]
    fn over_http_streams_may_overtake_each_other() {
        let over = || get(beat(made(over_http(), ID, false), "p", json!({})), "completed");
        assert!(!beat(over(), "p", json!({})).fails().contains(&STOPS));
        assert!(beat(over().means(Intent::TasksOver, json!({})), "p", json!({})).fails().contains(&STOPS));
        assert_eq!(over().means(Intent::TasksOver, json!({})).status_of(STOPS), Status::Pass);
        let again = over().means(Intent::TasksOver, json!({})).request("GET", None, json!(null), &[], "");
        let beat = json!({"jsonrpc": "2.0", "method": "notifications/progress", "params": {"progressToken": "p", "progress": 1}});
        assert_eq!(again.sse(&beat.to_string()).status_of(STOPS), Status::Pass, "told late, not sent late");
    }
}
