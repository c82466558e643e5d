//! The requirements catalogue, compiled in from `requirements/*.toml`.

use std::collections::HashMap;
use std::sync::LazyLock;

use serde::{Deserialize, Serialize};

use crate::{Revision, Transport};

/// How binding a requirement is. `Must` compares least, so that sorting puts the gravest first.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Level {
    /// The specification says MUST, or a message would not fit its schema.
    Must,
    /// The specification says SHOULD.
    Should,
    /// Good practice that no revision demands.
    Advice,
}

impl Level {
    /// The name used in the catalogue and in reports.
    #[must_use]
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Must => "must",
            Self::Should => "should",
            Self::Advice => "advice",
        }
    }
}

/// The conditions under which a requirement can be observed on the wire.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Observe {
    /// It must be provoked.
    Active,
    /// It can be judged on any traffic.
    Passive,
    /// Only if the server offers something special.
    Fixture,
    /// It cannot be seen from outside.
    Untestable,
}

impl Observe {
    /// The name used in the catalogue and in reports.
    #[must_use]
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Active => "active",
            Self::Passive => "passive",
            Self::Fixture => "fixture",
            Self::Untestable => "untestable",
        }
    }
}

/// Something a server must or should do.
#[derive(Debug, Serialize)]
pub struct Requirement {
    /// `area.topic.claim`; never reused.
    pub id: &'static str,
    /// The first part of the id.
    pub area: &'static str,
    /// The strongest level of all revisions.
    pub level: Level,
    /// The revisions in which it holds.
    pub revisions: &'static [Revision],
    /// The transports it binds; empty means all.
    pub transports: &'static [Transport],
    /// Capabilities or features without which it does not apply.
    pub needs: &'static [&'static str],
    /// Page and anchor under the newest of its revisions.
    pub source: &'static str,
    /// Further sources.
    pub sources: &'static [&'static str],
    /// The claim.
    pub statement: &'static str,
    /// The consequence for a client and its user when a server breaks this.
    pub why: &'static str,
    /// How somebody who only sees the wire observes it.
    pub probe: &'static str,
    /// The conditions under which it can be observed.
    pub observe: Observe,
    /// Why it cannot be observed on any server.
    pub because: Option<&'static str>,
    /// The feature that a server must offer for it to be observed.
    pub fixture: Option<&'static str>,
    /// What a server has to do, or a run to be given, for it to be observed; goes on "it takes".
    pub takes: Option<&'static str>,
    /// Calls of tools show it, whatever they are made for.
    pub calls: bool,
    /// What to change in a server that breaks it; empty if nothing can show that it does.
    pub mend: &'static str,
    /// How servers come to get it wrong.
    pub mistake: Option<&'static str>,
    /// The internal state of a server that decides whether a defect shows, so that one run may see it and the next may not. A
    /// finding is true all the same; snapshots leave it out.
    pub chance: Option<&'static str>,
    /// Requirements that the same mistake breaks as well: a more general one, or one that can no longer be met.
    pub also_breaks: &'static [&'static str],
    /// Levels of single revisions where they differ.
    pub levels: &'static [(Revision, Level)],
    /// Other differences of single revisions.
    pub varies: &'static [(Revision, &'static str)],
}

/// Something a server may do; no rule may ever flag it.
#[derive(Debug, Serialize)]
pub struct Allowance {
    /// `area.topic.claim`; never reused.
    pub id: &'static str,
    /// The first part of the id.
    pub area: &'static str,
    /// The revisions that allow it.
    pub revisions: &'static [Revision],
    /// Page and anchor under the newest of its revisions.
    pub source: &'static str,
    /// The permitted behavior.
    pub statement: &'static str,
    /// Advice for testers.
    pub probe: &'static str,
    /// How a checker gets it wrong.
    pub pitfall: Option<&'static str>,
}

include!(concat!(env!("OUT_DIR"), "/catalogue.rs"));

static INDEX: LazyLock<HashMap<&'static str, &'static Requirement>> =
    LazyLock::new(|| REQUIREMENTS.iter().map(|requirement| (requirement.id, requirement)).collect());

/// Every requirement, in catalogue order.
#[must_use]
pub fn requirements() -> &'static [Requirement] {
    REQUIREMENTS
}

/// Every allowance, in catalogue order.
#[must_use]
pub fn allowances() -> &'static [Allowance] {
    ALLOWANCES
}

/// The requirement with this id.
#[must_use]
pub fn requirement(id: &str) -> Option<&'static Requirement> {
    INDEX.get(id).copied()
}

impl Requirement {
    /// Whether it holds in this revision.
    #[must_use]
    pub fn holds_in(&self, revision: Revision) -> bool {
        self.revisions.contains(&revision)
    }

    /// Whether it binds servers on this transport.
    #[must_use]
    pub fn binds(&self, transport: Transport) -> bool {
        self.transports.is_empty() || self.transports.contains(&transport)
    }

    /// Its level in one revision.
    #[must_use]
    pub fn level_in(&self, revision: Revision) -> Level {
        self.levels.iter().find(|(named, _)| *named == revision).map_or(self.level, |(_, level)| *level)
    }

    /// Why it was not observed, where a run has no reason of its own.
    #[must_use]
    pub fn unobserved(&self) -> String {
        match (self.observe, self.because, self.fixture, self.takes) {
            (Observe::Untestable, Some(because), ..) => format!("cannot be observed from outside: {because}"),
            (Observe::Fixture, _, Some(fixture), _) => format!("needs {fixture}"),
            (.., Some(takes)) => format!("nothing that could have violated it was seen: it takes {takes}"),
            _ => "nothing that could have violated it was seen".to_owned(),
        }
    }

    /// Why it cannot be observed, or what it takes.
    #[must_use]
    pub fn to_observe(&self) -> String {
        if let Some(because) = self.because.filter(|_| self.observe == Observe::Untestable) {
            return format!("It cannot be observed from outside: {because}.");
        }
        match (self.fixture, self.takes) {
            (None, None) => "Nothing more than a server to which it applies: a run provokes it.".to_owned(),
            (Some(one), None) | (None, Some(one)) => format!("It takes {one}."),
            (Some(fixture), Some(takes)) => format!("It takes {fixture}; and {takes}."),
        }
    }

    /// The catalogue's note on this revision.
    #[must_use]
    pub fn varies_in(&self, revision: Revision) -> Option<&'static str> {
        self.varies.iter().find(|(named, _)| *named == revision).map(|(_, text)| *text)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ids_are_found_and_levels_follow_the_revision() {
        let code = requirement("tools.call.unknown-tool-code").expect("in the catalogue");
        assert_eq!(code.level_in(Revision::V2026_07_28), Level::Must);
        assert_eq!(code.level_in(Revision::V2025_06_18), Level::Should);
        assert!(requirement("tools.call.no-such-claim").is_none());
    }

    #[test]
    fn what_breaks_as_well_can_break_in_the_same_run() {
        for one in requirements() {
            for id in one.also_breaks {
                let other = requirement(id).unwrap_or_else(|| panic!("{}: no requirement is called {id}", one.id));
                assert_ne!(one.id, other.id);
                let meet = Revision::ALL.iter().any(|revision| one.holds_in(*revision) && other.holds_in(*revision));
                assert!(meet, "{} and {id} are in no revision together", one.id);
            }
        }
    }

    #[test]
    fn what_cannot_be_observed_says_why() {
        for requirement in requirements() {
            if requirement.observe == Observe::Untestable {
                assert!(requirement.because.is_some(), "{}", requirement.id);
            }
        }
    }
}
