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

/// Parses `--protocol` of commands that speak one revision.
pub(crate) fn parse_one_protocol(text: &str) -> Result<Protocol, String> {
    match parse_protocol(text)? {
        Protocol::All => Err("expected one revision, or `latest`".to_owned()),
        one => Ok(one),
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

/// Parses a time: a number of seconds, or a number with a unit, such as 500ms, 90s, 10m or 2h; at most a week.
pub(crate) fn parse_time(text: &str) -> Result<Duration, String> {
    const WEEK: f64 = 604_800.0;
    let wrong =
        || "expected a time above 0 and at most a week: seconds such as 5 or 0.5, or 500ms, 90s, 10m, 2h".to_owned();
    let (number, unit) = split_unit(text);
    let seconds = number.parse::<f64>().map_err(|_| wrong())? * unit;
    if seconds > 0.0 && seconds <= WEEK {
        // A nanosecond is the shortest that there is.
        Duration::try_from_secs_f64(seconds).ok().filter(|time| !time.is_zero()).ok_or_else(wrong)
    } else {
        Err(wrong())
    }
}

/// Returns the number of a time and the seconds of its unit.
fn split_unit(text: &str) -> (&str, f64) {
    const UNITS: [(&str, f64); 4] = [("ms", 0.001), ("s", 1.0), ("m", 60.0), ("h", 3_600.0)];
    UNITS.iter().find_map(|(name, seconds)| Some((text.strip_suffix(name)?, *seconds))).unwrap_or((text, 1.0))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn times_have_units() {
        for (text, milliseconds) in
            [("90s", 90_000), ("1.5m", 90_000), ("2h", 7_200_000), ("5", 5_000), ("0.5", 500), ("500ms", 500)]
        {
            assert_eq!(parse_time(text), Ok(Duration::from_millis(milliseconds)), "{text}");
        }
        for wrong in ["", "s", "-1s", "1d", "NaN", "inf", "1e9h", "0s", "0", "1e-300"] {
            assert!(parse_time(wrong).is_err(), "{wrong}");
        }
    }
}
