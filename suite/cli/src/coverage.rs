//! How a requirement is covered: the rule that judges it, the scenarios that provoke it, and the faults that break it.

/// Returns the name of the rule that judges a requirement.
pub(crate) fn rule_for(id: &str) -> Option<&'static str> {
    judge::rules::of(id).map(|rule| rule.name)
}

/// Returns the names of the scenarios that provoke a requirement.
pub(crate) fn scenarios_for(id: &str) -> Vec<&'static str> {
    run::scenario::provoking(id).map(|scenario| scenario.name).collect()
}

/// Returns the names of all scenarios.
pub(crate) fn scenario_names() -> impl Iterator<Item = &'static str> {
    run::scenario::scenarios().map(|scenario| scenario.name)
}

/// Returns the names of the faults with which the reference server breaks a requirement.
pub(crate) fn faults_for(id: &str) -> Vec<String> {
    reference::faults().filter(|fault| fault.id == id).map(reference::Fault::name).collect()
}
