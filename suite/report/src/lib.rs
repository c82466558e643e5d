//! Stored records rendered for people and machines, one file a format.
//!
//! Everything here is a pure function of the record; what a terminal looks like is told by [`Style`]. Knows nothing of
//! running or judging.

mod badge;
mod github;
mod gitlab;
mod html;
mod human;
mod json;
mod junit;
mod link;
mod markdown;
mod sarif;
pub mod snapshot;
mod style;
mod tap;
#[cfg(test)]
mod testing;

pub use badge::badge;
pub use github::github;
pub use gitlab::gitlab;
pub use html::html;
pub use human::{brief, human};
pub use json::json;
pub use junit::junit;
pub use link::{link, links};
pub use markdown::{escaped, markdown};
pub use sarif::sarif;
pub use snapshot::{outcome, snapshot};
pub use style::{Style, clip, fold, printable};
pub use tap::tap;
