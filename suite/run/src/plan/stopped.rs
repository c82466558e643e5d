//! Whether the server at a URL answers anyone at all any more: nobody here can start it again.

use verdict::Transport;

use super::Plan;
use crate::opening::Opening;
use crate::scenario::Cx;

/// The purpose of the sessions that ask for it.
const AGAIN: &str = "again";

impl Plan<'_> {
    /// Asks for what the first session began with, as often in turn as shows that it is not for this session; nothing else is
    /// worth a wait then.
    pub(super) async fn has_stopped(&self, cx: &Cx) -> bool {
        let (standstill, revision) = (&cx.opener.learned().standstill, cx.profile.revision);
        for _ in 0..judge::FAILURES {
            if cx.profile.transport == Transport::Stdio || standstill.is_reached() {
                break;
            }
            match cx.opener.met(Opening::new(AGAIN, revision), revision).await {
                Ok(session) => {
                    session.kill().await;
                    return false;
                }
                Err(trouble) if trouble.is_failure() => {}
                Err(_) => return false,
            }
        }
        standstill.is_reached()
    }
}
