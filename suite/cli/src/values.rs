//! Values that several commands take on the command line.

use std::time::Duration;

use clap::ValueEnum;
use run::{Choice, Protocol};
use verdict::{Level, Revision};

/// The threshold for exit code 1.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum FailOn {
    /// Findings at this level or above.
    Level(Level),
    /// No finding.
    Never,
}

/// The transport for a URL.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum TransportArg {
    /// Streamable HTTP, falling back to HTTP+SSE.
    Auto,
    /// Streamable HTTP.
    Http,
    /// HTTP+SSE (2024-11-05); the URL is that of the event stream.
    Sse,
}

impl FailOn {
    /// Returns the lowest level that fails.
    pub(crate) fn level(self) -> Option<Level> {
        match self {
            Self::Level(level) => Some(level),
            Self::Never => None,
        }
    }
}

impl TransportArg {
    /// Returns the transport as the option of a run.
    pub(crate) fn choice(self) -> Choice {
        match self {
            Self::Auto => Choice::Auto,
            Self::Http => Choice::Http,
            Self::Sse => Choice::Sse,
        }
    }
}

/// Parses `--protocol`.
pub(crate) fn parse_protocol(text: &str) -> Result<Protocol, String> {
    match text {
        "latest" => Ok(Protocol::Latest),
        "all" => Ok(Protocol::All),
        date => date.parse::<Revision>().map(Protocol::One).map_err(|error| format!("{error}; or `latest`, or `all`")),
    }
}

/// Parses `--fail-on`.
pub(crate) fn parse_fail_on(text: &str) -> Result<FailOn, String> {
    match text {
        "must" => Ok(FailOn::Level(Level::Must)),
        "should" => Ok(FailOn::Level(Level::Should)),
        "advice" => Ok(FailOn::Level(Level::Advice)),
        "never" => Ok(FailOn::Never),
        _ => Err("expected must, should, advice or never".to_owned()),
    }
}

/// Parses a time limit in seconds.
pub(crate) fn parse_seconds(text: &str) -> Result<Duration, String> {
    let wrong = || "expected a number of seconds above 0 and at most 86400, such as 5 or 0.5".to_owned();
    let number: f64 = text.parse().map_err(|_| wrong())?;
    if number > 0.0 && number <= 86_400.0 {
        Duration::try_from_secs_f64(number).map_err(|_| wrong())
    } else {
        Err(wrong())
    }
}
