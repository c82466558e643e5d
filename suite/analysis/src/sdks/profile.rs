//! What the smallest correct server breaks that is built with an SDK.

use std::collections::{BTreeMap, BTreeSet};

use judge::signatures;
use serde::{Deserialize, Serialize};
use verdict::record::{Entry, Record};
use verdict::{Level, Status};

/// An SDK in one version, as `sdks/REGISTRY/NAME/VERSION.toml` holds it.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Profile {
    /// Where the package is published: `npm`, `pypi`, `cargo`, `golang`.
    pub registry: String,
    /// Its name there.
    pub name: String,
    /// Its version.
    pub version: String,
    /// The day it was made, as YYYY-MM-DD; empty if that is not known.
    #[serde(default)]
    pub date: String,
    /// The runs that it comes from: `STYLE TRANSPORT REVISION`.
    pub runs: BTreeSet<String>,
    /// Requirements that were judged in some of the runs and failed in none.
    pub held: BTreeSet<String>,
    /// Requirements that failed, by id.
    #[serde(default)]
    pub broken: BTreeMap<String, Broken>,
}

/// A requirement that such a server breaks.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Broken {
    /// The gravest level of all runs.
    pub level: Level,
    /// What the server says there ([`judge::signatures`]).
    pub signatures: BTreeSet<String>,
    /// The runs in which it failed, unless those are all.
    #[serde(default, skip_serializing_if = "BTreeSet::is_empty")]
    pub runs: BTreeSet<String>,
    /// The runs in which it held.
    #[serde(default, skip_serializing_if = "BTreeSet::is_empty")]
    pub held: BTreeSet<String>,
    /// Whether it failed and held in one and the same run: it takes a race.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub varies: bool,
}

/// The signatures of a failed requirement.
fn signatures_of(entry: &Entry) -> Vec<String> {
    signatures(&judge::Broken { id: &entry.id, level: entry.level, findings: &entry.findings })
}

impl Broken {
    /// Notes the runs in which it held.
    fn keep(&mut self, runs: &BTreeSet<String>) {
        // What was judged in other runs only is in none of these.
        self.varies |= !self.runs.is_disjoint(runs);
        self.held = runs - &self.runs;
    }

    /// Adds what was seen another time.
    fn add(&mut self, other: &Self) {
        self.varies |= other.varies || !self.runs.is_disjoint(&other.held) || !self.held.is_disjoint(&other.runs);
        self.level = self.level.min(other.level);
        self.signatures.extend(other.signatures.iter().cloned());
        self.runs.extend(other.runs.iter().cloned());
        self.held = &(&self.held | &other.held) - &self.runs;
    }

    /// Whether a server breaks this as the smallest one does.
    pub(super) fn is_alike(&self, entry: &Entry) -> bool {
        entry.status == Status::Fail && signatures_of(entry).iter().all(|said| self.signatures.contains(said))
    }
}

impl Profile {
    /// The profile of a package by the records of runs of the smallest server, each with the style in which that is written. Good
    /// practice is left out: names and descriptions are the author's.
    #[must_use]
    pub fn of(registry: &str, name: &str, version: &str, records: &[(&str, &Record)]) -> Self {
        let [registry, name, version] = [registry, name, version].map(str::to_owned);
        let mut profile = Self { registry, name, version, ..Self::default() };
        let mut held: BTreeMap<&str, BTreeSet<String>> = BTreeMap::new();
        for (style, record) in records {
            let run = format!("{style} {} {}", record.target.transport, record.protocol);
            for entry in record.requirements.iter().filter(|entry| entry.level != Level::Advice) {
                match entry.status {
                    Status::Pass => _ = held.entry(&entry.id).or_default().insert(run.clone()),
                    Status::Fail => profile.add_broken(&run, entry),
                    _ => {}
                }
            }
            profile.runs.insert(run);
        }
        for (id, runs) in held {
            match profile.broken.get_mut(id) {
                Some(broken) => broken.keep(&runs),
                None => _ = profile.held.insert(id.to_owned()),
            }
        }
        profile
    }

    fn add_broken(&mut self, run: &str, entry: &Entry) {
        let broken = self.broken.entry(entry.id.clone()).or_insert_with(|| Broken {
            level: entry.level,
            signatures: BTreeSet::new(),
            runs: BTreeSet::new(),
            held: BTreeSet::new(),
            varies: false,
        });
        broken.level = broken.level.min(entry.level);
        broken.signatures.extend(signatures_of(entry));
        broken.runs.insert(run.to_owned());
    }

    /// Adds what was seen of the same version another time: what fails once is broken.
    pub fn add(&mut self, other: &Self) {
        for (id, seen) in &other.broken {
            match self.broken.get_mut(id) {
                Some(broken) => broken.add(seen),
                None => _ = self.broken.insert(id.clone(), seen.clone()),
            }
        }
        for id in std::mem::take(&mut self.held).union(&other.held) {
            match self.broken.get_mut(id) {
                Some(broken) => broken.varies = true,
                None => _ = self.held.insert(id.clone()),
            }
        }
        self.runs.extend(other.runs.iter().cloned());
    }

    /// As it is stored.
    ///
    /// # Errors
    /// Never for a profile that was made here: every member has a form in TOML.
    pub fn to_toml(&self) -> Result<String, toml::ser::Error> {
        let mut stored = self.clone();
        for broken in stored.broken.values_mut().filter(|broken| broken.runs == self.runs) {
            broken.runs.clear();
        }
        toml::to_string_pretty(&stored)
    }

    /// Reads what [`Self::to_toml`] wrote.
    ///
    /// # Errors
    /// What is wrong with the text, and where.
    pub fn from_toml(text: &str) -> Result<Self, toml::de::Error> {
        let mut profile: Self = toml::from_str(text)?;
        for broken in profile.broken.values_mut().filter(|broken| broken.runs.is_empty()) {
            broken.runs.clone_from(&profile.runs);
        }
        Ok(profile)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::{failed, passed, record};

    #[test]
    fn a_profile_holds_what_failed_in_some_run_and_what_held_in_all() {
        let mended = record(vec![passed("ping.answered"), passed("tools.call.missing-name")]);
        let broken = record(vec![
            passed("ping.answered"),
            failed("tools.call.missing-name", Level::Should, "It is wrong."),
            failed("practice.tool.examples", Level::Advice, "No example."),
        ]);
        let profile = Profile::of("npm", "example", "1.0.0", &[("high", &mended), ("low", &broken), ("low", &mended)]);
        assert_eq!(profile.held, BTreeSet::from(["ping.answered".to_owned()]));
        let found = &profile.broken["tools.call.missing-name"];
        assert_eq!(found.runs, BTreeSet::from(["low stdio 2025-11-25".to_owned()]));
        assert_eq!(found.held, BTreeSet::from(["high stdio 2025-11-25".to_owned()]));
        assert_eq!((found.level, profile.broken.len()), (Level::Should, 1));
        let text = profile.to_toml().expect("TOML");
        assert_eq!(Profile::from_toml(&text).expect("a profile"), profile);
    }

    #[test]
    fn what_fails_only_once_is_broken_and_varies() {
        let profile = |records: &[&Record]| {
            let records: Vec<(&str, &Record)> = records.iter().map(|record| ("high", *record)).collect();
            Profile::of("npm", "example", "1.0.0", &records)
        };
        let held = record(vec![passed("ping.answered"), passed("tools.list.stable")]);
        let broken = record(vec![passed("ping.answered"), failed("tools.list.stable", Level::Should, "It changed.")]);
        let (mut once, twice) = (profile(&[&held]), profile(&[&held, &broken]));
        once.add(&profile(&[&broken]));
        for profile in [&once, &twice] {
            assert!(profile.broken["tools.list.stable"].varies);
            assert_eq!(profile.held, BTreeSet::from(["ping.answered".to_owned()]));
        }
        let mut always = profile(&[&broken]);
        always.add(&profile(&[&broken]));
        assert!(!always.broken["tools.list.stable"].varies);
    }
}
