//! An upper bound for the work of one validation. A dozen lines of `allOf` over `$ref` can ask for 2^60 evaluations, so a
//! schema from a stranger is evaluated only if the bound is bearable.

use std::collections::HashMap;

use serde_json::Value;

use crate::walk::{Step, children};

/// Evaluations of subschemas that one validation may take.
pub(crate) const BEARABLE: u64 = 20_000_000;

/// Whether validating `instance` stays within bounds.
pub(crate) fn is_bearable(schema: &Value, instance: &Value) -> bool {
    // Below a property or an item there may be many; each is visited by what is counted once here.
    at_depth(schema, depth(instance)).saturating_mul(widest(instance)) <= BEARABLE
}

/// Evaluations of subschemas for an instance of this depth with one member or item in everything.
pub(crate) fn at_depth(schema: &Value, depth: usize) -> u64 {
    Sum { root: schema, known: HashMap::new(), open: Vec::new() }.of(schema, depth)
}

struct Sum<'s> {
    root: &'s Value,
    known: HashMap<(*const Value, usize), u64>,
    open: Vec<(*const Value, usize)>,
}

impl<'s> Sum<'s> {
    fn of(&mut self, schema: &'s Value, depth: usize) -> u64 {
        let key = (std::ptr::from_ref(schema), depth);
        if let Some(known) = self.known.get(&key) {
            return *known;
        }
        // A circle without a step into the instance is cut by the validator; so is a chain too long to follow here.
        if self.open.contains(&key) || self.open.len() > 500 {
            return 1;
        }
        self.open.push(key);
        let mut sum = 1u64;
        for (step, below) in children(schema) {
            match descends(&step) {
                Way::Nowhere => {}
                Way::Here => sum = sum.saturating_add(self.of(below, depth)),
                Way::Down if depth > 0 => sum = sum.saturating_add(self.of(below, depth - 1)),
                Way::Down => {}
            }
        }
        for keyword in ["$ref", "$dynamicRef", "$recursiveRef"] {
            if let Some(target) = schema.get(keyword).and_then(Value::as_str).and_then(|at| self.target(at)) {
                sum = sum.saturating_add(self.of(target, depth));
            }
        }
        self.open.pop();
        self.known.insert(key, sum);
        sum
    }

    fn target(&self, reference: &str) -> Option<&'s Value> {
        let fragment = reference.strip_prefix('#')?;
        if fragment.is_empty() { Some(self.root) } else { self.root.pointer(fragment) }
    }
}

enum Way {
    Here,
    Down,
    Nowhere,
}

fn descends(step: &Step) -> Way {
    match step {
        Step::Entry("$defs" | "definitions", _) => Way::Nowhere,
        Step::Keyword("not" | "if" | "then" | "else" | "extends") | Step::Element("allOf" | "anyOf" | "oneOf", _) => {
            Way::Here
        }
        Step::Entry("dependentSchemas" | "dependencies", _) => Way::Here,
        _ => Way::Down,
    }
}

pub(crate) fn depth(instance: &Value) -> usize {
    let below = |values: &mut dyn Iterator<Item = &Value>| values.map(depth).max().unwrap_or(0) + 1;
    match instance {
        Value::Array(items) => below(&mut items.iter()),
        Value::Object(members) => below(&mut members.values()),
        _ => 0,
    }
}

pub(crate) fn widest(instance: &Value) -> u64 {
    let below = |values: &mut dyn Iterator<Item = &Value>| values.map(widest).fold(0u64, u64::saturating_add).max(1);
    match instance {
        Value::Array(items) => below(&mut items.iter()),
        Value::Object(members) => below(&mut members.values()),
        _ => 1,
    }
}
