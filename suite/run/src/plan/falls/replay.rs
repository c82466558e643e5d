//! The same messages again, in a fresh process of the server.

use std::cell::Cell;
use std::time::Duration;

use super::{PROCESSES, Sent};
use crate::opening::Opening;
use crate::scenario::Cx;
use crate::session::Profile;
use crate::{RequestOutcome, Session};

/// Added to the time that the server took to fall: no two processes are alike.
const SLACK: Duration = Duration::from_millis(300);
/// How long a server that fell silent is asked for a sign of life; longer if it starts slowly.
const QUIET: Duration = Duration::from_millis(1_500);

/// How sessions are opened that repeat what another was sent.
pub(super) struct Replay<'c> {
    pub(super) cx: &'c Cx,
    opening: Vec<String>,
    /// The process ended; else it only stopped answering.
    pub(super) ended: bool,
    /// From the first message that may have done it to the fall.
    after: Duration,
    left: Cell<usize>,
}

impl<'c> Replay<'c> {
    pub(super) fn new(cx: &'c Cx, ended: bool, after: Duration, opening: Vec<String>) -> Self {
        Self { cx, opening, ended, after, left: Cell::new(PROCESSES) }
    }

    pub(super) fn is_spent(&self) -> bool {
        self.left.get() == 0
    }

    /// How long a fall may take to come.
    pub(super) fn patience(&self) -> Duration {
        self.after + self.after / 2 + SLACK
    }

    /// The capabilities that the client of the session had declared.
    pub(super) fn profile(&self) -> Profile {
        if self.opening.iter().any(|text| text.contains("\"sampling\"")) { Profile::Full } else { Profile::Bare }
    }

    /// Whether a process falls that is sent these messages and nothing else.
    pub(super) async fn falls(&self, sent: &[Sent]) -> bool {
        let Some(left) = self.left.get().checked_sub(1) else { return false };
        self.left.set(left);
        let mut opening = Opening::new("replay", self.cx.profile.revision).outside();
        opening.profile = self.profile();
        let Ok(session) = self.cx.opener.open(opening).await else { return false };
        let opened = self.open(&session).await;
        let fell = opened && self.fells(&session, sent).await;
        session.kill().await;
        fell
    }

    async fn open(&self, session: &Session) -> bool {
        for text in &self.opening {
            let asks = wire::parse(text.as_bytes(), &wire::Limits::default());
            let asks = asks.messages().iter().any(|message| message.kind == wire::Kind::Request);
            let raw = session.raw(text.clone());
            if !asks {
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
        self.ended && session.ends_within(self.patience()).await
    }
}
