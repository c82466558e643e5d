//! Scenarios shared by all areas with a list: two connections, changes, lists without params, and methods of a
//! capability that is not declared.

mod changes;
pub(super) mod connections;
mod requests;

use super::Scenario;

/// The scenarios.
pub(super) static SCENARIOS: &[Scenario] = &[
    requests::RESOURCES,
    requests::PROMPTS,
    requests::NO_RESOURCES,
    requests::NO_PROMPTS,
    connections::SCENARIO,
    changes::TOOLS,
    changes::RESOURCES,
    changes::PROMPTS,
];
