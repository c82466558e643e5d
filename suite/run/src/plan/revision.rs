//! Judging one revision: survey, scenarios by stage, shutdown, verdicts.

use std::cell::{Cell, RefCell};
use std::collections::HashSet;
use std::rc::Rc;
use std::time::Duration;

use judge::{Bar, judge};
use serde_json::json;
use tokio::task::{JoinHandle, JoinSet, spawn_local};
use verdict::transcript::{Ending, Event};
use verdict::{Revision, Status};

use super::{Finished, Plan, sheet};
use crate::opener::{Opener, Opening};
use crate::progress::Progress;
use crate::scenario::{Cx, Scenario, Stage, scenarios};
use crate::survey::{LISTS, survey, walk};
use crate::{Offer, Session, Trouble, matches};

/// How long a server may take to end when its input is closed, before it is made to.
pub(super) const PATIENCE: Duration = Duration::from_millis(500);

/// Scenarios that are to run, and how many have.
pub(super) struct Queue {
    chosen: Vec<&'static Scenario>,
    done: Cell<usize>,
}

impl Plan<'_> {
    pub(super) async fn judge(
        &self,
        opener: &Rc<Opener>,
        main: Session,
        revision: Revision,
        finished: &mut Finished,
    ) -> Result<(), Trouble> {
        let recorder = Rc::clone(opener.recorder());
        self.now.replace(Some((Rc::clone(&recorder), revision)));
        let server = main.server();
        (self.tell)(Progress::Speaks { server: format!("{} {}", server.name, server.version), revision });
        let walks = survey(&main).await;
        let offer = Offer::new(&main, revision, walks, &self.options, self.options.yes_disrupt || self.target.is_own());
        main.mirror(&offer.tools);
        let cx = self.cx(main, offer, opener);
        let queue = self.queue(&cx.offer, None);
        let closing = self.stages(&cx, &queue).await;
        self.confirm(&cx, revision).await;
        let _ = closing.await;
        let record = sheet::record(self, &recorder, revision);
        self.now.replace(None);
        finished.records.push(record);
        finished.transcripts.push(recorder.with(<[Event]>::to_vec));
        Ok(())
    }

    fn cx(&self, session: Session, offer: Offer, opener: &Rc<Opener>) -> Cx {
        let options = Rc::clone(&self.options);
        let wanted = Rc::new(move |id: &str| options.wants(id));
        Cx {
            session,
            offer: Rc::new(offer),
            options: Rc::clone(&self.options),
            opener: Rc::clone(opener),
            donated: Rc::new(RefCell::new(None)),
            wanted,
        }
    }

    /// The scenarios that provoke what is to be judged; `ids` narrows it down.
    pub(super) fn queue(&self, offer: &Offer, ids: Option<&[&'static str]>) -> Queue {
        let everything = ids.is_none() && self.wants_passive();
        let wanted = |scenario: &Scenario| match ids {
            Some(ids) => scenario.provokes.iter().any(|id| ids.contains(id)),
            None => {
                everything
                    || scenario.provokes.iter().any(|id| self.options.wants(id))
                    || self.options.wants(scenario.name)
            }
        };
        let named = |list: &[String], scenario: &Scenario| list.iter().any(|glob| matches(glob, scenario.name));
        let chosen = scenarios().filter(|scenario| wanted(scenario) && !named(&self.options.skip, scenario));
        let chosen = chosen
            .filter(|scenario| (scenario.applies)(offer) && (offer.may_disrupt || scenario.stage != Stage::Rough));
        Queue { chosen: chosen.collect(), done: Cell::new(0) }
    }

    /// A requirement that no scenario provokes by name is judged on all traffic, so all of it is needed.
    fn wants_passive(&self) -> bool {
        let provoked: HashSet<&str> = scenarios().flat_map(|scenario| scenario.provokes.iter().copied()).collect();
        let judged = judge::rules::all().flat_map(|rule| rule.judges.iter().copied());
        judged.into_iter().any(|id| self.options.wants(id) && !provoked.contains(id))
    }

    async fn stages(&self, cx: &Cx, queue: &Queue) -> JoinHandle<Ending> {
        (self.tell)(Progress::Phase("probing"));
        let mut alone = self.start(cx, queue, Stage::Alone);
        let mut shared = self.start(cx, queue, Stage::Shared);
        self.wait(&mut shared, queue).await;
        self.walk_again(&cx.session).await;
        for scenario in queue.of(Stage::Ordered) {
            if !cx.session.is_down() {
                let mut one = JoinSet::new();
                one.spawn_local(named(scenario, cx.clone()));
                self.wait(&mut one, queue).await;
            }
        }
        if cx.session.is_down() {
            self.carefully(cx, queue, &[Stage::Shared, Stage::Ordered]).await;
        } else {
            cx.session.settle().await;
            self.walk_again(&cx.session).await;
        }
        self.wait(&mut alone, queue).await;
        // A server may take its time to end: meanwhile another session goes on.
        let main = cx.session.clone();
        let closing = spawn_local(async move { main.close(PATIENCE).await });
        (self.tell)(Progress::Phase("malformed input"));
        self.rough(cx, queue).await;
        closing
    }

    fn start(&self, cx: &Cx, queue: &Queue, stage: Stage) -> JoinSet<&'static str> {
        let mut set = JoinSet::new();
        for scenario in queue.of(stage) {
            set.spawn_local(named(scenario, cx.clone()));
        }
        set
    }

    async fn wait(&self, set: &mut JoinSet<&'static str>, queue: &Queue) {
        while let Some(ended) = set.join_next().await {
            match ended {
                Ok(name) => {
                    let done = queue.done.replace(queue.done.get() + 1) + 1;
                    (self.tell)(Progress::Scenario { name, done, total: queue.chosen.len() });
                }
                Err(error) => {
                    let text = format!("a scenario broke, which is a fault of mcp-conform: {error}");
                    self.broken.borrow_mut().push(text);
                }
            }
        }
    }

    /// The lists once more, so that a change which a phase brought about is seen.
    async fn walk_again(&self, session: &Session) {
        if session.is_down() {
            return;
        }
        let capabilities = session.capabilities();
        let mut walks = JoinSet::new();
        for (method, member, capability) in LISTS {
            if capabilities.get(capability).is_some_and(serde_json::Value::is_object) {
                let session = session.clone();
                walks.spawn_local(async move {
                    walk(&session, "survey", "walk-after", method, member).await;
                });
            }
        }
        walks.join_all().await;
    }

    async fn rough(&self, cx: &Cx, queue: &Queue) {
        if queue.of(Stage::Rough).next().is_none() {
            return;
        }
        let donated =
            cx.donated.take().filter(|session| session.revision() == Some(cx.offer.revision) && !session.is_down());
        let opening = Opening::new("rough", cx.offer.revision.era()).full();
        let session = match donated {
            Some(session) => session,
            None => match cx.opener.ready(opening, cx.offer.revision).await {
                Ok(session) => session,
                Err(_) => return,
            },
        };
        session.mean("plan", "rough", json!({}));
        let own = Cx { session: session.clone(), ..cx.clone() };
        for scenario in queue.of(Stage::Rough) {
            let mut one = JoinSet::new();
            one.spawn_local(named(scenario, own.clone()));
            self.wait(&mut one, queue).await;
            if !session.is_down() {
                session.settle().await;
            }
            if session.is_down() {
                break;
            }
        }
        if session.is_down() {
            self.carefully(cx, queue, &[Stage::Rough]).await;
        }
        session.kill().await;
    }

    /// What looks broken but could be a race is tried once more in a fresh session.
    async fn confirm(&self, cx: &Cx, revision: Revision) {
        let bar = Bar { revision, transport: self.target.transport() };
        let verdicts = cx.opener.recorder().with(|events| judge(events, &bar));
        let suspected = verdicts
            .into_iter()
            .filter(|verdict| verdict.status == Status::Inconclusive && self.options.wants(verdict.id));
        let ids: Vec<&'static str> = suspected.map(|verdict| verdict.id).collect();
        if ids.is_empty() {
            return;
        }
        (self.tell)(Progress::Phase("repeating what was ambiguous"));
        let queue = self.queue(&cx.offer, Some(&ids));
        let opening = Opening::new("confirm", revision.era()).confirm();
        let Ok(session) = cx.opener.ready(opening, revision).await else { return };
        let own = Cx { session: session.clone(), ..cx.clone() };
        for stage in [Stage::Shared, Stage::Ordered, Stage::Rough] {
            let mut set = self.start(&own, &queue, stage);
            self.wait(&mut set, &queue).await;
            if !session.is_down() {
                session.settle().await;
            }
        }
        session.kill().await;
    }
}

impl Queue {
    pub(super) fn of(&self, stage: Stage) -> impl Iterator<Item = &'static Scenario> {
        self.chosen.iter().copied().filter(move |scenario| scenario.stage == stage)
    }
}

pub(super) async fn named(scenario: &'static Scenario, cx: Cx) -> &'static str {
    (scenario.run)(cx).await;
    scenario.name
}
