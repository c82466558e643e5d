//! What keeps a command from doing its work, with the exit code that says so.

use std::fmt::Display;
use std::path::Path;

use run::Trouble;
use verdict::exit;

/// Why a command ended early. Messages are fragments in lower case; the first line says what is wrong, further lines
/// what to do about it.
#[derive(Debug, thiserror::Error)]
pub(crate) enum Failure {
    /// The command line, or a file it names, is wrong.
    #[error("{0}")]
    Usage(String),
    /// The target could not be judged.
    #[error(transparent)]
    Trouble(#[from] Trouble),
    /// A result could not be written.
    #[error("cannot write to standard output: {0}")]
    Output(std::io::Error),
}

impl Failure {
    /// The command line is wrong.
    pub(crate) fn usage(message: impl Into<String>) -> Self {
        Self::Usage(message.into())
    }

    /// A file or folder cannot be read or written.
    pub(crate) fn file(doing: &str, path: &Path, reason: impl Display) -> Self {
        Self::Usage(format!("cannot {doing} {}: {reason}", path.display()))
    }

    /// The exit code.
    pub(crate) fn exit_code(&self) -> u8 {
        match self {
            Self::Trouble(trouble) => trouble.exit_code(),
            Self::Usage(_) | Self::Output(_) => exit::USAGE,
        }
    }
}
