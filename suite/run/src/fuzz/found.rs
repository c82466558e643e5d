//! The findings of fuzzing, and problems that may become one.

use std::time::Duration;

use verdict::Finding;
use verdict::transcript::{Event, Kind};

use super::pool::Lines;

/// Lines of standard error that are told.
const LAST: usize = 12;

/// The kind of a finding.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Sort {
    /// The server ended.
    Crash,
    /// It gives no sign of life.
    Hang,
    /// It holds more memory each time.
    Memory,
    /// A message of the server breaks a requirement.
    Nonconforming,
}

impl Sort {
    /// The sort of this name.
    #[must_use]
    pub fn named(name: &str) -> Option<Self> {
        [Self::Crash, Self::Hang, Self::Memory, Self::Nonconforming].into_iter().find(|sort| sort.as_str() == name)
    }

    /// As files and reports name it.
    #[must_use]
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Crash => "crash",
            Self::Hang => "hang",
            Self::Memory => "memory",
            Self::Nonconforming => "nonconforming",
        }
    }
}

/// Something that went wrong, with the smallest conversation that was found to bring it about.
#[derive(Clone, Debug)]
pub struct Found {
    /// What kind of problem it is.
    pub sort: Sort,
    /// The problem, in a sentence.
    pub message: String,
    /// The requirement, if it is one of the catalogue's.
    pub requirement: Option<&'static str>,
    /// The rule's finding, if a requirement was broken.
    pub finding: Option<Finding>,
    /// The last lines that the server wrote to standard error.
    pub stderr: Vec<String>,
    /// The messages after the opening.
    pub lines: Vec<Vec<u8>>,
    /// How often they are sent: memory grows a little each time.
    pub times: u32,
    /// It happened again on a fresh process.
    pub repeats: bool,
    /// When it was seen first.
    pub after: Duration,
}

/// A problem seen in a conversation, before it is known whether it happens again.
#[derive(Clone, Debug)]
pub(super) struct Sighting {
    pub(super) sort: Sort,
    pub(super) message: String,
    pub(super) finding: Option<(&'static str, Finding)>,
    pub(super) stderr: Vec<String>,
    /// Two with the same signature are the same.
    pub(super) signature: String,
}

impl Sighting {
    pub(super) fn crash(events: &[Event]) -> Self {
        let exit = events.iter().rev().find_map(|event| match &event.kind {
            Kind::Exit(exit) => Some(exit.to_string()),
            _ => None,
        });
        let how = exit.unwrap_or_else(|| "closed the connection".to_owned());
        let stderr = stderr(events);
        let why = stderr.iter().rev().find(|line| telling(line)).or(stderr.last());
        let why = why.map(|line| fuzz::pattern(line)).unwrap_or_default();
        Self {
            sort: Sort::Crash,
            message: format!("the server {how}"),
            finding: None,
            signature: format!("crash {how} {why}"),
            stderr,
        }
    }

    pub(super) fn hang(events: &[Event], method: &str) -> Self {
        let message = "the server answers nothing any more, not even a sign of life".to_owned();
        Self { sort: Sort::Hang, message, finding: None, signature: format!("hang {method}"), stderr: stderr(events) }
    }

    pub(super) fn broken(id: &'static str, finding: Finding, events: &[Event]) -> Self {
        let signature = format!("broken {id} {}", finding.message);
        let message = finding.message.clone();
        Self { sort: Sort::Nonconforming, message, finding: Some((id, finding)), signature, stderr: stderr(events) }
    }

    pub(super) fn found(self, lines: Lines, times: u32, repeats: bool, after: Duration) -> Found {
        let (requirement, finding) = self.finding.map_or((None, None), |(id, finding)| (Some(id), Some(finding)));
        Found {
            sort: self.sort,
            message: self.message,
            requirement,
            finding,
            stderr: self.stderr,
            lines,
            times,
            repeats,
            after,
        }
    }
}

/// A line that says why a program ended.
fn telling(line: &str) -> bool {
    ["panicked", "Error", "error", "fatal", "FATAL", "Exception", "overflow", "SIG"]
        .iter()
        .any(|word| line.contains(word))
}

fn stderr(events: &[Event]) -> Vec<String> {
    let lines = events.iter().filter_map(|event| match &event.kind {
        Kind::Stderr { text, .. } if !text.trim().is_empty() => Some(text.chars().take(300).collect()),
        _ => None,
    });
    let all: Vec<String> = lines.collect();
    all[all.len().saturating_sub(LAST)..].to_vec()
}
