//! The judgement of one requirement.

use serde::{Deserialize, Serialize};

use crate::Level;
use crate::property::Generated;

/// The outcome for one requirement.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Status {
    /// Something that could have broken it was seen, and did not.
    Pass,
    /// It was broken; the findings say how.
    Fail,
    /// Nothing that could have broken it was seen.
    NotObserved,
    /// The server does not offer what it is about, or the transport is another.
    NotApplicable,
    /// Left out on request.
    Skipped,
    /// The evidence is ambiguous even after a repetition.
    Inconclusive,
}

impl Status {
    /// Every status, in the order of reports.
    pub const ALL: [Self; 6] =
        [Self::Pass, Self::Fail, Self::NotObserved, Self::NotApplicable, Self::Skipped, Self::Inconclusive];

    /// The name used in reports.
    #[must_use]
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Pass => "pass",
            Self::Fail => "fail",
            Self::NotObserved => "not_observed",
            Self::NotApplicable => "not_applicable",
            Self::Skipped => "skipped",
            Self::Inconclusive => "inconclusive",
        }
    }
}

/// One way in which a requirement was broken. `message`, `expected` and `actual` hold nothing that changes between two
/// runs (ids, times, ports); the bytes are in `wire`.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Finding {
    /// The violation, as a sentence.
    pub message: String,
    /// The expected behavior.
    pub expected: String,
    /// The observed behavior.
    pub actual: String,
    /// The tool it is about.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub tool: Option<String>,
    /// The place it is about, where that is no tool: a method, a JSON pointer, a header.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub place: Option<String>,
    /// Graver or milder than the requirement itself: absent means the requirement's level.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub level: Option<Level>,
    /// The exchange, `> ` sent and `< ` received, in order.
    #[serde(default)]
    pub wire: Vec<String>,
    /// The command that repeats it.
    #[serde(default)]
    pub reproduce: String,
    /// Standard error of the server around that time.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub stderr: Vec<String>,
    /// How often the same was seen.
    #[serde(default = "one", skip_serializing_if = "is_one")]
    pub count: u32,
    /// The generated request that it rests on.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub generated: Option<Generated>,
    /// The reason why the baseline accepts it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub known: Option<String>,
    /// The server ended over it, or answered nothing any more: at least a should, whatever the requirement.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub fell: bool,
    /// Messages that were under way when a server at a URL ended or fell silent; which of several did it is not known.
    #[serde(default, skip_serializing_if = "is_zero")]
    pub under_way: u32,
    /// Requirements and scenarios that have to run beside this requirement so that it shows.
    #[serde(skip)]
    pub shown_by: Vec<String>,
}

impl Finding {
    /// A finding from the violation, the expected and the observed behavior, and the lines that show it.
    #[must_use]
    pub fn new(
        message: impl Into<String>,
        expected: impl Into<String>,
        actual: impl Into<String>,
        wire: Vec<String>,
    ) -> Self {
        Self {
            message: message.into(),
            expected: expected.into(),
            actual: actual.into(),
            tool: None,
            place: None,
            level: None,
            wire,
            reproduce: String::new(),
            stderr: Vec::new(),
            count: one(),
            generated: None,
            known: None,
            fell: false,
            under_way: 0,
            shown_by: Vec::new(),
        }
    }

    /// Marks it as the end of the server.
    #[must_use]
    pub fn fells(mut self) -> Self {
        self.fell = true;
        self
    }

    /// Its level: its own, else that of the requirement; whoever fells a server breaks at least a should.
    #[must_use]
    pub fn level_or(&self, requirement: Level) -> Level {
        let level = self.level.unwrap_or(requirement);
        if self.fell { level.min(Level::Should) } else { level }
    }
}

fn one() -> u32 {
    1
}

#[expect(clippy::trivially_copy_pass_by_ref, reason = "serde asks for a reference")]
fn is_zero(count: &u32) -> bool {
    *count == 0
}

fn is_one(count: &u32) -> bool {
    *count == 1
}

/// The outcome for one requirement in one run.
#[derive(Clone, Debug, PartialEq)]
pub struct Verdict {
    /// The requirement.
    pub id: &'static str,
    /// Its level in the judged revision; if all findings are milder, the gravest of theirs.
    pub level: Level,
    /// The outcome.
    pub status: Status,
    /// Why it is neither pass nor fail.
    pub reason: Option<String>,
    /// How many things that could have broken it were examined.
    pub subjects: u32,
    /// How it was broken.
    pub findings: Vec<Finding>,
    /// Remarks that are no violations.
    pub notes: Vec<String>,
}
