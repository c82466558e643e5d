//! The area `tools`.

mod unknown;

use crate::Rule;

/// The rules of this area.
pub(super) static RULES: &[Rule] = &[unknown::RULE];
