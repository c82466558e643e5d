//! Of which era the server is, as far as its answers to `initialize` tell.

use verdict::Era;

use super::{Case, Session, View};

impl View<'_> {
    /// Every `initialize` that opened, or was to open, a session, and of which it is known what came.
    pub fn greetings(&self) -> impl Iterator<Item = Case<'_>> {
        let older = |session: &&Session<'_>| session.revision.is_none_or(|revision| revision.era() == Era::Handshake);
        let cases = self.sessions.iter().filter(older).flat_map(move |session| {
            session.exchanges.iter().map(move |exchange| Case { view: self, session, exchange })
        });
        cases.filter(|case| case.method() == Some("initialize") && case.is_decided())
    }

    /// Whether the server opens sessions by `initialize`: no if it refused it, unknown if nothing was said.
    #[must_use]
    pub fn shakes_hands(&self) -> Option<bool> {
        let mut refused = None;
        for case in self.greetings() {
            if case.result().is_some() {
                return Some(true);
            }
            if case.error().is_some() || case.status().is_some_and(|status| (400..500).contains(&status)) {
                refused = Some(false);
            }
        }
        refused
    }

    /// The server is known to speak 2026-07-28 and no revision before it.
    #[must_use]
    pub fn is_modern_only(&self) -> bool {
        self.shakes_hands() == Some(false)
    }
}
