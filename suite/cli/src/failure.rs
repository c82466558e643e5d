//! Errors that end a command, with their exit codes.

use std::fmt::Display;
use std::path::Path;

use run::Trouble;
use verdict::exit;

/// An error that ends a command. Messages are fragments in lower case: the first line states the problem, further lines
/// say how to solve it.
#[derive(Debug, thiserror::Error)]
pub(crate) enum Failure {
    /// The command line, or a file it names, is wrong.
    #[error("{0}")]
    Usage(String),
    /// The target could not be judged.
    #[error(transparent)]
    Trouble(#[from] Trouble),
    /// Standard output is not writable.
    #[error("cannot write to standard output: {0}")]
    Output(std::io::Error),
}

impl Failure {
    /// Returns a usage error.
    pub(crate) fn usage(message: impl Into<String>) -> Self {
        Self::Usage(message.into())
    }

    /// Returns the error for a file or folder that cannot be read or written; `doing` is the verb.
    pub(crate) fn file(doing: &str, path: &Path, reason: impl Display) -> Self {
        Self::Usage(format!("cannot {doing} {}: {reason}", path.display()))
    }

    /// Returns the exit code.
    pub(crate) fn exit_code(&self) -> u8 {
        match self {
            Self::Trouble(trouble) => trouble.exit_code(),
            Self::Usage(_) | Self::Output(_) => exit::USAGE,
        }
    }
}
