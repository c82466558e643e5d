//! Placeholder: see Cargo.toml.
