//! Process groups and the subreaper. A child that leaves its group with `setsid` is adopted by this process when its
//! parent ends, and found among our children.

use std::fs;
use std::os::unix::process::ExitStatusExt;
use std::process::ExitStatus;

use rustix::process::{Pid, Signal, WaitOptions, kill_process, kill_process_group, waitpid};
use verdict::transcript::{Ending, Exit};

use super::family::{self, Member};

/// The process group of one server; killed when dropped.
#[derive(Debug)]
pub(crate) struct Tree {
    leader: Option<Pid>,
}

impl Tree {
    /// The group led by this process.
    pub(crate) fn of(id: Option<u32>) -> Self {
        Self { leader: id.and_then(|id| Pid::from_raw(i32::try_from(id).ok()?)) }
    }

    /// Asks the whole group to end.
    pub(crate) fn terminate(&self) {
        self.signal(Signal::TERM);
    }

    /// Ends the whole group.
    pub(crate) fn kill(&self) {
        self.signal(Signal::KILL);
    }

    /// Asks the process that was started to end, as a client does that knows no other.
    pub(crate) fn terminate_leader(&self) {
        if let Some(leader) = self.leader {
            let _ = kill_process(leader, Signal::TERM);
        }
    }

    /// Returns the descendants of the process.
    pub(crate) fn family(&self) -> Vec<Member> {
        self.leader.map(|leader| family::of(leader.as_raw_nonzero().get())).unwrap_or_default()
    }

    /// The ids of the process and its descendants.
    pub(crate) fn ids(&self) -> Vec<u32> {
        let Some(leader) = self.leader else { return Vec::new() };
        let others = self.family().into_iter().map(|member| member.id);
        std::iter::once(leader.as_raw_nonzero().get()).chain(others).filter_map(|id| u32::try_from(id).ok()).collect()
    }

    /// Processor time used so far.
    pub(crate) fn ticks(&self) -> Option<u64> {
        family::ticks(self.leader?.as_raw_nonzero().get())
    }

    /// Kilobytes of memory that the group holds (`VmRSS` of Linux).
    pub(crate) fn resident_kb(&self) -> Option<u64> {
        let leader = self.leader?.as_raw_nonzero().get();
        let members = fs::read_dir("/proc").ok()?.filter_map(|entry| {
            let id: i32 = entry.ok()?.file_name().to_str()?.parse().ok()?;
            (group_of(id) == Some(leader)).then_some(id)
        });
        members.filter_map(|id| status_kb(&format!("/proc/{id}/status"), "VmRSS:")).reduce(|sum, one| sum + one)
    }

    /// Sends a signal to the whole group.
    pub(crate) fn signal(&self, signal: Signal) {
        if let Some(leader) = self.leader {
            // It may be gone already: that is what we want.
            let _ = kill_process_group(leader, signal);
        }
    }
}

impl Drop for Tree {
    fn drop(&mut self) {
        self.kill();
    }
}

/// Puts the child into a group of its own.
pub(crate) fn group(command: &mut tokio::process::Command) {
    command.process_group(0);
}

/// Descendants whose parents end become our children from now on, so that [`reap`] finds them.
pub(crate) fn adopt() {
    #[cfg(target_os = "linux")]
    let _ = rustix::process::set_child_subreaper(Some(rustix::process::getpid()));
}

/// Ends what was adopted: every child of this process that is still there. Call it when no server is meant to run.
pub(crate) fn reap() {
    for _ in 0..16 {
        let children = children();
        if children.is_empty() {
            return;
        }
        for child in children {
            let _ = kill_process_group(child, Signal::KILL);
            let _ = kill_process(child, Signal::KILL);
            let _ = waitpid(Some(child), WaitOptions::empty());
        }
    }
}

fn children() -> Vec<Pid> {
    let Ok(tasks) = fs::read_dir("/proc/self/task") else { return Vec::new() };
    let lists = tasks.filter_map(|task| fs::read_to_string(task.ok()?.path().join("children")).ok());
    let text: Vec<String> = lists.collect();
    let ids = text.iter().flat_map(|list| list.split_whitespace());
    ids.filter_map(|id| Pid::from_raw(id.parse().ok()?)).collect()
}

/// How a process ended, for the transcript.
pub(crate) fn exit_of(status: ExitStatus, after: Ending) -> Exit {
    Exit { code: status.code(), signal: status.signal(), after }
}

/// The most memory this process has held, in kilobytes (`VmHWM` of Linux).
pub(crate) fn peak_kb() -> Option<u64> {
    status_kb("/proc/self/status", "VmHWM:")
}

/// Processor time in microseconds that this thread has used: the one on which everything but judging happens.
pub(crate) fn used_us() -> u64 {
    let used = rustix::time::clock_gettime(rustix::time::ClockId::ThreadCPUTime);
    u64::try_from(used.tv_sec).unwrap_or(0) * 1_000_000 + u64::try_from(used.tv_nsec).unwrap_or(0) / 1_000
}

fn status_kb(path: &str, name: &str) -> Option<u64> {
    let status = fs::read_to_string(path).ok()?;
    let line = status.lines().find_map(|line| line.strip_prefix(name))?;
    line.trim().trim_end_matches(" kB").parse().ok()
}

/// The process group of a process: the fifth field of its `stat`, counted from the end of its name.
fn group_of(id: i32) -> Option<i32> {
    let stat = fs::read_to_string(format!("/proc/{id}/stat")).ok()?;
    stat.rsplit_once(')')?.1.split_whitespace().nth(2)?.parse().ok()
}
