//! What the program knows of a requirement beside the catalogue: the rule that judges it and the scenarios that provoke it.

/// The rule that judges a requirement.
pub(crate) fn rule(id: &str) -> Option<&'static str> {
    judge::rules::of(id).map(|rule| rule.name)
}

/// The scenarios that provoke a requirement.
pub(crate) fn provoking(id: &str) -> Vec<&'static str> {
    run::scenario::provoking(id).map(|scenario| scenario.name).collect()
}

/// Every scenario.
pub(crate) fn scenarios() -> impl Iterator<Item = &'static str> {
    run::scenario::scenarios().map(|scenario| scenario.name)
}

/// The ways in which the reference server can break a requirement.
pub(crate) fn faults(id: &str) -> Vec<String> {
    reference::faults().filter(|fault| fault.id == id).map(reference::Fault::name).collect()
}
