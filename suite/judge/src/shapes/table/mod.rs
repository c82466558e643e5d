//! The tables, by area.

pub(super) mod checks;
pub(super) mod client;
pub(super) mod common;
mod content;
pub(super) mod elicitation;
pub(super) mod envelope;
pub(super) mod lifecycle;
pub(super) mod notifications;
pub(super) mod prompts;
pub(super) mod resources;
pub(super) mod results;
pub(super) mod tasks;
pub(super) mod tools;
