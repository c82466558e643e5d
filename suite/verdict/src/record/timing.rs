//! Time, requests and processes that a run used.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

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
