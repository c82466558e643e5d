//! The area `progress`. The members of a notification and their types are judged by the shapes of messages.

mod after;
mod beat;
mod order;
mod tokens;
mod tolerated;
mod wanted;

use crate::Rule;

/// The rules of this area.
pub(super) static RULES: &[Rule] = &[after::RULE, order::RULE, tokens::RULE, tolerated::RULE, wanted::RULE];
