//! Renders the fault matrix for people and for programs.

use std::collections::BTreeMap;

use report::Style;
use serde_json::{Value, json};
use verdict::Revision;

use super::pace;
use super::probes::ProbeReport;
use super::trial::{Subject, Tested, Trial, TrialOutcome};

/// Of a hundred faults this many at least have a single cause.
const SINGLE: usize = 95;
/// Faults of which that is expected.
const MANY: usize = 100;

/// Every trial with its outcome.
pub(super) struct Tally {
    tested: Vec<Tested>,
    /// Number of trials that were repeated because the machine stalled.
    repeated: usize,
    /// What is wrong with the list of probes.
    pub(super) probes: ProbeReport,
    /// Whether faults that take too long count: only where what was slow was timed alone.
    paced: bool,
}

impl Tally {
    pub(super) fn new(tested: Vec<Tested>, repeated: usize, probes: ProbeReport, paced: bool) -> Self {
        Self { tested, repeated, probes, paced }
    }

    pub(super) fn any(&self, is: impl Fn(&TrialOutcome) -> bool) -> bool {
        self.tested.iter().any(|one| is(&one.outcome))
    }

    /// Returns whether a fault took longer than a run may.
    pub(super) fn is_slow(&self) -> bool {
        !self.beyond().is_empty()
    }

    /// Returns whether too many faults, each of which is one mistake, are shown as more than one cause. Few tell nothing.
    pub(super) fn is_split(&self) -> bool {
        let killed = self.count(|_, outcome| matches!(outcome, TrialOutcome::Killed { .. }));
        killed >= MANY && self.with_single_cause() * 100 < killed * SINGLE
    }

    fn with_single_cause(&self) -> usize {
        self.count(|_, outcome| matches!(outcome, TrialOutcome::Killed { causes } if causes.len() == 1))
    }

    fn beyond(&self) -> Vec<usize> {
        if self.paced { pace::beyond(&self.tested) } else { vec![] }
    }

    fn count(&self, is: impl Fn(&Trial, &TrialOutcome) -> bool) -> usize {
        self.tested.iter().filter(|one| is(&one.trial, &one.outcome)).count()
    }

    /// Renders a table by area and revision, what was slow, then the trials that went wrong.
    pub(super) fn human(&self, style: &Style) -> String {
        let mut text = self.table();
        text.push_str(&pace::human(&self.tested, &self.beyond(), style));
        text.push_str(&self.probes.human(style));
        // Last, beside the figures: the log of a gate that failed is read from its end.
        for one in self.tested.iter().filter(|one| one.outcome.is_bad()) {
            text.push_str(&failure_text(&one.trial, &one.outcome, style));
        }
        let faults = self.count(|trial, _| is_fault(trial));
        let killed = self.count(|_, outcome| matches!(outcome, TrialOutcome::Killed { .. }));
        let quiet = self.count(|_, outcome| *outcome == TrialOutcome::Quiet);
        text.push_str(&format!("\n{killed} of {faults} faults found"));
        let single = self.with_single_cause();
        if single < killed {
            text.push_str(&format!(", {single} of them with a single cause (--format json lists the others)"));
        }
        if self.tested.len() > faults {
            text.push_str(&format!("; {quiet} of {} servers without a fault not flagged", self.tested.len() - faults));
        }
        if self.repeated > 0 {
            text.push_str(&format!("; {} tested again because the machine stalled", self.repeated));
        }
        if self.any(|outcome| *outcome == TrialOutcome::Interrupted) {
            text.push_str("; interrupted");
        }
        text.push('\n');
        text
    }

    fn table(&self) -> String {
        let mut rows: BTreeMap<&str, BTreeMap<Revision, (usize, usize)>> = BTreeMap::new();
        for Tested { trial, outcome, .. } in &self.tested {
            let Some(area) = area(trial) else { continue };
            let cell = rows.entry(area).or_default().entry(trial.revision).or_default();
            cell.0 += usize::from(matches!(outcome, TrialOutcome::Killed { .. }));
            cell.1 += 1;
        }
        if rows.is_empty() {
            return String::new();
        }
        let in_use = |revision: &Revision| rows.values().any(|cells| cells.contains_key(revision));
        let revisions: Vec<Revision> = Revision::ALL.into_iter().filter(in_use).collect();
        let mut text = line("faults found", revisions.iter().map(ToString::to_string));
        for (area, cells) in &rows {
            let cells = revisions.iter().map(|revision| cells.get(revision));
            let shown = cells.map(|cell| cell.map_or("-".to_owned(), |(killed, all)| format!("{killed}/{all}")));
            text.push_str(&line(area, shown));
        }
        text
    }

    /// Renders a JSON document.
    pub(super) fn json(&self) -> String {
        let rows: Vec<Value> = self.tested.iter().map(row).collect();
        let summary = json!({
            "trials": rows.len(),
            "faults": self.count(|trial, _| is_fault(trial)),
            "killed": self.count(|_, outcome| matches!(outcome, TrialOutcome::Killed { .. })),
            "survived": self.count(|trial, outcome| is_fault(trial) && outcome.is_bad()),
            "flagged": self.count(|_, outcome| matches!(outcome, TrialOutcome::Flagged { .. })),
            "unjudged": self.count(|_, outcome| matches!(outcome, TrialOutcome::Unjudged { .. })),
            "single_cause": self.with_single_cause(),
            "slow": self.paced.then(|| self.beyond().len()),
            "tested_again": self.repeated,
        });
        let tool = json!({"name": "mcp-conform", "version": env!("CARGO_PKG_VERSION")});
        let probes = json!({"unsent": self.probes.unsent, "idle": self.probes.idle});
        format!("{:#}\n", json!({"format": 1, "tool": tool, "summary": summary, "probes": probes, "trials": rows}))
    }
}

fn is_fault(trial: &Trial) -> bool {
    matches!(trial.subject, Subject::Fault(_))
}

fn area(trial: &Trial) -> Option<&'static str> {
    match trial.subject {
        Subject::Fault(fault) => fault.id.split('.').next(),
        _ => None,
    }
}

fn line(name: &str, cells: impl Iterator<Item = String>) -> String {
    let cells: String = cells.map(|cell| format!("{cell:>12}")).collect();
    format!("{name:16}{cells}\n")
}

fn failure_text(trial: &Trial, outcome: &TrialOutcome, style: &Style) -> String {
    let happened = match outcome {
        TrialOutcome::Survived { why } => format!("survives: {why}"),
        TrialOutcome::Flagged { ids, seen } => format!("is flagged: {}: {}", ids.join(", "), seen.join(" / ")),
        TrialOutcome::Unjudged { why } => format!("could not be judged: {why}"),
        TrialOutcome::Killed { .. } | TrialOutcome::Quiet | TrialOutcome::Interrupted => return String::new(),
    };
    let first = format!("{} {happened}", trial.name());
    format!("\n{}\n  {}\n", report::fold(&first, style.width, 2), trial.command())
}

fn row(Tested { trial, outcome, took }: &Tested) -> Value {
    let (fault, id, quirk) = match trial.subject {
        Subject::Plain | Subject::Guarded(..) | Subject::LimitedTo(_) => (None, None, None),
        Subject::Quirk(name) => (None, None, Some(name)),
        Subject::Fault(fault) => (Some(fault.name()), Some(fault.id), None),
    };
    let causes: &[Vec<String>] = if let TrialOutcome::Killed { causes } = outcome { causes } else { &[] };
    let others = causes.iter().flatten().map(String::as_str).filter(|other| Some(*other) != id);
    let evidence;
    let (name, also, why): (&str, Vec<&str>, Option<&str>) = match outcome {
        TrialOutcome::Killed { .. } => ("killed", others.collect(), None),
        TrialOutcome::Survived { why } => ("survived", vec![], Some(why)),
        TrialOutcome::Quiet => ("quiet", vec![], None),
        TrialOutcome::Flagged { ids, seen } => {
            evidence = seen.join(" / ");
            ("flagged", ids.iter().map(String::as_str).collect(), Some(&evidence))
        }
        TrialOutcome::Unjudged { why } => ("unjudged", vec![], Some(why)),
        TrialOutcome::Interrupted => ("interrupted", vec![], None),
    };
    json!({
        "fault": fault, "id": id, "quirk": quirk, "protocol": trial.revision, "transport": trial.transport,
        "outcome": name, "also": also, "causes": causes, "reason": why, "took_ms": took.as_millis(), "command": trial.command(),
    })
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use verdict::{Intent, Transport};

    use super::*;

    fn tally() -> Tally {
        let trial = |subject, revision, transport| Trial { subject, revision, transport };
        let fault = reference::faults().find(|fault| fault.id == "tools.call.unknown-tool").expect("there is one");
        let other = reference::faults().find(|fault| fault.id.starts_with("pagination.")).expect("there is one");
        let (old, new) = (Revision::V2025_03_26, Revision::V2025_11_25);
        let flagged =
            TrialOutcome::Flagged { ids: vec!["a.b.c".to_owned()], seen: vec!["It is odd. (odd)".to_owned()] };
        let results = vec![
            (trial(Subject::Plain, new, Transport::Stdio), TrialOutcome::Quiet),
            (trial(Subject::Quirk("crlf"), new, Transport::Stdio), flagged),
            (
                trial(Subject::Fault(fault), old, Transport::Stdio),
                TrialOutcome::Killed { causes: vec![vec![fault.id.to_owned()]] },
            ),
            (
                trial(Subject::Fault(fault), new, Transport::Http),
                TrialOutcome::Killed { causes: vec![vec![fault.id.to_owned()], vec!["a.b.d".to_owned()]] },
            ),
            (trial(Subject::Fault(other), new, Transport::Http), TrialOutcome::Survived { why: "pass".to_owned() }),
            (
                trial(Subject::Fault(other), old, Transport::Stdio),
                TrialOutcome::Unjudged { why: "no answer".to_owned() },
            ),
        ];
        let times = [900, 1400, 700, 800, 31_000, 600].map(Duration::from_millis);
        let tested = results.into_iter().zip(times).map(|((trial, outcome), took)| Tested { trial, outcome, took });
        let probes = ProbeReport { unsent: vec![Intent::Walk], idle: vec![Intent::UnknownTool] };
        Tally::new(tested.collect(), 1, probes, true)
    }

    #[test]
    fn survivors_are_shown_with_the_command_that_shows_them() {
        insta::assert_snapshot!(tally().human(&Style::default()));
    }

    #[test]
    fn programs_learn_the_outcome_of_every_trial() {
        let document: Value = serde_json::from_str(&tally().json()).expect("JSON");
        let counts = json!({"trials": 6, "faults": 4, "killed": 2, "survived": 2, "flagged": 1, "unjudged": 1, "single_cause": 1, "slow": 1, "tested_again": 1});
        assert_eq!(document["summary"], counts);
        let outcomes: Vec<&str> = document["trials"]
            .as_array()
            .expect("trials")
            .iter()
            .filter_map(|trial| trial["outcome"].as_str())
            .collect();
        assert_eq!(outcomes, ["quiet", "flagged", "killed", "killed", "survived", "unjudged"]);
    }

    #[test]
    fn one_mistake_is_to_have_one_cause() {
        let tally = |single: usize, split: usize| {
            let killed = |number| TrialOutcome::Killed { causes: vec![vec![]; number] };
            let outcomes = (0..single).map(|_| killed(1)).chain((0..split).map(|_| killed(2)));
            let tested = outcomes.map(|outcome| Tested {
                trial: Trial { subject: Subject::Plain, revision: Revision::V2025_11_25, transport: Transport::Stdio },
                outcome,
                took: Duration::ZERO,
            });
            super::super::code(&Tally::new(tested.collect(), 0, ProbeReport::default(), false))
        };
        assert_eq!((tally(95, 5), tally(1, 1)), (verdict::exit::CLEAN, verdict::exit::CLEAN));
        assert_eq!(tally(94, 6), verdict::exit::FINDINGS);
    }

    #[test]
    fn the_exit_code_says_whether_the_tester_is_at_fault() {
        use super::super::code;
        let only = |keep: fn(&TrialOutcome) -> bool| {
            let kept = tally().tested.into_iter().filter(|one| keep(&one.outcome));
            Tally::new(kept.collect(), 0, ProbeReport::default(), true)
        };
        assert_eq!(code(&only(|outcome| !outcome.is_bad())), verdict::exit::CLEAN);
        assert_eq!(code(&only(|outcome| matches!(outcome, TrialOutcome::Survived { .. }))), verdict::exit::FINDINGS);
        assert_eq!(code(&only(|outcome| matches!(outcome, TrialOutcome::Flagged { .. }))), verdict::exit::FINDINGS);
        let idle = ProbeReport { idle: vec![Intent::UnknownTool], ..ProbeReport::default() };
        assert_eq!(code(&Tally::new(vec![], 0, idle, false)), verdict::exit::FINDINGS);
        let slow = |paced| {
            let tested = tally().tested.into_iter().map(|one| match one.trial.subject {
                Subject::Fault(_) => Tested { outcome: TrialOutcome::Killed { causes: vec![] }, ..one },
                _ => Tested { outcome: TrialOutcome::Quiet, ..one },
            });
            Tally::new(tested.collect(), 0, ProbeReport::default(), paced)
        };
        assert_eq!((code(&slow(true)), code(&slow(false))), (verdict::exit::FINDINGS, verdict::exit::CLEAN));
        let interrupted = tally().tested.into_iter().map(|one| Tested { outcome: TrialOutcome::Interrupted, ..one });
        let interrupted = Tally::new(interrupted.collect(), 0, ProbeReport::default(), true);
        assert_eq!(code(&interrupted), verdict::exit::INTERRUPTED);
    }
}
