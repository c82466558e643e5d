//! The stages of judging a revision. Where each session has a process of its own most go on side by side; where one server
//! stands behind all sessions, what disturbs others comes one after the other when everything else is over.

use serde_json::json;
use tokio::sync::RwLockReadGuard;
use tokio::task::{JoinHandle, JoinSet, spawn_local};
use verdict::transcript::Ending;
use verdict::{Intent, Transport};

use super::Plan;
use super::revision::{PATIENCE, Queue, end_flow, named};
use crate::leases::Lease;
use crate::opening::Opening;
use crate::progress::Progress;
use crate::scenario::sse::clients;
use crate::scenario::{Cx, Scenario, Stage};
use crate::{Profile, Protocol, Trouble, Wear};

/// The purpose of the session for malformed input.
const ROUGH: &str = "rough";
/// So many of them at most, where answers get lost.
const ROUGH_SESSIONS: usize = 4;

impl Plan<'_> {
    /// Each session has a process of its own.
    pub(super) async fn per_process(&self, cx: &Cx, queue: &Queue) -> JoinHandle<Ending> {
        (self.tell)(Progress::Phase("probing"));
        let mut alone = self.start(cx, queue, Stage::Alone);
        let mut last = self.start(cx, queue, Stage::Last);
        let mut generated = self.start(cx, queue, Stage::Generated);
        let promise = cx.for_half.promise();
        // What a connection shows that others had before comes late.
        let compares = cx.profile.revision.is_stateless() && queue.of(Stage::Ordered).next().is_some();
        let needed = compares.then(|| cx.opener.leases().needed(Wear::Ordinary));
        let main = async {
            self.shared(cx, queue).await;
            self.walk_again(&cx.session).await;
            self.ordered(cx, queue).await;
            drop(needed);
            self.wait(&mut alone, queue).await;
            end_flow(cx).await;
            drop(promise);
        };
        // Malformed input goes to a process of its own: it disturbs nobody.
        tokio::join!(main, self.rough(cx, queue), self.wait(&mut generated, queue));
        self.look_beside(cx).await;
        self.generated(cx, queue, Stage::Changing).await;
        let closing = closing(cx);
        self.wait(&mut last, queue).await;
        self.turn_away(cx).await;
        closing
    }

    /// All sessions are with one server. `calm` ends when it is disturbed: other revisions must be done with theirs then.
    pub(super) async fn shared_server(
        &self,
        cx: &Cx,
        queue: &Queue,
        shared_guard: RwLockReadGuard<'_, ()>,
    ) -> JoinHandle<Ending> {
        (self.tell)(Progress::Phase("probing"));
        let streams = cx.profile.transport == Transport::Sse;
        let mut alone = if streams { JoinSet::new() } else { self.start(cx, queue, Stage::Alone) };
        self.shared(cx, queue).await;
        if cx.session.is_down() && self.has_stopped(cx).await {
            return closing(cx);
        }
        if streams && self.serves_several(cx, queue).await {
            alone = self.start(cx, queue, Stage::Alone);
        }
        let one_client = cx.opener.learned().one_client.get();
        let watched = async {
            self.wait(&mut alone, queue).await;
            end_flow(cx).await;
        };
        let calls = async {
            if !one_client {
                self.generated(cx, queue, Stage::Generated).await;
            }
        };
        // Of several revisions some make calls while others are watched anyhow.
        if self.options.protocol == Protocol::All && !streams {
            tokio::join!(watched, calls);
        } else {
            watched.await;
            calls.await;
        }
        if cx.session.is_down() && self.has_stopped(cx).await {
            return closing(cx);
        }
        self.walk_again(&cx.session).await;
        drop(shared_guard);
        let _alone = self.server_lock.write().await;
        // Whatever a server does that another revision has felled is not this one's to judge.
        let disturbed = std::mem::replace(&mut self.state.borrow_mut().disturbed, true);
        if disturbed && !cx.session.is_alive().await {
            let revision = cx.profile.revision;
            let note = format!(
                "the server fell while another revision was judged, and what disturbs it was left out: --protocol {revision} judges this one by itself"
            );
            self.add_note(revision, note);
            return closing(cx);
        }
        self.ordered(cx, queue).await;
        if one_client {
            cx.session.close(PATIENCE).await;
            self.generated(cx, queue, Stage::Generated).await;
        }
        let closing = closing(cx);
        if !cx.opener.learned().standstill.is_reached() {
            self.generated(cx, queue, Stage::Changing).await;
            self.rough(cx, queue).await;
        }
        for scenario in queue.of(Stage::Last).take_while(|_| !cx.opener.learned().standstill.is_reached()) {
            self.step(scenario, cx, queue).await;
        }
        closing
    }

    pub(super) async fn shared(&self, cx: &Cx, queue: &Queue) {
        let mut shared = self.start(cx, queue, Stage::Shared);
        self.wait(&mut shared, queue).await;
    }

    pub(super) async fn ordered(&self, cx: &Cx, queue: &Queue) {
        for scenario in queue.of(Stage::Ordered) {
            if !cx.session.is_down() {
                self.step(scenario, cx, queue).await;
            }
        }
        if cx.session.is_down() {
            self.bisect(cx, queue, &[Stage::Shared, Stage::Ordered]).await;
        } else {
            cx.session.settle().await;
            self.walk_again(&cx.session).await;
        }
    }

    pub(super) async fn step(&self, scenario: &'static Scenario, cx: &Cx, queue: &Queue) {
        let mut one = JoinSet::new();
        one.spawn_local(named(scenario, cx.clone()));
        self.wait(&mut one, queue).await;
    }

    /// Over HTTP+SSE whether further sessions may be opened while the main one is open: some servers can serve one client
    /// only, and what several show of those is nonsense.
    async fn serves_several(&self, cx: &Cx, queue: &Queue) -> bool {
        if queue.of(Stage::Alone).next().is_none() || cx.session.is_down() {
            return false;
        }
        let several = clients::several(cx).await;
        if !several {
            cx.opener.learned().one_client.set(true);
            let note = "the server serves one client at a time: what takes several sessions was left out";
            self.add_note(cx.profile.revision, note);
        }
        several
    }

    /// Sessions that were offered and not needed.
    pub(super) async fn turn_away(&self, cx: &Cx) {
        for handover in [&cx.for_rough, &cx.for_flow, &cx.for_lists, &cx.for_busy, &cx.for_half] {
            while let Some(offered) = handover.take() {
                offered.kill().await;
            }
        }
    }

    /// Tools with generated arguments.
    async fn generated(&self, cx: &Cx, queue: &Queue, stage: Stage) {
        if queue.of(stage).next().is_some() {
            (self.tell)(Progress::Phase("generated calls"));
            if cx.opener.learned().one_client.get() {
                for scenario in queue.of(stage) {
                    self.step(scenario, cx, queue).await;
                }
                return;
            }
            let mut set = self.start(cx, queue, stage);
            self.wait(&mut set, queue).await;
        }
    }

    pub(super) async fn rough(&self, cx: &Cx, queue: &Queue) {
        if queue.of(Stage::Rough).next().is_none() {
            return;
        }
        (self.tell)(Progress::Phase("malformed input"));
        let mut waiting = queue.of(Stage::Rough);
        for _ in 0..ROUGH_SESSIONS {
            match self.disturb(cx, queue, &mut waiting).await {
                Disturbed::Not => return,
                // Of a server that loses answers silence says little: the rest gets another session.
                Disturbed::Silent if cx.session.loses_answers() => {}
                Disturbed::Silent | Disturbed::Down => return self.bisect(cx, queue, &[Stage::Rough]).await,
            }
        }
    }

    /// The scenarios with malformed input on one session, until it is down.
    async fn disturb(
        &self,
        cx: &Cx,
        queue: &Queue,
        waiting: &mut impl Iterator<Item = &'static Scenario>,
    ) -> Disturbed {
        let Ok(session) = rough_session(cx).await else { return Disturbed::Not };
        session.record_probe("plan", Intent::Rough, json!({}));
        let own = Cx { session: session.session().clone(), ..cx.clone() };
        for scenario in waiting {
            self.step(scenario, &own, queue).await;
            if !session.is_down() {
                session.settle().await;
            }
            if session.is_down() {
                break;
            }
        }
        let disturbed = match (session.is_silent(), session.is_down()) {
            (true, _) => Disturbed::Silent,
            (false, true) => Disturbed::Down,
            (false, false) => Disturbed::Not,
        };
        session.give_back().await;
        disturbed
    }
}

/// What has become of a session for malformed input.
enum Disturbed {
    Not,
    Silent,
    Down,
}

/// A session for malformed input that a client sends who declares everything.
async fn rough_session(cx: &Cx) -> Result<Lease, Trouble> {
    let revision = cx.profile.revision;
    if let Some(session) = cx.for_rough.awaited(revision, cx.session.slowest_start()).await {
        return Ok(cx.opener.leased(session.renewed(ROUGH, Profile::Full), revision, Wear::Malformed));
    }
    let opening = Opening::new(ROUGH, revision).full();
    if revision.is_stateless() {
        return cx.opener.lease(opening, revision, Wear::Malformed).await;
    }
    cx.opener.lease_another(opening, revision, Wear::Malformed).await
}

/// The end of the main session: a server may take its time to end, and meanwhile others go on.
pub(super) fn closing(cx: &Cx) -> JoinHandle<Ending> {
    let main = cx.session.clone();
    spawn_local(async move { main.close(PATIENCE).await })
}
