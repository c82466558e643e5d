//! On Windows the child alone is ended; job objects for the whole tree are still missing.

use std::process::ExitStatus;

use verdict::transcript::{Ending, Exit};

/// One server process; tokio ends it when its handle is dropped.
#[derive(Debug)]
pub(crate) struct Tree;

impl Tree {
    pub(crate) fn of(_: Option<u32>) -> Self {
        Self
    }

    pub(crate) fn terminate(&self) {}

    pub(crate) fn kill(&self) {}
}

pub(crate) fn group(_: &mut tokio::process::Command) {}

pub(crate) fn adopt() {}

pub(crate) fn reap() {}

pub(crate) fn exit_of(status: ExitStatus, after: Ending) -> Exit {
    Exit { code: status.code(), signal: None, after }
}

pub(crate) fn peak_kb() -> Option<u64> {
    None
}
