//! Which era a server is of, and which revision it speaks.
//!
//! By the versioning page of 2026-07-28: a server that answers `server/discover` with a result or with one of the three
//! errors of that revision is modern; anything else, or silence, means it is not. Eras are never mixed on one process.

use std::rc::Rc;
use std::time::{Duration, Instant};
use wire::mcp::code;

use serde_json::json;
use tokio::task::spawn_local;
use verdict::{Era, Purpose, Revision, Transport};

use super::Plan;
use super::overtaken::Failed;
use crate::opener::Opener;
use crate::opening::Opening;
use crate::progress::Progress;
use crate::{RequestOutcome, Session, Trouble};

/// Missing or differing header, missing client capability, unsupported version.
const MODERN_ERRORS: [i64; 3] =
    [code::HEADER_MISMATCH, code::MISSING_CLIENT_CAPABILITY, code::UNSUPPORTED_PROTOCOL_VERSION];
/// How much longer a server may take for its first `server/discover` than for its first `initialize`.
const BEYOND: Duration = Duration::from_secs(1);

impl Plan<'_> {
    /// Opens the main session in the newest revision that the server speaks.
    pub(super) async fn newest(&self, opener: &Rc<Opener>) -> Result<(Session, Revision), Trouble> {
        (self.tell)(Progress::Phase("finding the revision"));
        if self.target().transport() == Transport::Sse {
            return self.newest_of_stream(opener).await;
        }
        if opener.is_alone() {
            return self.newest_in_turn(opener).await;
        }
        match self.beside(opener, Revision::LATEST_HANDSHAKE, self.newest_of_two(opener)).await {
            Ok(session) => Ok(found(session)),
            Err(failed) => self.refused(opener, failed).await,
        }
    }

    /// `server/discover` and `initialize` at once, each to a process of its own.
    async fn newest_of_two(&self, opener: &Rc<Opener>) -> Result<Session, Trouble> {
        let began = Instant::now();
        let modern = opener.connect(Opening::new(Purpose::Main, Revision::LATEST))?;
        let legacy = opener.connect(Opening::new(Purpose::Main, Revision::LATEST_HANDSHAKE))?;
        let (asking, greeting) = (modern.clone(), legacy.clone());
        let mut found = spawn_local(async move { asking.ask("server/discover", json!({})).opening().send().await });
        let mut greeted =
            spawn_local(async move { greeting.handshake(Revision::LATEST_HANDSHAKE.as_str(), json!({}), None).await });
        let mut ready = None;
        let outcome = tokio::select! {
            outcome = &mut found => outcome.ok(),
            result = &mut greeted => {
                let patience = if matches!(result, Ok(Ok(_))) { began.elapsed() * 2 + BEYOND } else { self.options.timeout };
                ready = Some(result);
                tokio::time::timeout(patience, &mut found).await.ok().and_then(Result::ok)
            }
        };
        if outcome.as_ref().is_some_and(|outcome| is_modern(&modern, outcome)) && !modern.disowns_modern().await {
            if modern.transport() == Transport::Stdio && matches!(ready, None | Some(Ok(Ok(_)))) {
                opener.leases().keep_older(legacy, ready.is_none().then_some(greeted));
            } else {
                greeted.abort();
                legacy.kill().await;
            }
            modern.find_capabilities().await;
            return Ok(modern);
        }
        doubt(opener, &modern, &legacy);
        found.abort();
        if outcome.is_some_and(|outcome| outcome.error_code().is_some()) && modern.transport() == Transport::Stdio {
            opener.leases().keep_refused(modern);
        } else {
            modern.kill().await;
        }
        let ready = match ready {
            Some(ready) => ready,
            None => greeted.await,
        };
        match ready.unwrap_or(Err(Trouble::Interrupted)) {
            Ok(_) => Ok(legacy),
            Err(trouble) => {
                legacy.kill().await;
                Err(trouble)
            }
        }
    }

    /// A session with a server that refuses `initialize`, and speaks 2026-07-28 although it does not answer `server/discover` so.
    async fn undiscovered(&self, opener: &Rc<Opener>, trouble: &Trouble) -> Option<Session> {
        if !matches!(trouble, Trouble::Refused { status: None, .. }) {
            return None;
        }
        let session = opener.ready(Opening::new(Purpose::Main, Revision::LATEST), Revision::LATEST).await.ok()?;
        if session.speaks_modern() {
            return Some(session);
        }
        session.kill().await;
        None
    }

    /// One process after the other.
    async fn newest_in_turn(&self, opener: &Rc<Opener>) -> Result<(Session, Revision), Trouble> {
        let modern = opener.open(Opening::new(Purpose::Main, Revision::LATEST)).await?;
        let outcome = modern.ask("server/discover", json!({})).opening().send().await;
        if is_modern(&modern, &outcome) && !modern.disowns_modern().await {
            modern.find_capabilities().await;
            return Ok((modern, Revision::LATEST));
        }
        modern.kill().await;
        let legacy = opener.open(Opening::new(Purpose::Main, Revision::LATEST_HANDSHAKE)).await?;
        match legacy.handshake(Revision::LATEST_HANDSHAKE.as_str(), json!({}), None).await {
            Ok(_) => Ok(shaken(legacy)),
            Err(trouble) => {
                legacy.kill().await;
                self.refused(opener, Failed::untried(trouble)).await
            }
        }
    }

    /// The handshake did not come about: another way in.
    async fn refused(&self, opener: &Rc<Opener>, failed: Failed) -> Result<(Session, Revision), Trouble> {
        match self.undiscovered(opener, &failed.trouble).await {
            Some(modern) => Ok((modern, Revision::LATEST)),
            None => Ok(shaken(self.or_rescued(opener, Revision::LATEST_HANDSHAKE, failed).await?)),
        }
    }

    /// One session after the other: servers of HTTP+SSE are old, and some can serve one client only.
    async fn newest_of_stream(&self, opener: &Rc<Opener>) -> Result<(Session, Revision), Trouble> {
        let legacy = opener.connect(Opening::new(Purpose::Main, Revision::LATEST_HANDSHAKE))?;
        let greeted = legacy.handshake(Revision::LATEST_HANDSHAKE.as_str(), json!({}), None).await;
        if greeted.is_ok() && legacy.revision() != Some(Revision::LATEST_HANDSHAKE) {
            return Ok(shaken(legacy));
        }
        if let Err(trouble @ (Trouble::NoEndpoint { .. } | Trouble::Unreachable { .. })) = greeted {
            legacy.kill().await;
            return Err(trouble);
        }
        let modern = opener.connect(Opening::new(Purpose::Main, Revision::LATEST))?;
        let outcome = modern.ask("server/discover", json!({})).limit(self.options.timeout).send().await;
        if is_modern(&modern, &outcome) && !modern.disowns_modern().await {
            legacy.kill().await;
            modern.find_capabilities().await;
            return Ok((modern, Revision::LATEST));
        }
        modern.kill().await;
        match greeted {
            Ok(_) => Ok(shaken(legacy)),
            Err(trouble) => {
                legacy.kill().await;
                Ok(shaken(self.rescue(opener, Revision::LATEST_HANDSHAKE, trouble).await?))
            }
        }
    }

    /// Opens the main session in one revision.
    pub(super) async fn in_revision(&self, opener: &Rc<Opener>, revision: Revision) -> Result<Session, Trouble> {
        let plain = opener.met(Opening::new(Purpose::Main, revision), revision);
        let session = match self.beside(opener, revision, plain).await {
            Err(failed) if revision.is_handshake() => self.or_rescued(opener, revision, failed).await?,
            ready => ready.map_err(|failed| failed.trouble)?,
        };
        let offered = match revision.era() {
            Era::Stateless if !session.speaks_modern() => "a result without supportedVersions",
            Era::Stateless if session.disowns_modern().await => {
                "supportedVersions without it, and error -32022 to a request of it"
            }
            _ => return Ok(session),
        };
        session.kill().await;
        Err(Trouble::Revision { asked: revision.to_string(), offered: offered.to_owned() })
    }
}

/// One of the two ended without a word while the other answers: it may have been in the way.
fn doubt(opener: &Opener, modern: &Session, legacy: &Session) {
    for (session, revision) in [(modern, Revision::LATEST), (legacy, Revision::LATEST_HANDSHAKE)] {
        if session.transport() == Transport::Stdio && session.ended_mute() {
            opener.turns().doubt(session, &Opening::new(Purpose::Main, revision), revision);
        }
    }
}

/// The main session with its revision.
fn found(session: Session) -> (Session, Revision) {
    match session.era() {
        Era::Stateless => (session, Revision::LATEST),
        Era::Handshake => shaken(session),
    }
}

/// A session after its handshake, with the revision of it: the one that was asked for where the server named none that is known.
fn shaken(session: Session) -> (Session, Revision) {
    let revision = session.revision().unwrap_or(Revision::LATEST_HANDSHAKE);
    (session, revision)
}

/// A result with `supportedVersions`, or one of the errors that only 2026-07-28 has.
fn is_modern(session: &Session, outcome: &RequestOutcome) -> bool {
    let RequestOutcome::Answer(message) = outcome else { return false };
    match message.error_code() {
        Some(code) => MODERN_ERRORS.contains(&code),
        None => {
            session.settle_opening(message);
            session.speaks_modern()
        }
    }
}
