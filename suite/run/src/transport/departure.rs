//! When a request leaves for the server: over HTTP it waits for a turn, which no server is to blame for.

use std::rc::Rc;
use std::time::{Duration, Instant};

use tokio::sync::SetOnce;
use tokio::time::timeout;

/// How long that is waited for at most: who is ahead holds others up for a moment only, whatever the server does.
const QUEUE: Duration = Duration::from_secs(10);

/// Shared by who sends it and who waits for what comes of it.
#[derive(Clone, Debug, Default)]
pub(crate) struct Departure(Rc<SetOnce<Instant>>);

impl Departure {
    /// Notes that it leaves now.
    pub(crate) fn leave(&self) {
        // Only the first time counts.
        let _ = self.0.set(Instant::now());
    }

    /// Waits until it has left; says when it did, else when that was given up.
    pub(crate) async fn left(&self) -> Instant {
        timeout(QUEUE, self.0.wait()).await.copied().unwrap_or_else(|_| Instant::now())
    }
}

#[cfg(test)]
impl Departure {
    pub(crate) fn at(&self) -> Option<Instant> {
        self.0.get().copied()
    }
}
