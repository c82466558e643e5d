//! The area `elicitation`, and what `mrtr` says of it. The members of a request are judged by the shapes of messages.

mod request;

use crate::Rule;

/// The rules of this area.
pub(super) static RULES: &[Rule] = &[request::RULE];
