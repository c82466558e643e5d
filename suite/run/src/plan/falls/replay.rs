//! The same messages again, in a fresh process of the server.

use std::time::Duration;

use super::Sent;
use crate::opening::Opening;
use crate::scenario::Cx;
use crate::session::Profile;
use crate::{RequestOutcome, Session};

/// Added to the time that the server took to fall: no two processes are alike.
const SLACK: Duration = Duration::from_millis(100);
/// How long after a message a fall is waited for at most.
const LONGEST: Duration = Duration::from_secs(3);
/// How long a server that fell silent is asked for a sign of life; longer if it starts slowly.
const QUIET: Duration = Duration::from_millis(1_500);

/// How sessions are opened that repeat what another was sent.
pub(super) struct Replay<'c> {
    pub(super) cx: &'c Cx,
    opening: Vec<Sent>,
    /// The process ended; else it only stopped answering.
    pub(super) ended: bool,
    /// When the server fell.
    at: Duration,
}

impl<'c> Replay<'c> {
    pub(super) fn new(cx: &'c Cx, ended: bool, at: Duration, opening: Vec<Sent>) -> Self {
        Self { cx, opening, ended, at }
    }

    /// How long a fall may take to come after these messages; without any, after the session was opened.
    pub(super) fn patience(&self, sent: &[Sent]) -> Duration {
        let first = sent.first().or(self.opening.last()).map_or(self.at, |first| first.at);
        let after = self.at.saturating_sub(first).min(LONGEST);
        after + after / 2 + SLACK
    }

    /// The capabilities that the client of the session had declared.
    pub(super) fn profile(&self) -> Profile {
        if self.opening.iter().any(|sent| sent.text.contains("\"sampling\"")) { Profile::Full } else { Profile::Bare }
    }

    /// Whether a process falls that is sent these messages and nothing else.
    pub(super) async fn falls(&self, sent: &[Sent]) -> bool {
        let mut opening = Opening::new("replay", self.cx.profile.revision).outside();
        opening.profile = self.profile();
        let Ok(session) = self.cx.opener.open(opening).await else { return false };
        let opened = self.open(&session).await;
        let fell = opened && self.fells(&session, sent).await;
        session.kill().await;
        fell
    }

    async fn open(&self, session: &Session) -> bool {
        for sent in &self.opening {
            let raw = session.raw(sent.text.clone());
            if !sent.asks {
                raw.send().await;
            } else if !matches!(raw.answered().await, RequestOutcome::Answer(_)) {
                return false;
            }
        }
        true
    }

    async fn fells(&self, session: &Session, sent: &[Sent]) -> bool {
        for message in sent {
            session.raw(message.text.clone()).begin();
        }
        let limit = QUIET.max(session.slowest_start() * 3).min(session.limit());
        if !session.is_answering(limit).await {
            return true;
        }
        self.ended && session.falls_within(self.patience(sent)).await
    }
}
