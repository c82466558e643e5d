//! The shapes of everything a server may send, by revision, as data.
//!
//! [`table`] holds the data: a row for each member, with its type, whether it is required, the revisions that have it and the
//! requirements that a mismatch breaks. [`examine()`] walks a value by it. What is data rather than protocol (structured
//! content, the inside of schemas, `error.data`, the contents of `_meta`) is not walked.

mod examine;
mod forms;
mod lookup;
mod row;
pub mod table;
mod template;
#[cfg(test)]
pub(crate) mod walk;
mod words;

pub use examine::{Fault, Mismatch, Report, examine, mismatches};
pub use lookup::{envelope, error, message, methods, result};
pub use row::{Check, Ids, Object, Outcome, Row, Shape, Union, Variant};
