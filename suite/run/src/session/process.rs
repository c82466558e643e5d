//! The process behind a session on stdio: how it is ended, kept waiting, and what it leaves. Over HTTP nothing happens.

use std::collections::HashMap;
use std::time::Duration;

use tokio::task::spawn_local;
use verdict::Purpose;
use verdict::transcript::{Ending, Event, Exit, Kind, connection};

use super::{Health, Session};
use crate::process::Member;
use crate::transport::Link;
use crate::transport::stdio::Pipe;
use crate::vain::Awaited;

/// How often a process that was started by the server is looked at while its end is awaited.
const LOOK: Duration = Duration::from_millis(20);
/// How long a process is taken to be starting that says nothing, as long as nothing is known about others.
const SHORT_START: Duration = Duration::from_millis(200);
/// Half as long as a session is waited for at least, the first request of which may be lost.
const LOST_START: Duration = Duration::from_millis(500);
/// Longer than any process takes that is being ended.
const ENDS: Duration = Duration::from_secs(5);

/// The descendants of a server at one moment, to see later which of them still run.
#[derive(Clone, Debug)]
pub struct Family(Vec<Member>);

impl Family {
    /// The server has started nothing.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// The command lines of those that still run after this time at most.
    pub async fn outlived(&self, patience: Duration) -> Vec<String> {
        let living = || self.0.iter().filter(|member| member.lives()).map(|member| member.command.clone());
        let gone = async {
            while living().next().is_some() {
                tokio::time::sleep(LOOK).await;
            }
        };
        let _ = tokio::time::timeout(patience, gone).await;
        living().collect()
    }
}

impl Session {
    fn pipe(&self) -> Option<&Pipe> {
        match &self.0.link {
            Link::Stdio(pipe) => Some(pipe),
            Link::Http(_) | Link::Sse(_) => None,
        }
    }

    /// How long the server took from its start to its first word: what a slow machine makes of everything.
    #[must_use]
    pub fn started_in(&self) -> Duration {
        self.0.recorder.with(|events| started_in(events, self.0.first))
    }

    /// The longest that any process of this server took for it so far.
    pub(crate) fn slowest_start(&self) -> Duration {
        self.0.recorder.with(slowest_start)
    }

    /// How long the first request of a session is waited for. Where others were answered it is known how long that takes; and where
    /// one never was, that such requests may have no answer.
    pub(crate) fn opening_limit(&self) -> Duration {
        let (limit, slowest) = (self.limit(), self.slowest_start());
        if slowest.is_zero() {
            return self.start_limit();
        }
        // One that is lost is asked for again, and decides nothing.
        let limit = if self.loses_answers() { limit.min(LOST_START) } else { limit };
        let usual = match (self.0.settings.learned.unopened.get(), self.is_confirm()) {
            (false, _) => limit * 2,
            (true, true) => limit,
            (true, false) => limit / 3,
        };
        self.patience(usual, Awaited::Call(Duration::ZERO)).max(slowest * 5).min(self.start_limit())
    }

    /// Whether there is no process any more.
    pub(crate) fn is_over(&self) -> bool {
        self.pipe().is_none_or(Pipe::has_ended)
    }

    /// Waits for the process to end, which is on its way.
    pub(crate) async fn over(&self) {
        if let Some(pipe) = self.pipe() {
            pipe.over(ENDS).await;
        }
    }

    /// Waits until nothing has crossed for so long, or the process has ended.
    pub(crate) async fn idle(&self, long: Duration) {
        let Some(pipe) = self.pipe() else { return };
        let own =
            || self.0.recorder.with(|events| events.iter().filter(|event| event.session == self.0.id.get()).count());
        loop {
            let before = own();
            if pipe.over(long).await || own() == before {
                return;
            }
        }
    }

    /// The tester is ending it.
    pub(crate) fn is_ending(&self) -> bool {
        self.0.is_closing()
    }

    /// Whether that is what it is for.
    pub(crate) fn is_for(&self, purpose: Purpose) -> bool {
        Purpose::of(&self.0.purpose.borrow()) == Some(purpose)
    }

    /// Whether the server said anything on its connection.
    pub(crate) fn has_spoken(&self) -> bool {
        self.0.recorder.with(|events| {
            let sessions = connection(events, self.id());
            events.iter().any(|event| matches!(event.kind, Kind::Receive(_)) && sessions.contains(&event.session))
        })
    }

    /// Waits until the process has said something or is over, or others took no longer to start.
    pub(crate) async fn starts(&self) {
        let begun = async {
            while !self.has_spoken() && !self.is_over() && !self.is_down() {
                self.0.heard.notified().await;
            }
        };
        let _ = tokio::time::timeout(self.slowest_start().max(SHORT_START), begun).await;
    }

    /// Whether the process ended by itself, without a word.
    pub(crate) fn ended_mute(&self) -> bool {
        self.is_over() && !self.has_spoken() && self.exited(|exit| exit.after == Ending::Nothing)
    }

    /// Whether the process ended by itself and says that all is well.
    pub(crate) fn ended_properly(&self) -> bool {
        self.exited(|exit| exit.after == Ending::Nothing && exit.code == Some(0))
    }

    fn exited(&self, how: impl Fn(&Exit) -> bool) -> bool {
        let is =
            |event: &Event| event.session == self.0.id.get() && matches!(&event.kind, Kind::Exit(exit) if how(exit));
        self.0.recorder.with(|events| events.iter().any(is))
    }

    /// Whether it is one and the same.
    pub(crate) fn is_same(&self, other: &Self) -> bool {
        std::rc::Rc::ptr_eq(&self.0, &other.0)
    }

    /// Closes the input, waits, and forces the process only if it stays; nobody waits for that.
    pub(super) fn see_off(&self) {
        let session = self.clone();
        let end = spawn_local(async move {
            let Some(pipe) = session.pipe() else { return };
            let farewells = &session.0.settings.learned.farewells;
            farewells.learn(pipe.end(farewells.patience()).await);
            session.drained().await;
        });
        self.0.settings.learned.farewells.add(end);
    }

    /// Closes the input and waits for the process to end, longer if it is at work; then asks, then forces.
    pub async fn end_of_input(&self, patience: Duration) -> Ending {
        self.begin_closing();
        let Some(pipe) = self.pipe() else { return Ending::Nothing };
        let ending = pipe.end_in_peace(patience).await;
        self.drained().await;
        ending
    }

    /// Asks the process to end (SIGTERM) with its input still open, and waits; then forces it.
    pub async fn terminate(&self, patience: Duration) -> Ending {
        self.begin_closing();
        let Some(pipe) = self.pipe() else { return Ending::Nothing };
        let ending = pipe.terminate(patience).await;
        self.drained().await;
        ending
    }

    /// Closes the reading end of the server's output: whatever it writes from now on fails.
    pub async fn deafen(&self) {
        self.begin_closing();
        if let Some(pipe) = self.pipe() {
            pipe.deafen().await;
        }
    }

    /// Stops reading the server's output, or goes on with it.
    pub fn hold(&self, held: bool) {
        if let Some(pipe) = self.pipe() {
            pipe.hold(held);
        }
    }

    /// Returns the descendants of the server at this moment; none over HTTP.
    #[must_use]
    pub fn family(&self) -> Family {
        Family(self.pipe().map(Pipe::family).unwrap_or_default())
    }

    /// The ids of the server's processes at this moment; none over HTTP, or where they cannot be known.
    pub(crate) fn process_ids(&self) -> Vec<u32> {
        self.pipe().map(Pipe::process_ids).unwrap_or_default()
    }

    /// The server ended or broke the connection by itself; one that is about to is waited for.
    pub(crate) async fn has_ended(&self) -> bool {
        self.linger().await;
        if self.0.health() == Health::Ended {
            // What it said last is read first.
            self.drained().await;
        }
        self.0.health() == Health::Ended
    }

    /// Looks at everything that was recorded with this session.
    pub(crate) fn events<T>(&self, look: impl FnOnce(&[verdict::transcript::Event]) -> T) -> T {
        self.0.recorder.with(look)
    }

    /// Processor time that the server has used, in hundredths of a second; none where that cannot be known.
    #[must_use]
    pub fn processor(&self) -> Option<u64> {
        self.pipe()?.ticks()
    }
}

/// The longest of all sessions, in one pass.
pub(crate) fn slowest_start(events: &[Event]) -> Duration {
    let (mut began, mut slowest) = (HashMap::new(), 0);
    for event in events {
        match event.kind {
            Kind::Open(ref open) if open.continues.is_none() => {
                began.insert(event.session, event.at_us);
            }
            Kind::Send(_) => {
                began.entry(event.session).and_modify(|at| *at = event.at_us);
            }
            Kind::Receive(_) => {
                let took = began.remove(&event.session).map(|at| event.at_us.saturating_sub(at));
                slowest = took.unwrap_or(0).max(slowest);
            }
            _ => {}
        }
    }
    Duration::from_micros(slowest)
}

/// Whether the first word of the server took longer than this.
pub(crate) fn is_slow_to_start(events: &[Event], limit: Duration) -> bool {
    let first = events.iter().find(|event| matches!(event.kind, Kind::Receive(_)));
    first.is_some_and(|first| started_in(events, first.session) > limit)
}

/// From the last that was sent before, else the opening of a session, to the first that came; nothing if nothing came.
fn started_in(events: &[Event], session: u32) -> Duration {
    let own = events.iter().filter(|event| event.session == session);
    let spoke = own.clone().find(|event| matches!(event.kind, Kind::Receive(_)));
    // One that was started ahead is not slow because nobody spoke to it, nor because it was silent on purpose before.
    let until = spoke.map_or(u32::MAX, |spoke| spoke.seq);
    let asked =
        own.clone().take_while(|event| event.seq < until).filter(|event| matches!(event.kind, Kind::Send(_))).last();
    let began = asked.or_else(|| own.clone().next()).map_or(0, |event| event.at_us);
    Duration::from_micros(spoke.map_or(0, |spoke| spoke.at_us.saturating_sub(began)))
}
