//! The records of one server: of one revision, or of several.

use serde::{Deserialize, Serialize};

use super::{ByLevel, Named, Record, Target};
use crate::Revision;

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
    /// [`super::FORMAT`].
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
