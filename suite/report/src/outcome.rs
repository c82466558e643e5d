//! The outcome of a report: decided in one place, so that every format says the same.

use std::collections::{BTreeMap, HashSet};

use verdict::record::{ByLevel, Calls, Falls, Record};
use verdict::{Level, Status};

use crate::causes::open_causes;
use crate::violations::{shared, violations};
use crate::whose::Shares;

/// What a report comes to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Conclusion {
    /// The target could not be judged at all.
    Trouble,
    /// No requirement passed or failed.
    NothingJudged,
    /// A must is broken that no baseline accepts.
    DoesNotConform,
    /// The server ended by itself, or stopped answering, over well-formed messages that felled no fresh process.
    Unstable,
    /// The run was interrupted, or the server said more than is kept, before a must was seen broken.
    Partial,
    /// Every broken must is accepted by the baseline, and so is at least one broken must or should.
    NothingNew,
    /// Only shoulds are broken.
    Warnings,
    /// Nothing but advice is broken.
    Conforms,
}

/// The outcome of the records of one server. A requirement that several revisions break counts once, at its gravest level.
#[derive(Clone, Debug)]
pub(crate) struct Outcome {
    pub(crate) conclusion: Conclusion,
    /// Broken requirements that no baseline accepts.
    pub(crate) open: ByLevel,
    /// What breaks the musts and shoulds among them.
    pub(crate) causes: usize,
    /// Whose those are, if that is known.
    pub(crate) shares: Option<Shares>,
    /// Broken requirements that the baseline accepts.
    pub(crate) known: ByLevel,
    /// The baseline.
    pub(crate) baseline: Option<String>,
    /// Requirements that passed or failed.
    pub(crate) judged: usize,
    /// Tools were called with valid arguments, and every call failed: what tools do was not seen.
    pub(crate) no_call_succeeded: bool,
    /// How often the server fell, and over what.
    pub(crate) falls: Falls,
}

impl Outcome {
    /// Returns the outcome of these records.
    pub(crate) fn of<'a>(records: impl IntoIterator<Item = &'a Record>) -> Self {
        let records: Vec<&Record> = records.into_iter().collect();
        let causes = open_causes(records.iter().copied());
        let shares = Shares::in_records(records.iter().copied());
        let (mut open, mut known) = (BTreeMap::new(), BTreeMap::new());
        let (mut judged, mut trouble, mut partial, mut baseline) = (HashSet::new(), false, false, None);
        let (mut calls, mut falls) = (Calls::default(), Falls::default());
        for record in records {
            falls.add(&record.falls.unwrap_or_default());
            let more = record.calls.unwrap_or_default();
            (calls.answered, calls.succeeded) = (calls.answered + more.answered, calls.succeeded + more.succeeded);
            trouble |= record.trouble.is_some();
            partial |= record.partial || record.incomplete.is_some();
            baseline = baseline.or_else(|| record.baseline.clone());
            for entry in &record.requirements {
                if matches!(entry.status, Status::Pass | Status::Fail) {
                    judged.insert(entry.id.as_str());
                }
                if entry.status == Status::Fail {
                    let side = if entry.known.is_some() { &mut known } else { &mut open };
                    let level = side.entry(entry.id.as_str()).or_insert(entry.level);
                    *level = entry.level.min(*level);
                }
            }
        }
        known.retain(|id, _| !open.contains_key(id));
        let (open, known) = (counted(&open), counted(&known));
        let conclusion = match () {
            () if trouble => Conclusion::Trouble,
            () if judged.is_empty() => Conclusion::NothingJudged,
            () if open.must > 0 => Conclusion::DoesNotConform,
            () if falls.unrepeated > 0 => Conclusion::Unstable,
            () if partial => Conclusion::Partial,
            () if known.at_or_above(Level::Should) > 0 => Conclusion::NothingNew,
            () if open.should > 0 => Conclusion::Warnings,
            () => Conclusion::Conforms,
        };
        let no_call_succeeded = calls.answered > 0 && calls.succeeded == 0;
        Self { conclusion, open, causes, shares, known, baseline, judged: judged.len(), no_call_succeeded, falls }
    }

    /// Says what is broken that no baseline accepts: by whose it is, where that is known.
    pub(crate) fn violations(&self) -> String {
        self.shares_in_words().unwrap_or_else(|| violations(self.causes, &self.open))
    }

    /// Says whose what is broken is, where that is known.
    pub(crate) fn shares_in_words(&self) -> Option<String> {
        self.shares.as_ref().map(|shares| shared(shares, &self.open))
    }

    /// Says what became of the server, as the rest of a sentence about it.
    pub(crate) fn in_words(&self) -> String {
        let text = match self.conclusion {
            Conclusion::Trouble => "could not be judged",
            Conclusion::NothingJudged => "was not judged: no requirement could be observed",
            Conclusion::DoesNotConform => "does not conform",
            Conclusion::Unstable => "fell, which could not be repeated",
            Conclusion::Partial => "was not judged in full",
            Conclusion::NothingNew => "has no new MUST violations",
            Conclusion::Warnings => "conforms, with warnings",
            Conclusion::Conforms => "conforms",
        };
        let known = self.known_in_words().map(|known| format!(" ({known})")).unwrap_or_default();
        let calls = if self.no_call_succeeded { " (no tool call succeeded)" } else { "" };
        format!("{text}{known}{calls}")
    }

    /// Says how many broken requirements the baseline accepts: `18 known, accepted in known.toml`; none if there is none.
    pub(crate) fn known_in_words(&self) -> Option<String> {
        let known = self.known.at_or_above(Level::Advice);
        let file = self.baseline.as_deref().unwrap_or("the baseline");
        (known > 0).then(|| format!("{known} known, accepted in {file}"))
    }
}

fn counted(levels: &BTreeMap<&str, Level>) -> ByLevel {
    let count = |wanted| levels.values().filter(|level| **level == wanted).count().try_into().unwrap_or(u32::MAX);
    ByLevel { must: count(Level::Must), should: count(Level::Should), advice: count(Level::Advice) }
}

#[cfg(test)]
mod tests {
    use verdict::Status;
    use verdict::record::{Calls, Falls, Record};

    use super::{Conclusion, Outcome};
    use crate::testing::{accepted, single};

    fn conclusion(change: impl Fn(&mut Record)) -> Conclusion {
        let mut record = single();
        change(&mut record);
        Outcome::of([&record]).conclusion
    }

    #[test]
    fn only_a_whole_run_that_judged_something_conforms() {
        let mended = |record: &mut Record| {
            record.requirements.iter_mut().filter(|entry| entry.status == Status::Fail).for_each(|entry| {
                entry.status = Status::Pass;
                entry.findings.clear();
            });
        };
        assert_eq!(conclusion(|_| {}), Conclusion::DoesNotConform);
        assert_eq!(conclusion(mended), Conclusion::Conforms);
        let partial = |record: &mut Record| {
            mended(record);
            record.partial = true;
        };
        assert_eq!(conclusion(partial), Conclusion::Partial);
        let unstable = |record: &mut Record| {
            partial(record);
            record.falls = Some(Falls { ended: 2, unrepeated: 2, ..Falls::default() });
        };
        assert_eq!(conclusion(unstable), Conclusion::Unstable);
        let idle = |record: &mut Record| {
            record.requirements.iter_mut().for_each(|entry| entry.status = Status::NotObserved);
        };
        assert_eq!(conclusion(idle), Conclusion::NothingJudged);
    }

    #[test]
    fn it_is_said_that_no_tool_call_succeeded() {
        let words = |answered, succeeded| {
            let mut record = single();
            record.calls = Some(Calls { answered, succeeded });
            Outcome::of([&record]).in_words()
        };
        assert_eq!(words(3, 0), "does not conform (no tool call succeeded)");
        assert_eq!((words(3, 1).as_str(), words(0, 0).as_str()), ("does not conform", "does not conform"));
    }

    #[test]
    fn what_the_baseline_accepts_is_nothing_new() {
        let report = accepted();
        let outcome = Outcome::of(report.records());
        assert_eq!(outcome.conclusion, Conclusion::NothingNew);
        assert_eq!(outcome.known_in_words().as_deref(), Some("2 known, accepted in known.toml"));
        assert_eq!(outcome.in_words(), "has no new MUST violations (2 known, accepted in known.toml)");
        // Another revision in which it is not accepted counts.
        assert_eq!(Outcome::of(report.records().iter().chain([&single()])).conclusion, Conclusion::DoesNotConform);
    }
}
