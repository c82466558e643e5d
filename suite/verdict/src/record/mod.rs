//! The stored record of a run, `report.json`: the contract with everything outside. Add freely, rename nothing.

mod entry;
mod falls;
mod hosts;
mod origin;
mod report;
mod summary;
mod timing;

pub use entry::{Cause, Entry};
pub use falls::Falls;
pub use hosts::{EFFECTS, HostFact, HostPlace, Noticed};
pub use origin::{Origin, Sdk};
pub use report::{Report, Runs, Unspoken};
pub use summary::{ByLevel, Summary};
pub use timing::{Timing, TimingStep};

use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::property::Tested;
use crate::{Revision, Transport};

/// The version of the format.
pub const FORMAT: u32 = 1;

/// The record of one run against one server in one revision.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Record {
    /// [`FORMAT`].
    pub format: u32,
    /// Who wrote it.
    pub tool: Named,
    /// The program or URL under test.
    pub target: Target,
    /// Who the server says it is.
    pub server: Named,
    /// The revision judged.
    pub protocol: Revision,
    /// The seed that repeats the run.
    pub seed: u64,
    /// Why the target could not be judged at all; then nothing was observed.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub trouble: Option<String>,
    /// True if the run was interrupted: what is missing was not tried.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub partial: bool,
    /// Why only a part of what the server said was judged: it said more than is kept.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub incomplete: Option<String>,
    /// What the server is built with; none where that is not known.
    #[serde(default)]
    pub sdk: Option<Sdk>,
    /// The baseline that the run was compared with.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub baseline: Option<String>,
    /// What a server that answers wrongly made the tester assume; what depends on it is not observed.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub assumed: Vec<String>,
    /// Judged from recordings of real clients: what they happened to ask for.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub recorded: bool,
    /// Counts.
    pub summary: Summary,
    /// Every requirement of the revision, once, in catalogue order.
    pub requirements: Vec<Entry>,
    /// What is wrong with the server: each failed requirement stands in exactly one cause. The gravest first.
    #[serde(default)]
    pub causes: Vec<Cause>,
    /// What hosts do not take of it as it is, the worst first; no part of the verdict.
    #[serde(default)]
    pub hosts: Vec<HostFact>,
    /// Facts about hosts of which nothing was seen that could show them.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub hosts_unseen: Vec<String>,
    /// What was noticed on the wire that facts about hosts are about; none if nobody looked.
    #[serde(skip)]
    pub noticed: Vec<Noticed>,
    /// Tools that were listed but may not be called.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub not_called: Vec<String>,
    /// Why those tools were not called, each reason once.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub withheld: Vec<Withheld>,
    /// Things worth knowing about the run as a whole.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub notes: Vec<String>,
    /// The tools, as the server lists them.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub tools: Vec<Value>,
    /// Requests with their times and results, as far as there is room.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub timeline: Vec<Span>,
    /// Generated calls, one line per tool, prompt, template or completion.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub properties: Vec<Tested>,
    /// Calls of tools with valid arguments; none if there were none.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub calls: Option<Calls>,
    /// How often the server fell; none if it never did.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub falls: Option<Falls>,
    /// Time, requests and processes used.
    pub timing: Timing,
}

/// Calls of tools with valid arguments.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Calls {
    /// Calls that were answered.
    pub answered: u32,
    /// Those of them that did not fail.
    pub succeeded: u32,
}

/// Tools that were not called, for one reason.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Withheld {
    /// The reason: `not marked as read-only`.
    pub why: String,
    /// The flag with which they are called, if one does it: `--calls additive`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub flag: Option<String>,
    /// Their names.
    pub tools: Vec<String>,
}

/// Something that was asked, or the life of a session when `what` is empty.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Span {
    /// The session.
    pub session: u32,
    /// The purpose of the session or request: the name of a scenario, where one sent it.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub by: String,
    /// The method, and what it is about: `tools/call echo`.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub what: String,
    /// Microseconds since the run began.
    pub at_us: u64,
    /// Until the answer, or the end of the session; absent if none came.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub took_us: Option<u64>,
    /// `result`, `error -32602`, `HTTP 404`, `no answer`; of a session how it ended.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub outcome: String,
}

/// A program and its version.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Named {
    /// Its name.
    pub name: String,
    /// Its version.
    pub version: String,
}

/// The program or URL under test.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Target {
    /// The transport.
    pub transport: Transport,
    /// Program and arguments.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub command: Option<Vec<String>>,
    /// The URL.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub url: Option<String>,
    /// True for the embedded reference server: the report says nothing of anybody's own.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub embedded: bool,
}
