//! The area `discover`: server/discover, versions and capabilities of each request, and that nothing is carried over
//! (2026-07-28).

mod answer;
mod capability;
mod common;
mod elsewhere;
mod extension;
mod first;
mod inherited;
mod legacy;
mod removed;
mod same;
mod served;
mod supported;
mod undeclared;
mod unsupported;
mod words;

use crate::Rule;

/// The rules of this area.
pub(super) static RULES: &[Rule] = &[
    answer::RULE,
    words::RULE,
    served::RULE,
    supported::RULE,
    unsupported::RULE,
    first::RULE,
    inherited::RULE,
    same::RULE,
    elsewhere::RULE,
    capability::RULE,
    undeclared::RULE,
    extension::RULE,
    removed::RULE,
    legacy::RULE,
];
