//! Several revisions at a time. A program is judged in all at once, each in processes of its own. Behind a URL there is one
//! server: on this machine it may be, if it shows that it serves clients of all its revisions beside each other.

use std::time::Duration;

use futures_util::future::join_all;
use tokio::time::timeout;
use verdict::Revision;

use super::{Finished, Plan};
use crate::opening::Opening;
use crate::{Session, Target, Trouble};

/// A server that takes longer to let five clients in is judged in one revision after the other.
const TRIAL: Duration = Duration::from_secs(2);

/// A revision that has been judged, or could not be.
pub(super) struct Done {
    revision: Revision,
    finished: Finished,
    ended: Result<(), Trouble>,
}

impl Plan<'_> {
    /// Judges each revision.
    pub(super) async fn judge_each(&self) {
        let beside = matches!(self.target(), Target::Program { .. }) && !self.turns.are_alone();
        if beside || self.serves_all_at_once().await {
            join_all(Revision::ALL.map(|revision| self.judge_and_keep(revision))).await;
            return;
        }
        for revision in Revision::ALL {
            self.judge_and_keep(revision).await;
        }
    }

    async fn judge_and_keep(&self, revision: Revision) {
        let mut finished = Finished::default();
        let ended = self.judge_one(revision, &mut finished).await;
        let mut state = self.state.borrow_mut();
        state.under_way.retain(|(_, other)| *other != revision);
        state.done.push(Done { revision, finished, ended });
    }

    /// Hands over what has been judged so far, in the order of the revisions, and how each ended.
    pub(super) fn take_done(&self, finished: &mut Finished) -> Vec<(Revision, Result<(), Trouble>)> {
        let mut done = std::mem::take(&mut self.state.borrow_mut().done);
        done.sort_by_key(|done| done.revision);
        let mut ends = Vec::new();
        for Done { revision, finished: own, ended } in done {
            finished.records.extend(own.records);
            finished.transcripts.extend(own.transcripts);
            ends.push((revision, ended));
        }
        ends
    }

    /// A session in each revision that is spoken, all open at the same time, and each answers when all are.
    async fn serves_all_at_once(&self) -> bool {
        let target = self.target();
        matches!(target, Target::Url(_))
            && target.is_own()
            && timeout(TRIAL, self.trial()).await.is_ok_and(|served| served)
    }

    async fn trial(&self) -> bool {
        let Ok(opener) = self.opener() else { return false };
        let opened =
            join_all(Revision::ALL.map(|revision| opener.ready(Opening::new("trial", revision), revision))).await;
        let unclear = |error: &Trouble| !matches!(error, Trouble::Revision { .. });
        let clear = !opened.iter().any(|session| session.as_ref().is_err_and(unclear));
        let sessions: Vec<_> = opened.into_iter().flatten().collect();
        let alive = join_all(sessions.iter().map(Session::is_alive)).await;
        join_all(sessions.iter().map(Session::kill)).await;
        clear && alive.into_iter().all(|alive| alive)
    }
}
