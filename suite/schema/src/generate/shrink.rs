//! Simpler instances of the same kind: what is left at the end is what a person would have written by hand.

use std::collections::HashSet;
use std::hash::{DefaultHasher, Hash as _, Hasher as _};
use std::sync::Arc;

use proptest::strategy::ValueTree;
use serde_json::Value;

use super::edit::{Edit, edits};
use super::source::{Source, Want};
use super::weight::Weight;

/// Instances looked at in one shrinking, right ones or not.
const MOST: u32 = 20_000;

fn hash(instance: &Value) -> u64 {
    let mut hasher = DefaultHasher::new();
    instance.to_string().hash(&mut hasher);
    hasher.finish()
}

/// An instance that becomes simpler, as proptest has it: `simplify` after a failure, `complicate` after a success. Every
/// instance that it shows is of the same kind as the first: valid, or broken by the same keyword at the same place.
#[derive(Clone, Debug)]
pub struct Shrinking {
    source: Arc<Source>,
    want: Arc<Want>,
    /// The simplest that failed.
    best: Value,
    current: Value,
    edits: Vec<Edit>,
    next: usize,
    spent: u32,
    /// Hashes of those that were shown: different edits come to the same, and showing one can cost a process.
    shown: HashSet<u64>,
}

impl Shrinking {
    pub(super) fn new(source: Arc<Source>, want: Arc<Want>, instance: Value) -> Self {
        Self {
            source,
            want,
            best: instance.clone(),
            current: instance,
            edits: Vec::new(),
            next: 0,
            spent: 0,
            shown: HashSet::new(),
        }
    }

    /// The next simpler instance to try, told whether the last one failed (at first that is the one it began with).
    pub fn next(&mut self, failed: bool) -> Option<Value> {
        let more = if failed { self.simplify() } else { self.complicate() };
        more.then(|| self.current())
    }

    /// The next simpler instance of the same kind.
    fn advance(&mut self) -> bool {
        let weight = Weight::of(&self.best);
        while self.next < self.edits.len() && self.spent < MOST {
            let edit = &self.edits[self.next];
            self.next += 1;
            let Some(simpler) = edit.apply(&self.best) else { continue };
            if Weight::of(&simpler) >= weight {
                continue;
            }
            self.spent += 1;
            if self.shown.insert(hash(&simpler)) && self.source.is_right(&self.want, &simpler) {
                self.current = simpler;
                return true;
            }
        }
        self.current = self.best.clone();
        false
    }
}

impl ValueTree for Shrinking {
    type Value = Value;

    fn current(&self) -> Value {
        self.current.clone()
    }

    fn simplify(&mut self) -> bool {
        self.best = self.current.clone();
        self.edits = edits(&self.best, &self.source.hints);
        self.next = 0;
        self.advance()
    }

    fn complicate(&mut self) -> bool {
        self.advance()
    }
}
