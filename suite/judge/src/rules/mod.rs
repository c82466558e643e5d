//! Every rule, by area. An explicit list: a rule that is missing here does not exist, and a test compares the lists with
//! the catalogue.

mod asks;
mod auth;
mod caching;
mod cancellation;
mod common;
mod completion;
mod discover;
mod during;
mod elicitation;
mod http;
mod inferred_intent;
mod jsonrpc;
mod lifecycle;
mod lists;
mod logging;
mod mrtr;
mod own_doing;
mod pagination;
mod ping;
mod practice;
mod progress;
mod prompts;
mod random;
mod resources;
mod robust;
mod sampling;
mod security;
mod shapes;
mod sse;
mod stdio;
mod subscriptions;
mod tasks;
mod tools;
mod wording;

pub use inferred_intent::infer_intents;

use std::collections::HashMap;
use std::sync::LazyLock;

use crate::{Collector, Rule, View};

/// One slice an area.
static AREAS: &[&[Rule]] = &[
    auth::RULES,
    caching::RULES,
    cancellation::RULES,
    completion::RULES,
    discover::RULES,
    http::RULES,
    http::modern::RULES,
    jsonrpc::RULES,
    lifecycle::RULES,
    pagination::RULES,
    ping::RULES,
    robust::RULES,
    practice::RULES,
    prompts::RULES,
    resources::RULES,
    security::RULES,
    shapes::RULES,
    sse::RULES,
    stdio::RULES,
    subscriptions::RULES,
    logging::RULES,
    elicitation::RULES,
    mrtr::RULES,
    sampling::RULES,
    progress::RULES,
    tasks::RULES,
    tools::RULES,
];

/// Every rule.
pub fn all() -> impl Iterator<Item = &'static Rule> {
    AREAS.iter().copied().flatten()
}

/// What can only be said once all rules have judged.
pub(crate) fn conclude(view: &View<'_>, collector: &mut Collector) {
    jsonrpc::failing::conclude(view, collector);
}

/// The rule that judges a requirement.
#[must_use]
pub fn of(id: &str) -> Option<&'static Rule> {
    // Asked for each requirement of each verdict.
    static OF: LazyLock<HashMap<&str, &Rule>> =
        LazyLock::new(|| all().flat_map(|rule| rule.judges.iter().map(move |id| (*id, rule))).collect());
    OF.get(id).copied()
}
