//! Faults: each breaks one requirement of the catalogue, named by its id, and as far as possible nothing else.

mod edit;
mod jsonrpc;
mod lifecycle;
mod pagination;
mod tools;
mod unbreakable;

pub(crate) use edit::{Edit, On, edit};
pub use unbreakable::unbreakable;

use crate::Revision;
use crate::core::Transport;

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

/// All faults, area by area.
pub fn faults() -> impl Iterator<Item = &'static Fault> {
    [tools::TABLE, pagination::TABLE, lifecycle::TABLE, jsonrpc::TABLE].into_iter().flatten()
}
