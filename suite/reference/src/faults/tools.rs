//! Faults of the area tools.

use super::Fault;

pub(super) static TABLE: &[Fault] = &[];
