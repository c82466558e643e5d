//! Runs many trials, a few at a time.

use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::time::{Duration, Instant};

use super::trial::{Tested, Trial, TrialOutcome};

/// Bytes of stack for a whole run, which has as many as this on the main thread: without optimizations it needs more than the
/// 2 MiB of other threads.
const STACK: usize = 8 << 20;

/// Runs all trials on some threads and returns what they left, in the order of the trials. After an interruption no
/// further trial is started.
pub(super) fn run_all(
    jobs: usize,
    trials: &[Trial],
    run: impl Fn(&Trial) -> TrialOutcome + Sync,
    done: impl Fn(usize) + Sync,
) -> Vec<Tested> {
    let untested = |trial: &Trial| Tested { trial: *trial, outcome: TrialOutcome::Interrupted, took: Duration::ZERO };
    let tested = Mutex::new(trials.iter().map(untested).collect::<Vec<_>>());
    let (next, finished, stop) = (AtomicUsize::new(0), AtomicUsize::new(0), AtomicBool::new(false));
    std::thread::scope(|scope| {
        for _ in 0..jobs.clamp(1, trials.len().max(1)) {
            let thread = std::thread::Builder::new().stack_size(STACK);
            let started = thread.spawn_scoped(scope, || {
                while !stop.load(Ordering::Relaxed) {
                    let at = next.fetch_add(1, Ordering::Relaxed);
                    let Some(trial) = trials.get(at) else { break };
                    let began = Instant::now();
                    let outcome = catch_panic(trial, &run);
                    stop.fetch_or(outcome == TrialOutcome::Interrupted, Ordering::Relaxed);
                    if let Ok(mut tested) = tested.lock() {
                        tested[at] = Tested { trial: *trial, outcome, took: began.elapsed() };
                    }
                    done(finished.fetch_add(1, Ordering::Relaxed) + 1);
                }
            });
            started.expect("the system starts another thread");
        }
    });
    tested.into_inner().unwrap_or_default()
}

/// Runs a trial. A panic is a failed trial, not the end of the matrix.
fn catch_panic(trial: &Trial, run: impl Fn(&Trial) -> TrialOutcome) -> TrialOutcome {
    let caught = std::panic::catch_unwind(std::panic::AssertUnwindSafe(|| run(trial)));
    caught.unwrap_or_else(|_| TrialOutcome::Unjudged { why: "mcp-conform panicked".to_owned() })
}

#[cfg(test)]
mod tests {
    use super::super::plan::plan;
    use super::*;

    #[test]
    fn outcomes_keep_the_order_of_the_trials_and_a_panic_is_one_outcome() {
        let trials = plan(&[], &[], None);
        let tested = run_all(
            3,
            &trials[..4],
            |trial| match trial.transport {
                verdict::Transport::Stdio if trial.subject.flags().is_empty() => panic!("on purpose"),
                _ => TrialOutcome::Quiet,
            },
            |_| {},
        );
        assert!(matches!(&tested[0].outcome, TrialOutcome::Unjudged { why } if why.contains("panicked")));
        assert!(tested[1..].iter().all(|tested| tested.outcome == TrialOutcome::Quiet));
    }

    #[test]
    fn after_an_interruption_nothing_is_begun() {
        let trials = plan(&[], &[], None);
        let begun = AtomicUsize::new(0);
        let run = |_: &Trial| {
            begun.fetch_add(1, Ordering::Relaxed);
            TrialOutcome::Interrupted
        };
        let tested = run_all(1, &trials, run, |_| {});
        assert_eq!((begun.load(Ordering::Relaxed), tested.len()), (1, trials.len()));
    }
}
