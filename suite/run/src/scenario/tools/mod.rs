//! The area `tools`.

use super::Scenario;

/// The scenarios of this area.
pub(super) static SCENARIOS: &[Scenario] = &[];
