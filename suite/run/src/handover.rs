//! Sessions that one scenario leaves to another that needs just such a one.

use std::cell::{Cell, RefCell};
use std::rc::Rc;
use std::time::Duration;

use tokio::sync::Notify;
use tokio::time::timeout;
use verdict::Revision;

use crate::Session;
use crate::leases::{Counted, Lease};

/// How long what was promised is waited for, beside the time that processes take to start.
const PATIENCE: Duration = Duration::from_secs(1);

/// Sessions that are ready for requests, which one scenario leaves to another.
#[derive(Debug, Default)]
pub(crate) struct Handover {
    promised: Cell<bool>,
    /// With what has others wait for them.
    offered: RefCell<Vec<(Session, Option<Counted>)>>,
    settled: Notify,
}

/// While it lasts, a session may be offered.
pub(crate) struct Promise(Rc<Handover>);

impl Handover {
    /// Has whoever needs a session wait for what is offered.
    pub(crate) fn promise(self: &Rc<Self>) -> Promise {
        self.promised.set(true);
        Promise(Rc::clone(self))
    }

    pub(crate) fn offer(&self, session: Session) {
        self.offered.borrow_mut().push((session, None));
    }

    /// Offers one that others may have afterwards, and for which they wait until then.
    pub(crate) async fn pass_on(&self, lease: Lease) {
        let passed_on = lease.passed_on().await;
        self.offered.borrow_mut().extend(passed_on);
    }

    /// What is offered, once it is known whether anything is; whoever promised may wait for the server for long, this does not.
    pub(crate) async fn awaited(&self, revision: Revision, started_in: Duration) -> Option<Session> {
        let _ = timeout(PATIENCE + started_in * 2, self.known()).await;
        self.take().filter(|session| session.revision() == Some(revision) && !session.is_down())
    }

    /// Waits until it is known whether anything is offered.
    pub(crate) async fn known(&self) {
        // Those that were started together find each other here.
        tokio::task::yield_now().await;
        while self.promised.get() {
            self.settled.notified().await;
        }
    }

    pub(crate) fn take(&self) -> Option<Session> {
        self.take_awaited().map(|(session, _)| session)
    }

    pub(crate) fn take_awaited(&self) -> Option<(Session, Option<Counted>)> {
        self.offered.borrow_mut().pop()
    }
}

impl Drop for Promise {
    fn drop(&mut self) {
        self.0.promised.set(false);
        self.0.settled.notify_waiters();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[tokio::test]
    async fn who_has_time_waits_until_it_is_known() {
        let handover = Rc::new(Handover::default());
        let promise = handover.promise();
        let known = handover.known();
        tokio::pin!(known);
        assert!(timeout(PATIENCE * 2, &mut known).await.is_err(), "it is waited for");
        drop(promise);
        assert!(timeout(PATIENCE / 2, known).await.is_ok(), "nothing is promised any more");
    }

    #[tokio::test]
    async fn what_was_promised_is_not_waited_for_for_ever() {
        let handover = Rc::new(Handover::default());
        assert!(handover.awaited(Revision::LATEST, Duration::ZERO).await.is_none(), "nothing was promised");
        let promise = handover.promise();
        let awaited = handover.awaited(Revision::LATEST, Duration::ZERO);
        assert!(timeout(PATIENCE / 2, awaited).await.is_err(), "it is waited for");
        assert!(handover.awaited(Revision::LATEST, Duration::ZERO).await.is_none());
        drop(promise);
        let awaited = handover.awaited(Revision::LATEST, Duration::ZERO);
        assert!(timeout(PATIENCE / 2, awaited).await.is_ok(), "nothing is promised any more");
    }
}
