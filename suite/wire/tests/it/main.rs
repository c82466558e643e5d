//! The integration tests of `wire`, in one binary.

mod corpus;
mod properties;
