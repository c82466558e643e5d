//! The area `pagination`.

mod elsewhere;
mod graceful;
mod invalid;
mod pages;
mod repeat;
mod start;
mod walk;

use crate::Rule;

/// The rules of this area.
pub(super) static RULES: &[Rule] =
    &[walk::RULE, repeat::RULE, start::RULE, invalid::RULE, graceful::RULE, elsewhere::RULE];
