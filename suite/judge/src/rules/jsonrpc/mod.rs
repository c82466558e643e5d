//! The area `jsonrpc`: envelopes, ids, errors, notifications, batches and `_meta`.

mod code;
mod common;
mod id;
mod invalid_request;
mod method;
mod notification;
mod params;
mod parse_error;
mod response;
mod server_request;

use crate::Rule;

/// The rules of this area.
pub(super) static RULES: &[Rule] = &[
    response::RULE,
    id::RULE,
    parse_error::RULE,
    invalid_request::RULE,
    method::RULE,
    params::RULE,
    notification::RULE,
    server_request::RULE,
    code::RULE,
];
