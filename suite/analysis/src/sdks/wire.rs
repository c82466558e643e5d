//! Which SDK a server is built with, by what it breaks: for a URL, and for programs whose files do not tell. An SDK is recognized by
//! its mistakes, so one that makes none is not.

use std::collections::BTreeSet;

use verdict::Status;
use verdict::record::{Record, Sdk};

use super::Profile;
use super::shelf::newest;

/// Requirements that a server must break as an SDK does, at least.
const ENOUGH: usize = 4;
/// How many of a hundred that the SDK breaks and that were judged must be broken in the same way.
const ALIKE: usize = 80;
/// How much further from any other SDK its score must be, or how many more equal mistakes it must have: an SDK breaks most of what the
/// framework breaks that is built on it.
const AHEAD: (i64, usize) = (3, 4);

/// How much a server resembles the smallest one that is built with an SDK.
#[derive(Clone, Copy, Debug)]
struct Likeness {
    /// Requirements that it breaks in the same way.
    same: usize,
    /// Requirements that the SDK breaks in some run of this transport and revision, and that were judged here.
    all: usize,
}

impl Likeness {
    /// What an SDK breaks and the server does not speaks against it more than an equal mistake speaks for it: many make that.
    fn score(self) -> i64 {
        let count = |number: usize| i64::try_from(number).unwrap_or(i64::MAX);
        count(self.same) - 3 * count(self.all - self.same)
    }

    fn is_beyond(self, other: Self) -> bool {
        self.score() >= other.score() + AHEAD.0 || self.same >= other.same + AHEAD.1
    }
}

/// Returns the SDK that a server seems to be built with; its version stays unknown.
#[must_use]
pub fn by_wire(record: &Record) -> Option<Sdk> {
    let mut found: Vec<(Likeness, Profile)> = newest().map(|profile| (likeness(record, &profile), profile)).collect();
    found.sort_by_key(|(likeness, _)| std::cmp::Reverse(likeness.score()));
    let (best, profile) = found.first()?;
    let is_alike = best.same >= ENOUGH && best.same * 100 >= best.all * ALIKE;
    let is_known = is_alike && found[1..].iter().all(|(other, _)| best.is_beyond(*other));
    is_known.then(|| Sdk {
        registry: profile.registry.clone(),
        name: profile.name.clone(),
        version: String::new(),
        profile: None,
        how: "wire".to_owned(),
        style: None,
        on: None,
        accepted: false,
    })
}

fn likeness(record: &Record, profile: &Profile) -> Likeness {
    let run = format!(" {} {}", record.target.transport, record.protocol);
    let count = |runs: &BTreeSet<String>| runs.iter().filter(|name| name.ends_with(&run)).count();
    let styles = count(&profile.runs);
    let judged = record.requirements.iter().filter(|entry| matches!(entry.status, Status::Pass | Status::Fail));
    let broken = judged.filter_map(|entry| Some((entry, profile.broken.get(&entry.id)?)));
    // One that some style of the SDK does not break may hold here too.
    let expected: Vec<_> = broken.filter(|(_, broken)| styles > 0 && count(&broken.runs) == styles).collect();
    let same = expected.iter().filter(|(entry, broken)| broken.is_alike(entry)).count();
    Likeness { same, all: expected.len() }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::sdks::all;
    use crate::testing::{failed, passed, record};

    /// A record of a server that breaks what an SDK breaks over stdio in the newest revision with a handshake.
    fn like(profile: &Profile, style: &str) -> Record {
        let run = format!("{style} stdio 2025-11-25");
        let broken = profile.broken.iter().filter(|(_, broken)| broken.runs.contains(&run));
        let failed = broken.map(|(id, broken)| failed(id, broken.level, broken.signatures.first().expect("one")));
        record(failed.chain(profile.held.iter().map(|id| passed(id))).collect())
    }

    #[test]
    fn a_server_without_mistakes_is_not_recognized() {
        assert_eq!(by_wire(&record(vec![passed("ping.answered")])), None);
        let some = all().next().expect("a profile");
        let mut other = like(&some, "high");
        other.requirements.iter_mut().for_each(|entry| {
            entry.findings.iter_mut().for_each(|finding| "Quite another mistake.".clone_into(&mut finding.message));
        });
        assert_eq!(by_wire(&other), None);
    }
}
