//! The area `subscriptions`: resource subscriptions of the handshake era, `subscriptions/listen` of 2026-07-28.

mod acknowledged;
mod delivered;
mod filters;
mod listen;
mod open;
mod resource;

use crate::Rule;

/// The rules of this area.
pub(super) static RULES: &[Rule] =
    &[acknowledged::RULE, delivered::RULE, filters::RULE, open::RULE, resource::ASKED, resource::UPDATED];
