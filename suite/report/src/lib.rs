//! Renders stored records for people and machines, one module per format.
//!
//! Everything here is a pure function of the record and of how text is laid out ([`Style`]). It does not depend on
//! running or judging.

mod causes;
mod formats;
mod hosts;
mod link;
mod outcome;
mod pointer;
pub mod snapshot;
mod style;
#[cfg(test)]
mod testing;
mod unseen;
mod violations;
mod whose;

pub use formats::{
    FORMATS, Format, GITHUB, HUMAN, Place, Setting, brief, escape_markdown, explain_cause, not_observed, timing,
};
pub use link::{link, links};
pub use snapshot::{full_snapshot, snapshot};
pub use style::{Style, clip, escape_bidi, escape_bidi_in_json, fold, printable};
