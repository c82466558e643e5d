//! What the program knows of a requirement beside the catalogue: the rule that judges it and the scenarios that provoke it.

/// The rule that judges a requirement.
pub(crate) fn rule(id: &str) -> Option<&'static str> {
    judge::rules::of(id).map(|rule| rule.name)
}

/// The scenarios that provoke a requirement.
pub(crate) fn provoking(_id: &str) -> Vec<&'static str> {
    Vec::new()
}

/// Every scenario.
pub(crate) fn scenarios() -> impl Iterator<Item = &'static str> {
    std::iter::empty()
}

/// The ways in which the reference server can break a requirement.
pub(crate) fn faults(id: &str) -> Vec<String> {
    reference::faults().filter(|fault| fault.id == id).map(reference::Fault::name).collect()
}
