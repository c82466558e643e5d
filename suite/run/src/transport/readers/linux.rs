//! Through a further end to write to, which the kernel tells when nobody can read any more.

use std::os::fd::{AsRawFd, RawFd};
use std::time::Duration;

use tokio::io::Interest;
use tokio::net::unix::pipe::{OpenOptions, Sender};
use tokio::time::timeout;

/// How long a process may take to run its own program.
const PATIENCE: Duration = Duration::from_secs(1);

/// Names the end of a pipe that is read here, as long as it is open.
#[derive(Clone, Copy, Debug)]
pub(in crate::transport) struct Readers(RawFd);

impl Readers {
    pub(in crate::transport) fn of(pipe: &impl AsRawFd) -> Self {
        Self(pipe.as_raw_fd())
    }

    /// An end of its own to write to, which tells; none where the system has no such thing.
    pub(in crate::transport) fn watch(self) -> Option<Watch> {
        OpenOptions::new().open_sender(format!("/proc/self/fd/{}", self.0)).ok().map(Watch)
    }
}

/// Nothing is written to it.
#[derive(Debug)]
pub(in crate::transport) struct Watch(Sender);

impl Watch {
    /// Waits until nobody can read the pipe any more.
    pub(in crate::transport) async fn gone(self) {
        let _ = timeout(PATIENCE, self.0.ready(Interest::ERROR)).await;
    }
}

#[cfg(test)]
mod tests {
    use std::io::{Write as _, pipe};

    use tokio::select;
    use tokio::task::yield_now;

    use super::*;

    #[tokio::test]
    async fn a_pipe_is_closed_once_nobody_has_it_open() {
        let (reader, mut writer) = pipe().expect("a pipe");
        let watch = Readers::of(&reader).watch().expect("Linux has it");
        let copy = reader.try_clone().expect("another descriptor");
        drop(reader);
        let gone = watch.gone();
        tokio::pin!(gone);
        select! {
            biased;
            () = &mut gone => panic!("there is a copy"),
            () = async { for _ in 0..10 { yield_now().await } } => {}
        }
        writer.write_all(b"x").expect("it is open");
        drop(copy);
        gone.await;
        writer.write_all(b"x").expect_err("it is closed");
    }
}
