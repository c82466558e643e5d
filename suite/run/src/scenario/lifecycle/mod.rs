//! The area `lifecycle`.

mod declared;
mod fields;
mod versions;

use super::Scenario;

/// The scenarios of this area.
pub(super) static SCENARIOS: &[Scenario] = &[versions::SCENARIO, declared::SCENARIO];
