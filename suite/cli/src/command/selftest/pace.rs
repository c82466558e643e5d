//! How long the trials took: a server with one defect must not keep its author waiting.

use std::time::{Duration, Instant};

use report::Style;

use super::trial::{Subject, Tested, Trial, TrialOutcome};

/// How many of the slowest faults are shown.
const SHOWN: usize = 10;
/// A run over a server with one defect takes at most this many times the run over the plain server, plus `BEYOND`,
const TIMES: u32 = 3;
const BEYOND: Duration = Duration::from_secs(10);
/// and at most this.
const MOST: Duration = Duration::from_secs(60);

/// Faults that took longer than a run may: positions in the list.
pub(super) fn beyond(tested: &[Tested]) -> Vec<usize> {
    let slow = |one: &Tested| matches!(one.trial.subject, Subject::Fault(_)) && one.took > bound(tested, &one.trial);
    tested.iter().enumerate().filter(|(_, one)| slow(one)).map(|(at, _)| at).collect()
}

/// Runs the plain servers once more, and then what took too long beside them: many at once are slow by themselves. Nothing after
/// an interruption.
pub(super) fn time_alone(tested: &mut [Tested], run: impl Fn(&Trial) -> TrialOutcome) {
    if tested.iter().any(|one| one.outcome == TrialOutcome::Interrupted) {
        return;
    }
    let plain = |at: &usize| matches!(tested[*at].trial.subject, Subject::Plain);
    let plain: Vec<usize> = (0..tested.len()).filter(plain).collect();
    if time_each(tested, &plain, &run) {
        let slow = beyond(tested);
        time_each(tested, &slow, &run);
    }
}

/// Whether nobody interrupted it.
fn time_each(tested: &mut [Tested], positions: &[usize], run: impl Fn(&Trial) -> TrialOutcome) -> bool {
    for at in positions {
        let began = Instant::now();
        if run(&tested[*at].trial) == TrialOutcome::Interrupted {
            tested[*at].outcome = TrialOutcome::Interrupted;
            return false;
        }
        tested[*at].took = began.elapsed();
    }
    true
}

/// The slowest faults beside the plain server, and those of these positions, which are beyond the bound.
pub(super) fn human(tested: &[Tested], beyond: &[usize], style: &Style) -> String {
    let mut slowest: Vec<_> = tested.iter().filter(|one| matches!(one.trial.subject, Subject::Fault(_))).collect();
    if slowest.is_empty() {
        return String::new();
    }
    slowest.sort_by_key(|one| std::cmp::Reverse(one.took));
    let mut text = format!("\n{:>8}{:>8}  slowest faults, beside the run without a fault\n", "time", "plain");
    for one in slowest.into_iter().take(SHOWN) {
        let plain = plain(tested, &one.trial).map_or("-".to_owned(), seconds);
        text.push_str(&format!("{:>8}{plain:>8}  {}\n", seconds(one.took), one.trial.name()));
    }
    for one in beyond.iter().filter_map(|at| tested.get(*at)) {
        let (name, took, most) = (one.trial.name(), seconds(one.took), seconds(bound(tested, &one.trial)));
        let line = format!("{name} took {took}, also when it was run alone: more than {most}");
        text.push_str(&format!("\n{}\n  {}\n", report::fold(&line, style.width, 2), one.trial.command()));
    }
    text
}

/// How long the run over a server with this defect may take. Without a plain server beside it, only the limit for all holds.
fn bound(tested: &[Tested], trial: &Trial) -> Duration {
    plain(tested, trial).map_or(MOST, |plain| (plain * TIMES + BEYOND).min(MOST))
}

/// The time of the plain server in the same revision and over the same transport; else the longest of any.
fn plain(tested: &[Tested], trial: &Trial) -> Option<Duration> {
    let plain = tested.iter().filter(|one| matches!(one.trial.subject, Subject::Plain));
    let alike = |one: &&Tested| one.trial.revision == trial.revision && one.trial.transport == trial.transport;
    let same = plain.clone().find(alike).map(|one| one.took);
    same.or_else(|| plain.map(|one| one.took).max())
}

fn seconds(took: Duration) -> String {
    format!("{:.1} s", took.as_secs_f32())
}

#[cfg(test)]
mod tests {
    use verdict::{Revision, Transport};

    use super::*;

    fn tested(plain: u64, fault: u64) -> [Tested; 2] {
        let broken = reference::faults().next().expect("there is one");
        let tested = |subject, took| Tested {
            trial: Trial { subject, revision: Revision::V2025_11_25, transport: Transport::Stdio },
            outcome: TrialOutcome::Quiet,
            took: Duration::from_secs(took),
        };
        [tested(Subject::Plain, plain), tested(Subject::Fault(broken), fault)]
    }

    fn beyond_after(plain: u64, fault: u64) -> Vec<usize> {
        beyond(&tested(plain, fault))
    }

    #[test]
    fn what_is_slow_beside_a_plain_server_timed_alone_is_timed_alone_too_unless_somebody_waits() {
        let mut slow = tested(9, 26);
        time_alone(&mut slow, |_| TrialOutcome::Quiet);
        assert!(beyond(&slow).is_empty() && slow[1].took < Duration::from_secs(1));
        let mut interrupted = tested(5, 26);
        interrupted[0].outcome = TrialOutcome::Interrupted;
        time_alone(&mut interrupted, |_| panic!("the user has interrupted"));
        assert_eq!(beyond(&interrupted), [1]);
    }

    #[test]
    fn a_defect_costs_at_most_three_times_the_plain_run_and_ten_seconds_and_a_minute_at_most() {
        assert!(beyond_after(5, 25).is_empty());
        assert_eq!(beyond_after(5, 26), [1]);
        assert!(beyond_after(40, 60).is_empty());
        assert_eq!(beyond_after(40, 61), [1]);
        assert!(beyond_after(99, 9).is_empty());
    }
}
