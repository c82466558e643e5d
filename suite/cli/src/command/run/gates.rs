//! The gates of a run: the level, the snapshots, the baseline and the hosts that decide its exit code.

use verdict::record::Report;
use verdict::{Status, exit};

use super::baseline::{Accepted, BaselineGate};
use super::snapshots::Snapshots;
use crate::bar::Bar;
use crate::failure::Failure;
use crate::hosts::losses;
use crate::output;

/// The conditions for exit code 0.
pub(super) struct Gates {
    /// What fails.
    pub(super) bar: Bar,
    pub(super) snapshots: Snapshots,
    pub(super) baseline: Option<BaselineGate>,
    /// Hosts that must take the server.
    pub(super) fail_on_hosts: Vec<String>,
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
            None => self.fails(report),
        };
        let broken = broken || (self.bar.level.is_some() && report.unrepeated() > 0);
        let losses = losses(report, &self.fail_on_hosts);
        losses.iter().for_each(|loss| output::eprint(loss));
        let regressed = regressions > 0 && self.bar.level.is_some();
        Ok(match () {
            () if report.judged() == 0 => exit::UNJUDGED,
            () if broken || changed || regressed || !losses.is_empty() => exit::FINDINGS,
            () => exit::CLEAN,
        })
    }

    /// Whether some requirement failed that counts.
    fn fails(&self, report: &Report) -> bool {
        let mut entries = report.records().iter().flat_map(|record| &record.requirements);
        entries.any(|entry| entry.status == Status::Fail && self.bar.counts(entry, entry.level))
    }
}
