//! Reasons why a run could judge nothing: the server cannot be started, reached or spoken with as was asked.

use verdict::exit;

/// Why a target could not be judged. Every message says what happened, where, and what to do next.
#[derive(Clone, Debug, thiserror::Error)]
pub enum Trouble {
    /// The command line named something impossible.
    #[error("{0}")]
    Usage(String),
    /// The program does not exist or cannot be executed.
    #[error("cannot start `{program}`: {reason}{hint}")]
    Spawn {
        /// The program as given.
        program: String,
        /// The operating system's message.
        reason: String,
        /// Advice; starts with a line break when present.
        hint: String,
    },
    /// The server ended before it answered.
    #[error("the server {how} before it answered `{waiting}`{details}")]
    Ended {
        /// How it ended.
        how: String,
        /// The method it owed an answer to.
        waiting: String,
        /// The command, what it wrote to standard error, and advice, indented; starts with a line break when present.
        details: String,
    },
    /// The server never answered.
    #[error("no answer to `{waiting}` within {seconds} s{seen}\n  a slow start? try --start-timeout {longer}")]
    Silent {
        /// The method it owes an answer to.
        waiting: String,
        /// The time limit.
        seconds: u64,
        /// A longer one to try.
        longer: u64,
        /// What it wrote in place of an answer, and its standard error; starts with a line break when present.
        seen: String,
    },
    /// The server answered only when its input had ended.
    #[error(
        "`{waiting}` is answered only when the input ends: the output is not flushed\n  flush standard output after each message; in Python, print(..., flush=True)"
    )]
    Unflushed {
        /// The method it owes an answer to.
        waiting: String,
    },
    /// The handshake was refused.
    #[error("the server refused `{waiting}`: {answer}")]
    Refused {
        /// The method.
        waiting: String,
        /// Its answer.
        answer: String,
        /// The HTTP status, if that is all it answered with.
        status: Option<u16>,
    },
    /// The server cannot be spoken to over HTTP+SSE.
    #[error("cannot speak HTTP+SSE with {url}: {reason}{hint}")]
    NoEndpoint {
        /// The URL of the stream.
        url: String,
        /// The reason.
        reason: String,
        /// Advice; starts with a line break when present.
        hint: String,
        /// A stream was opened, so that it is rather this transport than another.
        streams: bool,
    },
    /// The server asks for a credential, or for a better one.
    #[error("the server refused `{waiting}`: {answer}")]
    Challenged {
        /// The method.
        waiting: String,
        /// Its answer, with advice.
        answer: String,
    },
    /// The server does not speak the revision that was asked for.
    #[error("the server does not speak {asked}: it answered {offered}\n  try --protocol latest")]
    Revision {
        /// The revision asked for.
        asked: String,
        /// The revision that the server offered, or what else it answered.
        offered: String,
    },
    /// The URL cannot be reached.
    #[error("cannot reach {url}: {reason}{hint}")]
    Unreachable {
        /// The URL.
        url: String,
        /// The reason.
        reason: String,
        /// Advice; starts with a line break when present.
        hint: String,
    },
    /// The user names tools that the server does not have.
    #[error("{}", unknown.iter().map(ToString::to_string).collect::<Vec<_>>().join("; "))]
    UnknownTools {
        /// Those tools.
        unknown: Vec<UnknownTool>,
        /// The names of the tools that the server has.
        listed: Vec<String>,
    },
    /// The run was interrupted.
    #[error("interrupted")]
    Interrupted,
}

/// A tool that the user names and the server does not list.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{place}: the server does not list a tool named `{name}`")]
pub struct UnknownTool {
    /// The flag or setting.
    pub place: &'static str,
    /// The name as given.
    pub name: String,
}

impl Trouble {
    /// Whether the server did not answer, or answered something else than the handshake.
    pub(crate) fn is_of_the_server(&self) -> bool {
        matches!(self, Self::Ended { .. } | Self::Silent { .. } | Self::Unflushed { .. } | Self::Refused { .. })
    }

    /// No answer, or a status that says that the server failed.
    pub(crate) fn is_failure(&self) -> bool {
        match self {
            Self::Silent { .. } => true,
            Self::Refused { status, .. } => status.is_some_and(judge::is_failure),
            _ => false,
        }
    }

    /// Returns the exit code for it.
    #[must_use]
    pub fn exit_code(&self) -> u8 {
        match self {
            Self::Usage(_) | Self::UnknownTools { .. } => exit::USAGE,
            Self::Interrupted => exit::INTERRUPTED,
            _ => exit::UNJUDGED,
        }
    }
}
