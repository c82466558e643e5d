//! Whether a pipe is still open where it is read. A process that is being started has copies of all pipes that are open here, also those
//! of other servers, until it runs its own program: what is closed here meanwhile is not closed for who writes to it.

#[cfg(target_os = "linux")]
mod linux;
#[cfg(target_os = "linux")]
pub(super) use linux::Readers;
#[cfg(not(target_os = "linux"))]
mod elsewhere;
#[cfg(not(target_os = "linux"))]
pub(super) use elsewhere::Readers;
