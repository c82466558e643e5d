//! A connection that goes from one scenario to the next.

use verdict::transcript::{Kind, Open};
use verdict::{Era, Revision, Transport};
use wire::Message;

use super::{Profile, Session};

impl Session {
    /// Goes on for another purpose on the same connection: what is recorded from now on belongs to a session of its own.
    fn renew(&self, purpose: &str, outside: bool, confirm: bool) {
        let settings = &self.0.settings;
        let open = Open {
            transport: settings.transport,
            purpose: purpose.to_owned(),
            revision: self.0.is_stateless().then(|| self.0.client.get()),
            confirm,
            outside,
            continues: Some(self.id()),
        };
        let id = self.0.recorder.further_session();
        self.0.recorder.add(id, Kind::Open(open));
        self.0.id.set(id);
        self.0.outside.set(outside);
        self.0.confirm.set(confirm);
        // What was never answered silenced nobody: the connection was given back sound.
        self.0.in_flight.borrow_mut().forget_unanswered();
        self.0.purpose.replace(purpose.to_owned());
    }

    /// The same for a client of this profile, on stdio: over HTTP a session costs little, and streams belong to the one that opened
    /// them.
    pub(crate) fn renewed(self, purpose: &str, profile: Profile) -> Self {
        if self.transport() == Transport::Stdio {
            self.renew(purpose, false, self.0.settings.confirm);
            self.0.profile.set(profile);
        }
        self
    }

    /// Goes on with what no client sends, by which nothing else is judged.
    pub(crate) fn renewed_outside(self, purpose: &str) -> Self {
        self.renew(purpose, true, self.0.settings.confirm);
        self
    }

    /// Goes on with a repetition of what it was for, since that was ambiguous.
    pub(crate) fn repeated(self) -> Self {
        let purpose = self.0.purpose.borrow().clone();
        self.renew(&purpose, false, true);
        self
    }

    /// Goes on as a client of this revision of the handshake, whose first request was refused.
    pub(crate) fn reborn(self, purpose: &str, profile: Profile, revision: Revision) -> Self {
        self.0.client.set(revision);
        self.0.server.borrow_mut().revision = None;
        self.renewed(purpose, profile)
    }

    /// Whether it can be that of a client of this profile.
    pub(crate) fn suits(&self, profile: Profile) -> bool {
        self.profile() == profile || self.era() == Era::Stateless
    }

    /// The number under which the connection was opened.
    pub(crate) fn first_id(&self) -> u32 {
        self.0.first
    }

    /// Whether somebody else can go on with it: nothing is on its way any more, nor will ever be. With `loosely`, what was never
    /// answered does no harm.
    pub(crate) async fn is_sound(&self, loosely: bool) -> bool {
        let complete = || loosely || self.0.in_flight.borrow().is_complete();
        let usable = !self.is_down() && !self.is_ending() && !self.0.lasting.get();
        // What is owed an answer is left as it is: that it was waited for says more than that the server goes on.
        usable && complete() && self.settle().await && !self.0.pulse.get() && complete()
    }
}

/// Whether more comes of a request than its answer.
pub(super) fn lasts(message: &Message) -> bool {
    let method = message.method().unwrap_or_default();
    let task = message.params().is_some_and(|params| params.get("task").is_some());
    task || matches!(method, "logging/setLevel" | "resources/subscribe" | "subscriptions/listen")
}
