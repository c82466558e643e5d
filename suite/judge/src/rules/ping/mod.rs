//! The area `ping`.

mod answers;
mod server;

use crate::Rule;

/// The rules of this area.
pub(super) static RULES: &[Rule] = &[answers::RULE, server::RULE];
