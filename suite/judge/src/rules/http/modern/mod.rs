//! Streamable HTTP of 2026-07-28: headers that mirror the body, statuses that errors must have, and what is gone.

mod claims;
mod gone;
mod mirror;
mod mismatch;
mod responses;
mod status;
mod stream;

use crate::Rule;

/// The rules of this revision.
pub(in crate::rules) static RULES: &[Rule] =
    &[mirror::RULE, mismatch::RULE, status::RULE, gone::RULE, stream::RULE, responses::RULE];
