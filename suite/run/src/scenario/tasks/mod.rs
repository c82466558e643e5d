//! The area `tasks` (2025-11-25): calls that are answered at once and worked on afterwards, and what is about them.

mod cancelled;
mod input;
mod life;
mod many;
mod others;
mod refused;
mod requestor;
mod short;
mod subject;
mod task_exchange;

use super::Scenario;

/// The scenarios of this area.
pub(super) static SCENARIOS: &[Scenario] = &[
    refused::SCENARIO,
    refused::OTHERS,
    life::SCENARIO,
    many::SCENARIO,
    cancelled::SCENARIO,
    input::SCENARIO,
    others::SCENARIO,
    requestor::SCENARIO,
    short::SCENARIO,
];
