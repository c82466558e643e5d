//! Faults: each breaks one requirement of the catalogue, named by its id, and as far as possible nothing else.

mod amend;
mod calls;
mod edit;
mod intercept;
mod jsonrpc;
mod lifecycle;
mod meta;
mod pagination;
mod paging;
mod requests;
mod tools;
mod unbreakable;

pub(crate) use amend::{amend, answer_id, refusal};
pub(crate) use edit::{Edit, On, edit};
pub(crate) use intercept::intercept;
pub(crate) use paging::Page;
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
    /// The transports on which something changes; none means both.
    pub transports: &'static [Transport],
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

    pub(crate) const fn only(mut self, revisions: &'static [Revision]) -> Self {
        self.revisions = revisions;
        self
    }

    pub(crate) const fn over(mut self, transports: &'static [Transport]) -> Self {
        self.transports = transports;
        self
    }
}

/// A fault that is nothing but rewritten messages.
pub(crate) const fn rewrite(
    id: &'static str,
    variant: &'static str,
    what: &'static str,
    edits: &'static [(On, Edit)],
) -> Fault {
    Fault { id, variant, what, revisions: &[], transports: &[], edits }
}

/// A fault that the handlers see to.
pub(crate) const fn switch(id: &'static str, variant: &'static str, what: &'static str) -> Fault {
    Fault { id, variant, what, revisions: &[], transports: &[], edits: &[] }
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
        _ => None,
    })?;
    Some(("empty", name))
}

/// All faults, area by area.
pub fn faults() -> impl Iterator<Item = &'static Fault> {
    [tools::TABLE, calls::TABLE, pagination::TABLE, lifecycle::TABLE, jsonrpc::TABLE, requests::TABLE]
        .into_iter()
        .flatten()
}
