//! A handshake that takes long, and the other ways in beside it: a server that takes one of them meanwhile is not slow to start.

use std::rc::Rc;

use serde_json::json;
use tokio::time::timeout;
use verdict::{Intent, Purpose, Revision, Transport};

use super::Plan;
use super::rescue::{Others, Shaken};
use crate::opener::Opener;
use crate::opening::Opening;
use crate::{Session, Trouble};

/// Why the plain handshake did not come about, and whether the other ways in were tried meanwhile.
pub(super) struct Failed {
    pub(super) trouble: Trouble,
    tried: bool,
}

impl Failed {
    pub(super) fn untried(trouble: Trouble) -> Self {
        Self { trouble, tried: false }
    }
}

/// What came of the other ways.
struct Tried {
    shaken: Shaken,
    /// `initialize` was answered when the input had ended.
    at_the_end: bool,
}

impl Plan<'_> {
    /// What comes of the plain handshake, or of what is tried beside it once it takes longer than an ordinary request.
    pub(super) async fn beside(
        &self,
        opener: &Rc<Opener>,
        revision: Revision,
        plain: impl Future<Output = Result<Session, Trouble>>,
    ) -> Result<Session, Failed> {
        tokio::pin!(plain);
        // Some servers of HTTP+SSE serve one client only.
        let in_turn = opener.is_alone() || self.target().transport() == Transport::Sse || !revision.is_handshake();
        if in_turn {
            return plain.await.map_err(Failed::untried);
        }
        if let Ok(done) = timeout(self.options.timeout, &mut plain).await {
            return done.map_err(Failed::untried);
        }
        let Ok(others) = Others::open(opener) else { return plain.await.map_err(Failed::untried) };
        let (plain, tried) = {
            let trying = self.tried(opener, revision, &others);
            tokio::pin!(trying);
            tokio::select! {
                plain = &mut plain => match plain {
                    Ok(session) => (Ok(session), None),
                    Err(trouble) => (Err(trouble), Some(trying.await)),
                },
                tried = &mut trying => (plain.await, Some(tried)),
            }
        };
        let (trouble, tried) = match (plain, tried) {
            (Err(trouble), Some(tried)) => (trouble, tried),
            (plain, _) => {
                others.end().await;
                return plain.map_err(Failed::untried);
            }
        };
        // The first process of all may be slower than those after it.
        if tried.shaken.any()
            && let Ok(session) = opener.met(Opening::new(Purpose::Main, revision), revision).await
        {
            others.end().await;
            return Ok(session);
        }
        others.chosen(opener, tried.shaken).await.ok_or_else(|| tried.failed(trouble))
    }

    /// Tries the other ways, and tells who waits for the plain one as soon as one of them came about.
    async fn tried(&self, opener: &Rc<Opener>, revision: Revision, others: &Others) -> Tried {
        let overtakes = |came| {
            if came {
                opener.learned().overtaken.notify_waiters();
            }
        };
        let shaken = async {
            let shaken = others.shaken(revision, self.options.timeout).await;
            overtakes(shaken.any());
            shaken
        };
        let at_the_end = async {
            let answers = self.answers_at_the_end(opener, revision).await;
            overtakes(answers);
            answers
        };
        let (shaken, at_the_end) = tokio::join!(shaken, at_the_end);
        Tried { shaken, at_the_end }
    }

    /// Whether `initialize` is answered by a process whose input ends right behind it: then what it wrote before was not flushed.
    async fn answers_at_the_end(&self, opener: &Rc<Opener>, revision: Revision) -> bool {
        if self.target().transport() != Transport::Stdio {
            return false;
        }
        let Ok(session) = opener.connect(Opening::new(Purpose::Main, Revision::LATEST_HANDSHAKE)) else { return false };
        session.record_probe("opening", Intent::Eof, json!({"when": "handshake"}));
        session.initializes_at_the_end(revision.as_str(), self.options.timeout).await
    }

    /// Another way in, if none was tried yet.
    pub(super) async fn or_rescued(
        &self,
        opener: &Rc<Opener>,
        revision: Revision,
        Failed { trouble, tried }: Failed,
    ) -> Result<Session, Trouble> {
        if tried { Err(trouble) } else { self.rescue(opener, revision, trouble).await }
    }
}

impl Tried {
    /// Why no session came about.
    fn failed(&self, trouble: Trouble) -> Failed {
        let trouble = match trouble {
            Trouble::Silent { waiting, .. } if self.at_the_end => Trouble::Unflushed { waiting },
            trouble => trouble,
        };
        Failed { trouble, tried: true }
    }
}
