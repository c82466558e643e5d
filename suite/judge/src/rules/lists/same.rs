//! One set of entries for every connection, whatever was asked before (2026-07-28).
//!
//! A set may change over time, so a difference counts only if it stays: two walks here and two there, by turns, and
//! nothing that either connection ever showed is shown by the other. Sessions with a `list-trigger` probe are left out of the
//! second rule: there the change was asked for.

use std::collections::BTreeSet;

use verdict::Intent;

use super::{List, Walk, complete};
use crate::{Collector, View};

/// Judges the two.
pub(in crate::rules) fn same(
    view: &View<'_>,
    collector: &mut Collector,
    list: &'static List,
    connection: &'static str,
    effect: &'static str,
) {
    let walks = complete(view, list);
    let mut sessions: Vec<u32> = walks.iter().map(|walk| walk.session.id).collect();
    sessions.dedup();
    let of = |session: &u32| walks.iter().filter(|walk| walk.session.id == *session).collect::<Vec<_>>();
    for (at, one) in sessions.iter().enumerate() {
        for other in &sessions[at + 1..] {
            check_connections(&of(one), &of(other), collector, connection);
        }
        let others: Vec<&Walk<'_>> = walks.iter().filter(|walk| walk.session.id != *one).collect();
        side_effect(&of(one), &others, collector, effect);
    }
}

fn check_connections(one: &[&Walk<'_>], other: &[&Walk<'_>], collector: &mut Collector, id: &'static str) {
    let Some(things) = one.first().map(|walk| walk.list.things) else { return };
    let sets = |walks: &[&Walk<'_>]| {
        walks
            .iter()
            .map(|walk| walk.set().into_iter().map(str::to_owned).collect())
            .collect::<BTreeSet<BTreeSet<String>>>()
    };
    let (here, there) = (sets(one), sets(other));
    if !here.is_disjoint(&there) {
        collector.witness(id);
        return;
    }
    if !overlap(one, other) && !overlap(other, one) {
        return;
    }
    let stays = here.len() == 1 && there.len() == 1 && by_turns(one, other);
    let Some(last) = other.last().filter(|_| stays) else {
        let reason =
            format!("two connections list different {things}, but not for long enough to rule out a change over time");
        collector.inconclusive(id, reason);
        return;
    };
    let message = format!(
        "Two connections with the same credentials list different {things}, so what a client can rely on depends on which connection it uses."
    );
    let mut finding = last.pages[0].finding(message, format!("the same {things} on every connection"));
    finding.actual = format!("different {things}");
    finding.wire.splice(0..0, one[0].pages[0].wire());
    collector.fail(id, finding);
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

fn side_effect(own: &[&Walk<'_>], others: &[&Walk<'_>], collector: &mut Collector, id: &'static str) {
    let Some(before) = own.first() else { return };
    // Up to where nothing was called that may change something, what is different was changed by what should not.
    let quiet = own.iter().rfind(|walk| asked_between(before, walk) > 0 && !wrote(before, walk));
    let Some(after) = quiet.or(own.last()) else { return };
    if asked_between(before, after) == 0 || triggered(before) {
        return;
    }
    if before.set() == after.set() {
        collector.witness(id);
        return;
    }
    let changed = own.iter().find(|walk| walk.set() == after.set()).map_or(u32::MAX, |walk| walk.end());
    let mut later = others.iter().filter(|walk| walk.start() > changed);
    // One that is affected itself does not show what a fresh one does.
    let fresh = later.clone().rfind(|walk| is_fresh(walk)).or(later.rfind(|walk| walk.set() != after.set()));
    match fresh {
        Some(fresh) if fresh.set() == after.set() => collector.witness(id),
        Some(fresh) if wrote(before, fresh) => collector.inconclusive(
            id,
            "the list changed and changed back while tools not marked read-only were called, which may have caused it",
        ),
        Some(fresh) if fresh.set() == before.set() => {
            let things = before.list.things;
            let message = format!(
                "The list of {things} changed on the connection that made other requests, but a fresh connection still shows the old list."
            );
            let mut finding = after.pages[0].finding(message, format!("the same {things} as on a fresh connection"));
            finding.actual = format!("{things} that differ from before and from a fresh connection");
            finding.wire.splice(0..0, before.pages[0].wire());
            collector.fail(id, finding);
        }
        _ => collector.inconclusive(
            id,
            "the list changed during the test, and no fresh connection shows whether it changed for every client",
        ),
    }
}

/// Requests of other kinds between two walks: what could have had the side effect.
fn asked_between(before: &Walk<'_>, after: &Walk<'_>) -> usize {
    let between = |seq: u32| seq > before.start() && seq < after.start();
    let cases = before.pages[0].view.cases_of(before.session);
    cases
        .filter(|case| {
            between(case.exchange.seq)
                && !matches!(case.method(), None | Some("ping"))
                && case.method() != Some(before.list.method)
        })
        .count()
}

/// Whether nothing was asked before it on its connection that may have a side effect there: lists at most.
fn is_fresh(walk: &Walk<'_>) -> bool {
    let harmless =
        |method: &str| method.ends_with("/list") || matches!(method, "ping" | "initialize" | "server/discover");
    let view = walk.pages[0].view;
    let asked = view.connection(walk.session).flat_map(|session| view.cases_of(session));
    asked.filter(|case| case.exchange.seq < walk.start()).all(|case| case.method().is_none_or(harmless))
}

fn triggered(walk: &Walk<'_>) -> bool {
    walk.session
        .exchanges
        .iter()
        .any(|exchange| exchange.send.probe.as_ref().is_some_and(|probe| probe.intent == Intent::ListTrigger))
}

/// Whether a tool that may change something was called between two walks, on whatever connection.
fn wrote(before: &Walk<'_>, fresh: &Walk<'_>) -> bool {
    let view = before.pages[0].view;
    let reads = |name: &str| {
        let annotations = view.tool(name).and_then(|tool| tool.definition.get("annotations"));
        annotations.and_then(|annotations| annotations.get("readOnlyHint")) == Some(&serde_json::Value::Bool(true))
    };
    let mut calls =
        view.calls("tools/call").filter(|case| (before.start()..fresh.start()).contains(&case.exchange.seq));
    calls.any(|case| case.tool().is_some_and(|name| view.tool(name).is_some() && !reads(name)))
}
