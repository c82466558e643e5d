//! A request that was sent: how long its answer is worth waiting for, given what else the server answers meanwhile.

use std::future::pending;
use std::rc::Rc;
use std::time::{Duration, Instant};

use tokio::sync::{Notify, oneshot};
use tokio::time::sleep;
use verdict::Transport;

use super::super::Session;
use super::super::draft::Patience;
use super::super::in_flight::RequestOutcome;
use super::LOST;
use crate::transport::Departure;

/// How much longer a handshake is waited for once another was answered that began later.
const OVERTAKEN: Duration = Duration::from_secs(1);

/// A request that was sent, and how long its answer is waited for.
pub(super) struct Waiting<'s> {
    pub(super) session: &'s Session,
    pub(super) patience: Patience,
    /// The id that the next request had when it was sent.
    pub(super) next: i64,
    pub(super) began: Instant,
    pub(super) limit: Duration,
    /// What tells that the work behind it is over, and how long the answer may take from then on.
    pub(super) over: Option<(Rc<Notify>, Duration)>,
    /// It has all the time that a request has, is none for a sign of life itself, and no repetition, in which one waits to the end.
    pub(super) looks: bool,
    /// Nothing takes time behind it, wrong as it may be: where one that was sent later is answered, it is lost.
    pub(super) plain: bool,
    /// How many bytes it has.
    pub(super) length: usize,
    /// How many times shorter it is waited for because it or its answer gets lost; none if it never is.
    pub(super) haste: Option<u32>,
}

impl<'s> Waiting<'s> {
    /// What came of it.
    pub(super) async fn outcome(
        &mut self,
        mut receiver: oneshot::Receiver<RequestOutcome>,
        departure: &Departure,
    ) -> RequestOutcome {
        tokio::select! {
            biased;
            outcome = &mut receiver => return outcome.unwrap_or(RequestOutcome::Gone),
            () = self.session.given_up() => return RequestOutcome::Silent,
            left = departure.left() => self.began = left,
        }
        let (mut limit, early) = (self.limit, self.limit * 2 / 5);
        let mut looks = self.may_look();
        let mut looked = None;
        let learned = &self.session.0.settings.learned;
        loop {
            let usual = self.session.limit();
            let until = if looks {
                early
            } else if let Some(looked) = looked.filter(|looked| *looked < limit) {
                looked
            } else if self.began.elapsed() < usual {
                limit.min(usual)
            } else {
                limit
            };
            let left = until.saturating_sub(self.began.elapsed());
            tokio::select! {
                biased;
                outcome = &mut receiver => return outcome.unwrap_or(RequestOutcome::Gone),
                () = self.session.given_up() => return RequestOutcome::Silent,
                () = learned.overtaken.notified(), if self.patience == Patience::Start => {
                    limit = limit.min(self.began.elapsed() + OVERTAKEN);
                }
                () = learned.hastened.notified(), if self.haste.is_some() => limit = self.hasten(limit),
                time = self.work_over() => {
                    self.limit = time;
                    limit = limit.min(self.began.elapsed() + time);
                }
                () = sleep(left) => {
                    if looked.take_if(|looked| *looked == until).is_some() {
                        if self.is_passed() {
                            return RequestOutcome::Silent;
                        }
                        continue;
                    }
                    if until < limit && !looks && self.is_worth_more() {
                        continue;
                    }
                    if looks {
                        looks = false;
                        looked = self.plain.then_some(early + LOST);
                        if !self.is_followed() {
                            self.session.take_pulse(self.began, self.limit);
                        }
                        continue;
                    }
                    let longer = self.longer();
                    if longer <= limit || self.is_overtaken() {
                        return RequestOutcome::Silent;
                    }
                    limit = longer;
                }
            }
        }
    }

    /// The limit now that more answers are known to get lost.
    fn hasten(&mut self, limit: Duration) -> Duration {
        let now = self.session.haste_for(self.length);
        let before = self.haste.replace(now).unwrap_or(now);
        self.limit = self.limit * before / now;
        (limit * before / now).max(self.began.elapsed().min(limit))
    }

    /// Ends when it is known that the work behind it is over; gives how long the answer may still take.
    async fn work_over(&self) -> Duration {
        match &self.over {
            Some((over, time)) => {
                over.notified().await;
                *time
            }
            None => pending().await,
        }
    }

    /// Whether silence may mean that the server answers nothing any more: over HTTP each request has its own connection.
    fn may_look(&self) -> bool {
        self.looks && self.patience == Patience::Backlog && self.session.transport() != Transport::Http
    }

    /// Whether more than the usual time makes sense: it is for what takes long, and not for a refusal that never comes.
    fn is_worth_more(&self) -> bool {
        let may_start = self.patience == Patience::Start && self.session.slowest_start().is_zero();
        may_start || !self.session.gives_no_errors()
    }

    /// Something was answered since.
    fn is_followed(&self) -> bool {
        self.session.0.in_flight.borrow().has_answered_after(self.began)
    }

    /// Whether what was asked later is answered.
    fn is_passed(&self) -> bool {
        self.session.0.in_flight.borrow().has_answered_since(self.next)
    }

    /// Whether it is lost rather than late: answers get lost now and then, and what was asked later is answered.
    fn is_overtaken(&self) -> bool {
        self.session.loses_answers() && self.is_passed()
    }

    /// How long it is to be waited for, since the server is seen to work.
    fn longer(&self) -> Duration {
        let in_flight = self.session.0.in_flight.borrow();
        let backlog = || in_flight.backlog(self.next, self.began, self.limit);
        match self.patience {
            Patience::Backlog => backlog(),
            Patience::Start => self.session.slowest_start() * 3,
            Patience::Work => backlog().max(in_flight.at_work(self.began, self.limit)),
        }
    }
}
