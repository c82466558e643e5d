//! Rules of the area security: from where a server can be reached and used.

mod common;
mod origin;
mod reach;
#[cfg(test)]
mod tests;
mod users;

use crate::Rule;

pub(super) static RULES: &[Rule] = &[origin::RULE, reach::RULE, users::RULE];
