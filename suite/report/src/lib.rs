//! Stored records rendered for people and machines, one file a format.
//!
//! Everything here is a pure function of the record; what a terminal looks like is told by [`Style`]. Knows nothing of
//! running or judging.

mod human;
mod json;
mod junit;
mod link;
pub mod snapshot;
mod style;
#[cfg(test)]
mod testing;

pub use human::{brief, human};
pub use json::json;
pub use junit::junit;
pub use link::{link, links};
pub use snapshot::snapshot;
pub use style::{Style, clip, fold};
