//! The gates of a run: the level, the snapshots and the baseline that decide its exit code.

use verdict::record::Report;
use verdict::{Level, exit};

use super::baseline::{Accepted, BaselineGate};
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
    /// Compares the report with the baseline, if there is one, and marks what it accepts. An interrupted run updates nothing.
    pub(super) fn accept_known(&self, report: &mut Report, interrupted: bool) -> Result<Option<Accepted>, Failure> {
        self.baseline.as_ref().map(|baseline| baseline.accept(report, interrupted)).transpose()
    }

    /// Checks the report of a run against all gates and returns the exit code. `regressions` is the number of findings of
    /// earlier fuzzing that still happen.
    pub(super) fn check(
        &self,
        report: &Report,
        accepted: Option<&Accepted>,
        interrupted: bool,
        regressions: usize,
    ) -> Result<u8, Failure> {
        if interrupted {
            return Ok(exit::INTERRUPTED);
        }
        let changed = self.snapshots.check_or_update(report)?;
        let broken = match accepted {
            Some(accepted) => !accepted.is_clean(),
            None => self.fail_on.is_some_and(|level| report.fails().at_or_above(level) > 0),
        };
        let broken = broken || (self.fail_on.is_some() && report.unrepeated() > 0);
        let regressed = regressions > 0 && self.fail_on.is_some();
        Ok(match () {
            () if report.judged() == 0 => exit::UNJUDGED,
            () if broken || changed || regressed => exit::FINDINGS,
            () => exit::CLEAN,
        })
    }
}
