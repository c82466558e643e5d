//! The closed list of probes: every [`Intent`] that a scenario may write into a transcript, and every [`Key`] under which it
//! may say more.
//!
//! The tables, one file for each area, are the only place where an intent is declared. `docs/probes.md` is generated from them.

mod key;

#[macro_use]
mod auth;
#[macro_use]
mod cancellation;
#[macro_use]
mod completion;
#[macro_use]
mod discover;
#[macro_use]
mod http;
#[macro_use]
mod jsonrpc;
#[macro_use]
mod lifecycle;
#[macro_use]
mod lists;
#[macro_use]
mod logging;
#[macro_use]
mod mrtr;
#[macro_use]
mod pagination;
#[macro_use]
mod ping;
#[macro_use]
mod practice;
#[macro_use]
mod progress;
#[macro_use]
mod prompts;
#[macro_use]
mod resources;
#[macro_use]
mod robust;
#[macro_use]
mod security;
#[macro_use]
mod sampling;
#[macro_use]
mod sse;
#[macro_use]
mod stdio;
#[macro_use]
mod subscriptions;
#[macro_use]
mod tasks;
#[macro_use]
mod tools;

// After the tables: their macros are textually scoped.
mod intent;

pub use intent::{Area, Intent};
pub use key::{Key, KeyType};
