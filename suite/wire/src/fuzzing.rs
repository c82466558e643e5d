//! The properties that hold for any bytes, as functions that panic when one does not.
//!
//! Fuzz targets are one line over these; `cargo test` runs the same functions over the corpus and over generated input.

mod grammar;
mod message;
mod same;
mod stream;

pub use message::{message, roundtrip};
pub use stream::{events, frames};

/// Panics when it does not hold for the bytes.
pub type Property = fn(&[u8]);

/// Each fuzz target with its property; the name is also that of its folder in the corpus.
pub const TARGETS: &[(&str, Property)] =
    &[("jsonrpc_message", message), ("jsonrpc_roundtrip", roundtrip), ("stdio_frames", frames), ("sse_events", events)];
