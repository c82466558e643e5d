//! The area `cancellation`.

mod effect;
mod idle;
mod sent;
mod slow;
mod teardown;
mod unharmed;

use crate::Rule;

/// The rules of this area.
pub(super) static RULES: &[Rule] = &[effect::RULE, idle::RULE, sent::RULE, slow::RULE, teardown::RULE, unharmed::RULE];
