//! When a request leaves for the server: over HTTP it waits for a turn, which no server is to blame for.

use std::cell::Cell;
use std::rc::Rc;
use std::time::{Duration, Instant};

use tokio::sync::Notify;
use tokio::time::timeout;

/// How long that is waited for at most: who is ahead holds others up for a moment only, whatever the server does.
const QUEUE: Duration = Duration::from_secs(10);

/// Shared by who sends it and who waits for what comes of it.
#[derive(Clone, Debug, Default)]
pub(crate) struct Departure(Rc<(Cell<Option<Instant>>, Notify)>);

impl Departure {
    /// Notes that it leaves now.
    pub(crate) fn leave(&self) {
        self.0.0.set(Some(Instant::now()));
        self.0.1.notify_waiters();
    }

    pub(crate) fn at(&self) -> Option<Instant> {
        self.0.0.get()
    }

    /// Waits until it has left; says when it did, else when that was given up.
    pub(crate) async fn left(&self) -> Instant {
        let left = self.0.1.notified();
        if self.at().is_none() {
            let _ = timeout(QUEUE, left).await;
        }
        self.at().unwrap_or_else(Instant::now)
    }
}
