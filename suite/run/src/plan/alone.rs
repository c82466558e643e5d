//! Servers whose processes disturb each other, judged one process at a time.

use std::rc::Rc;

use tokio::task::JoinHandle;
use verdict::Revision;
use verdict::transcript::Ending;

use super::revision::{Queue, end_flow};
use super::{Finished, Plan};
use crate::opener::Opener;
use crate::opening::Opening;
use crate::progress::Progress;
use crate::scenario::{Cx, Stage};
use crate::turns::{Clash, Manner};
use crate::{Session, Trouble};

/// Processes that are started by themselves before it is said that they do not do better so: what another left may be in the way.
const TRIES: usize = 3;

/// What the report says of it.
const NOTE: &str = "several processes of this server disturb each other: one that was started while another was running did not get as far as one that is alone; they were run one at a time";

impl Plan<'_> {
    /// Judges with processes beside each other; where that is found to disturb them, again from the beginning, one at a time.
    pub(super) async fn judge_undisturbed(&self, finished: &mut Finished) -> Result<(), Trouble> {
        let clash = tokio::select! {
            ended = self.judge_revisions(finished) => return ended,
            clash = self.turns.disturbance() => clash,
        };
        *finished = Finished::default();
        self.turns.clear().await;
        drop(self.state.take());
        (self.tell)(Progress::Phase("starting over: a process did not come up beside another"));
        self.turns.set(Manner::Alone);
        if !self.is_well_alone(&clash).await {
            self.turns.set(Manner::Beside);
        }
        self.judge_revisions(finished).await
    }

    /// Whether a process that failed beside another gets further by itself.
    async fn is_well_alone(&self, clash: &Clash) -> bool {
        let Ok(opener) = self.opener() else { return false };
        for _ in 0..TRIES {
            let Ok(session) = opener.open(clash.opening.clone()).await else { return false };
            let ready = Opener::greet(&session, clash.revision).await.is_ok();
            let well = ready || !clash.spoke && session.has_spoken();
            session.kill().await;
            session.over().await;
            if well {
                return true;
            }
        }
        false
    }

    /// Says so in the report.
    pub(super) fn note_alone(&self, revision: Revision) {
        if self.turns.are_alone() {
            self.add_note(revision, NOTE);
        }
    }

    /// Looks whether a process that ended without a word did so because others were running: whether one that is started now
    /// comes to anything.
    pub(super) async fn look_beside(&self, cx: &Cx) {
        if !cx.session.is_down() && cx.opener.turns().any(Session::ended_mute) {
            let revision = cx.profile.revision;
            if let Ok(session) = cx.opener.ready(Opening::new("beside", revision), revision).await {
                session.kill().await;
            }
        }
    }

    /// What is left when the main session's part is done, one scenario after the other, each with processes of its own.
    pub(super) async fn one_at_a_time(&self, cx: &Cx, queue: &Queue) -> JoinHandle<Ending> {
        (self.tell)(Progress::Phase("probing, one process at a time"));
        self.shared(cx, queue).await;
        self.walk_again(&cx.session).await;
        self.ordered(cx, queue).await;
        let closing = super::stages::closing(cx);
        cx.session.over().await;
        for stage in [Stage::Alone, Stage::Generated, Stage::Rough, Stage::Changing, Stage::Last] {
            if stage == Stage::Rough {
                self.rough(cx, queue).await;
                continue;
            }
            for scenario in queue.of(stage) {
                let own = Cx { observations: Rc::default(), ..cx.clone() };
                self.step(scenario, &own, queue).await;
                end_flow(&own).await;
                self.turn_away(&own).await;
            }
        }
        closing
    }
}
