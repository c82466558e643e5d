//! Which probes decide a verdict: an intent that scenarios send but that decides none is one whose rule is gone.
//!
//! A probe is tested by hiding it: the transcript is judged again as if nobody had said what was meant. With a fault, the
//! finding about it must then be lost; without one, any verdict must change.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Mutex;

use judge::{Criteria, judge, judge_only};
use report::Style;
use run::scenario::scenarios;
use verdict::transcript::{Event, Kind, Probe};
use verdict::{Intent, Verdict};

/// Trials without a fault in which an intent is hidden: all rules judge each of them again.
const ATTEMPTS: usize = 3;

/// Events of a transcript without a fault above which it is only noted what was sent: others show the rest in less time.
const LARGEST: usize = 9_000;

/// What the trials have shown about each intent so far.
#[derive(Debug, Default)]
pub(super) struct ProbeLedger {
    entries: Mutex<BTreeMap<Intent, Entry>>,
}

#[derive(Clone, Copy, Debug, Default)]
struct Entry {
    /// Trials without a fault in which it was hidden.
    attempts: usize,
    decides: bool,
}

/// What is wrong with the list of probes.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct ProbeReport {
    /// Intents of the list that no scenario sent.
    pub(super) unsent: Vec<Intent>,
    /// Intents that were sent and decided no verdict, although they are not marked as background.
    pub(super) idle: Vec<Intent>,
}

impl ProbeLedger {
    /// Notes the intents of a trial whose server has a fault, with the verdicts on it, among them the requirement that was
    /// found broken. Those that the scenarios of the requirement sent are tested.
    pub(super) fn note_fault(&self, events: &[Event], criteria: &Criteria, id: &str, verdicts: &[Verdict]) {
        let count = |verdicts: &[Verdict]| -> usize {
            verdicts.iter().filter(|verdict| verdict.id == id).map(|verdict| verdict.findings.len()).sum()
        };
        let all = count(verdicts);
        let provoking: BTreeSet<&str> =
            scenarios().filter(|scenario| scenario.provokes.contains(&id)).map(|scenario| scenario.name).collect();
        let is_meant = |probe: &Probe| provoking.contains(probe.scenario.as_str());
        self.note(events, usize::MAX, is_meant, |hidden| {
            count(&judge_only(hidden, criteria, &|wanted| wanted == id)) < all
        });
    }

    /// Notes the intents of a trial whose server has no fault, with the verdicts on it.
    pub(super) fn note_plain(&self, events: &[Event], criteria: &Criteria, verdicts: &[Verdict]) {
        let attempts = if events.len() > LARGEST { 0 } else { ATTEMPTS };
        self.note(events, attempts, |_| true, |hidden| differ(verdicts, &judge(hidden, criteria)));
    }

    /// Enters the intents of a trial, and hides one after the other those that are not known to decide a verdict.
    fn note(
        &self,
        events: &[Event],
        attempts: usize,
        is_meant: impl Fn(&Probe) -> bool,
        decides: impl Fn(&[Event]) -> bool,
    ) {
        let mut sent: BTreeMap<Intent, bool> = BTreeMap::new();
        for probe in events.iter().filter_map(probe).filter(|probe| probe.intent != Intent::Unknown) {
            *sent.entry(probe.intent).or_default() |= is_meant(probe);
        }
        for intent in sent.keys() {
            self.update(*intent, |_| {});
        }
        let open: Vec<Intent> = sent
            .into_iter()
            .filter(|(intent, meant)| *meant && self.is_open(*intent, attempts))
            .map(|(intent, _)| intent)
            .collect();
        // Judging takes longer than everything else here: where all of them together decide nothing, none does alone.
        if open.len() > 1 && !decides(&hide(events, &open)) {
            return;
        }
        for intent in open {
            if decides(&hide(events, &[intent])) {
                self.update(intent, |entry| entry.decides = true);
            }
        }
    }

    fn is_open(&self, intent: Intent, attempts: usize) -> bool {
        if attempts == 0 {
            return false;
        }
        let entry = self.update(intent, |entry| entry.attempts += usize::from(attempts < usize::MAX));
        !intent.is_background() && !entry.decides && (entry.attempts <= attempts)
    }

    fn update(&self, intent: Intent, change: impl Fn(&mut Entry)) -> Entry {
        let mut entries = self.entries.lock().unwrap_or_else(std::sync::PoisonError::into_inner);
        let entry = entries.entry(intent).or_default();
        change(entry);
        *entry
    }

    /// Returns what is wrong after all trials.
    pub(super) fn report(&self) -> ProbeReport {
        let entries = self.entries.lock().unwrap_or_else(std::sync::PoisonError::into_inner);
        let mut report = ProbeReport::default();
        for intent in Intent::ALL.iter().copied().filter(|intent| intent.untested().is_none()) {
            match entries.get(&intent) {
                None => report.unsent.push(intent),
                Some(entry) if !entry.decides && !intent.is_background() => report.idle.push(intent),
                Some(_) => {}
            }
        }
        report
    }
}

impl ProbeReport {
    /// Returns whether a rule or a scenario is missing.
    pub(super) fn is_bad(&self) -> bool {
        *self != Self::default()
    }

    /// Renders the report for people; empty if nothing is wrong.
    pub(super) fn human(&self, style: &Style) -> String {
        let paragraph = |what: &str, intents: &[Intent]| {
            let names: Vec<&str> = intents.iter().map(|intent| intent.name()).collect();
            let text = format!("{what}: {}", names.join(", "));
            if names.is_empty() { String::new() } else { format!("\n{}\n", report::fold(&text, style.width, 2)) }
        };
        paragraph("probes that no scenario sent", &self.unsent)
            + &paragraph("probes that decide no verdict, although they were sent", &self.idle)
    }
}

fn probe(event: &Event) -> Option<&Probe> {
    match &event.kind {
        Kind::Send(send) => send.probe.as_ref(),
        Kind::Probe(probe) => Some(probe),
        _ => None,
    }
}

/// Returns the transcript with these intents replaced by one that no rule knows.
fn hide(events: &[Event], hidden: &[Intent]) -> Vec<Event> {
    let mut events = events.to_vec();
    for event in &mut events {
        let probe = match &mut event.kind {
            Kind::Send(send) => send.probe.as_mut(),
            Kind::Probe(probe) => Some(probe),
            _ => None,
        };
        if let Some(probe) = probe.filter(|probe| hidden.contains(&probe.intent)) {
            probe.intent = Intent::Unknown;
        }
    }
    events
}

/// Returns whether verdicts differ in their status or in the number of findings or notes.
fn differ(before: &[Verdict], after: &[Verdict]) -> bool {
    let core = |verdict: &Verdict| (verdict.status, verdict.findings.len(), verdict.notes.len());
    before.iter().map(core).ne(after.iter().map(core))
}

#[cfg(test)]
mod tests {
    use verdict::Status;

    use super::*;

    fn criteria() -> Criteria {
        Criteria { revision: verdict::Revision::V2025_11_25, transport: verdict::Transport::Stdio }
    }

    #[test]
    fn verdicts_differ_by_status() {
        let before = judge(&[], &criteria());
        let mut after = before.clone();
        assert!(!differ(&before, &after));
        after[0].status = Status::Pass;
        assert!(differ(&before, &after));
    }

    #[test]
    fn what_is_sent_and_decides_nothing_is_reported() {
        let ledger = ProbeLedger::default();
        let probe = Probe::new("tools/unknown-tool", Intent::UnknownTool, serde_json::json!({"kind": "random"}));
        let event = Event { seq: 0, at_us: 0, session: 0, kind: Kind::Probe(probe) };
        let events = [event];
        ledger.note_plain(&events, &criteria(), &judge(&events, &criteria()));
        let report = ledger.report();
        assert_eq!(report.idle, [Intent::UnknownTool]);
        assert!(report.unsent.contains(&Intent::ValidCall) && !report.unsent.contains(&Intent::UnknownTool));
        assert!(report.is_bad() && report.human(&Style::default()).contains("although they were sent: unknown-tool"));
        assert!(!ProbeReport::default().is_bad());
    }
}
