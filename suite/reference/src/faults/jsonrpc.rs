//! Faults of the area jsonrpc.

use super::Fault;

pub(super) static TABLE: &[Fault] = &[];
