//! Rules of the area auth: who is let in, and how those who are not learn what it takes.

mod challenge;
mod header;
mod issuer;
mod metadata;
mod refusal;
mod resource;
mod scope;
mod standing;
#[cfg(test)]
mod tests;
mod token;

use crate::Rule;

pub(super) static RULES: &[Rule] =
    &[challenge::RULE, issuer::RULE, metadata::RULE, refusal::RULE, resource::RULE, scope::RULE, token::RULE];
