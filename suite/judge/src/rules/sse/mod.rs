//! HTTP+SSE of 2024-11-05: the stream, its endpoint event, what is posted, and several clients.

mod clients;
mod common;
mod deprecated;
mod endpoint;
mod identifiers;
mod messages;
mod origin;
mod outsiders;
mod posts;
mod stream;

use crate::Rule;

pub(super) static RULES: &[Rule] = &[
    clients::RULE,
    deprecated::RULE,
    endpoint::RULE,
    identifiers::RULE,
    messages::RULE,
    origin::RULE,
    posts::RULE,
    outsiders::RULE,
    stream::RULE,
];
