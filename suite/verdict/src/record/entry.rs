//! One requirement in the report, and what breaks several of them.

use serde::{Deserialize, Serialize};

use super::Origin;
use crate::{Finding, Level, Status};

/// One defect of the server, with every requirement that it breaks: what one mend would mend.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Cause {
    /// A name for how the mistake shows: the same in a further run, with another seed, and in a further version of the server.
    pub id: String,
    /// What the server does wrong, as a sentence.
    pub title: String,
    /// The gravest level of its requirements.
    pub level: Level,
    /// Whose it is.
    pub origin: Origin,
    /// The requirements: those that the mistake itself breaks, then what they break besides.
    pub requirements: Vec<String>,
    /// What the server has to do instead.
    pub mend: String,
    /// Where others speak of it, if that is known.
    pub upstream: Option<String>,
    /// What an author can do about a mistake of the SDK, if that is known.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub workaround: Option<String>,
    /// The first later version of the SDK that does not break this, if there is one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub mended_in: Option<String>,
    /// The exchange that shows it best.
    #[serde(default)]
    pub wire: Vec<String>,
    /// The command that repeats that.
    #[serde(default)]
    pub reproduce: String,
}

/// One requirement in the report.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Entry {
    /// The catalogue id.
    pub id: String,
    /// The level in the judged revision; if all findings are milder, the gravest of theirs.
    pub level: Level,
    /// The outcome.
    pub status: Status,
    /// Why it is neither pass nor fail.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub reason: Option<String>,
    /// If it was not observed: a flag of `run` that may change that.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub unlocked_by: Option<String>,
    /// The scenario that provokes it; null when it is judged on any traffic.
    pub scenario: Option<String>,
    /// How it was broken.
    pub findings: Vec<Finding>,
    /// Remarks that are no violations.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub notes: Vec<String>,
    /// How many things that could have broken it were examined.
    #[serde(default)]
    pub subjects: u32,
    /// The reason why the baseline accepts all of its findings.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub known: Option<String>,
    /// Whose it is, if it is broken and the SDK of the server has a profile. Of good practice nothing is said.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub origin: Option<Origin>,
}

impl Entry {
    /// Whether it is broken and no baseline accepts that.
    #[must_use]
    pub fn is_open(&self) -> bool {
        self.status == Status::Fail && self.known.is_none()
    }
}
