//! The area `tasks`, and what the areas `cancellation` and `progress` say of tasks. Members and their types are judged by the
//! shapes of messages; here it is about what they mean.

mod cancel;
mod capability;
mod create;
mod get;
mod ids;
mod ledger;
mod limits;
mod list;
mod messages;
mod others;
mod progress;
mod requestor;
mod result;
mod states;
mod support;
#[cfg(test)]
mod tale;
mod unknown;

use crate::Rule;

/// The rules of this area.
pub(super) static RULES: &[Rule] = &[
    cancel::RULE,
    capability::RULE,
    create::RULE,
    get::RULE,
    ids::RULE,
    limits::RULE,
    list::RULE,
    messages::RULE,
    others::RULE,
    progress::RULE,
    requestor::RULE,
    result::RULE,
    states::RULE,
    support::RULE,
    unknown::RULE,
];
