//! The area `http`: messages, streams and sessions over Streamable HTTP.

mod closing;
mod common;
mod ending;
mod get;
mod ids;
pub(super) mod modern;
mod needs;
mod notify;
mod odd;
mod post;
mod priming;
mod resume;
#[cfg(test)]
mod scripts;
mod session;
mod several;
mod sse;
mod variation;
mod version_header;

use crate::Rule;

/// The rules of this area.
pub(super) static RULES: &[Rule] = &[
    closing::RULE,
    ending::RULE,
    get::RULE,
    ids::RULE,
    needs::RULE,
    notify::RULE,
    odd::RULE,
    post::RULE,
    priming::RULE,
    resume::RULE,
    session::RULE,
    several::RULE,
    sse::RULE,
    variation::RULE,
    version_header::RULE,
];
