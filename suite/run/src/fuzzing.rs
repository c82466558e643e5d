//! The properties of this crate that hold for any bytes, as functions that panic when one does not.

pub use crate::transport::http::fuzzing::response;

/// Panics when it does not hold for the bytes.
pub type Property = fn(&[u8]);

/// Each fuzz target with its property; the name is also that of its folder in the corpus.
pub const TARGETS: &[(&str, Property)] = &[("http_message", response)];
