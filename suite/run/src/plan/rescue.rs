//! A second chance for a server that does not take the plainest handshake: a client that declares everything, and one
//! that says something else first. Rules judge what that shows; without it nothing could be judged.

use std::rc::Rc;
use std::time::Duration;

use serde_json::json;
use tokio::time::timeout;
use verdict::{Intent, Purpose, Revision};

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
        let others = Others::open(opener)?;
        let shaken = others.shaken(revision, self.options.timeout).await;
        others.chosen(opener, shaken).await.ok_or(trouble)
    }

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

/// The other two ways in, each on a session of its own.
pub(super) struct Others {
    declaring: Session,
    talking: Session,
}

/// By which of them the handshake came about.
#[derive(Clone, Copy)]
pub(super) struct Shaken {
    declared: bool,
    talked: bool,
}

impl Shaken {
    pub(super) fn any(self) -> bool {
        self.declared || self.talked
    }
}

impl Others {
    pub(super) fn open(opener: &Rc<Opener>) -> Result<Self, Trouble> {
        let plain = Opening::new(Purpose::Main, Revision::LATEST_HANDSHAKE);
        Ok(Self { declaring: opener.connect(plain.clone().full())?, talking: opener.connect(plain)? })
    }

    /// Tries both at once, each within this time.
    pub(super) async fn shaken(&self, revision: Revision, limit: Duration) -> Shaken {
        let (declared, talked) = tokio::join!(shaken(&self.declaring, revision, limit), async {
            self.talking.is_alive().await;
            shaken(&self.talking, revision, limit).await
        });
        Shaken { declared, talked }
    }

    /// The session of the one that came about.
    pub(super) async fn chosen(self, opener: &Opener, shaken: Shaken) -> Option<Session> {
        if shaken.declared {
            end(&self.talking).await;
            opener.declare();
            return Some(self.declaring);
        }
        end(&self.declaring).await;
        if shaken.talked {
            return Some(self.talking);
        }
        end(&self.talking).await;
        None
    }

    pub(super) async fn end(self) {
        end(&self.declaring).await;
        end(&self.talking).await;
    }
}

/// Ends a session whose handshake is waited for no longer: an answer that comes now comes because the input ends.
async fn end(session: &Session) {
    if !session.has_spoken() {
        session.record_probe("opening", Intent::Eof, json!({"when": "handshake"}));
    }
    session.kill().await;
}

/// Whether the handshake came about within the ordinary time limit.
async fn shaken(session: &Session, revision: Revision, limit: Duration) -> bool {
    let done = timeout(limit, session.handshake(revision.as_str(), json!({}), None)).await;
    matches!(done, Ok(Ok(_))) && session.revision() == Some(revision)
}
