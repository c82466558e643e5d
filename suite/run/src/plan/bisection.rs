//! Finding the input that fells a server: the scenarios again, in fresh sessions, one input at a time, nothing twice.

use super::Plan;
use super::revision::Queue;
use crate::opening::Opening;
use crate::scenario::{Cx, Stage};
use crate::session::Bisection;

/// Fresh sessions for one run: a server that falls over everything must not keep us for ever.
const SESSIONS: usize = 40;

impl Plan<'_> {
    pub(super) async fn bisect(&self, cx: &Cx, queue: &Queue, stages: &[Stage]) {
        let bisection = Bisection::default();
        let mut session = None;
        let mut left = SESSIONS;
        for scenario in stages.iter().flat_map(|stage| queue.of(*stage)) {
            loop {
                let own = match session.take() {
                    Some(session) => session,
                    None if left == 0 => return,
                    None => {
                        left -= 1;
                        let opening = Opening::new("careful", cx.profile.revision).bisection(bisection.clone());
                        match cx.opener.ready(opening, cx.profile.revision).await {
                            Ok(own) => own,
                            Err(_) => return,
                        }
                    }
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
    }
}
