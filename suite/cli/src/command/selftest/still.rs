//! Whether the machine stood still: on one that is stopped or starved for a while, a server's answer is late and nobody is at fault. Such
//! a trial shows nothing, in either direction.

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

/// How often the clock is looked at.
const TICK: Duration = Duration::from_millis(100);
/// A thread that wakes so late did not get the machine.
const LATE: Duration = Duration::from_millis(400);

/// Looks at the clock until it is dropped.
pub(super) struct Watch {
    /// When each standstill was noticed.
    stills: Arc<Mutex<Vec<Instant>>>,
    over: Arc<AtomicBool>,
}

impl Watch {
    /// Begins to look.
    pub(super) fn begin() -> Self {
        let watch = Self { stills: Arc::default(), over: Arc::default() };
        let (stills, over) = (Arc::clone(&watch.stills), Arc::clone(&watch.over));
        std::thread::spawn(move || {
            while !over.load(Ordering::Relaxed) {
                let before = Instant::now();
                std::thread::sleep(TICK);
                if before.elapsed() >= TICK + LATE
                    && let Ok(mut stills) = stills.lock()
                {
                    stills.push(Instant::now());
                }
            }
        });
        watch
    }

    /// Whether the machine stood still since then.
    pub(super) fn stood_still(&self, since: Instant) -> bool {
        self.stills.lock().is_ok_and(|stills| stills.last().is_some_and(|last| *last > since))
    }
}

impl Drop for Watch {
    fn drop(&mut self) {
        self.over.store(true, Ordering::Relaxed);
    }
}

/// Tries, and once more for each time that something went wrong while the machine stood still; the last is as it is.
pub(super) fn settled<T>(
    mut attempt: impl FnMut() -> T,
    is_bad: impl Fn(&T) -> bool,
    stood_still: impl Fn(Instant) -> bool,
) -> (T, usize) {
    /// A machine that never gets going again is no place for a test.
    const MOST: usize = 3;
    let mut again = 0;
    loop {
        let began = Instant::now();
        let outcome = attempt();
        if again == MOST || !is_bad(&outcome) || !stood_still(began) {
            return (outcome, again);
        }
        again += 1;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_goes_wrong_in_a_standstill_is_tried_again_and_nothing_else() {
        fn outcomes(list: &[bool]) -> impl FnMut() -> bool {
            let mut list = list.iter();
            move || *list.next().expect("one more")
        }
        let bad = |good: &bool| !*good;
        assert_eq!(settled(outcomes(&[false, true]), bad, |_| true), (true, 1));
        assert_eq!(settled(outcomes(&[false, true]), bad, |_| false), (false, 0));
        assert_eq!(settled(outcomes(&[true]), bad, |_| true), (true, 0));
        assert_eq!(settled(outcomes(&[false; 4]), bad, |_| true), (false, 3));
    }

    #[test]
    fn a_standstill_counts_for_what_had_begun_before_it() {
        let watch = Watch { stills: Arc::default(), over: Arc::default() };
        let before = Instant::now();
        assert!(!watch.stood_still(before));
        watch.stills.lock().expect("alone").push(Instant::now());
        assert!(watch.stood_still(before) && !watch.stood_still(Instant::now()));
    }
}
