//! A second chance for a server that does not take the plainest handshake: a client that declares everything, and one
//! that says something else first. Rules judge what that shows; without it nothing could be judged.

use std::rc::Rc;
use std::time::Duration;

use serde_json::json;
use tokio::time::timeout;
use verdict::{Purpose, Revision};

use super::Plan;
use crate::opener::Opener;
use crate::opening::Opening;
use crate::{Session, Trouble};

impl Plan<'_> {
    /// A session with a server that did not answer, or refused, `initialize`; the trouble itself if nothing helps.
    pub(super) async fn rescue(
        &self,
        opener: &Rc<Opener>,
        revision: Revision,
        trouble: Trouble,
    ) -> Result<Session, Trouble> {
        if !matches!(trouble, Trouble::Refused { .. } | Trouble::Silent { .. } | Trouble::Ended { .. }) {
            return Err(trouble);
        }
        if opener.is_alone() {
            return self.rescue_in_turn(opener, revision, trouble).await;
        }
        let declaring = opener.connect(Opening::new(Purpose::Main, Revision::LATEST_HANDSHAKE).full())?;
        let talking = opener.connect(Opening::new(Purpose::Main, Revision::LATEST_HANDSHAKE))?;
        let limit = self.options.timeout;
        let (declared, talked) = tokio::join!(shaken(&declaring, revision, limit), async {
            talking.is_alive().await;
            shaken(&talking, revision, limit).await
        });
        match (declared, talked) {
            (true, _) => {
                talking.kill().await;
                opener.declare();
                Ok(declaring)
            }
            (false, true) => {
                declaring.kill().await;
                Ok(talking)
            }
            (false, false) => {
                declaring.kill().await;
                talking.kill().await;
                Err(trouble)
            }
        }
    }
}

impl Plan<'_> {
    /// The same with one process after the other.
    async fn rescue_in_turn(
        &self,
        opener: &Rc<Opener>,
        revision: Revision,
        trouble: Trouble,
    ) -> Result<Session, Trouble> {
        let declaring = opener.open(Opening::new(Purpose::Main, Revision::LATEST_HANDSHAKE).full()).await?;
        if shaken(&declaring, revision, self.options.timeout).await {
            opener.declare();
            return Ok(declaring);
        }
        declaring.kill().await;
        let talking = opener.open(Opening::new(Purpose::Main, Revision::LATEST_HANDSHAKE)).await?;
        talking.is_alive().await;
        if shaken(&talking, revision, self.options.timeout).await {
            return Ok(talking);
        }
        talking.kill().await;
        Err(trouble)
    }
}

/// Whether the handshake came about within the ordinary time limit.
async fn shaken(session: &Session, revision: Revision, limit: Duration) -> bool {
    let done = timeout(limit, session.handshake(revision.as_str(), json!({}), None)).await;
    matches!(done, Ok(Ok(_))) && session.revision() == Some(revision)
}
