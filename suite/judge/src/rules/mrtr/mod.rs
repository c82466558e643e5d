//! The area `mrtr`: results that ask for input, and the requests that bring it. The members of such results are judged by the
//! shapes of messages, elicitation and sampling in them by the areas of those names.

mod required;
mod retry;
mod state;
mod told;

use crate::Rule;

/// The rules of this area.
pub(super) static RULES: &[Rule] = &[required::RULE, retry::RULE, state::RULE, told::RULE];
