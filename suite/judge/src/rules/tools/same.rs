//! One set of tools for every connection, whatever was asked before (2026-07-28).
//!
//! A set may change over time, so a difference counts only if it stays: two walks here and two there, by turns, and
//! nothing that either connection ever showed is shown by the other. Sessions with a `list-trigger` probe are left out of the
//! second rule: there the change was asked for.

use std::collections::BTreeSet;

use super::lists::{self, Walk};
use crate::{Bench, Case, Rule, View};

pub(super) const RULE: Rule =
    Rule { name: "tools/same", judges: &["tools.list.not-per-connection", "tools.list.not-side-effect"], judge };

fn judge(view: &View<'_>, bench: &mut Bench) {
    let walks = lists::complete(view);
    let mut sessions: Vec<u32> = walks.iter().map(|walk| walk.session.id).collect();
    sessions.dedup();
    let of = |session: &u32| walks.iter().filter(|walk| walk.session.id == *session).collect::<Vec<_>>();
    for (at, one) in sessions.iter().enumerate() {
        for other in &sessions[at + 1..] {
            connections(&of(one), &of(other), bench);
        }
        let others: Vec<&Walk<'_>> = walks.iter().filter(|walk| walk.session.id != *one).collect();
        side_effect(&of(one), &others, bench);
    }
}

fn connections(one: &[&Walk<'_>], other: &[&Walk<'_>], bench: &mut Bench) {
    const ID: &str = "tools.list.not-per-connection";
    let sets = |walks: &[&Walk<'_>]| {
        walks
            .iter()
            .map(|walk| walk.set().into_iter().map(str::to_owned).collect())
            .collect::<BTreeSet<BTreeSet<String>>>()
    };
    let (here, there) = (sets(one), sets(other));
    if !here.is_disjoint(&there) {
        bench.saw(ID);
        return;
    }
    if !overlap(one, other) && !overlap(other, one) {
        return;
    }
    let stays = here.len() == 1 && there.len() == 1 && by_turns(one, other);
    let Some(last) = other.last().filter(|_| stays) else {
        bench.doubt(ID, "two connections list different tools, but not for long enough to exclude a change over time");
        return;
    };
    let message = "Two connections with the same credentials list different tools, so what a client may rely on depends on which connection it happens to use.";
    let mut finding = last.pages[0].finding(message, "the same tools on every connection");
    finding.actual = "different tools".into();
    finding.wire.splice(0..0, one[0].pages[0].wire());
    bench.fail(ID, finding);
}

/// Here, there, here: what came one after the other may differ because time went by.
fn overlap(one: &[&Walk<'_>], other: &[&Walk<'_>]) -> bool {
    let around = |at: u32| one.iter().any(|walk| walk.start() < at) && one.iter().any(|walk| walk.start() > at);
    other.iter().any(|walk| around(walk.start()))
}

/// Here, there, here, there: a change over time cannot look like this twice.
fn by_turns(one: &[&Walk<'_>], other: &[&Walk<'_>]) -> bool {
    let starts = |walks: &[&Walk<'_>]| walks.iter().map(|walk| walk.start()).collect::<Vec<_>>();
    let (here, there) = (starts(one), starts(other));
    let turns = |mine: &[u32], theirs: &[u32]| {
        theirs
            .windows(2)
            .any(|pair| mine.iter().any(|at| *at < pair[0]) && mine.iter().any(|at| pair[0] < *at && *at < pair[1]))
    };
    turns(&here, &there) || turns(&there, &here)
}

fn side_effect(own: &[&Walk<'_>], others: &[&Walk<'_>], bench: &mut Bench) {
    const ID: &str = "tools.list.not-side-effect";
    let (Some(before), Some(after)) = (own.first(), own.last()) else { return };
    if asked_between(before, after) == 0 || triggered(before) {
        return;
    }
    if before.set() == after.set() {
        bench.saw(ID);
        return;
    }
    let changed = own.iter().find(|walk| walk.set() == after.set()).map_or(u32::MAX, |walk| walk.end());
    let fresh = others.iter().rfind(|walk| walk.start() > changed);
    match fresh {
        Some(fresh) if fresh.set() == after.set() => bench.saw(ID),
        Some(fresh) if fresh.set() == before.set() => {
            let message = "The list of tools changed on the connection on which other requests were made, while a fresh connection still shows the old list.";
            let mut finding = after.pages[0].finding(message, "the same tools as on a fresh connection");
            finding.actual = "other tools than before, and than on a fresh connection".into();
            finding.wire.splice(0..0, before.pages[0].wire());
            bench.fail(ID, finding);
        }
        _ => bench.doubt(
            ID,
            "the list changed while the server was tested, and no fresh connection shows whether for everybody",
        ),
    }
}

/// Requests of other kinds between two walks: what could have had the side effect.
fn asked_between(before: &Walk<'_>, after: &Walk<'_>) -> usize {
    let between = |seq: u32| seq > before.start() && seq < after.start();
    let session = before.session;
    let cases = session.exchanges.iter().map(|exchange| Case { exchange, ..before.pages[0] });
    cases
        .filter(|case| between(case.exchange.seq) && !matches!(case.method(), None | Some("tools/list" | "ping")))
        .count()
}

fn triggered(walk: &Walk<'_>) -> bool {
    walk.session
        .exchanges
        .iter()
        .any(|exchange| exchange.send.probe.as_ref().is_some_and(|probe| probe.intent == "list-trigger"))
}

#[cfg(test)]
mod tests {
    use serde_json::{Value, json};
    use verdict::{Revision, Status};

    use crate::testing::Script;

    const CONNECTION: &str = "tools.list.not-per-connection";
    const EFFECT: &str = "tools.list.not-side-effect";

    fn start() -> Script {
        Script::new(Revision::V2026_07_28, json!({"tools": {}}))
    }

    fn list(script: Script, names: &[&str]) -> Script {
        let tools: Vec<Value> =
            names.iter().map(|name| json!({"name": name, "inputSchema": {"type": "object"}})).collect();
        script.plain(
            "tools/list",
            json!({}),
            json!({"result": {"resultType": "complete", "tools": tools, "ttlMs": 0, "cacheScope": "public"}}),
        )
    }

    fn fresh(script: Script) -> Script {
        script.session(false, json!({"tools": {}}))
    }

    #[test]
    fn a_difference_seen_by_turns_fails() {
        let script = list(fresh(list(start(), &["a", "one"])), &["a", "two"]);
        let script = list(script.resume(0), &["a", "one"]);
        let script = list(script.resume(1), &["a", "two"]);
        assert_eq!(script.status_of(CONNECTION), Status::Fail);
        assert_eq!(script.status_of(EFFECT), Status::NotObserved);
    }

    #[test]
    fn a_change_over_time_is_no_difference() {
        let script = list(fresh(list(start(), &["a"])), &["a", "b"]);
        assert_eq!(script.status_of(CONNECTION), Status::NotObserved);
        let between = list(script.resume(0), &["a", "c"]);
        assert_eq!(between.status_of(CONNECTION), Status::Inconclusive);
        let script = list(fresh(list(start(), &["a"])), &["a", "b"]);
        let script = list(script.resume(0), &["a", "b"]);
        assert_eq!(script.status_of(CONNECTION), Status::Pass);
    }

    fn busy(after: &[&str]) -> Script {
        let script = list(start(), &["a"]).plain(
            "prompts/get",
            json!({"name": "p"}),
            json!({"error": {"code": -32602, "message": "no"}}),
        );
        list(script, after)
    }

    #[test]
    fn a_side_effect_that_a_fresh_connection_does_not_show_fails() {
        let script = list(fresh(busy(&["a", "b"])), &["a"]);
        assert_eq!(script.status_of(EFFECT), Status::Fail);
        assert_eq!(script.status_of(CONNECTION), Status::Pass);
    }

    #[test]
    fn a_fresh_connection_in_between_tells_as_well() {
        let script = list(fresh(busy(&["a", "b"])), &["a"]);
        assert_eq!(list(script.resume(0), &["a", "b"]).status_of(EFFECT), Status::Fail);
    }

    #[test]
    fn a_change_for_everybody_is_allowed() {
        assert_eq!(list(fresh(busy(&["a", "b"])), &["a", "b"]).status_of(EFFECT), Status::Pass);
        assert_eq!(busy(&["a"]).status_of(EFFECT), Status::Pass);
        assert_eq!(busy(&["a", "b"]).status_of(EFFECT), Status::Inconclusive);
    }
}
