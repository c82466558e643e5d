//! The descendants of a server, and the resources it uses, as `/proc` reports them. Without `/proc` nothing is known.

use std::collections::HashSet;
use std::fs;

/// A process of a server beside the one that was started. Ids are used again: together with the start they are not.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Member {
    pub(crate) id: i32,
    start: u64,
    pub(crate) command: String,
}

impl Member {
    /// Whether it still runs.
    pub(crate) fn lives(&self) -> bool {
        stat(self.id).is_some_and(|stat| stat.start == self.start && stat.runs)
    }
}

struct Stat {
    runs: bool,
    parent: i32,
    group: i32,
    ticks: u64,
    start: u64,
}

/// The descendants of a process and the members of its group, without itself.
pub(crate) fn of(leader: i32) -> Vec<Member> {
    let all: Vec<(i32, Stat)> = ids().filter_map(|id| Some((id, stat(id)?))).collect();
    let mut known = HashSet::from([leader]);
    loop {
        let kin =
            |(id, stat): &&(i32, Stat)| !known.contains(id) && (known.contains(&stat.parent) || stat.group == leader);
        let found: Vec<i32> = all.iter().filter(kin).map(|(id, _)| *id).collect();
        if found.is_empty() {
            break;
        }
        known.extend(found);
    }
    let members = all.into_iter().filter(|(id, stat)| *id != leader && known.contains(id) && stat.runs);
    members.map(|(id, stat)| Member { id, start: stat.start, command: command(id) }).collect()
}

/// Processor time that a process and its family have used or waited for, in hundredths of a second: on a busy machine one
/// that works hard may get little.
pub(crate) fn ticks(leader: i32) -> Option<u64> {
    let own = demand(leader)?;
    Some(own + of(leader).iter().filter_map(|member| demand(member.id)).sum::<u64>())
}

fn demand(id: i32) -> Option<u64> {
    let waited = fs::read_dir(format!("/proc/{id}/task")).ok()?.filter_map(|task| {
        // Nanoseconds on a processor, and in the queue for one.
        let text = fs::read_to_string(task.ok()?.path().join("schedstat")).ok()?;
        text.split_whitespace().nth(1)?.parse::<u64>().ok()
    });
    Some(stat(id)?.ticks + waited.sum::<u64>() / 10_000_000)
}

fn ids() -> impl Iterator<Item = i32> {
    fs::read_dir("/proc").into_iter().flatten().filter_map(|entry| entry.ok()?.file_name().to_str()?.parse().ok())
}

fn stat(id: i32) -> Option<Stat> {
    let text = fs::read_to_string(format!("/proc/{id}/stat")).ok()?;
    // The name may hold anything: the fields are counted from its end.
    let fields: Vec<&str> = text.rsplit_once(')')?.1.split_whitespace().collect();
    let number = |at: usize| fields.get(at)?.parse::<u64>().ok();
    Some(Stat {
        runs: !matches!(*fields.first()?, "Z" | "X"),
        parent: fields.get(1)?.parse().ok()?,
        group: fields.get(2)?.parse().ok()?,
        ticks: number(11)? + number(12)?,
        start: number(19)?,
    })
}

fn command(id: i32) -> String {
    let words = fs::read(format!("/proc/{id}/cmdline")).unwrap_or_default();
    String::from_utf8_lossy(&words).trim_end_matches('\0').replace('\0', " ")
}

#[cfg(test)]
mod tests {
    use std::process::{Command, Stdio};

    use super::*;

    #[test]
    #[cfg(target_os = "linux")]
    fn a_child_is_found_and_its_end_is_seen() {
        let mut child = Command::new("cat").stdin(Stdio::piped()).stdout(Stdio::null()).spawn().expect("cat");
        let me = i32::try_from(std::process::id()).expect("an id");
        let id = i32::try_from(child.id()).expect("an id");
        let found = of(me).into_iter().find(|member| member.id == id).expect("it is ours");
        assert!(found.lives());
        assert!(ticks(me).is_some());
        drop(child.stdin.take());
        let _ = child.wait();
        assert!(!found.lives());
    }
}
