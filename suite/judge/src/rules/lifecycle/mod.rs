//! The area `lifecycle`: how a conversation begins, and that it keeps to what was agreed then.

mod again;
mod backed;
mod early;
mod fields;
mod handshake;
mod initialized;
mod latest;
mod opening;
mod operation;
mod requests;
mod served;
mod stable;
mod version;

use crate::Rule;

/// The rules of this area.
pub(super) static RULES: &[Rule] = &[
    opening::RULE,
    fields::RULE,
    again::RULE,
    initialized::RULE,
    version::RULE,
    latest::RULE,
    early::RULE,
    served::RULE,
    backed::RULE,
    requests::RULE,
    operation::RULE,
    stable::RULE,
];
