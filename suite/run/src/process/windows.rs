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

    pub(crate) fn terminate_leader(&self) {}

    pub(crate) fn family(&self) -> Vec<Member> {
        Vec::new()
    }

    pub(crate) fn ids(&self) -> Vec<u32> {
        Vec::new()
    }

    pub(crate) fn ticks(&self) -> Option<u64> {
        None
    }

    pub(crate) fn resident_kb(&self) -> Option<u64> {
        None
    }
}

/// A process of a server beside the one that was started: not looked for here.
#[derive(Clone, Debug)]
pub(crate) struct Member {
    pub(crate) command: String,
}

impl Member {
    #[expect(clippy::unused_self, reason = "as on Unix")]
    pub(crate) fn lives(&self) -> bool {
        false
    }
}

pub(crate) fn group(_: &mut tokio::process::Command) {}

pub(crate) fn adopt() {}

pub(crate) fn reap() {}

pub(crate) fn exit_of(status: ExitStatus, after: Ending) -> Exit {
    Exit { code: status.code(), signal: None, after }
}

/// Not known here: all of it counts as waiting.
pub(crate) fn used_us() -> u64 {
    0
}

pub(crate) fn peak_kb() -> Option<u64> {
    None
}
