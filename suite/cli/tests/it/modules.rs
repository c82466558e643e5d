//! The modules of each crate form no cycle: of two modules in the same place, at most one uses the other, directly or through
//! further ones. Cargo enforces that between crates; within a crate this test does.
//!
//! What counts is a path in code outside of tests: `crate::a::b`, `super::a`, the items of `use` groups, and a name that the root of
//! the crate re-exports from one of its modules (`crate::Type`).

use std::collections::{BTreeMap, BTreeSet};

use crate::sources::{Crate, crates};

/// Who uses whom among the modules in one place.
type Graph = BTreeMap<String, BTreeSet<String>>;

#[test]
fn no_module_of_a_crate_uses_itself_through_others() {
    let cycles: Vec<String> = crates().iter().flat_map(cycles_of).collect();
    assert!(cycles.is_empty(), "modules that use each other:\n  {}", cycles.join("\n  "));
}

fn cycles_of(found: &Crate) -> Vec<String> {
    let places = found.places();
    let graphs = places.iter().map(|place| (place, graph(found, place)));
    let cycles = graphs.flat_map(|(place, graph)| knots(&graph).into_iter().map(move |knot| (place, knot)));
    cycles.map(|(place, knot)| format!("{}{}: {}", found.name, path(place), knot.join(" <-> "))).collect()
}

fn path(place: &[String]) -> String {
    place.iter().map(|part| format!("::{part}")).collect()
}

/// Edges between the modules directly below `place`.
fn graph(found: &Crate, place: &[String]) -> Graph {
    let mut graph = Graph::new();
    for (user, used) in found.uses() {
        if let (Some(from), Some(to)) = (below(place, user), below(place, &used))
            && from != to
        {
            graph.entry(from.to_owned()).or_default().insert(to.to_owned());
        }
    }
    graph
}

/// The module directly below `place` that holds `path`.
fn below<'p>(place: &[String], path: &'p [String]) -> Option<&'p str> {
    path.starts_with(place).then(|| path.get(place.len())).flatten().map(String::as_str)
}

/// Sets of modules each of which reaches all others of its set.
fn knots(graph: &Graph) -> Vec<Vec<String>> {
    let reach: BTreeMap<&String, BTreeSet<&String>> = graph.keys().map(|from| (from, reachable(graph, from))).collect();
    let mut knots: BTreeSet<Vec<String>> = BTreeSet::new();
    for (from, there) in &reach {
        if there.contains(*from) {
            let back = |other: &&&String| reach.get(**other).is_some_and(|others| others.contains(*from));
            knots.insert(there.iter().filter(back).map(|name| (*name).clone()).collect());
        }
    }
    knots.into_iter().collect()
}

fn reachable<'g>(graph: &'g Graph, from: &String) -> BTreeSet<&'g String> {
    let mut reached = BTreeSet::new();
    let mut open: Vec<&String> = graph.get(from).into_iter().flatten().collect();
    while let Some(next) = open.pop() {
        if reached.insert(next) {
            open.extend(graph.get(next).into_iter().flatten());
        }
    }
    reached
}

#[test]
fn a_cycle_is_found() {
    let edge = |from: &str, to: &[&str]| (from.to_owned(), to.iter().map(|name| (*name).to_owned()).collect());
    let graph = Graph::from([edge("a", &["b"]), edge("b", &["c"]), edge("c", &["b"]), edge("d", &["a"])]);
    assert_eq!(knots(&graph), [["b", "c"]]);
}
