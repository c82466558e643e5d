//! The end of processes that nobody is interested in any more: each is ended as the specification asks for, in the background,
//! since a server that is killed at once can lose its user's data.

use std::cell::{Cell, RefCell};
use std::time::Duration;

use tokio::task::JoinHandle;
use verdict::transcript::Ending;

/// How long a process is given after the end of its input, and after SIGTERM.
const PATIENCE: Duration = Duration::from_millis(500);
/// The same, once one was seen to stay when its input ended.
const BRIEF: Duration = Duration::from_millis(50);
/// Longer than the end of any process takes.
const LONGEST: Duration = Duration::from_secs(5);

/// The ends that are under way.
#[derive(Debug, Default)]
pub(crate) struct Farewells {
    under_way: RefCell<Vec<JoinHandle<()>>>,
    /// A process stayed when its input ended.
    stays: Cell<bool>,
}

impl Farewells {
    /// Waits until every process that was to end has ended.
    pub(crate) async fn over(&self) {
        loop {
            let ends = std::mem::take(&mut *self.under_way.borrow_mut());
            if ends.is_empty() {
                return;
            }
            for end in ends {
                let _ = tokio::time::timeout(LONGEST, end).await;
            }
        }
    }

    /// Keeps the task that ends a process.
    pub(crate) fn add(&self, end: JoinHandle<()>) {
        let mut under_way = self.under_way.borrow_mut();
        under_way.retain(|end| !end.is_finished());
        under_way.push(end);
    }

    /// How long a process is given after each step.
    pub(crate) fn patience(&self) -> Duration {
        if self.stays.get() { BRIEF } else { PATIENCE }
    }

    /// Learns after which step a process ended.
    pub(crate) fn learn(&self, ending: Ending) {
        self.stays.set(self.stays.get() || ending > Ending::StdinClosed);
    }
}
