//! Every rule, by area. An explicit list: a rule that is missing here does not exist, and a test compares the lists with
//! the catalogue.

mod jsonrpc;
mod lifecycle;
mod pagination;
mod shapes;
mod tools;

use crate::Rule;

/// One slice an area.
static AREAS: &[&[Rule]] = &[jsonrpc::RULES, lifecycle::RULES, pagination::RULES, shapes::RULES, tools::RULES];

/// Every rule.
pub fn all() -> impl Iterator<Item = &'static Rule> {
    AREAS.iter().copied().flatten()
}

/// The rule that judges a requirement.
#[must_use]
pub fn of(id: &str) -> Option<&'static Rule> {
    all().find(|rule| rule.judges.contains(&id))
}
