//! The area `cancellation`.

mod dropped;
mod effect;
mod idle;
pub(super) mod opening;
mod slow;

use super::Scenario;

/// The scenarios of this area.
pub(super) static SCENARIOS: &[Scenario] =
    &[slow::SCENARIO, idle::SCENARIO, opening::SCENARIO, dropped::SCENARIO, effect::SCENARIO];
