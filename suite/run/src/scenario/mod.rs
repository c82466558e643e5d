//! Scenarios: what to send, and when. They provoke; they do not judge.

mod jsonrpc;
mod lifecycle;
mod pagination;
mod tools;

use std::cell::RefCell;
use std::future::Future;
use std::pin::Pin;
use std::rc::Rc;

use crate::opener::{Opener, Opening};
use crate::{Offer, Options, Session, Trouble};

/// A scenario under way.
pub type Running = Pin<Box<dyn Future<Output = ()>>>;

/// A script that provokes.
#[derive(Clone, Copy)]
pub struct Scenario {
    /// `area/topic`.
    pub name: &'static str,
    /// The requirements that it lets rules observe.
    pub provokes: &'static [&'static str],
    /// On which session, and when.
    pub stage: Stage,
    /// Whether the server offers what it takes.
    pub applies: fn(&Offer) -> bool,
    /// The script.
    pub run: fn(Cx) -> Running,
}

/// On which session a scenario runs, and when.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Stage {
    /// On the main session, together with all others of this stage; leaves it intact.
    Shared,
    /// On the main session, one after the other, after the shared ones.
    Ordered,
    /// Malformed or disruptive input, on a session of its own, one after the other. If the server falls, the scenario is
    /// repeated in fresh sessions, one input at a time.
    Rough,
    /// Opens sessions of its own.
    Alone,
}

/// What a scenario has at hand; cheap to clone.
#[derive(Clone)]
pub struct Cx {
    /// The session of its stage; for `Alone` the main session, to look at but not to use.
    pub session: Session,
    /// What the server offers.
    pub offer: Rc<Offer>,
    /// What the user asked for.
    pub options: Rc<Options>,
    pub(crate) opener: Rc<Opener>,
    pub(crate) donated: Rc<RefCell<Option<Session>>>,
    pub(crate) wanted: Rc<dyn Fn(&str) -> bool>,
}

impl Cx {
    /// Opens a further session: a process of its own on stdio.
    ///
    /// # Errors
    /// When the server cannot be started or reached.
    pub async fn open(&self, opening: Opening) -> Result<Session, Trouble> {
        self.opener.open(opening).await
    }

    /// Opens a further session in the judged revision, ready for requests (handshake done).
    ///
    /// # Errors
    /// When the server does not open in that revision.
    pub async fn open_ready(&self, opening: Opening) -> Result<Session, Trouble> {
        self.opener.ready(opening, self.offer.revision).await
    }

    /// Gives a session that is ready for requests, in the judged revision and with everything declared, to the rough
    /// stage, which saves a process.
    pub fn donate(&self, session: Session) {
        self.donated.replace(Some(session));
    }

    /// Whether a requirement is judged in this run: a costly probe can be left out when it is not.
    #[must_use]
    pub fn wants(&self, id: &str) -> bool {
        (self.wanted)(id)
    }
}

/// One slice an area.
static AREAS: &[&[Scenario]] = &[lifecycle::SCENARIOS, jsonrpc::SCENARIOS, pagination::SCENARIOS, tools::SCENARIOS];

/// Every scenario.
pub fn scenarios() -> impl Iterator<Item = &'static Scenario> {
    AREAS.iter().copied().flatten()
}

/// The scenarios that provoke a requirement.
pub fn provoking(id: &str) -> impl Iterator<Item = &'static Scenario> {
    scenarios().filter(move |scenario| scenario.provokes.contains(&id))
}
