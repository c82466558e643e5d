//! A process that bears no other beside it: what it holds is a socket in the temporary directory, as others hold a lock file.

use std::io::{Error, Result};

/// What is held until it is dropped.
#[cfg(unix)]
pub(super) type Held = std::os::unix::net::UnixListener;
#[cfg(not(unix))]
pub(super) type Held = ();

/// Holds it.
///
/// # Errors
/// When another process does.
#[cfg(unix)]
pub(super) fn hold() -> Result<Held> {
    use std::os::unix::net::{UnixListener, UnixStream};

    let path = std::env::temp_dir().join("mcp-conform-alone");
    if UnixStream::connect(&path).is_ok() {
        return Err(Error::other("the database is locked by another process"));
    }
    // One that has ended leaves its socket behind.
    let _ = std::fs::remove_file(&path);
    UnixListener::bind(path)
}

#[cfg(not(unix))]
pub(super) fn hold() -> Result<Held> {
    Ok(())
}
