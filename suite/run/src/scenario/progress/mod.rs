//! The area `progress`.

mod tokens;
mod unknown;

use super::Scenario;

/// The scenarios of this area.
pub(super) static SCENARIOS: &[Scenario] = &[tokens::SCENARIO, unknown::SCENARIO];
