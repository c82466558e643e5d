//! Faults: each breaks one requirement of the catalogue, named by its id, and as far as possible nothing else.

mod amend;
mod auth;
mod caching;
mod calls;
mod cancellation;
mod completion;
mod corners;
mod discover;
mod during;
mod edit;
mod elicitation;
mod handles;
mod http;
mod http_modern;
mod http_sessions;
mod http_streams;
mod intercept;
mod jsonrpc;
mod lifecycle;
mod logging;
mod meta;
mod mrtr;
mod offers;
mod pagination;
mod paging;
mod ping;
mod practice;
mod practice_calls;
mod progress;
mod prompts;
mod requests;
mod resources;
mod robust;
mod security;
mod sse;
mod stateless;
mod stdio;
mod strings;
mod subscriptions;
pub(crate) mod tasks;
mod tools;
mod unbreakable;

pub(crate) use amend::{amend, answer_id, refusal};
pub(crate) use edit::{Edit, On, edit};
pub(crate) use http_streams::STREAMING;
pub(crate) use intercept::intercept;
pub(crate) use paging::Page;
pub(crate) use ping::{initialized, pinged};
pub(crate) use practice::redefine;
pub(crate) use robust::{broken_off, is_failing, is_fatal, misread, on_payload};
pub(crate) use stateless::hints;
pub use unbreakable::unbreakable;

use crate::Revision;
use crate::core::Transport;
use crate::settings::Settings;

/// One way to break one requirement.
#[derive(Debug)]
pub struct Fault {
    /// The requirement.
    pub id: &'static str,
    /// Which of several ways; empty if there is one.
    pub variant: &'static str,
    /// What the server does.
    pub what: &'static str,
    /// The revisions in which something changes; none means all that have the requirement.
    pub revisions: &'static [Revision],
    /// The transports on which something changes; none means all.
    pub transports: &'static [Transport],
    /// The transport breaks it, not the core: nothing of it shows in what the core sends.
    pub carried: bool,
    pub(crate) edits: &'static [(On, Edit)],
}

impl Fault {
    /// How it is asked for.
    pub fn name(&self) -> String {
        if self.variant.is_empty() { self.id.to_owned() } else { format!("{}/{}", self.id, self.variant) }
    }

    /// Whether the fault is one of a revision: of those it names, else of those that have the requirement.
    pub fn holds_in(&self, revision: Revision) -> bool {
        if !self.revisions.is_empty() {
            return self.revisions.contains(&revision);
        }
        verdict::requirement(self.id).is_some_and(|requirement| requirement.holds_in(revision))
    }

    /// Whether only a server that asks for authorization can show it.
    pub fn needs_auth(&self) -> bool {
        self.id.starts_with("auth.") || USERS.contains(&self.id)
    }

    pub(crate) const fn only(mut self, revisions: &'static [Revision]) -> Self {
        self.revisions = revisions;
        self
    }

    pub(crate) const fn over(mut self, transports: &'static [Transport]) -> Self {
        self.transports = transports;
        self
    }
}

impl Fault {
    /// It shows in when things are sent, or in what only a whole run brings about.
    pub(crate) const fn in_a_run(mut self) -> Self {
        self.carried = true;
        self
    }
}

/// Requirements that only authorization gives a meaning: on what is whose.
const USERS: [&str; 12] = [
    "caching.access-control-not-by-scope",
    "caching.public-is-not-user-specific",
    "mrtr.state-bound-to-principal",
    "resources.security.access-controls",
    "resources.security.permissions-checked",
    "security.handle.not-authentication",
    "security.session.bound-to-user",
    "security.session.not-authentication",
    "tasks.isolation.bound-to-context",
    "tasks.isolation.other-context-refused",
    "tasks.list.own-context-only",
    "tools.stateful.handle-authorized",
];

/// A fault that is nothing but rewritten messages.
pub(crate) const fn rewrite(
    id: &'static str,
    variant: &'static str,
    what: &'static str,
    edits: &'static [(On, Edit)],
) -> Fault {
    Fault { id, variant, what, revisions: &[], transports: &[], carried: false, edits }
}

/// A fault that the handlers see to.
pub(crate) const fn switch(id: &'static str, variant: &'static str, what: &'static str) -> Fault {
    Fault { id, variant, what, revisions: &[], transports: &[], carried: false, edits: &[] }
}

/// A fault of how messages are carried over Streamable HTTP.
pub(crate) const fn carried(id: &'static str, variant: &'static str, what: &'static str) -> Fault {
    Fault { id, variant, what, revisions: &[], transports: &[Transport::Http], carried: true, edits: &[] }
}

/// A fault of how messages are carried over pipes, or of the process at their end.
pub(crate) const fn piped(id: &'static str, variant: &'static str, what: &'static str) -> Fault {
    Fault { id, variant, what, revisions: &[], transports: &[Transport::Stdio], carried: true, edits: &[] }
}

/// The tool that has another name for the sake of a fault, and that name.
pub(crate) fn renamed(settings: &Settings) -> Option<(&'static str, String)> {
    let name = settings.faults().iter().find_map(|fault| match (fault.id, fault.variant) {
        ("tools.name.length", "empty") => Some(String::new()),
        ("tools.name.length", _) => Some("e".repeat(129)),
        ("tools.name.charset", "slash") => Some("be/empty".to_owned()),
        ("tools.name.charset", _) => Some("leer_für_immer".to_owned()),
        ("tools.name.no-spaces-or-commas", "comma") => Some("be,empty".to_owned()),
        ("tools.name.no-spaces-or-commas", _) => Some("be empty".to_owned()),
        (id, _) => practice::renamed(id).map(str::to_owned),
    })?;
    Some(("empty", name))
}

/// All faults, area by area.
pub fn faults() -> impl Iterator<Item = &'static Fault> {
    let areas = [
        auth::TABLE,
        calls::TABLE,
        discover::TABLE,
        cancellation::TABLE,
        completion::TABLE,
        corners::TABLE,
        elicitation::TABLE,
        handles::TABLE,
        http::TABLE,
        http_modern::TABLE,
        http_sessions::TABLE,
        http_streams::TABLE,
        jsonrpc::TABLE,
        lifecycle::TABLE,
        logging::TABLE,
        mrtr::TABLE,
        pagination::TABLE,
        ping::TABLE,
        practice::TABLE,
        practice_calls::TABLE,
        progress::TABLE,
        prompts::TABLE,
        requests::TABLE,
        resources::TABLE,
        robust::TABLE,
        security::TABLE,
        sse::TABLE,
        subscriptions::TABLE,
        stdio::TABLE,
        strings::TABLE,
        tasks::TABLE,
        tools::TABLE,
    ];
    areas.into_iter().chain(caching::TABLES).flatten()
}
