//! Collects what rules report about each requirement, and turns it into verdicts.

use std::collections::BTreeMap;

use verdict::{Finding, Level, Observe, Requirement, Revision, Status, Transport, Verdict, requirement, requirements};

use crate::{Case, ExchangeEnd, View};

/// Distinct findings kept for one requirement; the rest is counted.
const FINDINGS: usize = 20;
/// Findings of one requirement that are looked at: which of them are kept must not depend on which came first.
const LOOKED_AT: usize = 2_000;

/// Why something that was found does not count.
const UNSEEN: &str = "the messages that would show it were not kept";

/// Collects witnesses, findings and doubts by requirement.
///
/// Anything said of a requirement that does not hold in the judged revision, or does not bind the transport, is dropped:
/// rules need not ask.
#[derive(Debug)]
pub struct Collector {
    revision: Revision,
    transport: Transport,
    tallies: BTreeMap<&'static str, Tally>,
}

#[derive(Debug, Default)]
struct Tally {
    subjects: u32,
    findings: Vec<Finding>,
    suspects: Vec<Finding>,
    confirmed: bool,
    repeated: bool,
    inconclusive: Option<String>,
    undecided: Option<String>,
    not_observed: Option<String>,
    not_applicable: Option<String>,
    notes: Vec<String>,
}

impl Tally {
    fn join(&mut self, other: Self) {
        self.subjects += other.subjects;
        other.findings.into_iter().for_each(|finding| add(&mut self.findings, finding));
        other.suspects.into_iter().for_each(|finding| add(&mut self.suspects, finding));
        self.confirmed |= other.confirmed;
        self.repeated |= other.repeated;
        self.inconclusive = self.inconclusive.take().or(other.inconclusive);
        self.undecided = self.undecided.take().or(other.undecided);
        self.not_observed = self.not_observed.take().or(other.not_observed);
        self.not_applicable = self.not_applicable.take().or(other.not_applicable);
        self.notes.extend(other.notes);
    }
}

impl Collector {
    /// Creates a collector for a revision and a transport, without anything collected.
    #[must_use]
    pub fn new(revision: Revision, transport: Transport) -> Self {
        Self { revision, transport, tallies: BTreeMap::new() }
    }

    /// Takes over what other rules found.
    pub(crate) fn join(&mut self, other: Self) {
        for (id, tally) in other.tallies {
            self.tallies.entry(id).or_default().join(tally);
        }
    }

    /// The judged revision.
    #[must_use]
    pub fn revision(&self) -> Revision {
        self.revision
    }

    /// The level of a requirement in the judged revision.
    #[must_use]
    pub fn level(&self, id: &str) -> Option<Level> {
        requirement(id).filter(|found| found.holds_in(self.revision)).map(|found| found.level_in(self.revision))
    }

    fn tally(&mut self, id: &'static str) -> Option<&mut Tally> {
        let found = requirement(id);
        debug_assert!(found.is_some(), "{id} is not in the catalogue");
        let applies = found.is_some_and(|found| found.holds_in(self.revision) && found.binds(self.transport));
        applies.then(|| self.tallies.entry(id).or_default())
    }

    /// Something that could have broken the requirement was examined.
    pub fn witness(&mut self, id: &'static str) {
        if let Some(tally) = self.tally(id) {
            tally.subjects += 1;
        }
    }

    /// Adds several witnesses at once, as many as `times`.
    pub fn witness_times(&mut self, id: &'static str, times: u32) {
        if let Some(tally) = self.tally(id) {
            tally.subjects += times;
        }
    }

    /// It was broken, beyond doubt. What no line shows is no finding: its exchange was not kept.
    pub fn fail(&mut self, id: &'static str, finding: Finding) {
        if self.lacks_evidence(id, &finding) {
            return self.inconclusive(id, format!("{UNSEEN}: {}", finding.message));
        }
        if let Some(tally) = self.tally(id) {
            tally.subjects += 1;
            add(&mut tally.findings, finding);
        }
    }

    /// Advice about everything that a server lists may stand without one line that shows it.
    fn lacks_evidence(&self, id: &str, finding: &Finding) -> bool {
        let advice = finding.level.or(self.level(id)) == Some(Level::Advice);
        !advice && finding.wire.iter().all(|line| line.trim().len() < 2)
    }

    /// Examined: a pass when `good`, else the finding.
    pub fn check(&mut self, id: &'static str, good: bool, finding: impl FnOnce() -> Finding) {
        if good { self.witness(id) } else { self.fail(id, finding()) }
    }

    /// It looks broken, but load, a race or the server's own state could explain it: the verdict is fail only if a
    /// repetition in a fresh session (see `Open::confirm`) shows it again.
    pub fn suspect(&mut self, id: &'static str, case: &Case<'_>, finding: Finding) {
        let confirm = case.session.open.confirm;
        if self.lacks_evidence(id, &finding) {
            return self.inconclusive(id, format!("{UNSEEN}: {}", finding.message));
        }
        if let Some(tally) = self.tally(id) {
            tally.subjects += 1;
            tally.confirmed |= confirm;
            add(&mut tally.suspects, finding);
        }
    }

    /// It was broken, unless the server was only slow: silence that nothing but the time limit ended is a suspicion.
    pub fn fail_or_suspect(&mut self, id: &'static str, case: &Case<'_>, finding: Finding) {
        if case.exchange.end == ExchangeEnd::GaveUp {
            self.suspect(id, case, finding);
        } else {
            self.fail(id, finding);
        }
    }

    /// A repetition in a fresh session was examined, whatever it showed.
    pub fn repeated(&mut self, id: &'static str) {
        if let Some(tally) = self.tally(id) {
            tally.repeated = true;
        }
    }

    /// Marks a requirement as inconclusive unless something else decides it.
    pub fn inconclusive(&mut self, id: &'static str, reason: impl Into<String>) {
        if let Some(tally) = self.tally(id) {
            tally.inconclusive.get_or_insert_with(|| reason.into());
        }
    }

    /// Marks a requirement as inconclusive if nothing else is seen of it: what was seen says nothing either way.
    pub fn undecided(&mut self, id: &'static str, reason: impl Into<String>) {
        if let Some(tally) = self.tally(id) {
            tally.undecided.get_or_insert_with(|| reason.into());
        }
    }

    /// Why it was not observed, if nothing else shows it.
    pub fn not_observed(&mut self, id: &'static str, reason: impl Into<String>) {
        if let Some(tally) = self.tally(id) {
            tally.not_observed.get_or_insert_with(|| reason.into());
        }
    }

    /// Whether a finding says what felled the server.
    pub(crate) fn knows_fall(&self) -> bool {
        self.tallies.values().flat_map(|tally| &tally.findings).any(|finding| finding.fell)
    }

    /// Whether a finding shows this line of traffic.
    pub(crate) fn has_shown(&self, line: &str) -> bool {
        let mut findings = self.tallies.values().flat_map(|tally| &tally.findings);
        findings.any(|finding| finding.wire.iter().any(|shown| shown == line))
    }

    /// Forgets what was found: it rests on something else that is wrong.
    pub(crate) fn withdraw(&mut self, id: &'static str, reason: &str) {
        if let Some(tally) = self.tallies.get_mut(id) {
            *tally = Tally { not_observed: Some(reason.to_owned()), ..Tally::default() };
        }
    }

    /// The server does not offer what it is about.
    pub fn not_applicable(&mut self, id: &'static str, reason: impl Into<String>) {
        if let Some(tally) = self.tally(id) {
            tally.not_applicable.get_or_insert_with(|| reason.into());
        }
    }

    /// Worth knowing, breaks nothing.
    pub fn note(&mut self, id: &'static str, note: impl Into<String>) {
        let note = note.into();
        if let Some(tally) = self.tally(id)
            && !tally.notes.contains(&note)
        {
            tally.notes.push(note);
        }
    }

    /// One verdict for every requirement of the revision, in catalogue order; `has_rule` says which of them a rule judges.
    pub(crate) fn verdicts(mut self, view: &View<'_>, has_rule: &dyn Fn(&str) -> bool) -> Vec<Verdict> {
        let mut verdicts = Vec::new();
        for requirement in requirements().iter().filter(|requirement| requirement.holds_in(self.revision)) {
            let tally = self.tallies.remove(requirement.id).unwrap_or_default();
            verdicts.push(self.verdict(requirement, tally, view, has_rule));
        }
        verdicts
    }

    fn verdict(
        &self,
        requirement: &'static Requirement,
        tally: Tally,
        view: &View<'_>,
        has_rule: &dyn Fn(&str) -> bool,
    ) -> Verdict {
        let level = requirement.level_in(self.revision);
        let mut verdict = Verdict {
            id: requirement.id,
            level,
            status: Status::NotObserved,
            reason: None,
            subjects: tally.subjects,
            findings: tally.findings,
            notes: tally.notes,
        };
        if tally.confirmed || (!verdict.findings.is_empty() && !tally.suspects.is_empty()) {
            verdict.findings.extend(tally.suspects.iter().cloned());
        }
        // Whoever reads a finding by itself, a format or a baseline, is to see its level.
        for finding in &mut verdict.findings {
            let own = finding.level_or(level);
            finding.level = finding.level.or((own != level).then_some(own)).map(|_| own);
        }
        settle(&mut verdict.findings);
        if !verdict.findings.is_empty() {
            verdict.status = Status::Fail;
            verdict.level = verdict.findings.iter().map(|finding| finding.level_or(level)).min().unwrap_or(level);
        } else if let Some(suspect) = tally.suspects.into_iter().next() {
            verdict.status = Status::Inconclusive;
            let repeated =
                if tally.repeated { "seen once, not again in a fresh session" } else { "seen once, not retried" };
            verdict.reason = Some(format!("{repeated}: {}", suspect.message));
        } else if let Some(reason) = tally.inconclusive {
            verdict.status = Status::Inconclusive;
            verdict.reason = Some(reason);
        } else if tally.subjects > 0 {
            verdict.status = Status::Pass;
        } else if let Some(reason) = tally.undecided {
            verdict.status = Status::Inconclusive;
            verdict.reason = Some(reason);
        } else {
            let (status, reason) =
                self.without_evidence(requirement, tally.not_applicable, tally.not_observed, view, has_rule);
            verdict.status = status;
            verdict.reason = Some(reason);
        }
        verdict
    }

    fn without_evidence(
        &self,
        requirement: &Requirement,
        not_applicable: Option<String>,
        not_observed: Option<String>,
        view: &View<'_>,
        has_rule: &dyn Fn(&str) -> bool,
    ) -> (Status, String) {
        if !requirement.binds(self.transport) {
            let names: Vec<&str> = requirement.transports.iter().map(|transport| transport.as_str()).collect();
            return (Status::NotApplicable, format!("applies to {} only", names.join(" and ")));
        }
        if let Some(missing) = requirement.needs.iter().find(|need| view.lacks(need)) {
            return (Status::NotApplicable, format!("the server does not declare {missing}"));
        }
        if let Some(reason) = not_applicable {
            return (Status::NotApplicable, reason);
        }
        if let Some(reason) = not_observed {
            return (Status::NotObserved, reason);
        }
        let judges = requirement.observe == Observe::Untestable || has_rule(requirement.id);
        let reason = if judges { requirement.unobserved() } else { "no rule judges it yet".to_owned() };
        (Status::NotObserved, reason)
    }
}

/// Same message, tool and place: counted, not repeated.
fn add(findings: &mut Vec<Finding>, finding: Finding) {
    let same = |other: &&mut Finding| {
        other.message == finding.message
            && other.tool == finding.tool
            && other.place == finding.place
            && other.level == finding.level
            && other.actual == finding.actual
    };
    if let Some(known) = findings.iter_mut().find(same) {
        // The call that was made as simple as it gets is shown.
        let minimal = |finding: &Finding| finding.generated.as_ref().is_some_and(|generated| generated.minimal);
        let (count, fell) = (known.count + finding.count, known.fell || finding.fell);
        if !minimal(known) && minimal(&finding) {
            *known = finding;
        }
        (known.count, known.fell) = (count, fell);
    } else if findings.len() < LOOKED_AT {
        findings.push(finding);
    } else if let Some(last) = findings.last_mut() {
        last.count += finding.count;
    }
}

/// In order, and no more than are kept; the last one counts what is left out.
fn settle(findings: &mut Vec<Finding>) {
    sort(findings);
    let left_out: u32 = findings.iter().skip(FINDINGS).map(|finding| finding.count).sum();
    findings.truncate(FINDINGS);
    if let Some(last) = findings.last_mut() {
        last.count += left_out;
    }
}

/// Order by what was found, never by when.
fn sort(findings: &mut [Finding]) {
    let key = |finding: &Finding| {
        (finding.level, finding.tool.clone(), finding.place.clone(), finding.message.clone(), finding.actual.clone())
    };
    findings.sort_by_key(key);
}

#[cfg(test)]
mod tests {
    use serde_json::json;
    use verdict::{Finding, Level, Revision, Status, Transport, Verdict};

    use super::Collector;
    use crate::testing::Script;

    /// The verdict on a requirement of which these things were found, beside one that was good.
    fn verdict_on<const N: usize>(id: &'static str, findings: [Finding; N]) -> Verdict {
        let script = Script::new(Revision::V2025_11_25, json!({"tools": {}}));
        script.look(|view| {
            let mut collector = Collector::new(Revision::V2025_11_25, Transport::Stdio);
            collector.witness(id);
            findings.iter().for_each(|finding| collector.fail(id, finding.clone()));
            let mut verdicts = collector.verdicts(view, &|_| true).into_iter();
            verdicts.find(|verdict| verdict.id == id).expect("it holds")
        })
    }

    #[test]
    fn what_no_line_shows_is_neither_a_finding_nor_a_pass() {
        let finding = |wire: &[&str]| Finding::new("m", "e", "a", wire.iter().map(|line| (*line).to_owned()).collect());
        let status = |wire: &[&str]| verdict_on("tools.call.unknown-tool", [finding(wire)]).status;
        assert_eq!(status(&[]), Status::Inconclusive);
        assert_eq!(status(&["> ", "< "]), Status::Inconclusive);
        assert_eq!(status(&["> {}"]), Status::Fail);
        assert_eq!(verdict_on("practice.tool.examples", [finding(&[])]).status, Status::Fail, "advice needs no line");
    }

    #[test]
    fn the_end_of_a_server_is_at_least_a_should() {
        let finding = || Finding::new("m", "e", "a", vec!["> {}".to_owned()]);
        let advice = verdict_on("robust.truncated", [finding()]);
        assert_eq!((advice.level, advice.findings[0].level), (Level::Advice, None));
        let fell = verdict_on("robust.truncated", [finding().fells()]);
        assert_eq!((fell.level, fell.findings[0].level), (Level::Should, Some(Level::Should)));
        for both in [[finding(), finding().fells()], [finding().fells(), finding()]] {
            let merged = verdict_on("robust.truncated", both);
            assert_eq!((merged.level, merged.findings.len()), (Level::Should, 1), "whichever came first");
        }
        let must = verdict_on("tools.call.unknown-tool", [finding().fells()]);
        assert_eq!((must.level, must.findings[0].level), (Level::Must, None));
    }
}
