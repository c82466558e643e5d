//! Faults of the area lifecycle.

use super::Fault;

pub(super) static TABLE: &[Fault] = &[];
