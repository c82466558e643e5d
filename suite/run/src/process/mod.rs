//! The process tree of a spawned server: its own group, ended as a whole on every way out.

#[cfg(unix)]
mod family;
#[cfg(unix)]
mod unix;
#[cfg(unix)]
pub(crate) use family::Member;
#[cfg(unix)]
pub(crate) use unix::{Tree, adopt, exit_of, group, peak_kb, reap, used_us};
#[cfg(windows)]
mod windows;
#[cfg(windows)]
pub(crate) use windows::{Member, Tree, adopt, exit_of, group, peak_kb, reap, used_us};
