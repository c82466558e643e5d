//! Holds the tables of shapes to the schemas that the specification publishes: neither may accept what the other refuses.
//!
//! Full instances of every definition of a server message are mutated member by member, alone and in pairs. What differs on
//! purpose is listed in `official/differences.rs`, each with its reason.

#[path = "official/differences.rs"]
mod differences;
#[path = "official/instances.rs"]
mod instances;
#[path = "official/mutate.rs"]
mod mutate;
#[path = "official/ours.rs"]
mod ours;
#[path = "../../../../servers/schemas/published.rs"]
mod published;

use std::collections::BTreeMap;

use jsonschema::{Draft, Validator};
use mcp_conform_judge::shapes;
use serde_json::{Value, json};
use verdict::Revision;

use instances::{Of, Sample};
use ours::ours;

/// Pairs of mutations tried for one instance.
const PAIRS: usize = 400;
/// Differences shown.
const SHOWN: usize = 40;

/// A message on the wire is one of its own kind and of JSON-RPC's at once.
fn validator(schema: &Value, sample: &Sample) -> Option<Validator> {
    let (key, draft) = match schema.get("$defs") {
        Some(_) => ("$defs", Draft::Draft202012),
        None => ("definitions", Draft::Draft7),
    };
    schema[key].get(sample.definition)?;
    let envelope = match sample.of {
        Of::Message(_, wire::Kind::Request) => "JSONRPCRequest",
        Of::Message(..) => "JSONRPCNotification",
        _ => sample.definition,
    };
    let both = [sample.definition, envelope].map(|name| json!({"$ref": format!("#/{key}/{name}")}));
    let root = json!({"allOf": both, key: schema[key]});
    let built = jsonschema::options().with_draft(draft).should_validate_formats(false).build(&root);
    Some(built.expect("a published definition compiles"))
}

/// Pairs of mutations, spread evenly by a fixed step.
fn pairs(singles: &[mutate::Mutation], count: usize) -> impl Iterator<Item = (&mutate::Mutation, &mutate::Mutation)> {
    let mut state = 0x9e37_79b9_u64;
    let mut next = move || {
        state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        &singles[(state >> 33) as usize % singles.len()]
    };
    (0..count).map(move |_| (next(), next()))
}

#[derive(Default)]
struct Outcome {
    compared: usize,
    refused: usize,
    excused: BTreeMap<&'static str, usize>,
    wrong: BTreeMap<String, (usize, Value)>,
}

impl Outcome {
    fn compare(&mut self, sample: &Sample, revision: Revision, validator: &Validator, instance: &Value, at: &[&str]) {
        self.compared += 1;
        let theirs = validator.is_valid(instance);
        let report = ours(instance, sample.of, revision);
        self.refused += usize::from(!theirs);
        let name = sample.definition;
        if theirs && report.faults > 0 {
            let stricter = report.mismatches.iter().filter(|mismatch| !mismatch.note);
            for mismatch in stricter {
                match differences::stricter(mismatch) {
                    Some(reason) => *self.excused.entry(reason).or_default() += 1,
                    None => {
                        let shapes::Mismatch { id, pointer, fault, actual, .. } = mismatch;
                        self.wrong(
                            format!("{revision} {name}: only we refuse {actual} at {pointer} ({fault:?}, {id})"),
                            instance,
                        );
                    }
                }
            }
        } else if !theirs && report.faults == 0 {
            match at.iter().find_map(|at| differences::milder(name, at, revision)) {
                Some(reason) => *self.excused.entry(reason).or_default() += 1,
                None => self
                    .wrong(format!("{revision} {name}: only the schema refuses what was changed at {at:?}"), instance),
            }
        }
    }

    fn wrong(&mut self, what: String, instance: &Value) {
        self.wrong.entry(what).or_insert_with(|| (0, instance.clone())).0 += 1;
    }
}

fn run(revision: Revision, schema: &Value, outcome: &mut Outcome) {
    let mut definitions = 0;
    for sample in instances::all(revision) {
        let Some(validator) = validator(schema, &sample) else {
            panic!("{revision} has no definition {}", sample.definition);
        };
        definitions += 1;
        let name = sample.definition;
        let base = &sample.value;
        assert!(validator.is_valid(base), "{revision} {name}: the instance is invalid: {base}");
        let report = ours(base, sample.of, revision);
        assert_eq!(report.faults, 0, "{revision} {name}: we refuse a full instance: {:?}", report.mismatches);
        let singles = mutate::mutations(base, sample.root);
        for mutation in &singles {
            outcome.compare(&sample, revision, &validator, &mutation.apply(base), &[&mutation.at]);
        }
        for (first, second) in pairs(&singles, PAIRS) {
            let instance = second.apply(&first.apply(base));
            outcome.compare(&sample, revision, &validator, &instance, &[&first.at, &second.at]);
        }
    }
    assert!(definitions > 15, "{revision}: only {definitions} definitions");
}

#[test]
fn the_tables_say_what_the_schemas_say() {
    let mut outcome = Outcome::default();
    for revision in Revision::ALL {
        run(revision, &published::schema(revision.as_str()), &mut outcome);
    }
    let Outcome { compared, refused, excused, wrong } = outcome;
    eprintln!("{compared} pairs of definition and instance, {refused} refused by the schema");
    for (reason, times) in &excused {
        eprintln!("differs on purpose {times} times: {reason}");
    }
    let stale: Vec<_> = differences::reasons().filter(|reason| !excused.contains_key(reason)).collect();
    assert!(stale.is_empty(), "these differences are listed and never met: {stale:?}");
    for (what, (times, instance)) in wrong.iter().take(SHOWN) {
        eprintln!("{times} times {what}, for example {instance}");
    }
    assert!(wrong.is_empty(), "{} differences that are not on purpose", wrong.len());
    assert!(refused * 4 > compared, "too few instances are invalid to show anything");
}
