//! The closed list of probes: every [`Intent`] that a scenario may write into a transcript, and every [`Key`] under which it
//! may say more.
//!
//! `probes/*.toml`, one file for each area, is the only place where they are declared; `docs/probes.md` is generated from it.

mod intent;
mod key;
mod tables;
mod value;
pub mod values;

pub use tables::{Area, Intent, Key, KeyType};
pub use value::KeyValue;
