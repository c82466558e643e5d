//! The area `tools`, and what the area `jsonrpc` says of published schemas.

mod call;
mod came;
mod capability;
mod changed;
mod compared;
mod content;
mod errors;
mod execution;
mod generated;
mod handles;
mod header;
mod hints;
mod invalid;
mod list;
mod lists;
mod malformed;
mod names;
mod parameters;
mod parts;
mod references;
mod result;
mod same;
mod schemas;
mod structured;
mod unknown;
mod unlisted;
mod written;

pub(super) use compared::Compared;
pub(super) use generated::{is_generated, silenced as what_is_silenced, what as what_is_called};

use crate::Rule;

/// The rules of this area.
pub(super) static RULES: &[Rule] = &[
    call::RULE,
    capability::RULE,
    changed::RULE,
    content::RULE,
    errors::RULE,
    execution::RULE,
    generated::RULE,
    handles::RULE,
    header::RULE,
    hints::RULE,
    invalid::RULE,
    list::RULE,
    malformed::RULE,
    names::RULE,
    parameters::RULE,
    references::RULE,
    result::RULE,
    same::RULE,
    schemas::RULE,
    structured::RULE,
    unknown::RULE,
    written::RULE,
];
