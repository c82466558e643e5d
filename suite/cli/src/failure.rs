//! Errors that end a command, with their exit codes.

use std::fmt::Display;
use std::path::Path;

use run::{Trouble, UnknownTool};
use verdict::exit;

use crate::similar::nearest;

/// An error that ends a command. Messages are fragments in lower case: the first line states the problem, further lines
/// say how to solve it.
#[derive(Debug, thiserror::Error)]
pub(crate) enum Failure {
    /// The command line, or a file it names, is wrong.
    #[error("{0}")]
    Usage(String),
    /// The target could not be judged.
    #[error(transparent)]
    Trouble(Trouble),
    /// Standard output is not writable.
    #[error("cannot write to standard output: {0}")]
    Output(std::io::Error),
}

impl From<Trouble> for Failure {
    fn from(trouble: Trouble) -> Self {
        match trouble {
            Trouble::UnknownTools { unknown, listed } => Self::Usage(unknown_tools(&unknown, &listed)),
            other => Self::Trouble(other),
        }
    }
}

/// Returns a line for each name, with the most similar one that there is.
fn unknown_tools(unknown: &[UnknownTool], listed: &[String]) -> String {
    let line = |tool: &UnknownTool| {
        let near = nearest(&tool.name, listed.iter().map(String::as_str), 1);
        let hint = near.first().map_or(String::new(), |near| format!("; did you mean `{near}`?"));
        format!("{tool}{hint}")
    };
    let lines: Vec<String> = unknown.iter().map(line).collect();
    lines.join("\n  ")
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
