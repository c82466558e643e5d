//! Faults of the area pagination.

use super::Fault;

pub(super) static TABLE: &[Fault] = &[];
