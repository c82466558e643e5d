//! The integration tests of the reference server, in one binary.

mod common;
mod conforming;
mod faults;
#[path = "../../../../servers/schemas/published.rs"]
mod published;
