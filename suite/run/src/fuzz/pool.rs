//! Conversations that are worth going on from, and every behaviour seen so far.

use std::collections::{HashSet, VecDeque};

use fuzz::Chance;

/// Conversations that are kept.
const KEPT: usize = 2_000;
/// Behaviours that are told apart; a server that is new each time teaches nothing.
const BEHAVIOURS: usize = 20_000;
/// How many of the conversations kept last are picked for mutation more often than the others.
const RECENT: usize = 16;

/// A conversation, line by line.
pub(super) type Lines = Vec<Vec<u8>>;

#[derive(Debug, Default)]
pub(super) struct Pool {
    /// Sent as they are before anything is changed.
    fresh: VecDeque<Lines>,
    kept: Vec<Lines>,
    seen: HashSet<u64>,
}

impl Pool {
    pub(super) fn new(seeds: Vec<Lines>) -> Self {
        Self { fresh: seeds.into(), ..Self::default() }
    }

    /// A seed that was not sent yet.
    pub(super) fn seed(&mut self) -> Option<Lines> {
        self.fresh.pop_front()
    }

    /// The messages of a conversation that ended badly, each to be sent alone: what was behind the cause was not seen.
    pub(super) fn add_singly(&mut self, lines: &Lines) {
        if lines.len() > 1 {
            self.fresh.extend(lines.iter().map(|line| vec![line.clone()]));
        }
    }

    /// Something to go on from.
    pub(super) fn pick(&self, chance: &mut Chance) -> Option<&Lines> {
        let recent = self.kept.len().saturating_sub(RECENT);
        if chance.one_in(2) { chance.pick(&self.kept[recent..]) } else { chance.pick(&self.kept) }
    }

    /// Takes what a conversation brought about, and the conversation if anything of it is new.
    pub(super) fn learn(&mut self, lines: &Lines, features: &[u64]) {
        let mut new = false;
        for feature in features {
            new |= self.seen.len() < BEHAVIOURS && self.seen.insert(*feature);
        }
        if new && self.kept.len() < KEPT {
            self.kept.push(lines.clone());
        }
    }

    pub(super) fn behaviours(&self) -> usize {
        self.seen.len()
    }

    pub(super) fn kept(&self) -> usize {
        self.kept.len()
    }
}
