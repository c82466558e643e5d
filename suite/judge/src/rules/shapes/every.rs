//! A failing transcript for every requirement in every revision: full instances of every message, mutated one member at a
//! time, until each requirement that the tables name was broken once.

#[path = "../../../tests/it/official/instances.rs"]
mod instances;
#[path = "../../../tests/it/official/mutate.rs"]
mod mutate;
#[path = "../../../tests/it/official/ours.rs"]
mod ours;

use std::collections::BTreeSet;

use serde_json::{Value, json};
use verdict::{Revision, Status, requirement};

use super::ids::ELSEWHERE;
use crate::shapes::walk;
use crate::testing::Script;
use instances::{Of, Sample};
use ours::ours;

fn transcript(of: Of, instance: &Value, revision: Revision) -> Script {
    let script = Script::new(revision, json!({"tools": {}}));
    match of {
        Of::Result(method) => {
            let params = if instance.get("task").is_some() { json!({"name": "t", "task": {}}) } else { json!({}) };
            script.plain(method, params, json!({"result": instance}))
        }
        Of::Error(_) => script.plain("tools/list", json!({}), json!({"error": instance["error"]})),
        Of::Message(..) | Of::Envelope(_) => script.says_json(instance),
    }
}

/// Returns defects that no single mutation produces: a name, the message and its value.
fn by_hand(revision: Revision) -> Vec<(&'static str, Of, Value)> {
    let modern = revision.is_stateless();
    let list = |method, mut value: Value| {
        if modern {
            value["resultType"] = json!("complete");
            value["ttlMs"] = json!(0);
            value["cacheScope"] = json!("public");
        }
        (Of::Result(method), value)
    };
    let icon = |src: &str| {
        let tool = json!({"name": "t", "inputSchema": {"type": "object"}, "icons": [{"src": src}]});
        list("tools/list", json!({"tools": [tool]}))
    };
    let resource = list("resources/list", json!({"resources": [{"name": "a", "uri": "my_app://a"}]}));
    let template = json!({"name": "a", "uriTemplate": "file:///{a-b}"});
    let template = list("resources/templates/list", json!({"resourceTemplates": [template]}));
    let many = list("completion/complete", json!({"completion": {"values": vec!["x"; 101]}}));
    let both = json!({"jsonrpc": "2.0", "id": "a", "result": {}, "error": null});
    let undeclared = list("tools/call", json!({"content": [], "inputRequests": {}}));
    let cases = [
        ("mrtr.result-type", undeclared),
        ("tools.icons.src-scheme", icon("javascript:x")),
        ("tools.icons.data-uri-base64", icon("data:image/png,x")),
        ("resources.uri.custom-scheme", resource),
        ("resources.templates.uri-template-format", template),
        ("completion.result.max-100", many),
        ("jsonrpc.response.result-xor-error", (Of::Envelope(wire::Kind::Response), both)),
        ("jsonrpc.message.one-kind", (Of::Envelope(wire::Kind::Invalid), json!({"jsonrpc": "2.0"}))),
    ];
    cases.into_iter().map(|(id, (of, value))| (id, of, value)).collect()
}

fn with_id(sample: &Sample) -> Value {
    let mut value = sample.value.clone();
    value["id"] = json!("a");
    value
}

/// Every requirement that the tables name in this revision and that is told here.
fn requirements_in_tables(revision: Revision) -> BTreeSet<&'static str> {
    let mut named = BTreeSet::new();
    walk::claims(revision, &mut |_, ids| {
        named.extend(ids.iter().filter(|id| requirement(id).is_some_and(|found| found.holds_in(revision))));
    });
    named.retain(|id| !ELSEWHERE.contains(id));
    named
}

/// The requirements of `open` that the instance breaks; each is shown by a transcript.
fn show(open: &mut BTreeSet<&'static str>, of: Of, instance: &Value, revision: Revision) {
    let broken: Vec<&str> = match of {
        Of::Envelope(kind) if wire::Message::from_value(instance.clone()).kind != kind => return,
        _ => ours(instance, of, revision).mismatches.iter().filter(|found| !found.note).map(|found| found.id).collect(),
    };
    if broken.iter().any(|id| open.contains(id)) {
        let fails = transcript(of, instance, revision).fails();
        for id in broken.iter().filter(|id| !ELSEWHERE.contains(id)) {
            if requirement(id).is_some_and(|found| found.binds(verdict::Transport::Stdio)) {
                assert!(fails.contains(id), "{revision}: {id} is broken by {instance}, but the verdict is no failure");
            }
            open.remove(id);
        }
    }
}

#[test]
fn every_requirement_fails_on_some_transcript() {
    for revision in Revision::ALL {
        let mut open = requirements_in_tables(revision);
        for (id, of, value) in by_hand(revision) {
            let holds = requirement(id).is_some_and(|found| found.holds_in(revision));
            assert_eq!(transcript(of, &value, revision).fails().contains(&id), holds, "{revision}: {id}");
            open.remove(id);
        }
        for sample in instances::all(revision) {
            if let Of::Message(_, wire::Kind::Notification) = sample.of {
                show(&mut open, sample.of, &with_id(&sample), revision);
            }
            let seen = ours(&sample.value, sample.of, revision).seen;
            if !seen.iter().chain(&MUTE).any(|id| open.contains(id)) {
                continue;
            }
            for mutation in mutate::mutations(&sample.value, sample.root) {
                if open.is_empty() {
                    break;
                }
                show(&mut open, sample.of, &mutation.apply(&sample.value), revision);
            }
        }
        assert!(open.is_empty(), "{revision}: nothing breaks {open:#?}");
    }
}

#[test]
fn full_instances_pass() {
    for revision in Revision::ALL {
        let named = requirements_in_tables(revision);
        for sample in instances::all(revision) {
            let script = transcript(sample.of, &sample.value, revision);
            let wrong: Vec<_> = script.fails().into_iter().filter(|id| named.contains(id)).collect();
            assert!(wrong.is_empty(), "{revision} {}: {wrong:?}", sample.definition);
        }
    }
}

/// Without a witness there is no pass: these show too little of their requirement, or only what another rule tells.
const MUTE: [&str; 3] = ["subscriptions.graceful-result-shape", "tasks.cancel.result", "tasks.get.result"];

#[test]
fn every_requirement_has_a_witness_in_a_full_instance() {
    for revision in Revision::ALL {
        let mut open = requirements_in_tables(revision);
        for sample in instances::all(revision) {
            let report = ours(&sample.value, sample.of, revision);
            for id in &report.seen {
                open.remove(id);
            }
        }
        open.retain(|id| !MUTE.contains(id));
        let hand: BTreeSet<_> = by_hand(revision).into_iter().map(|(id, _, _)| id).collect();
        open.retain(|id| !hand.contains(id));
        assert!(open.is_empty(), "{revision}: no witness of {open:#?}");
    }
    let script = transcript(Of::Result("tools/list"), &json!({"tools": []}), Revision::V2025_06_18);
    assert_eq!(script.status_of("tools.list.tools-array"), Status::Pass);
    assert_eq!(script.status_of("tools.definition.name-string"), Status::NotObserved);
}
