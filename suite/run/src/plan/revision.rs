//! Judging one revision: survey, scenarios by stage, shutdown, verdicts.

use std::cell::Cell;
use std::collections::HashSet;
use std::rc::Rc;
use std::time::Duration;

use judge::Judged;
use tokio::task::JoinSet;
use verdict::{Intent, Revision, Status, Transport};

use super::{Finished, Plan, named, record_builder};
use crate::opener::Opener;
use crate::opening::Opening;
use crate::progress::Progress;
use crate::scenario::sse::clients;
use crate::scenario::{Cx, Scenario, Stage, scenarios};
use crate::survey::{LISTS, survey, walk};
use crate::{Options, Protocol, ServerProfile, Session, Trouble, matches};

/// How long a server may take to end when its input is closed, before it is made to.
pub(super) const PATIENCE: Duration = Duration::from_millis(500);

/// Scenarios that are to run, and how many have.
pub(super) struct Queue {
    revision: Revision,
    chosen: Vec<&'static Scenario>,
    done: Cell<usize>,
}

/// The requirement about silence: some value of an argument may cause it.
const ANSWERED: &str = "jsonrpc.response.every-request-answered";
/// By how much fewer calls are generated for older revisions when all are judged.
const FEWER: u32 = 5;

impl Plan<'_> {
    pub(super) async fn judge(
        &self,
        opener: &Rc<Opener>,
        main: Session,
        revision: Revision,
        finished: &mut Finished,
    ) -> Result<(), Trouble> {
        let recorder = Rc::clone(opener.recorder());
        self.state.borrow_mut().under_way.push((Rc::clone(&recorder), revision));
        let server = main.server();
        (self.tell)(Progress::Speaks { server: format!("{} {}", server.name, server.version), revision });
        self.look_for_sdk(&main);
        let shared_guard = self.server_lock.read().await;
        let walks = survey(&main).await;
        let profile = ServerProfile::new(
            &main,
            revision,
            walks,
            &self.options,
            self.options.yes_disrupt || self.target().is_own(),
        );
        named::check(&self.options, &profile)?;
        main.mirror(&profile.tools);
        self.turns.widen(&main);
        self.note_alone(revision);
        let cx = self.cx(main, profile, opener);
        let queue = self.queue(&cx.profile, None);
        let closing = match cx.profile.transport {
            Transport::Stdio => {
                drop(shared_guard);
                if opener.is_alone() {
                    self.one_at_a_time(&cx, &queue).await
                } else {
                    self.per_process(&cx, &queue).await
                }
            }
            Transport::Http | Transport::Sse => self.shared_server(&cx, &queue, shared_guard).await,
        };
        opener.leases().clear().await;
        let _ = closing.await;
        opener.learned().standstill.concluded().await;
        let mut judged = self.examined(opener, revision).await;
        if !opener.learned().standstill.is_reached() && self.reproduce(&cx, &judged).await {
            judged = self.examined(opener, revision).await;
        }
        let judged = self.confirmed(&cx, revision, judged).await;
        let record = record_builder::record(self, &recorder, revision, judged);
        finished.records.push(record);
        finished.transcripts.push(recorder.take());
        Ok(())
    }

    pub(super) fn cx(&self, session: Session, profile: ServerProfile, opener: &Rc<Opener>) -> Cx {
        let options = Rc::clone(&self.options);
        let wanted = Rc::new(move |id: &str| options.wants(id));
        Cx {
            session,
            options: self.options_in(profile.revision),
            profile: Rc::new(profile),
            opener: Rc::clone(opener),
            for_rough: Rc::default(),
            for_flow: Rc::default(),
            for_lists: Rc::default(),
            for_busy: Rc::default(),
            for_half: Rc::default(),
            observations: Rc::default(),
            confirming: false,
            wanted,
        }
    }

    /// Generated cases a tool. With all revisions those before the newest of each era get a fifth, and a fifth of the time: the
    /// same checks of the same arguments lie behind them.
    pub(super) fn cases(&self, revision: Revision) -> u32 {
        let newest = matches!(revision, Revision::LATEST | Revision::LATEST_HANDSHAKE);
        if self.options.protocol == Protocol::All && !newest {
            self.options.cases.div_ceil(FEWER)
        } else {
            self.options.cases
        }
    }

    pub(super) fn options_in(&self, revision: Revision) -> Rc<Options> {
        let cases = self.cases(revision);
        if cases == self.options.cases {
            return Rc::clone(&self.options);
        }
        let time = self.options.time / FEWER;
        Rc::new(Options { cases, time, ..(*self.options).clone() })
    }

    /// The scenarios that provoke what is to be judged; `ids` narrows it down.
    pub(super) fn queue(&self, profile: &ServerProfile, ids: Option<&[&'static str]>) -> Queue {
        let passive = if ids.is_none() { self.passive_areas() } else { HashSet::new() };
        let wanted = |scenario: &Scenario| match ids {
            Some(ids) => scenario.provokes.iter().any(|id| ids.contains(id)),
            None => {
                self.shows_passive(scenario, &passive)
                    || scenario.provokes.iter().any(|id| self.options.wants(id))
                    || self.options.wants(scenario.name)
            }
        };
        let named = |list: &[String], scenario: &Scenario| list.iter().any(|glob| matches(glob, scenario.name));
        let chosen = scenarios().filter(|scenario| wanted(scenario) && !named(&self.options.skip, scenario));
        let chosen = chosen
            .filter(|scenario| (scenario.applies)(profile) && (profile.may_disrupt || scenario.stage != Stage::Rough));
        Queue { revision: profile.revision, chosen: chosen.collect(), done: Cell::new(0) }
    }

    /// The areas of the wanted requirements that no scenario provokes by name: they are judged on all traffic.
    fn passive_areas(&self) -> HashSet<&'static str> {
        let provoked: HashSet<&str> = scenarios().flat_map(|scenario| scenario.provokes.iter().copied()).collect();
        let judged = judge::rules::all().flat_map(|rule| rule.judges.iter().copied());
        let passive = judged.filter(|id| self.options.wants(id) && !provoked.contains(id));
        passive.filter_map(|id| id.split('.').next()).collect()
    }

    /// Whether a scenario is wanted for its traffic alone. Generated calls are many and show little that other traffic does not:
    /// they are made for their own area, for good practice, which is about tools, for silence, which a value may cause, and where
    /// the user asks for them.
    fn shows_passive(&self, scenario: &Scenario, passive: &HashSet<&str>) -> bool {
        let is_generated = matches!(scenario.stage, Stage::Generated | Stage::Changing);
        let of_area = || scenario.name.split('/').next().is_some_and(|area| passive.contains(area));
        let asked = self.options.cases_asked || self.options.wants(ANSWERED);
        !passive.is_empty() && (!is_generated || asked || passive.contains("practice") || of_area())
    }

    pub(super) fn start(&self, cx: &Cx, queue: &Queue, stage: Stage) -> JoinSet<&'static str> {
        let mut set = JoinSet::new();
        // Over HTTP+SSE that one has gone ahead of all others.
        for scenario in queue.of(stage).filter(|scenario| scenario.name != clients::SCENARIO.name) {
            set.spawn_local(named(scenario, cx.clone()));
        }
        set
    }

    pub(super) async fn wait(&self, set: &mut JoinSet<&'static str>, queue: &Queue) {
        while let Some(ended) = set.join_next().await {
            match ended {
                Ok(name) => {
                    let done = queue.done.replace(queue.done.get() + 1) + 1;
                    let (revision, total) = (queue.revision, queue.chosen.len());
                    (self.tell)(Progress::Scenario { revision, name, done, total });
                }
                Err(error) => {
                    let text = format!("a scenario broke, which is a fault of mcp-conform: {error}");
                    self.add_note(queue.revision, text);
                }
            }
        }
    }

    /// The lists once more, so that a change which a phase brought about is seen.
    pub(super) async fn walk_again(&self, session: &Session) {
        if session.is_down() {
            return;
        }
        let capabilities = session.capabilities();
        let mut walks = JoinSet::new();
        for (method, member, capability) in LISTS {
            if capabilities.get(capability).is_some_and(serde_json::Value::is_object) {
                let session = session.clone();
                walks.spawn_local(async move {
                    walk(&session, "survey", Intent::WalkAfter, method, member).await;
                });
            }
        }
        walks.join_all().await;
    }

    /// Repeats in a fresh session what looks broken but could be a race, and judges the whole transcript again.
    async fn confirmed(&self, cx: &Cx, revision: Revision, judged: Judged) -> Judged {
        let suspected = judged
            .verdicts
            .iter()
            .filter(|verdict| verdict.status == Status::Inconclusive && self.options.wants(verdict.id));
        let ids: Vec<&'static str> = suspected.map(|verdict| verdict.id).collect();
        if ids.is_empty() || cx.opener.learned().standstill.is_reached() {
            return judged;
        }
        (self.tell)(Progress::Phase("repeating what was ambiguous"));
        let _alone = self.server_lock.write().await;
        self.repeat(cx, revision, &ids).await;
        self.examined(&cx.opener, revision).await
    }

    async fn repeat(&self, cx: &Cx, revision: Revision, ids: &[&'static str]) {
        let queue = self.queue(&cx.profile, Some(ids));
        let uses_session =
            [Stage::Shared, Stage::Ordered, Stage::Rough].into_iter().any(|stage| queue.of(stage).next().is_some());
        // What opens sessions of its own only looks at this one.
        let session = if uses_session {
            let opening = Opening::new("confirm", revision).confirm();
            let Ok(session) = cx.opener.ready(opening, revision).await else { return };
            session
        } else {
            cx.session.clone()
        };
        let own = Cx { session: session.clone(), observations: Rc::default(), confirming: true, ..cx.clone() };
        for stage in [Stage::Shared, Stage::Ordered, Stage::Alone, Stage::Rough] {
            let mut set = self.start(&own, &queue, stage);
            let any = !set.is_empty();
            self.wait(&mut set, &queue).await;
            if any && uses_session && !session.is_down() {
                session.settle().await;
            }
        }
        end_flow(&own).await;
        if uses_session {
            session.kill().await;
        }
    }
}

/// The session on which tools were watched, if there was one: somebody may want to end it in his own way.
pub(super) async fn end_flow(cx: &Cx) {
    let Some(Some(observations)) = cx.observations.get() else { return };
    let session = &observations.session;
    let process = cx.profile.transport == Transport::Stdio && !cx.is_alone();
    if process && !session.is_down() && session.settle().await {
        return cx.offer(&cx.for_half, session.clone()).await;
    }
    session.kill().await;
}

impl Queue {
    pub(super) fn everything(&self) -> impl Iterator<Item = &'static Scenario> {
        self.chosen.iter().copied()
    }

    pub(super) fn of(&self, stage: Stage) -> impl Iterator<Item = &'static Scenario> {
        self.chosen.iter().copied().filter(move |scenario| scenario.stage == stage)
    }
}

pub(super) async fn named(scenario: &'static Scenario, cx: Cx) -> &'static str {
    (scenario.run)(cx).await;
    scenario.name
}
