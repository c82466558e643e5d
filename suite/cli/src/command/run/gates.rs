//! The gates of a run: the level, the snapshots and the baseline that decide its exit code.

use verdict::record::Report;
use verdict::{Level, exit};

use super::baseline::BaselineGate;
use super::snapshots::Snapshots;
use crate::failure::Failure;

/// The conditions for exit code 0.
pub(super) struct Gates {
    /// The lowest level that fails.
    pub(super) fail_on: Option<Level>,
    pub(super) snapshots: Snapshots,
    pub(super) baseline: Option<BaselineGate>,
}

impl Gates {
    /// Checks the report of a run against all gates and returns the exit code. `regressions` is the number of findings of
    /// earlier fuzzing that still happen.
    pub(super) fn check(&self, report: &Report, interrupted: bool, regressions: usize) -> Result<u8, Failure> {
        if interrupted {
            return Ok(exit::INTERRUPTED);
        }
        let changed = self.snapshots.check_or_update(report)?;
        let broken = match &self.baseline {
            Some(baseline) => !baseline.check(report)?,
            None => self.fail_on.is_some_and(|level| report.fails().at_or_above(level) > 0),
        };
        let regressed = regressions > 0 && self.fail_on.is_some();
        let judged: u32 = report.records().iter().map(|record| record.summary.pass + record.summary.fail).sum();
        Ok(match () {
            () if judged == 0 => exit::UNJUDGED,
            () if broken || changed || regressed => exit::FINDINGS,
            () => exit::CLEAN,
        })
    }
}
