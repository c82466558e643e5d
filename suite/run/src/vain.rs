//! How long a server was waited for in vain, by all sessions together. A server that leaves one thing in a hundred unanswered would
//! otherwise cost the sum of all time limits; one that is quick as a rule is known not to answer long before its limit is over.

use std::cell::{Cell, RefCell};
use std::collections::HashMap;
use std::time::{Duration, Instant};

/// After how much time in vain, how many times shorter something is waited for, but at least how many milliseconds: for an answer
/// behind which there is no work, and for a tool's, which is given how many times what its slowest answer took.
type Step = (Duration, u32, [u64; 2], u32);

/// The first time that an answer is missed, a tool may have taken its time.
const STEPS: [Step; 5] = [
    (Duration::from_secs(5), 2, [500, 5_000], 5),
    (Duration::from_secs(7), 10, [500, 1_000], 3),
    (Duration::from_secs(9), 20, [250, 500], 2),
    (Duration::from_secs(11), 50, [100, 250], 2),
    (Duration::from_secs(13), 100, [50, 150], 2),
];
/// The same in a repetition, whose word is final.
const FIRM: [Step; 2] =
    [(Duration::from_secs(8), 4, [2_000, 3_000], 5), (Duration::from_secs(16), 10, [1_000, 1_500], 5)];

/// The same where one message at a time is sent to find a cause: silence is the evidence.
const ALONE: [Step; 1] = [(Duration::from_secs(8), 4, [2_000, 3_000], 5)];

/// Answers after which it is known how quick a server is, and how quick one is that answers at once.
const KNOWN: u32 = 20;
const AT_ONCE: Duration = Duration::from_millis(100);
/// How many times as long as its slowest answer a tool that is under way may take.
const SLOWER: u32 = 5;

/// What is waited for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Awaited {
    /// An answer behind which there is no work of unknown length.
    Quick,
    /// What a tool gives, or an answer that may have to wait for that: the tool was at work `SLOWER` times shorter at most, as far as
    /// is known.
    Call(Duration),
}

/// Who waits.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Waiter {
    Ordinary,
    /// Who repeats what was seen.
    Repeats,
    /// Who sends one message at a time to find a cause.
    Alone,
}

impl Waiter {
    fn steps(self) -> &'static [Step] {
        match self {
            Self::Ordinary => &STEPS,
            Self::Repeats => &FIRM,
            Self::Alone => &ALONE,
        }
    }
}

/// The record of all sessions.
#[derive(Debug, Default)]
pub(crate) struct Vain {
    /// When something was waited for that never came: disjoint, in order.
    spans: RefCell<Vec<(Instant, Instant)>>,
    answers: Cell<u32>,
    at_once: Cell<u32>,
    /// By tool, its slowest answer.
    calls: RefCell<HashMap<String, Duration>>,
}

impl Vain {
    /// Notes that something was waited for from then until now, and did not come. What was waited for at once counts once.
    pub(crate) fn note(&self, began: Instant) {
        self.add(began, Instant::now());
    }

    fn add(&self, mut began: Instant, mut ended: Instant) {
        let mut spans = self.spans.borrow_mut();
        spans.retain(|(from, to)| {
            let apart = *to < began || *from > ended;
            if !apart {
                (began, ended) = (began.min(*from), ended.max(*to));
            }
            apart
        });
        spans.push((began, ended));
    }

    /// Notes an answer behind which there was no work of unknown length, and how long it took.
    pub(crate) fn note_answer(&self, took: Duration) {
        self.answers.set(self.answers.get() + 1);
        self.at_once.set(self.at_once.get() + u32::from(took <= AT_ONCE));
    }

    /// Notes how long a tool took.
    pub(crate) fn note_call(&self, tool: &str, took: Duration) {
        let mut calls = self.calls.borrow_mut();
        match calls.get_mut(tool) {
            Some(slowest) => *slowest = took.max(*slowest),
            None => drop(calls.insert(tool.to_owned(), took)),
        }
    }

    /// How long a tool may take, as far as is known.
    pub(crate) fn work(&self, tool: &str) -> Duration {
        self.slowest_call(tool) * SLOWER
    }

    /// The slowest answer of a tool; none was answered yet if it is zero.
    pub(crate) fn slowest_call(&self, tool: &str) -> Duration {
        self.calls.borrow().get(tool).copied().unwrap_or_default()
    }

    /// How long it is waited for what would be given this limit.
    pub(crate) fn patience(&self, limit: Duration, awaited: Awaited, waiter: Waiter) -> Duration {
        let spent = self.spent();
        let step = waiter.steps().iter().rev().find(|(after, ..)| spent >= *after && self.is_quick());
        let Some((_, haste, [quick, call], slower)) = step else { return limit };
        let least = match awaited {
            Awaited::Quick => Duration::from_millis(*quick),
            // One that answered before is known to be as quick as that.
            Awaited::Call(work) => {
                let floor = if work.is_zero() { *call } else { (*call).min(quick * 2) };
                (work / SLOWER * *slower).max(Duration::from_millis(floor))
            }
        };
        least.max(limit / *haste).min(limit)
    }

    /// How long it was, all in all.
    pub(crate) fn spent(&self) -> Duration {
        self.spans.borrow().iter().map(|(from, to)| to.saturating_duration_since(*from)).sum()
    }

    /// Two in three of its answers come at once.
    pub(crate) fn is_quick(&self) -> bool {
        self.answers.get() >= KNOWN && self.at_once.get() >= self.answers.get() / 3 * 2
    }
}

/// The tool that has to be run for it; the method where it is that of a task.
pub(crate) fn tool_behind(parsed: &wire::Parsed) -> Option<&str> {
    parsed.messages().iter().find_map(|message| match message.method()? {
        "tools/call" => judge::called_tool(message),
        method @ "tasks/result" => Some(method),
        _ => None,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    const LIMIT: Duration = Duration::from_secs(5);
    const ALL: [u128; 2] = [5_000; 2];

    fn quick() -> Vain {
        let vain = Vain::default();
        (0..KNOWN).for_each(|_| vain.note_answer(Duration::from_millis(3)));
        vain
    }

    /// In milliseconds, for an answer and for a tool's: of an ordinary session, a repetition, and who looks for a cause.
    fn patience(vain: &Vain) -> [[u128; 2]; 3] {
        [Waiter::Ordinary, Waiter::Repeats, Waiter::Alone].map(|waiter| {
            let of = |awaited| vain.patience(LIMIT, awaited, waiter).as_millis();
            [of(Awaited::Quick), of(Awaited::Call(vain.work("read")))]
        })
    }

    #[test]
    fn the_more_was_waited_in_vain_the_shorter_it_is_waited() {
        let (vain, start) = (quick(), Instant::now());
        let at = |seconds: u64| start + Duration::from_secs(seconds);
        vain.add(at(0), at(4));
        assert_eq!(patience(&vain), [ALL; 3]);
        vain.add(at(10), at(11));
        assert_eq!(patience(&vain), [[2_500, 5_000], ALL, ALL]);
        vain.add(at(20), at(22));
        assert_eq!(patience(&vain), [[500, 1_000], ALL, ALL]);
        vain.add(at(22), at(24));
        assert_eq!(patience(&vain), [[250, 500], [2_000, 3_000], [2_000, 3_000]]);
        vain.note_call("read", Duration::from_millis(700));
        vain.note_call("read", Duration::from_millis(20));
        vain.note_call("other", Duration::from_secs(9));
        assert_eq!(patience(&vain), [[250, 1_400], [2_000, 3_500], [2_000, 3_500]]);
        vain.add(at(24), at(26));
        assert_eq!(patience(&vain), [[100, 1_400], [2_000, 3_500], [2_000, 3_500]]);
        vain.add(at(30), at(40));
        assert_eq!(patience(&vain), [[50, 1_400], [1_000, 3_500], [2_000, 3_500]]);
    }

    #[test]
    fn a_tool_that_answered_before_is_known_to_be_quick() {
        let (vain, start) = (quick(), Instant::now());
        vain.add(start, start + Duration::from_secs(6));
        assert_eq!(patience(&vain)[0], [2_500, 5_000]);
        vain.note_call("read", Duration::from_millis(3));
        assert_eq!(patience(&vain)[0], [2_500, 2_500]);
        vain.add(start, start + Duration::from_secs(14));
        assert_eq!(patience(&vain)[0], [50, 100]);
    }

    #[test]
    fn what_is_waited_for_at_once_counts_once() {
        let (vain, start) = (quick(), Instant::now());
        let at = |seconds: u64| start + Duration::from_secs(seconds);
        vain.add(at(0), at(4));
        vain.add(at(1), at(4));
        vain.add(at(3), at(4));
        assert_eq!(patience(&vain), [ALL; 3]);
    }

    #[test]
    fn a_server_that_is_slow_or_unknown_is_given_all_its_time() {
        let (vain, start) = (Vain::default(), Instant::now());
        vain.add(start, start + LIMIT * 4);
        assert_eq!(patience(&vain), [ALL; 3]);
        (0..KNOWN).for_each(|_| vain.note_answer(Duration::from_millis(150)));
        assert_eq!(patience(&vain), [ALL; 3]);
    }
}
