//! The area `cancellation`.

mod dropped;
mod effect;
mod idle;
mod opening;
mod slow;

pub(super) use slow::call as slow_call;

use super::Scenario;

/// The scenarios of this area.
pub(super) static SCENARIOS: &[Scenario] =
    &[slow::SCENARIO, idle::SCENARIO, opening::SCENARIO, dropped::SCENARIO, effect::SCENARIO];
