//! Detects stalls of the machine: while it is suspended or starved, a server answers late through no fault of its own.
//! Such a trial shows nothing either way.

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

/// Interval between checks of the clock.
const TICK: Duration = Duration::from_millis(100);
/// A thread that wakes this late did not get the CPU.
const LATE: Duration = Duration::from_millis(400);

/// Checks the clock until it is dropped.
pub(super) struct StallWatch {
    /// Time at which each stall was noticed.
    stalls: Arc<Mutex<Vec<Instant>>>,
    over: Arc<AtomicBool>,
}

impl StallWatch {
    /// Starts watching.
    pub(super) fn begin() -> Self {
        let watch = Self { stalls: Arc::default(), over: Arc::default() };
        let (stalls, over) = (Arc::clone(&watch.stalls), Arc::clone(&watch.over));
        std::thread::spawn(move || {
            while !over.load(Ordering::Relaxed) {
                let before = Instant::now();
                std::thread::sleep(TICK);
                if before.elapsed() >= TICK + LATE
                    && let Ok(mut stalls) = stalls.lock()
                {
                    stalls.push(Instant::now());
                }
            }
        });
        watch
    }

    /// Returns whether the machine stalled since then.
    pub(super) fn stalled_since(&self, since: Instant) -> bool {
        self.stalls.lock().is_ok_and(|stalls| stalls.last().is_some_and(|last| *last > since))
    }
}

impl Drop for StallWatch {
    fn drop(&mut self) {
        self.over.store(true, Ordering::Relaxed);
    }
}

/// Runs an attempt, and repeats it if it fails while the machine stalls; the last result stands.
pub(super) fn retry_after_stall<T>(
    mut attempt: impl FnMut() -> T,
    is_bad: impl Fn(&T) -> bool,
    stalled_since: impl Fn(Instant) -> bool,
) -> (T, usize) {
    /// Limit of repetitions, for a machine that never recovers.
    const MOST: usize = 3;
    let mut repeated = 0;
    loop {
        let began = Instant::now();
        let outcome = attempt();
        if repeated == MOST || !is_bad(&outcome) || !stalled_since(began) {
            return (outcome, repeated);
        }
        repeated += 1;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_failure_during_a_stall_is_tried_again_and_nothing_else() {
        fn outcomes(list: &[bool]) -> impl FnMut() -> bool {
            let mut list = list.iter();
            move || *list.next().expect("one more")
        }
        let bad = |good: &bool| !*good;
        assert_eq!(retry_after_stall(outcomes(&[false, true]), bad, |_| true), (true, 1));
        assert_eq!(retry_after_stall(outcomes(&[false, true]), bad, |_| false), (false, 0));
        assert_eq!(retry_after_stall(outcomes(&[true]), bad, |_| true), (true, 0));
        assert_eq!(retry_after_stall(outcomes(&[false; 4]), bad, |_| true), (false, 3));
    }

    #[test]
    fn a_stall_counts_for_what_began_before_it() {
        let watch = StallWatch { stalls: Arc::default(), over: Arc::default() };
        let before = Instant::now();
        assert!(!watch.stalled_since(before));
        watch.stalls.lock().expect("alone").push(Instant::now());
        assert!(watch.stalled_since(before) && !watch.stalled_since(Instant::now()));
    }
}
