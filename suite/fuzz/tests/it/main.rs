//! The integration tests of `fuzz`, in one binary.

mod corpus;
mod reference;
