//! Delayed actions of a connection, in order of time. The clock is the caller's.

use std::time::Duration;

use serde_json::Value;

use super::call::{Call, Reply};

/// Something that can be put off.
pub(crate) enum What {
    Notify(Box<Call>, &'static str, Value),
    Finish(Box<Call>, Reply),
    /// Adds one to the counter, and says that it is done.
    Bump(Box<Call>),
    /// Begins to work on a task.
    Work(Box<Call>),
    /// The client has had long enough to answer the request with this id.
    Expire(Value),
    /// Asks the client how far it is with the task of this id.
    Poll(String),
    /// Says what has changed.
    Announce,
    /// Takes a tool from the list again, or puts it there.
    Toggle,
    /// Ends the process.
    Crash,
}

struct Due {
    at: Duration,
    key: Option<u64>,
    what: What,
}

/// The clock of a connection, and what happens when.
#[derive(Default)]
pub(super) struct Schedule {
    now: Duration,
    queue: Vec<Due>,
}

impl Schedule {
    /// The time of the last call from outside.
    pub(super) fn now(&self) -> Duration {
        self.now
    }

    /// Moves the clock on; it never goes back.
    pub(super) fn advance(&mut self, now: Duration) {
        self.now = self.now.max(now);
    }

    /// Puts something off on behalf of a request.
    pub(super) fn add(&mut self, after: Duration, key: Option<u64>, what: What) {
        self.queue.push(Due { at: self.now + after, key, what });
    }

    /// Takes out the first thing that is due.
    pub(super) fn pop_due(&mut self) -> Option<What> {
        let index = self.first().filter(|index| self.queue[*index].at <= self.now)?;
        Some(self.queue.remove(index).what)
    }

    /// Whether changes are to be announced later.
    pub(super) fn announces(&self) -> bool {
        self.queue.iter().any(|due| matches!(due.what, What::Announce))
    }

    /// When the first thing is due.
    pub(super) fn next_due(&self) -> Option<Duration> {
        self.first().map(|index| self.queue[index].at)
    }

    fn first(&self) -> Option<usize> {
        // Of those due at the same time the first that was put in.
        (0..self.queue.len()).min_by_key(|index| (self.queue[*index].at, *index))
    }

    /// Whether something is due for a request, and not for a task or the client.
    pub(super) fn is_busy(&self) -> bool {
        !self.queue.iter().all(|due| match &due.what {
            What::Expire(_) | What::Poll(_) | What::Work(_) | What::Announce | What::Toggle | What::Crash => true,
            What::Notify(call, ..) | What::Finish(call, _) | What::Bump(call) => call.task.is_some(),
        })
    }

    /// How long it is until the last request that is being worked on is answered.
    pub(super) fn busy_for(&self) -> Option<Duration> {
        let finished =
            self.queue.iter().filter(|due| matches!(&due.what, What::Finish(call, _) if call.task.is_none()));
        finished.map(|due| due.at.saturating_sub(self.now)).max()
    }

    /// Forgets everything that belongs to a request.
    pub(super) fn drop_request(&mut self, key: u64) {
        self.queue.retain(|due| due.key != Some(key));
    }

    /// Forgets the answer to a request, but not its notifications.
    pub(super) fn drop_answer(&mut self, key: u64) {
        self.queue.retain(|due| due.key != Some(key) || matches!(due.what, What::Notify(..)));
    }

    /// The call behind a request that will end later.
    pub(super) fn waiting_call(&self, key: u64) -> Option<Call> {
        self.queue.iter().find_map(|due| match &due.what {
            What::Finish(call, _) if due.key == Some(key) => Some((**call).clone()),
            _ => None,
        })
    }
}
