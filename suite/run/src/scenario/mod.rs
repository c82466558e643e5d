//! Scenarios: what to send, and when. They provoke; they do not judge.

mod auth;
mod caching;
mod cancellation;
pub(crate) mod completion;
mod discover;
mod elicitation;
mod http;
mod jsonrpc;
mod lifecycle;
mod lists;
mod logging;
mod mrtr;
pub(crate) mod observations;
mod pagination;
mod ping;
mod practice;
mod progress;
pub(crate) mod prompts;
pub(crate) mod property;
pub(crate) mod resources;
mod robust;
mod security;
pub(crate) mod sse;
mod stdio;
mod subscriptions;
mod tasks;
pub(crate) mod tools;

use std::future::Future;
use std::pin::Pin;
use std::rc::Rc;
use std::time::Duration;

use crate::handover::Handover;
use crate::leases::{Lease, Wear};
use crate::opener::Opener;
use crate::opening::Opening;
use crate::scenario::observations::ToolObservations;

use crate::{Options, ServerProfile, Session, Trouble};

/// How often a scenario that opens a session for itself alone lets others go first.
const YIELDS: usize = 4;
/// How long a process is left alone at least to see whether it ends for want of work.
const IDLE: Duration = Duration::from_secs(2);

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
    pub applies: fn(&ServerProfile) -> bool,
    /// The script.
    pub run: fn(Cx) -> Running,
}

/// Scenarios that show what they show by calling tools with arguments that these accept.
const CALLING: &[&str] = &[
    "cancellation/effect",
    "cancellation/slow",
    "discover/capability",
    "elicitation/asked",
    "elicitation/modes",
    "http/modern-names",
    "http/modern-parameters",
    "http/modern-streams",
    "http/streams",
    "jsonrpc/own-requests",
    "lists/connections",
    "logging/per-request",
    "logging/sessions",
    "logging/set-level",
    "mrtr/retry",
    "mrtr/state",
    "mrtr/told",
    "ping/while-busy",
    "practice/burst",
    "practice/clients",
    "practice/effects",
    "practice/inputs",
    "practice/keys",
    "practice/lists",
    "practice/slow",
    "practice/timeout",
    "progress/tokens",
    "sampling/tools",
    "subscriptions/beside-calls",
    "tasks/cancelled",
    "tasks/input",
    "tasks/life",
    "tasks/many",
    "tasks/others",
    "tasks/requestor",
    "tasks/short",
    "tools/calls",
    "tools/case-swapped",
    "tools/changing-calls",
    "tools/generated-calls",
    "tools/generated-changing-calls",
    "tools/handles",
    "tools/malformed-calls",
    "tools/task-calls",
    "tools/written",
];

impl Scenario {
    /// Whether it shows less of a server whose tools may not all be called.
    #[must_use]
    pub fn calls_tools(&self) -> bool {
        CALLING.contains(&self.name)
    }
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
    /// Calls tools that change nothing with generated arguments, and what takes strings, on sessions of its own.
    Generated,
    /// Calls tools that may change something with generated arguments, when everything before is over.
    Changing,
    /// Opens sessions of its own, and may end the server: beside everything else where each session has a process, else
    /// when everything else is over, one after the other.
    Last,
}

/// The context of a scenario; cheap to clone.
#[derive(Clone)]
pub struct Cx {
    /// The session of its stage; for `Alone` the main session, to look at but not to use.
    pub session: Session,
    /// The server's profile: what it offers.
    pub profile: Rc<ServerProfile>,
    /// The user's options.
    pub options: Rc<Options>,
    pub(crate) opener: Rc<Opener>,
    /// A session for malformed input.
    pub(crate) for_rough: Rc<Handover>,
    /// A session on which tools are watched.
    pub(crate) for_flow: Rc<Handover>,
    /// Connections on which no tool was called, and on the last of them nothing but lists was asked for.
    pub(crate) for_lists: Rc<Handover>,
    /// A connection on which a slow tool was called.
    pub(crate) for_busy: Rc<Handover>,
    /// The connection on which tools were watched, when that is over.
    pub(crate) for_half: Rc<Handover>,
    pub(crate) observations: Rc<tokio::sync::OnceCell<Option<Rc<ToolObservations>>>>,
    /// The scenario repeats an ambiguous observation: every session that is opened counts as a repetition.
    pub(crate) confirming: bool,
    pub(crate) wanted: Rc<dyn Fn(&str) -> bool>,
}

impl Cx {
    /// Opens a further session: a process of its own on stdio.
    ///
    /// # Errors
    /// When the server cannot be started or reached.
    pub async fn open(&self, opening: Opening) -> Result<Session, Trouble> {
        Self::let_others_go_first().await;
        self.open_first(opening).await
    }

    /// What others wait for starts first.
    pub(crate) async fn let_others_go_first() {
        for _ in 0..YIELDS {
            tokio::task::yield_now().await;
        }
    }

    /// The same ahead of those that nobody waits for.
    pub(crate) async fn open_first(&self, opening: Opening) -> Result<Session, Trouble> {
        self.opener.open(self.marked(opening)).await
    }

    /// Opens a further session in the judged revision, ready for requests (handshake done).
    ///
    /// # Errors
    /// When the server does not open in that revision.
    pub async fn open_ready(&self, opening: Opening) -> Result<Session, Trouble> {
        self.opener.ready(self.marked(opening), self.profile.revision).await
    }

    /// Whether a process that is left alone ends by itself, properly or not: one may then have ended for want of work that was silent as
    /// long as `waited`.
    pub(crate) async fn ends_idle(&self, waited: Duration) -> bool {
        let revision = self.profile.revision;
        let Ok(session) = self.opener.ready(Opening::new("idle", revision).confirm(), revision).await else {
            return false;
        };
        let ends = session.is_alive().await && session.ends_within(IDLE.max(waited * 2)).await;
        session.kill().await;
        ends
    }

    /// A session in the judged revision, ready for requests, that another scenario may have had before: on stdio that saves a process.
    ///
    /// # Errors
    /// When the server does not open in that revision.
    pub async fn lease(&self, opening: Opening, wear: Wear) -> Result<Lease, Trouble> {
        self.opener.lease(self.marked(opening), self.profile.revision, wear).await
    }

    /// The same for a scenario that has one already.
    ///
    /// # Errors
    /// When the server does not open in that revision.
    pub async fn lease_another(&self, opening: Opening, wear: Wear) -> Result<Lease, Trouble> {
        self.opener.lease_another(self.marked(opening), self.profile.revision, wear).await
    }

    /// A session to which nothing has been said; others have it afterwards.
    ///
    /// # Errors
    /// When the server cannot be started or reached.
    pub async fn lease_new(&self, opening: Opening, wear: Wear) -> Result<Lease, Trouble> {
        self.opener.lease_new(self.marked(opening), self.profile.revision, wear).await
    }

    /// One that has refused `server/discover`, and to which nothing else has been said, if there is one.
    pub(crate) fn lease_refused(&self, opening: Opening, wear: Wear) -> Option<Lease> {
        self.opener.lease_refused(&self.marked(opening), wear)
    }

    /// Leaves a session to the scenario that needs just such a one; a repetition gets a fresh one.
    pub(crate) async fn offer(&self, to: &Handover, session: Session) {
        if self.confirming {
            return session.kill().await;
        }
        to.offer(session);
    }

    /// A session that another scenario has left to this one.
    pub(crate) fn handed(&self, from: &Handover, purpose: &str, wear: Wear) -> Option<Lease> {
        let (session, coming) = from.take_awaited().filter(|(session, _)| !session.is_down())?;
        let profile = session.profile();
        let session = session.renewed(purpose, profile);
        Some(match coming {
            Some(coming) => Lease::awaited(session, wear, coming, self.profile.revision),
            None => self.opener.leased(session, self.profile.revision, wear),
        })
    }

    fn marked(&self, opening: Opening) -> Opening {
        if self.confirming { opening.confirm() } else { opening }
    }

    /// Returns how tools behave while they run, observed once for all scenarios; `None` if no session could be opened for it.
    pub async fn observations(&self) -> Option<Rc<ToolObservations>> {
        self.observations.get_or_init(|| ToolObservations::begin(self.clone())).await.clone()
    }

    /// Whether one process is run at a time, since several disturb each other.
    #[must_use]
    pub fn is_alone(&self) -> bool {
        self.opener.is_alone()
    }

    /// Whether the server is a program or on this machine.
    #[must_use]
    pub fn is_loopback(&self) -> bool {
        self.opener.is_loopback()
    }

    /// Whether a requirement is judged in this run: a costly probe can be left out when it is not.
    #[must_use]
    pub fn wants(&self, id: &str) -> bool {
        (self.wanted)(id)
    }
}

/// One slice an area.
static AREAS: &[&[Scenario]] = &[
    lifecycle::SCENARIOS,
    http::SCENARIOS,
    http::modern::SCENARIOS,
    jsonrpc::SCENARIOS,
    pagination::SCENARIOS,
    caching::SCENARIOS,
    discover::SCENARIOS,
    ping::SCENARIOS,
    robust::SCENARIOS,
    sse::SCENARIOS,
    stdio::SCENARIOS,
    security::SCENARIOS,
    tools::SCENARIOS,
    resources::SCENARIOS,
    prompts::SCENARIOS,
    completion::SCENARIOS,
    lists::SCENARIOS,
    logging::SCENARIOS,
    elicitation::SCENARIOS,
    mrtr::SCENARIOS,
    cancellation::SCENARIOS,
    subscriptions::SCENARIOS,
    progress::SCENARIOS,
    practice::SCENARIOS,
    // After the areas, which say more of what both provoke.
    crate::scenario::property::SCENARIOS,
    crate::scenario::property::strings::SCENARIOS,
    tasks::SCENARIOS,
    // Last: what takes a credential is known only when everything has been tried.
    auth::SCENARIOS,
];

/// Every scenario.
pub fn scenarios() -> impl Iterator<Item = &'static Scenario> {
    AREAS.iter().copied().flatten()
}

/// The scenarios that provoke a requirement.
pub fn provoking(id: &str) -> impl Iterator<Item = &'static Scenario> {
    scenarios().filter(move |scenario| scenario.provokes.contains(&id))
}

/// Whether calls of tools show how a server keeps a requirement.
#[must_use]
pub fn shown_by_calls(id: &str) -> bool {
    provoking(id).any(Scenario::calls_tools) || verdict::requirement(id).is_some_and(|found| found.calls)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn scenarios_that_are_said_to_call_tools_are_there() {
        let missing: Vec<&&str> =
            CALLING.iter().filter(|name| !scenarios().any(|scenario| scenario.name == **name)).collect();
        assert!(missing.is_empty(), "no scenario is named {missing:?}");
    }
}
