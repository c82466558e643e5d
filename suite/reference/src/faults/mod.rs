//! Faults: each breaks one requirement of the catalogue, named by its id, and as far as possible nothing else.
//!
//! A fault is one value: what it breaks, what the server does, and the [`Hook`] that makes it do so. Those of an area stand in
//! its file; [`Active`] calls the hooks of the faults that a server was asked for.

mod active;
mod auth;
mod caching;
mod calls;
mod calls_content;
mod cancellation;
mod completion;
mod corners;
mod discover;
mod discover_requests;
mod edit;
mod elicitation;
mod handles;
mod hook;
mod http;
mod http_answers;
mod http_modern;
mod http_sessions;
mod http_streams;
mod jsonrpc;
mod jsonrpc_errors;
mod jsonrpc_meta;
mod lifecycle;
mod lifecycle_versions;
mod logging;
mod mrtr;
mod pagination;
mod ping;
mod practice;
mod practice_calls;
mod progress;
mod prompts;
mod replies;
mod requests;
mod resources;
mod resources_read;
mod robust;
mod security;
mod sse;
mod stdio;
mod strings;
mod subscriptions;
mod tasks;
mod tasks_requests;
mod tools;
mod unbreakable;

pub(crate) use active::Active;
use edit::{Edit, On};
use hook::Hook;
pub use unbreakable::unbreakable;

use crate::Revision;
use crate::core::Transport;
use crate::deviation::Deviation;

/// One way to break one requirement.
#[derive(Debug)]
pub struct Fault {
    /// The requirement.
    pub id: &'static str,
    /// Which of several ways; empty if there is one.
    pub variant: &'static str,
    /// The behavior, as a sentence about the server.
    pub what: &'static str,
    /// The revisions in which something changes; none means all that have the requirement.
    pub revisions: &'static [Revision],
    /// The transports on which something changes; none means all.
    pub transports: &'static [Transport],
    /// The transport breaks it, not the core: nothing of it shows in what the core sends.
    pub carried: bool,
    hooks: [Hook; 3],
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

    /// The switches that it sets.
    pub(crate) fn deviations(&self) -> impl Iterator<Item = Deviation> {
        let switches = self.hooks.iter().map(|hook| if let Hook::Switch(switches) = hook { switches } else { &[][..] });
        switches.flatten().copied()
    }

    const fn only(mut self, revisions: &'static [Revision]) -> Self {
        self.revisions = revisions;
        self
    }

    const fn over(mut self, transports: &'static [Transport]) -> Self {
        self.transports = transports;
        self
    }

    /// It shows in when things are sent, or in what only a whole run brings about.
    const fn in_a_run(mut self) -> Self {
        self.carried = true;
        self
    }

    /// Adds a second or third hook.
    const fn and(mut self, hook: Hook) -> Self {
        let at = if matches!(self.hooks[1], Hook::Nothing) { 1 } else { 2 };
        self.hooks[at] = hook;
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

/// A fault of the protocol.
const fn fault(id: &'static str, variant: &'static str, what: &'static str, hook: Hook) -> Fault {
    let hooks = [hook, Hook::Nothing, Hook::Nothing];
    Fault { id, variant, what, revisions: &[], transports: &[], carried: false, hooks }
}

/// A fault that is nothing but rewritten messages.
const fn rewrite(id: &'static str, variant: &'static str, what: &'static str, edits: &'static [(On, Edit)]) -> Fault {
    fault(id, variant, what, Hook::Rewrite(edits))
}

/// A fault of how messages are carried over Streamable HTTP.
const fn carried(id: &'static str, variant: &'static str, what: &'static str, hook: Hook) -> Fault {
    fault(id, variant, what, hook).over(&[Transport::Http]).in_a_run()
}

/// A fault of how messages are carried over pipes, or of the process at their end.
const fn piped(id: &'static str, variant: &'static str, what: &'static str, hook: Hook) -> Fault {
    fault(id, variant, what, hook).over(&[Transport::Stdio]).in_a_run()
}

/// All faults, area by area.
pub fn faults() -> impl Iterator<Item = &'static Fault> {
    let areas = [
        auth::TABLE,
        calls::TABLE,
        calls_content::TABLE,
        discover::TABLE,
        discover_requests::TABLE,
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
        jsonrpc_errors::TABLE,
        jsonrpc_meta::TABLE,
        lifecycle::TABLE,
        lifecycle_versions::TABLE,
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
        resources_read::TABLE,
        robust::TABLE,
        security::TABLE,
        sse::TABLE,
        subscriptions::TABLE,
        stdio::TABLE,
        strings::TABLE,
        tasks::TABLE,
        tasks_requests::TABLE,
        tools::TABLE,
    ];
    areas.into_iter().chain(caching::TABLES).flatten()
}
