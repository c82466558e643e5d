//! Memory that grows: seen while many conversations go on, believed when the same ones make it grow again and again.

use crate::Session;

use super::Lab;
use super::converse::{ConversationEnd, Pacing, converse};
use super::pool::Lines;
use super::shrink::Budget;

/// Kilobytes by which a process grows before anybody wonders.
pub(super) const SUSPECT: u64 = 24 << 10;
/// Kilobytes by which every round must make it grow.
const ROUND: u64 = 3 << 10;
/// Rounds that warm it up, and rounds that count. What is collected now and then does not grow in each.
const ROUNDS: (usize, usize) = (1, 4);
/// Times that a part of the conversations is sent in a round.
const TIMES: u32 = 24;

/// The memory of one process.
#[derive(Debug, Default)]
pub(super) struct Watch {
    base: Option<u64>,
}

impl Watch {
    /// Looks at the memory; whether it has grown by so many kilobytes since the first look.
    pub(super) fn look(&mut self, session: &Session, much: u64) -> bool {
        let Some(now) = session.memory() else { return false };
        now > *self.base.get_or_insert(now) + much
    }
}

/// The fewest conversations found that make a fresh process grow in every round, and how often they are sent.
pub(super) async fn confirmed(lab: &Lab, window: &[Lines]) -> Option<(Lines, u32, String)> {
    let mut budget = Budget::new(lab);
    let mut part: Vec<Lines> = window.to_vec();
    let mut growth = grows(lab, &part, 1, &mut budget).await?;
    let mut times = 1;
    loop {
        let mut smaller = None;
        let mut parts = fuzz::fewer(&part);
        if let [lines] = &part[..] {
            parts.extend(fuzz::fewer(lines).into_iter().map(|lines| vec![lines]));
        }
        for fewer in parts {
            // Fewer conversations are sent more often, so that each round says as much.
            let scaled = u32::try_from(window.len() / fewer.len().max(1)).unwrap_or(1).clamp(1, TIMES);
            if fewer.len() * 2 > part.len() + 1 && part.len() > 2 {
                continue;
            }
            if let Some(growth) = grows(lab, &fewer, scaled, &mut budget).await {
                smaller = Some((fewer, scaled, growth));
                break;
            }
        }
        match smaller {
            Some((fewer, scaled, more)) => (part, times, growth) = (fewer, scaled, more),
            None => break,
        }
    }
    let message = format!(
        "the memory of the server grows by {} MB with every {} of these conversations, and none of it comes back",
        (growth >> 10).max(1),
        times as usize * part.len(),
    );
    Some((part.concat(), times, message))
}

/// The kilobytes by which the last round of a conversation, sent so often, makes a fresh process grow.
pub(super) async fn growth(lab: &Lab, lines: &Lines, times: u32) -> Option<u64> {
    grows(lab, std::slice::from_ref(lines), times, &mut Budget::new(lab)).await
}

/// The kilobytes of the last round, if every round that counts made it grow.
async fn grows(lab: &Lab, part: &[Lines], times: u32, budget: &mut Budget) -> Option<u64> {
    if !budget.takes(lab) {
        return None;
    }
    let session = lab.fresh().await.ok()?;
    let mut number = 0;
    let mut last = session.memory()?;
    let mut growth = None;
    for round in 0..ROUNDS.0 + ROUNDS.1 {
        for lines in (0..times).flat_map(|_| part) {
            number += 1;
            let late = std::time::Instant::now() > lab.latest();
            let pacing = Pacing { number, life: session.limit(), clear: false };
            if late || converse(&session, lines, pacing).await.0.end != ConversationEnd::Fine {
                session.kill().await;
                return None;
            }
        }
        let now = session.memory()?;
        let more = now.saturating_sub(last);
        last = now;
        if round < ROUNDS.0 {
            continue;
        }
        growth = (more >= ROUND).then_some(more);
        if growth.is_none() {
            break;
        }
    }
    session.kill().await;
    growth
}
