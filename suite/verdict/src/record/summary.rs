//! Counts over all requirements.

use serde::{Deserialize, Serialize};

use super::Entry;
use crate::{Level, Status};

/// Counts over all requirements.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[expect(missing_docs, reason = "the names are the statuses")]
pub struct Summary {
    pub pass: u32,
    pub fail: u32,
    pub not_observed: u32,
    pub not_applicable: u32,
    pub skipped: u32,
    pub inconclusive: u32,
    pub fail_by_level: ByLevel,
}

/// Failed requirements by level.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[expect(missing_docs, reason = "the names are the levels")]
pub struct ByLevel {
    pub must: u32,
    pub should: u32,
    pub advice: u32,
}

impl Summary {
    /// Counts entries.
    #[must_use]
    pub fn of(entries: &[Entry]) -> Self {
        let mut summary = Self::default();
        for entry in entries {
            *summary.slot(entry.status) += 1;
            if entry.status == Status::Fail {
                *summary.fail_by_level.slot(entry.level) += 1;
            }
        }
        summary
    }

    fn slot(&mut self, status: Status) -> &mut u32 {
        match status {
            Status::Pass => &mut self.pass,
            Status::Fail => &mut self.fail,
            Status::NotObserved => &mut self.not_observed,
            Status::NotApplicable => &mut self.not_applicable,
            Status::Skipped => &mut self.skipped,
            Status::Inconclusive => &mut self.inconclusive,
        }
    }
}

impl ByLevel {
    fn slot(&mut self, level: Level) -> &mut u32 {
        match level {
            Level::Must => &mut self.must,
            Level::Should => &mut self.should,
            Level::Advice => &mut self.advice,
        }
    }

    /// Failed requirements at this level or a graver one.
    #[must_use]
    pub fn at_or_above(&self, level: Level) -> u32 {
        match level {
            Level::Must => self.must,
            Level::Should => self.must + self.should,
            Level::Advice => self.must + self.should + self.advice,
        }
    }
}
