//! Instances of one kind as a proptest strategy: drawn by the search, and shrunk within their kind.

use std::sync::Arc;

use proptest::strategy::{NewTree, Strategy, ValueTree as _};
use proptest::test_runner::TestRunner;
use serde_json::Value;

use super::Declined;
use super::near::near;
use super::shrink::Shrinking;
use super::source::{Source, Want};

/// A strategy that makes instances of one kind.
#[derive(Clone, Debug)]
pub struct Instances {
    source: Arc<Source>,
    want: Arc<Want>,
}

impl Instances {
    pub(super) fn new(source: &Arc<Source>, want: Want) -> Self {
        Self { source: Arc::clone(source), want: Arc::new(want) }
    }

    /// The instance of a seed.
    ///
    /// # Errors
    /// When none is found: this seed had bad luck.
    pub fn draw(&self, seed: u64) -> Result<Value, Declined> {
        self.source.draw(&self.want, seed)
    }

    /// Simpler ones, from one of these on.
    #[must_use]
    pub fn shrink(&self, instance: Value) -> Shrinking {
        Shrinking::new(Arc::clone(&self.source), Arc::clone(&self.want), instance)
    }

    pub(super) fn place(&self, instance: &Value) -> Option<String> {
        self.source.judge.place(instance)
    }

    pub(super) fn near(&self, keyword: &str, value: &Value, example: &Value) -> Vec<Value> {
        near(&self.source, &self.want, keyword, value, example)
    }

    /// Whether an instance is one of these.
    #[must_use]
    pub fn contains(&self, instance: &Value) -> bool {
        self.source.is_right(&self.want, instance)
    }
}

impl Strategy for Instances {
    type Tree = Shrinking;
    type Value = Value;

    fn new_tree(&self, runner: &mut TestRunner) -> NewTree<Self> {
        let seed = proptest::num::u64::ANY.new_tree(runner)?.current();
        let current = self.draw(seed).map_err(|declined| declined.to_string())?;
        Ok(Shrinking::new(Arc::clone(&self.source), Arc::clone(&self.want), current))
    }
}
