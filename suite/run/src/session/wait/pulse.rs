//! Whether the server answers anything at all while a request waits for its answer.

use std::time::{Duration, Instant};

use tokio::task::spawn_local;

use super::super::Session;
use super::super::state::Health;

impl Session {
    /// Asks the server for a sign of life because a request that was sent at `began` has no answer. If nothing was answered when the
    /// time of that request is up, the server answers nobody any more. Whoever waits for the request may be gone by then.
    pub(super) fn take_pulse(&self, began: Instant, limit: Duration) {
        let session = self.clone();
        if self.0.pulse.replace(true) {
            return;
        }
        spawn_local(async move {
            let sign = session.sign_of_life(session.limit());
            tokio::pin!(sign);
            let silent = tokio::time::timeout(limit.saturating_sub(began.elapsed()), &mut sign).await.is_err();
            session.0.pulse.set(false);
            if silent {
                if !session.0.in_flight.borrow().has_answered_after(began) && !session.is_down() {
                    session.fall_silent();
                }
                // It may come late, from a server that works through one request after the other.
                sign.await;
            }
        });
    }

    /// Ends when it is known that the server answers nobody any more.
    pub(super) async fn given_up(&self) {
        let unresponsive = async {
            loop {
                let heard = self.0.heard.notified();
                if self.0.health() == Health::Unresponsive {
                    return;
                }
                heard.await;
            }
        };
        tokio::select! {
            () = unresponsive => {}
            () = self.0.settings.learned.standstill.reached() => {}
        }
    }

    /// Notes that the server answers: what it left unanswered before is lost.
    pub(super) fn note_heard_again(&self) {
        (0..self.0.missed.take()).for_each(|_| self.0.note_lost());
    }

    /// Notes that nothing is answered any more.
    pub(in super::super) fn fall_silent(&self) {
        let first = self.0.in_flight.borrow().first_unanswered();
        if let Some(text) = first {
            self.0.settings.learned.suspect(&text, self.is_careful());
        }
        self.0.worsen(Health::Unresponsive);
    }
}
