//! The area `caching`: hints on what may be kept, how long and for whom (2026-07-28). Their types are told by the shapes.

mod fresh;
mod input;
mod pages;

use crate::Rule;

/// The rules of this area.
pub(super) static RULES: &[Rule] = &[fresh::RULE, pages::RULE, input::RULE];
