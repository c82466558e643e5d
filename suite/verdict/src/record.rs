//! The stored record of a run, `report.json`: the contract with everything outside. Add freely, rename nothing.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::property::Tested;
use crate::{Finding, Level, Revision, Status, Transport};

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

/// How often the server ended by itself or stopped answering, and had to be started again. What only looked for the cause of such a
/// fall is not counted.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Falls {
    /// Processes that ended by themselves, or connections that the server closed.
    pub ended: u32,
    /// Sessions in which it stopped answering for good.
    pub silent: u32,
    /// Those of both that came after malformed input.
    pub malformed: u32,
    /// Those of both that came after well-formed messages which fell no fresh process.
    pub unrepeated: u32,
}

impl Falls {
    /// All of them.
    #[must_use]
    pub fn count(&self) -> u32 {
        self.ended + self.silent
    }

    /// Says how it fell and over what; each time it was started again.
    #[must_use]
    pub fn in_words(&self) -> String {
        let Self { ended, silent, malformed, unrepeated } = *self;
        let all = [
            (ended, if ended == 1 { "process ended" } else { "processes ended" }),
            (silent, "stopped answering"),
            (malformed, "of these after malformed input"),
            (unrepeated, "not repeatable"),
        ];
        let said = all.iter().filter(|(number, _)| *number > 0);
        let told: Vec<String> = said.map(|(number, what)| format!("{number} {what}")).collect();
        format!("{}; each time another was started", told.join(", "))
    }

    /// Adds those of another run.
    pub fn add(&mut self, other: &Self) {
        self.ended += other.ended;
        self.silent += other.silent;
        self.malformed += other.malformed;
        self.unrepeated += other.unrepeated;
    }
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

/// The JSON document that `run` prints: the record of one revision, or those of all.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(untagged)]
pub enum Report {
    /// Several revisions of one server.
    All(Runs),
    /// One revision.
    One(Box<Record>),
}

/// The records of one server in several revisions.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Runs {
    /// [`FORMAT`].
    pub format: u32,
    /// Who wrote it.
    pub tool: Named,
    /// The program or URL under test.
    pub target: Target,
    /// One record a revision.
    pub runs: Vec<Record>,
    /// Revisions that the server does not speak.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub unspoken: Vec<Unspoken>,
}

/// A revision that the server does not speak.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Unspoken {
    /// The revision.
    pub protocol: Revision,
    /// The server's reaction to that revision.
    pub reason: String,
}

impl Report {
    /// How often the server fell over well-formed messages that felled no fresh process.
    #[must_use]
    pub fn unrepeated(&self) -> u32 {
        self.records().iter().filter_map(|record| record.falls).map(|falls| falls.unrepeated).sum()
    }

    /// Its records, in the order in which they were made.
    #[must_use]
    pub fn records(&self) -> &[Record] {
        match self {
            Self::All(all) => &all.runs,
            Self::One(record) => std::slice::from_ref(record),
        }
    }

    /// The records, mutable.
    pub fn records_mut(&mut self) -> &mut [Record] {
        match self {
            Self::All(all) => &mut all.runs,
            Self::One(record) => std::slice::from_mut(record),
        }
    }

    /// The number of requirements that passed or failed, over all records.
    #[must_use]
    pub fn judged(&self) -> u32 {
        self.records().iter().map(|record| record.summary.pass + record.summary.fail).sum()
    }

    /// Failed requirements over all records.
    #[must_use]
    pub fn fails(&self) -> ByLevel {
        let mut sum = ByLevel::default();
        for record in self.records() {
            let fails = &record.summary.fail_by_level;
            sum.must += fails.must;
            sum.should += fails.should;
            sum.advice += fails.advice;
        }
        sum
    }
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

/// Counts over all requirements.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[expect(missing_docs, reason = "the names are the statuses")]
pub struct Summary {
    pub pass: u32,
    pub fail: u32,
    pub not_observed: u32,
    pub not_applicable: u32,
    pub skipped: u32,
    pub inconclusive: u32,
    pub fail_by_level: ByLevel,
}

/// Failed requirements by level.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[expect(missing_docs, reason = "the names are the levels")]
pub struct ByLevel {
    pub must: u32,
    pub should: u32,
    pub advice: u32,
}

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

/// Whose mistake something is.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Origin {
    /// That of the SDK: the smallest server that is built with it breaks the same in the same way.
    Sdk,
    /// The author's: the smallest server does not break it, or in another way.
    Own,
    /// It cannot be told.
    #[default]
    Unknown,
}

/// What a server is built with.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Sdk {
    /// The registry of the package, as package URLs name it: `npm`, `pypi`, `cargo`, `golang`.
    pub registry: String,
    /// The package whose code answers clients.
    pub name: String,
    /// Its version; empty where that cannot be told.
    pub version: String,
    /// The version of the profile that the findings were held against; none if there is no profile.
    pub profile: Option<String>,
    /// How it is known: `files`, `wire` or `told`.
    pub how: String,
    /// The interface of the package that the server uses, if it has several and that is known: `high` or `low`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub style: Option<String>,
    /// What that package is built on, if it is a framework on an SDK.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub on: Option<Named>,
}

impl Entry {
    /// Whether it is broken and no baseline accepts that.
    #[must_use]
    pub fn is_open(&self) -> bool {
        self.status == Status::Fail && self.known.is_none()
    }
}

/// Time, requests and processes that a run used.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Timing {
    /// Wall-clock time in milliseconds.
    pub wall_ms: u64,
    /// Messages sent that ask for an answer.
    pub requests: u64,
    /// Processes started, or connections opened for a session of their own.
    pub spawns: u64,
    /// The most memory the tester itself held, in kilobytes, where the system tells.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub peak_kb: Option<u64>,
    /// Of the wall-clock time, milliseconds in which processes were starting.
    #[serde(default)]
    pub starting_ms: u64,
    /// Of the wall-clock time, milliseconds in which an answer, a silence or an end was waited for.
    #[serde(default)]
    pub waiting_ms: u64,
    /// Of these, milliseconds in which nothing was owed.
    #[serde(default)]
    pub silence_ms: u64,
    /// Of the wall-clock time, milliseconds of the tester's own work.
    #[serde(default)]
    pub own_ms: u64,
    /// The critical path by scenario, the longest step first; the sum is the wall-clock time.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub steps: Vec<TimingStep>,
    /// Wall-clock time by phase in milliseconds.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub phases: BTreeMap<String, u64>,
}

/// A step on the critical path of a run: what one scenario adds to the wall-clock time, in microseconds.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct TimingStep {
    /// The scenario, or the purpose of its session.
    pub name: String,
    /// Until processes that were started said their first word.
    pub starting_us: u64,
    /// Until answers came.
    pub answers_us: u64,
    /// While nothing was owed: until silence was proved, a pause was over, or a process had ended.
    pub silence_us: u64,
    /// The tester's own work.
    pub own_us: u64,
}

impl TimingStep {
    /// All of it.
    #[must_use]
    pub fn all_us(&self) -> u64 {
        self.starting_us + self.answers_us + self.silence_us + self.own_us
    }
}

impl Timing {
    /// With the critical path, and its sums.
    #[must_use]
    pub fn along(mut self, steps: Vec<TimingStep>) -> Self {
        let sum = |part: fn(&TimingStep) -> u64| steps.iter().map(part).sum::<u64>() / 1_000;
        self.starting_ms = sum(|step| step.starting_us);
        self.silence_ms = sum(|step| step.silence_us);
        self.waiting_ms = sum(|step| step.answers_us + step.silence_us);
        self.own_ms = sum(|step| step.own_us);
        self.steps = steps;
        self
    }
}

impl Summary {
    /// Counts entries.
    #[must_use]
    pub fn of(entries: &[Entry]) -> Self {
        let mut summary = Self::default();
        for entry in entries {
            *summary.slot(entry.status) += 1;
            if entry.status == Status::Fail {
                *summary.fail_by_level.slot(entry.level) += 1;
            }
        }
        summary
    }

    fn slot(&mut self, status: Status) -> &mut u32 {
        match status {
            Status::Pass => &mut self.pass,
            Status::Fail => &mut self.fail,
            Status::NotObserved => &mut self.not_observed,
            Status::NotApplicable => &mut self.not_applicable,
            Status::Skipped => &mut self.skipped,
            Status::Inconclusive => &mut self.inconclusive,
        }
    }
}

impl ByLevel {
    fn slot(&mut self, level: Level) -> &mut u32 {
        match level {
            Level::Must => &mut self.must,
            Level::Should => &mut self.should,
            Level::Advice => &mut self.advice,
        }
    }

    /// Failed requirements at this level or a graver one.
    #[must_use]
    pub fn at_or_above(&self, level: Level) -> u32 {
        match level {
            Level::Must => self.must,
            Level::Should => self.must + self.should,
            Level::Advice => self.must + self.should + self.advice,
        }
    }
}
