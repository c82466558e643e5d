//! Every fault is one of the catalogue's, and shows on the wire.

use std::collections::BTreeSet;

use mcp_conform_reference::{Fault, Options, Output, Revision, Transport, faults, quirks, unbreakable};
use verdict::{Level, Observe};

use crate::common;

const AREAS: [&str; 24] = [
    "auth",
    "caching",
    "cancellation",
    "completion",
    "discover",
    "elicitation",
    "http",
    "jsonrpc",
    "lifecycle",
    "logging",
    "mrtr",
    "pagination",
    "ping",
    "progress",
    "prompts",
    "resources",
    "robust",
    "sampling",
    "security",
    "sse",
    "stdio",
    "subscriptions",
    "tasks",
    "tools",
];

#[test]
fn every_fault_names_a_requirement_and_none_twice() {
    let mut names = BTreeSet::new();
    for fault in faults() {
        assert!(verdict::requirement(fault.id).is_some(), "{} is not in the catalogue", fault.id);
        assert!(names.insert(fault.name()), "{} is there twice", fault.name());
        assert!(Revision::ALL.iter().any(|revision| fault.holds_in(*revision)), "{} holds nowhere", fault.name());
        assert!(!fault.what.is_empty());
    }
}

#[test]
fn every_requirement_of_the_areas_has_a_fault_or_a_reason() {
    let without: Vec<&str> = unbreakable().iter().map(|(id, _)| *id).collect();
    for requirement in verdict::requirements() {
        let area = AREAS.iter().any(|area| requirement.id.split('.').next() == Some(area));
        let advice = requirement.id.starts_with("practice.");
        let visible = matches!(requirement.observe, Observe::Active | Observe::Passive);
        if visible && (advice || area && requirement.level != Level::Advice) {
            let broken = faults().any(|fault| fault.id == requirement.id);
            assert!(broken != without.contains(&requirement.id), "{}", requirement.id);
        }
    }
}

#[test]
fn every_allowance_a_quirk_uses_is_in_the_catalogue() {
    for allowance in quirks().iter().filter_map(|quirk| quirk.allowance) {
        assert!(verdict::allowances().iter().any(|known| known.id == allowance), "{allowance}");
    }
}

#[test]
fn unknown_names_are_refused_with_the_nearest() {
    let options = Options { faults: vec!["tools.call.unknown-tol".to_owned()], ..Options::default() };
    let error = mcp_conform_reference::Server::new(&options).err().expect("an error").to_string();
    assert!(error.contains("tools.call.unknown-tool"), "{error}");
}

/// One test a revision, so that they run side by side.
macro_rules! shows_on_the_wire {
    ($($test:ident: $revision:ident;)*) => {
        $(#[test]
        fn $test() {
            assert_faults_show(Revision::$revision);
        })*
    };
}

shows_on_the_wire! {
    every_fault_shows_in_2024_11_05: V2024_11_05;
    every_fault_shows_in_2025_03_26: V2025_03_26;
    every_fault_shows_in_2025_06_18: V2025_06_18;
    every_fault_shows_in_2025_11_25: V2025_11_25;
    every_fault_shows_in_2026_07_28: V2026_07_28;
}

/// What shows in the course of a conversation, or over many requests, which this tour does not have; `mcp-conform selftest` does.
const CONVERSATIONS: [&str; 10] = [
    "cancellation.",
    "elicitation.",
    "jsonrpc.response.every-request-answered/now-and-then",
    "mrtr.",
    "sampling.",
    "subscriptions.cancel-",
    "subscriptions.no-state",
    "tasks.",
    "progress.task-",
    "tools.execution.",
];

fn assert_faults_show(revision: Revision) {
    let mut hidden = Vec::new();
    for transport in [Transport::Stdio, Transport::Http] {
        let plain = record(&Options::default(), revision, transport);
        for fault in faults().filter(|fault| is_of_interest(fault, revision) && is_for(fault, transport)) {
            let talks = CONVERSATIONS.iter().any(|area| fault.name().starts_with(area));
            if !talks && !differs(fault, revision, transport, &plain) {
                hidden.push(fault.name());
            }
        }
    }
    assert!(hidden.is_empty(), "these faults change nothing:\n{}", hidden.join("\n"));
}

/// The first revision of a fault and the last: what it does in between is for `mcp-conform selftest`.
fn is_of_interest(fault: &Fault, revision: Revision) -> bool {
    let mut held = Revision::ALL.into_iter().filter(|revision| fault.holds_in(*revision));
    let first = held.next();
    first == Some(revision) || held.next_back() == Some(revision)
}

/// A request's method, and what came of it.
type Record = (Option<String>, Vec<Output>);

/// Of faults for both transports one is enough: the core is the same. Those of the areas that only HTTP has are no affair
/// of the core.
fn is_for(fault: &Fault, transport: Transport) -> bool {
    if fault.carried || ["auth.", "security."].iter().any(|area| fault.id.starts_with(area)) {
        return false;
    }
    if fault.transports.is_empty() { transport == Transport::Stdio } else { fault.transports.contains(&transport) }
}

fn record(options: &Options, revision: Revision, transport: Transport) -> Vec<Record> {
    let mut record = Vec::new();
    common::tour(options, revision, transport, &mut |seen| {
        record.push((seen.method.clone(), seen.outputs.clone()));
        true
    });
    record
}

fn differs(fault: &Fault, revision: Revision, transport: Transport, plain: &[Record]) -> bool {
    let options = Options { faults: vec![fault.name()], ..Options::default() };
    let mut same = plain.iter();
    let mut differs = false;
    common::tour(&options, revision, transport, &mut |seen| {
        differs = same.next() != Some(&(seen.method.clone(), seen.outputs.clone()));
        !differs
    });
    differs
}
