//! Compares the causes of broken requirements of two runs in one revision: new and mended.

use serde::Serialize;
use verdict::record::Cause;
use verdict::{Level, Revision};

use super::side::Run;

/// The differences between the causes in one revision.
#[derive(Debug, Serialize)]
pub(crate) struct Causes {
    /// The revision.
    pub(crate) protocol: Revision,
    /// Causes whose requirements were all kept in the old run, or not judged.
    pub(crate) new: Vec<Named>,
    /// Causes of which the new run judged at least one requirement, and found none broken.
    pub(crate) mended: Vec<Named>,
}

/// A cause that differs.
#[derive(Debug, PartialEq, Eq, Serialize)]
pub(crate) struct Named {
    /// Its id.
    pub(crate) id: String,
    /// What the server does wrong, or did.
    pub(crate) title: String,
    /// The gravest level that it breaks.
    pub(crate) level: Level,
    /// What it breaks.
    pub(crate) requirements: Vec<String>,
}

/// Compares the causes of two runs; none if a side does not contain them. A cause under another id that breaks something in common
/// is the same mistake, which shows differently: neither new nor mended.
pub(crate) fn causes(old: &Run, new: &Run) -> Option<Causes> {
    let (was, is) = old.causes.as_ref().zip(new.causes.as_ref())?;
    let breaks = |all: &[Cause], one: &Cause| {
        let shares = |other: &Cause| other.requirements.iter().any(|id| one.requirements.contains(id));
        all.iter().any(|other| other.id == one.id || shares(other))
    };
    let judged = |cause: &&Cause| {
        let entry = |id: &String| new.steady.get(id).is_some_and(|entry| entry.status == "pass");
        cause.requirements.iter().any(entry)
    };
    Some(Causes {
        protocol: new.revision,
        new: is.iter().filter(|cause| !breaks(was, cause)).map(named).collect(),
        mended: was.iter().filter(|cause| !breaks(is, cause)).filter(judged).map(named).collect(),
    })
}

fn named(cause: &Cause) -> Named {
    Named {
        id: cause.id.clone(),
        title: cause.title.clone(),
        level: cause.level,
        requirements: cause.requirements.clone(),
    }
}

impl Causes {
    /// Those that are worth a line beside the findings: what breaks one requirement is that finding.
    pub(crate) fn shared(list: &[Named]) -> impl Iterator<Item = &Named> {
        list.iter().filter(|cause| cause.requirements.len() > 1)
    }
}
