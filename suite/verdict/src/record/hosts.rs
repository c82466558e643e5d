//! What hosts and client libraries do not take as it is.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

/// Something about a server that hosts do not take as it is, though the specification may allow it. It is no part of the verdict.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct HostFact {
    /// Its name in the table of hosts.
    pub id: String,
    /// The hosts, by their names in the table.
    pub hosts: Vec<String>,
    /// The worst that one of them does, in the words of [`EFFECTS`].
    pub effect: String,
    /// What those do that do something else.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub effects: BTreeMap<String, String>,
    /// Whether the specification allows what triggers it.
    pub legal: bool,
    /// The requirements that it breaks, if it is not legal.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub requirement: Vec<String>,
    /// Where it is.
    #[serde(rename = "where")]
    pub places: Vec<HostPlace>,
    /// Further places.
    #[serde(default, skip_serializing_if = "is_zero")]
    pub more: u32,
    /// What triggers it, as a sentence.
    pub what: String,
    /// What has to be so on the side of the user, if it does not happen to everyone.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub only_if: Option<String>,
    /// What the author can do, if that is known.
    pub mend: Option<String>,
    /// What hosts take that pull in opposite directions, if some do.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub both: Option<String>,
    /// How it is known: `documented`, `reported`, `measured` or `mended in VERSION`.
    pub status: String,
    /// Since and until when, and in which versions it was seen.
    pub seen_in: String,
    /// When it was last confirmed, as YYYY-MM.
    pub confirmed: String,
    /// Whether that is long ago, so that it may have changed.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub old: bool,
    /// Where that can be read.
    pub source: Vec<String>,
}

/// What hosts do, the worst first.
pub const EFFECTS: [&str; 7] =
    ["request fails", "whole list dropped", "disconnects", "tool dropped silently", "truncated", "changed", "warning"];
/// How many of these, from the first, cost something for good.
const GRAVE: usize = 4;

impl HostFact {
    /// Whether newer versions of the hosts take it.
    #[must_use]
    pub fn is_mended(&self) -> bool {
        self.status.starts_with("mended")
    }

    /// Whether every user of a host meets it today, as far as is known.
    #[must_use]
    pub fn is_for_all(&self) -> bool {
        self.only_if.is_none() && !self.old && !self.is_mended()
    }

    /// Whether every user of one of its hosts for which this holds loses a request, a list, the connection or a tool.
    #[must_use]
    pub fn is_grave_in(&self, holds: &dyn Fn(&str) -> bool) -> bool {
        let loses = |host: &String| holds(host) && EFFECTS[..GRAVE].contains(&self.effect_in(host));
        self.is_for_all() && self.hosts.iter().any(loses)
    }

    /// What this host does.
    #[must_use]
    pub fn effect_in(&self, host: &str) -> &str {
        self.effects.get(host).unwrap_or(&self.effect)
    }

    /// The hosts with what those do that do something else: `ts-sdk-v1, ts-sdk-v2 (request fails)`.
    #[must_use]
    pub fn hosts_with_effects(&self) -> String {
        let one = |host: &String| match self.effects.get(host) {
            Some(effect) => format!("{host} ({effect})"),
            None => host.clone(),
        };
        self.hosts.iter().map(one).collect::<Vec<_>>().join(", ")
    }
}

/// What crossed the wire in a run that shows a fact, or could have.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Noticed {
    /// The name of the fact.
    pub fact: String,
    /// Where it shows; none if all that was seen is taken.
    pub places: Vec<HostPlace>,
}

/// A place that a host does not take as it is, or where that shows.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub struct HostPlace {
    /// The tool; none if it is all of them together, or no tool.
    pub tool: Option<String>,
    /// The JSON pointer in its definition, empty for the definition as a whole; or what was answered, the requirement that is broken, a header.
    pub at: String,
}

impl HostPlace {
    /// What to call it: `search/inputSchema`, `tools/call result of search`, `tools/list result` or `all tools`.
    #[must_use]
    pub fn in_words(&self) -> String {
        match (&self.tool, self.at.as_str()) {
            (None, "") => "all tools".to_owned(),
            (None, at) => at.to_owned(),
            (Some(tool), at) if at.is_empty() || at.starts_with('/') => format!("{tool}{at}"),
            (Some(tool), at) => format!("{at} of {tool}"),
        }
    }
}

#[expect(clippy::trivially_copy_pass_by_ref, reason = "serde calls it so")]
fn is_zero(number: &u32) -> bool {
    *number == 0
}
