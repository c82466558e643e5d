//! Repeating what was seen on fresh processes, and making it small as long as it is still seen.

use std::time::{Duration, Instant};

use judge::Criteria;
use verdict::transcript::Event;

use super::Lab;
use super::converse::{ConversationEnd, Pacing, converse, wait};
use super::found::{Sighting, Sort};
use super::pool::Lines;
use super::trace::{split_conversation, wrong};
use crate::Session;

/// Processes that are started for one finding.
const TRIES: u32 = 150;
/// How long a finding is looked into.
const LONGEST: Duration = Duration::from_secs(20);

/// The budget for minimizing one finding.
#[derive(Debug)]
pub(super) struct Budget {
    tries: u32,
    until: Instant,
    /// How long the server may take for a sign of life.
    life: Duration,
    /// It was not seen without waiting for every answer.
    patient: bool,
    /// Whether the conversation shrank to one that was already reported.
    pub(super) known: bool,
}

impl Budget {
    pub(super) fn new(lab: &Lab) -> Self {
        Self { tries: TRIES, until: Instant::now() + LONGEST, life: lab.suspicion(), patient: true, known: false }
    }

    pub(super) fn takes(&mut self, lab: &Lab) -> bool {
        self.tries = self.tries.saturating_sub(1);
        self.tries > 0 && Instant::now() < self.until.min(lab.latest())
    }
}

/// The smallest conversation found that shows the same on a fresh process, with what it shows; none if it does not happen
/// again.
pub(super) async fn shrunk(
    lab: &Lab,
    wanted: &Sighting,
    lines: Lines,
    budget: &mut Budget,
) -> Option<(Lines, Sighting)> {
    let mut shown = shows(lab, wanted, &lines, budget).await?;
    let (whole, mut lines) = (lines.clone(), lines);
    while let Some((less, again)) = less(lab, wanted, &lines, budget).await {
        (lines, shown) = (less, again);
        if wanted.sort == Sort::Hang && lines.len() == 1 && lab.knows_hang(wanted, &lines) {
            budget.known = true;
            return None;
        }
    }
    if wanted.sort != Sort::Hang {
        return Some((lines, shown));
    }
    // What was made small in a hurry must hold when there is time.
    for lines in [lines, whole] {
        let mut gentle_budget = Budget { tries: 3, until: lab.latest(), life: lab.options.timeout, ..Budget::new(lab) };
        if let Some(shown) = shows(lab, wanted, &lines, &mut gentle_budget).await {
            return Some((lines, shown));
        }
    }
    None
}

/// A smaller conversation that still shows it: fewer messages first, then simpler ones.
async fn less(lab: &Lab, wanted: &Sighting, lines: &Lines, budget: &mut Budget) -> Option<(Lines, Sighting)> {
    for fewer in fuzz::fewer(lines) {
        if !budget.takes(lab) {
            return None;
        }
        if let Some(again) = shows(lab, wanted, &fewer, budget).await {
            return Some((fewer, again));
        }
    }
    for at in 0..lines.len() {
        for simpler in fuzz::simpler(&lines[at]) {
            let mut changed = lines.clone();
            changed[at] = simpler;
            if !lab.seeds.lets_pass(&changed) {
                continue;
            }
            if !budget.takes(lab) {
                return None;
            }
            if let Some(again) = shows(lab, wanted, &changed, budget).await {
                return Some((changed, again));
            }
        }
    }
    None
}

/// Returns what a conversation shows on a fresh process, if it shows the wanted problem.
async fn shows(lab: &Lab, wanted: &Sighting, lines: &Lines, budget: &mut Budget) -> Option<Sighting> {
    if !budget.takes(lab) {
        return None;
    }
    let session = lab.fresh().await.ok()?;
    let opened = session.mark();
    let (conversation, owed) = converse(&session, lines, Pacing { number: 0, life: budget.life, clear: true }).await;
    let seen = || split_conversation(&session, opened, &conversation, usize::MAX);
    let shown = match (wanted.sort, conversation.end) {
        (Sort::Crash, ConversationEnd::Ended) => Some(Sighting::crash(&seen())),
        (Sort::Hang, ConversationEnd::Hung) => {
            Some(Sighting { signature: wanted.signature.clone(), ..Sighting::hang(&seen(), "") })
        }
        (Sort::Nonconforming, ConversationEnd::Fine) => match breaks(lab, wanted, &seen(), &session) {
            None if budget.patient && !owed.is_empty() => {
                wait(&session, owed).await;
                breaks(lab, wanted, &seen(), &session)
            }
            shown => {
                budget.patient &= shown.is_none();
                shown
            }
        },
        _ => None,
    };
    session.kill().await;
    shown.filter(|shown| shown.signature == wanted.signature)
}

fn breaks(lab: &Lab, wanted: &Sighting, seen: &[Event], session: &Session) -> Option<Sighting> {
    let criteria = Criteria { revision: lab.revision, transport: session.transport() };
    let found = wrong(seen, &criteria, &|id| lab.known.contains(id));
    let mut sightings = found.into_iter().map(|(id, finding)| Sighting::broken(id, finding, seen));
    sightings.find(|sighting| sighting.signature == wanted.signature)
}
