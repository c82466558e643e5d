//! A worker: a server at a time, many conversations with it, and a look at everything that is odd.

use std::time::{Duration, Instant};

use fuzz::{Chance, Used};
use judge::Criteria;
use tokio::task::spawn_blocking;
use verdict::Finding;
use verdict::transcript::Event;

use super::Lab;
use super::converse::{Conversation, ConversationEnd, Owed, Pacing, converse, wait};
use super::found::{Found, Sighting, Sort};
use super::leak;
use super::pool::Lines;
use super::shrink::{Budget, shrunk};
use super::trace::{seen, split_conversation, wrong};
use crate::Session;

/// Conversations with one process.
const CONVERSATIONS: usize = 120;
/// Events of one process; judging them all takes longer the more there are.
const EVENTS: usize = 4_000;
/// Opening a server may fail now and then, but not for ever.
const PATIENCE: u32 = 5;
/// Conversations between two looks at the memory.
const LOOK: usize = 24;
/// Processes at whose end answers are waited for in vain.
const VAIN: u32 = 4;

/// The conversations with one process.
pub(super) struct ProcessUse {
    session: Session,
    opened: usize,
    had: Vec<(Lines, Conversation, usize)>,
    /// Answers that may still come.
    owed: Vec<Owed>,
    memory: leak::Watch,
}

pub(super) async fn work(lab: &Lab, number: u64) {
    let mut chance = Chance::new(lab.seed.wrapping_mul(0x9e37_79b9).wrapping_add(number));
    let mut failures = 0;
    while !lab.is_over() && failures < PATIENCE {
        match lab.fresh().await {
            Ok(session) => {
                failures = 0;
                let mut process_use = ProcessUse::new(session);
                process_use.go(lab, &mut chance).await;
                process_use.end(lab).await;
            }
            Err(_) => {
                failures += 1;
                tokio::time::sleep(Duration::from_millis(200)).await;
            }
        }
    }
}

impl ProcessUse {
    fn new(session: Session) -> Self {
        let opened = session.mark();
        Self { session, opened, had: Vec::new(), owed: Vec::new(), memory: leak::Watch::default() }
    }

    async fn go(&mut self, lab: &Lab, chance: &mut Chance) {
        while !lab.is_over() && self.had.len() < CONVERSATIONS && self.session.mark() < EVENTS {
            let lines = lab.next(chance);
            if lines.is_empty() {
                tokio::task::yield_now().await;
                continue;
            }
            let number = i64::try_from(self.had.len()).unwrap_or(0);
            self.owed.retain_mut(Owed::is_open);
            let pacing = Pacing { number, life: lab.suspicion(), clear: self.owed.is_empty() };
            let (conversation, late) = converse(&self.session, &lines, pacing).await;
            self.owed.extend(late);
            lab.progress.borrow_mut().conversations += 1;
            self.had.push((lines, conversation, self.session.mark()));
            let at = self.had.len() - 1;
            self.learn(lab, at, conversation);
            if conversation.end != ConversationEnd::Fine {
                return self.crashed(lab, conversation.end).await;
            }
            let growth_limit = lab.progress.borrow().growth_limit;
            if at % LOOK == LOOK - 1 && self.memory.look(&self.session, growth_limit) {
                return self.grew(lab).await;
            }
        }
        self.listen(lab).await;
    }

    /// Waits for outstanding answers at the end, but not again and again where none came before.
    async fn listen(&mut self, lab: &Lab) {
        let owed = std::mem::take(&mut self.owed);
        let may_wait = lab.progress.borrow().futile_waits < VAIN;
        if !owed.is_empty() && may_wait && !lab.is_over() && !wait(&self.session, owed).await {
            lab.progress.borrow_mut().futile_waits += 1;
        }
    }

    fn learn(&self, lab: &Lab, at: usize, conversation: Conversation) {
        let (lines, _, to) = &self.had[at];
        let features = self.session.events(|events| seen(&events[conversation.from.min(*to)..*to], conversation.took));
        lab.pool.borrow_mut().learn(lines, &features);
    }

    fn criteria(&self, lab: &Lab) -> Criteria {
        Criteria { revision: lab.revision, transport: self.session.transport() }
    }

    async fn crashed(&self, lab: &Lab, end: ConversationEnd) {
        let Some((lines, conversation, _)) = self.had.last() else { return };
        lab.pool.borrow_mut().add_singly(lines);
        let events = split_conversation(&self.session, self.opened, conversation, usize::MAX);
        let sighting = match end {
            ConversationEnd::Ended => Sighting::crash(&events),
            _ => Sighting::hang(&events, &methods(lines)),
        };
        self.look_into(lab, sighting, lines.clone()).await;
    }

    async fn grew(&self, lab: &Lab) {
        let window: Vec<Lines> =
            self.had[self.had.len().saturating_sub(LOOK)..].iter().map(|(lines, _, _)| lines.clone()).collect();
        if !lab.progress.borrow_mut().known_signatures.insert("memory".to_owned()) {
            return;
        }
        match leak::confirmed(lab, &window).await {
            Some((lines, times, message)) => {
                let sighting = Sighting {
                    sort: Sort::Memory,
                    message,
                    finding: None,
                    stderr: Vec::new(),
                    signature: String::new(),
                };
                lab.report(sighting.found(lines, times, true, lab.began.elapsed()));
            }
            // Another time it may be a leak, but then it grows more.
            None => {
                lab.progress.borrow_mut().known_signatures.remove("memory");
                lab.progress.borrow_mut().growth_limit *= 2;
            }
        }
    }

    /// Tries whether it happens again on a fresh process, and how little it takes, and reports it. A problem that does not happen
    /// again is reported only if it is a crash: the server did end.
    async fn look_into(&self, lab: &Lab, sighting: Sighting, lines: Lines) {
        if !lab.progress.borrow_mut().known_signatures.insert(sighting.signature.clone()) {
            return;
        }
        let after = lab.began.elapsed();
        let mut budget = Budget::new(lab);
        if let Some((least, again)) = shrunk(lab, &sighting, lines.clone(), &mut budget).await {
            return lab.report_minimized(&sighting, again.found(least, 1, true, after));
        }
        if budget.known {
            return;
        }
        let before: Lines = self.had.iter().flat_map(|(lines, _, _)| lines.clone()).collect();
        if let Some((least, again)) = shrunk(lab, &sighting, before, &mut budget).await {
            return lab.report_minimized(&sighting, again.found(least, 1, true, after));
        }
        if sighting.sort == Sort::Crash {
            lab.report(sighting.found(lines, 1, false, after));
        }
    }

    /// All conversations are judged together: that is quick, and whose it is is found out when something is found.
    async fn end(mut self, lab: &Lab) {
        self.session.kill().await;
        let hung = self
            .had
            .last()
            .filter(|(_, conversation, _)| conversation.end == ConversationEnd::Hung)
            .map(|(_, conversation, _)| conversation.from);
        let events = self.session.events(<[Event]>::to_vec);
        for (id, finding) in self.broken(lab, hung.unwrap_or(events.len())).await {
            let sighting = Sighting::broken(id, finding, &events);
            if lab.progress.borrow().known_signatures.contains(&sighting.signature) {
                continue;
            }
            let lines = self.culprit(lab, &sighting);
            self.look_into(lab, sighting, lines).await;
        }
        self.had.clear();
    }

    /// Judges the first `most` events of the transcript, in parts: a new one begins where an id is used for the second time.
    /// Judging is left to another thread, so that other sessions go on meanwhile.
    async fn broken(&self, lab: &Lab, most: usize) -> Vec<(&'static str, Finding)> {
        let (parts, criteria) = (self.parts(most), self.criteria(lab));
        let judged =
            spawn_blocking(move || parts.iter().flat_map(|events| wrong(events, &criteria, &|_| false)).collect());
        let mut found: Vec<(&'static str, Finding)> = judged.await.unwrap_or_default();
        found.retain(|(id, _)| !lab.known.contains(*id));
        found
    }

    /// The transcript in as few parts as let no id come twice, each with the opening before it.
    fn parts(&self, most: usize) -> Vec<Vec<Event>> {
        self.session.events(|events| {
            let (most, opened) = (most.min(events.len()), self.opened.min(events.len()));
            let (mut parts, mut from, mut used) = (Vec::new(), opened, Used::default());
            used.repeats(&events[..opened]);
            for (_, conversation, to) in &self.had {
                let conversation = &events[conversation.from.min(most)..(*to).min(most)];
                if used.repeats(conversation) {
                    let at = (*to).min(most) - conversation.len();
                    parts.push([&events[..opened], &events[from..at]].concat());
                    from = at;
                    used = Used::default();
                    used.repeats(&events[..opened]);
                    used.repeats(conversation);
                }
            }
            parts.push([&events[..opened], &events[from..most.max(from)]].concat());
            parts
        })
    }

    /// The conversation that shows it by itself, or all of them.
    fn culprit(&self, lab: &Lab, sighting: &Sighting) -> Lines {
        for (lines, conversation, to) in &self.had {
            let events = split_conversation(&self.session, self.opened, conversation, *to);
            let found = wrong(&events, &self.criteria(lab), &|id| lab.known.contains(id));
            let same = |(id, finding): (&'static str, Finding)| {
                Sighting::broken(id, finding, &events).signature == sighting.signature
            };
            if found.into_iter().any(same) {
                return lines.clone();
            }
        }
        self.had.iter().flat_map(|(lines, _, _)| lines.clone()).collect()
    }
}

impl Lab {
    /// Returns the next conversation: a prepared one while there are any, but one time in four a mutation of one that was kept.
    fn next(&self, chance: &mut Chance) -> Lines {
        let mut pool = self.pool.borrow_mut();
        let prepared = if chance.one_in(4) && pool.kept() > 0 { None } else { pool.seed() };
        prepared.unwrap_or_else(|| self.seeds.next(pool.pick(chance), chance))
    }

    fn report(&self, found: Found) {
        self.progress.borrow_mut().found.push(found);
    }

    /// The smallest form may be that of something told already.
    fn report_minimized(&self, seen: &Sighting, found: Found) {
        let least = match found.sort {
            Sort::Hang => format!("hang {}", methods(&found.lines)),
            _ => seen.signature.clone(),
        };
        if least == seen.signature || self.progress.borrow_mut().known_signatures.insert(least) {
            self.report(found);
        }
    }

    /// A hang that was made small and turns out to be one that is told already.
    pub(super) fn knows_hang(&self, seen: &Sighting, lines: &[Vec<u8>]) -> bool {
        let least = format!("hang {}", methods(lines));
        least != seen.signature && self.progress.borrow().known_signatures.contains(&least)
    }

    /// Until when something is looked into: not for ever, and not long after the end.
    pub(super) fn latest(&self) -> Instant {
        self.until + Duration::from_secs(15)
    }
}

/// The methods of a conversation.
fn methods(lines: &[Vec<u8>]) -> String {
    let parsed = lines.iter().map(|line| wire::parse(line, &wire::Limits::default()));
    let names: Vec<String> = parsed
        .flat_map(|parsed| {
            parsed.messages().iter().filter_map(|message| message.method().map(str::to_owned)).collect::<Vec<_>>()
        })
        .collect();
    names.join(" ")
}
