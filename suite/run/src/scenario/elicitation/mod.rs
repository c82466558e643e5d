//! The areas `elicitation` and `sampling` until 2025-11-25: tools that ask the client, for clients of every kind.

mod asked;
mod sampled;

use super::Scenario;

/// The scenarios of these areas.
pub(super) static SCENARIOS: &[Scenario] = &[asked::SCENARIO, asked::MODES, sampled::SCENARIO];
