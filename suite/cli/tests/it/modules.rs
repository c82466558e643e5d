//! The modules of each crate form no cycle: of two modules in the same place, at most one uses the other, directly or through
//! further ones. Cargo enforces that between crates; within a crate this test does.
//!
//! What counts is every path in code outside of tests, followed through imports and re-exports to the module that defines the
//! item. A module and the modules inside it may use each other.

use std::collections::{BTreeMap, BTreeSet};

use crate::sources::{Crate, ModulePath, crates};

/// Who uses whom among the modules in one place.
type Graph = BTreeMap<String, BTreeSet<String>>;

#[test]
fn no_module_of_a_crate_uses_itself_through_others() {
    let cycles: Vec<String> = crates().iter().flat_map(cycles_of).collect();
    assert!(cycles.is_empty(), "modules that use each other:\n  {}", cycles.join("\n  "));
}

fn cycles_of(found: &Crate) -> Vec<String> {
    let (places, uses) = (found.places(), found.uses());
    let graphs = places.iter().map(|place| (place, graph(&uses, place)));
    let cycles = graphs.flat_map(|(place, graph)| knots(&graph).into_iter().map(move |knot| (place, knot)));
    cycles.map(|(place, knot)| format!("{}{}: {}", found.name, path(place), knot.join(" <-> "))).collect()
}

fn path(place: &[String]) -> String {
    place.iter().map(|part| format!("::{part}")).collect()
}

/// Edges between the modules directly below `place`.
fn graph(uses: &BTreeSet<(ModulePath, ModulePath)>, place: &[String]) -> Graph {
    let mut graph = Graph::new();
    for (user, used) in uses {
        if let (Some(from), Some(to)) = (below(place, user), below(place, used))
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

/// The cycles in a crate of inline modules.
fn found_in(text: &str) -> Vec<String> {
    cycles_of(&Crate::parse("k", text))
}

#[test]
fn each_way_to_name_a_module_is_seen() {
    let cases = [
        ("a path", "mod a { fn f() { crate::b::g() } } mod b { fn g() { super::a::f() } }"),
        (
            "through a third",
            "mod a { use crate::b::g; } mod b { use super::c::h; fn g() {} } mod c { use super::a::f; fn h() {} }",
        ),
        (
            "a function of the module's name at the root",
            "mod a { pub fn a() {} pub mod x { use crate::b::g; } } mod b { fn g() { crate::a::x::h(); } } pub use a::a;",
        ),
        (
            "that function itself",
            "mod a { pub fn a() {} fn f() { crate::b::g() } } mod b { fn g() { crate::a() } } pub use a::a;",
        ),
        (
            "re-exports through the module above",
            "mod p { pub use self::a::f; pub use b::g; mod a { fn f() { super::g() } } mod b { fn g() { super::f() } } }",
        ),
        (
            "a glob of the module above",
            "use b::g; mod a { use super::*; fn f() { g() } } mod b { fn g() { crate::a::f() } }",
        ),
        (
            "a glob of the root",
            "pub use b::g; mod a { pub mod x { use crate::*; fn f() { g() } } } mod b { fn g() { crate::a::x::f() } }",
        ),
        (
            "the crate by another name",
            "use crate as k; mod a { use crate as k; fn f() { k::b::g() } } mod b { use crate::a::f; fn g() {} }",
        ),
        (
            "an import by another name",
            "mod a { use crate::b as other; fn f() { other::g() } } mod b { use crate::a::f as h; fn g() {} }",
        ),
        (
            "a group",
            "mod a { use crate::{b::{self, G}}; } mod b { struct G; use super::{a::*, x}; fn f() { super::a::f() } } ",
        ),
        ("in a macro's input", "mod a { fn f() { vec![crate::b::g()] } } mod b { fn g() { super::a::f() } }"),
        (
            "an item behind a default of a type parameter",
            "mod a { use super::*; fn f() { g() } } use b::g; mod b { struct S<T = u8> { t: T } fn g() { crate::a::f() } }",
        ),
        ("modules in a module", "mod p { mod a { fn f() { super::b::g() } } mod b { fn g() { super::a::f() } } }"),
    ];
    let missed: Vec<&str> = cases.iter().filter(|(_, text)| found_in(text).is_empty()).map(|(name, _)| *name).collect();
    assert!(missed.is_empty(), "not seen: {missed:?}");
}

#[test]
fn what_is_no_cycle_is_not_taken_for_one() {
    let cases = [
        ("one way", "mod a { fn f() { crate::b::g() } } mod b { fn g() {} }"),
        ("tests", "mod a { fn f() { crate::b::g() } } mod b { fn g() {} #[cfg(test)] mod tests { use crate::a::f; } }"),
        ("another crate's item", "mod a { fn f() { other::b::g() } } mod b { use crate::a::f; fn g() {} }"),
        ("a method's name", "mod a { fn f() { x.g() } } mod b { use crate::a::f; pub fn g() {} }"),
        (
            "a list of children above",
            "mod p { pub use a::f; const LIST: &[u8] = &[a::RULE]; mod a { use super::b::help; const RULE: u8 = 1; } mod b { fn help() {} } }",
        ),
        (
            "what a child finds through its parent",
            "mod p { pub use a::A; mod a { pub struct A; } mod b { use super::A; } }",
        ),
    ];
    let wrong: Vec<_> =
        cases.iter().map(|(name, text)| (name, found_in(text))).filter(|(_, found)| !found.is_empty()).collect();
    assert!(wrong.is_empty(), "{wrong:?}");
}
