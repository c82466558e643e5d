//! The area `jsonrpc`: envelopes, ids, errors, notifications, batches and `_meta`.

mod batch;
mod code;
pub(super) mod common;
mod dry;
pub(super) mod failing;
pub(super) mod falls;
pub(super) mod faltering;
mod id;
mod id_scope;
mod invalid_request;
mod meta_key;
mod meta_value;
mod meta_walk;
mod method;
mod notification;
mod own_requests;
mod params;
mod parse_error;
mod request_meta;
mod response;
mod result_type;
mod robustness;
mod server_info;
mod server_request;
mod style;
mod variation;

use crate::Rule;

/// The rules of this area.
pub(super) static RULES: &[Rule] = &[
    own_requests::RULE,
    response::RULE,
    falls::RULE,
    failing::RULE,
    faltering::RULE,
    dry::RULE,
    id::RULE,
    parse_error::RULE,
    invalid_request::RULE,
    method::RULE,
    params::RULE,
    notification::RULE,
    server_request::RULE,
    code::RULE,
    meta_key::RULE,
    meta_value::RULE,
    result_type::RULE,
    server_info::RULE,
    variation::RULE,
    robustness::RULE,
    id_scope::RULE,
    style::RULE,
    request_meta::RULE,
    batch::RULE,
];
