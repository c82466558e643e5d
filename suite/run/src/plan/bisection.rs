//! Finding the input that fells a server: the scenarios again, in fresh sessions, one input at a time, nothing twice.

use std::time::Duration;

use tokio::task::{JoinHandle, spawn_local};
use verdict::{Purpose, Revision};

use super::Plan;
use super::revision::Queue;
use crate::Session;
use crate::opener::Opener;
use crate::opening::Opening;
use crate::scenario::{Cx, Stage};
use crate::session::Bisection;

/// Fresh sessions for one run: a server that falls over everything must not keep us for ever.
const SESSIONS: usize = 40;
/// How long answers are waited for in vain meanwhile: a server that is silent now and then, whatever it is asked, falls over nothing
/// that could be found.
const IN_VAIN: Duration = Duration::from_secs(8);

impl Plan<'_> {
    pub(super) async fn bisect(&self, cx: &Cx, queue: &Queue, stages: &[Stage]) {
        if self.has_stopped(cx).await {
            return;
        }
        let bisection = Bisection::until(cx.opener.learned().vain.spent() + IN_VAIN);
        let mut session = None;
        let mut fresh = Fresh { opener: &cx.opener, revision: cx.profile.revision, left: SESSIONS, spare: None };
        for scenario in stages.iter().flat_map(|stage| queue.of(*stage)) {
            while !bisection.is_over(cx.opener.learned()) {
                let own = match session.take() {
                    Some(session) => session,
                    None => match fresh.next(&bisection).await {
                        Some(own) => own,
                        None => return fresh.end().await,
                    },
                };
                let sent = bisection.spent.borrow().len();
                (scenario.run)(Cx { session: own.clone(), ..cx.clone() }).await;
                if !own.is_down() {
                    session = Some(own);
                    break;
                }
                own.kill().await;
                if bisection.spent.borrow().len() == sent {
                    break;
                }
            }
        }
        if let Some(session) = session {
            session.kill().await;
        }
        fresh.end().await;
    }
}

/// Fresh sessions, one after the other; where a process takes long to start, the next one starts ahead.
struct Fresh<'o> {
    opener: &'o Opener,
    revision: Revision,
    left: usize,
    spare: Option<Starting>,
}

/// A session, and whether it comes about.
struct Starting(Session, JoinHandle<bool>);

impl Fresh<'_> {
    async fn next(&mut self, bisection: &Bisection) -> Option<Session> {
        let own = match self.spare.take() {
            Some(spare) => spare,
            None => self.start(bisection).await?,
        };
        if self.opener.turns().is_wide() {
            self.spare = self.start(bisection).await;
        }
        let Starting(session, greeting) = own;
        if greeting.await.is_ok_and(|greeted| greeted) {
            return Some(session);
        }
        session.kill().await;
        None
    }

    async fn start(&mut self, bisection: &Bisection) -> Option<Starting> {
        self.left = self.left.checked_sub(1)?;
        let opening = Opening::new(Purpose::Careful, self.revision).bisection(bisection.further());
        let (session, revision) = (self.opener.open(opening).await.ok()?, self.revision);
        let own = session.clone();
        Some(Starting(session, spawn_local(async move { Opener::greet(&own, revision).await.is_ok() })))
    }

    async fn end(&mut self) {
        if let Some(Starting(session, greeting)) = self.spare.take() {
            greeting.abort();
            session.kill().await;
        }
    }
}
