//! A server that lets nobody in: what can be seen of it all the same is how it refuses.

use std::rc::Rc;

use verdict::{Revision, Status};

use super::record_builder::is_about_outsiders;
use super::{Finished, Plan, record_builder};
use crate::opener::Opener;
use crate::opening::Opening;
use crate::progress::Progress;
use crate::{ServerProfile, Trouble};

impl Plan<'_> {
    /// Judges from outside a server that asks for a credential when none was given; the trouble itself otherwise.
    pub(super) async fn outside(
        &self,
        opener: &Rc<Opener>,
        revision: Revision,
        trouble: Trouble,
        finished: &mut Finished,
    ) -> Result<(), Trouble> {
        let refused =
            matches!(trouble, Trouble::Challenged { .. } | Trouble::Refused { status: Some(403 | 300..=399), .. });
        let given = self.options.authorization().is_some();
        if !refused || given || opener.url().is_none() || revision < Revision::V2025_03_26 {
            return Err(trouble);
        }
        let recorder = Rc::clone(opener.recorder());
        self.state.borrow_mut().under_way.push((Rc::clone(&recorder), revision));
        (self.tell)(Progress::Phase("looking at a server that lets nobody in"));
        let session = opener.connect(Opening::new("outside", revision).outsider())?;
        let may_disrupt = self.options.yes_disrupt || self.target().is_own();
        let mut profile = ServerProfile::new(&session, revision, Vec::new(), &self.options, may_disrupt);
        profile.outside = true;
        let cx = self.cx(session, profile, opener);
        let queue = self.queue(&cx.profile, None);
        for scenario in queue.everything().filter(|scenario| scenario.provokes.iter().any(|id| is_about_outsiders(id)))
        {
            let mut one = tokio::task::JoinSet::new();
            one.spawn_local(super::revision::named(scenario, cx.clone()));
            self.wait(&mut one, &queue).await;
        }
        cx.session.kill().await;
        let examined = self.examined(opener, revision).await;
        let judged = |status: Status| matches!(status, Status::Pass | Status::Fail | Status::Inconclusive);
        let seen = examined.verdicts.iter().any(|verdict| verdict.id.starts_with("auth.") && judged(verdict.status));
        // Without a sign that it follows the authorization page, nothing could be judged.
        if !seen {
            return Err(trouble);
        }
        let mut record = record_builder::record(self, &recorder, revision, examined);
        record_builder::from_outside(&mut record);
        record.notes.push(format!(
            "the server lets nobody in without a credential, and was judged from outside alone, by {revision}: \
             --token-env VARIABLE gives one, --protocol names another revision"
        ));
        finished.records.push(record);
        finished.transcripts.push(recorder.take());
        Ok(())
    }
}
