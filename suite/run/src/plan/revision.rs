//! Judging one revision: survey, scenarios by stage, shutdown, verdicts.

use std::cell::{Cell, RefCell};
use std::collections::HashSet;
use std::rc::Rc;
use std::time::Duration;

use judge::{Bar, judge};
use serde_json::json;
use tokio::task::{JoinHandle, JoinSet, spawn_local};
use verdict::transcript::{Ending, Event};
use verdict::{Revision, Status, Transport};

use super::{Finished, Plan, sheet};
use crate::opener::{Opener, Opening};
use crate::progress::Progress;
use crate::scenario::sse::clients;
use crate::scenario::{Cx, Scenario, Stage, scenarios};
use crate::survey::{LISTS, survey, walk};
use crate::{Offer, Options, Protocol, Session, Trouble, matches};

/// How long a server may take to end when its input is closed, before it is made to.
pub(super) const PATIENCE: Duration = Duration::from_millis(500);

/// Scenarios that are to run, and how many have.
pub(super) struct Queue {
    revision: Revision,
    chosen: Vec<&'static Scenario>,
    done: Cell<usize>,
}

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
        self.now.borrow_mut().push((Rc::clone(&recorder), revision));
        let server = main.server();
        (self.tell)(Progress::Speaks { server: format!("{} {}", server.name, server.version), revision });
        let walks = survey(&main).await;
        let offer =
            Offer::new(&main, revision, walks, &self.options, self.options.yes_disrupt || self.target().is_own());
        main.mirror(&offer.tools);
        let cx = self.cx(main, offer, opener);
        let queue = self.queue(&cx.offer, None);
        let closing = self.stages(&cx, &queue).await;
        self.confirm(&cx, revision).await;
        let _ = closing.await;
        let record = sheet::record(self, &recorder, revision);
        finished.records.push(record);
        finished.transcripts.push(recorder.with(<[Event]>::to_vec));
        Ok(())
    }

    pub(super) fn cx(&self, session: Session, offer: Offer, opener: &Rc<Opener>) -> Cx {
        let options = Rc::clone(&self.options);
        let wanted = Rc::new(move |id: &str| options.wants(id));
        Cx {
            session,
            options: self.options_in(offer.revision),
            offer: Rc::new(offer),
            opener: Rc::clone(opener),
            donated: Rc::new(RefCell::new(None)),
            flow: Rc::default(),
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

    fn options_in(&self, revision: Revision) -> Rc<Options> {
        let cases = self.cases(revision);
        if cases == self.options.cases {
            return Rc::clone(&self.options);
        }
        let time = self.options.time / FEWER;
        Rc::new(Options { cases, time, ..(*self.options).clone() })
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
        Queue { revision: offer.revision, chosen: chosen.collect(), done: Cell::new(0) }
    }

    /// A requirement that no scenario provokes by name is judged on all traffic, so all of it is needed.
    fn wants_passive(&self) -> bool {
        let provoked: HashSet<&str> = scenarios().flat_map(|scenario| scenario.provokes.iter().copied()).collect();
        let judged = judge::rules::all().flat_map(|rule| rule.judges.iter().copied());
        judged.into_iter().any(|id| self.options.wants(id) && !provoked.contains(id))
    }

    async fn stages(&self, cx: &Cx, queue: &Queue) -> JoinHandle<Ending> {
        (self.tell)(Progress::Phase("probing"));
        let streams = cx.offer.transport == Transport::Sse;
        let mut alone = if streams { JoinSet::new() } else { self.start(cx, queue, Stage::Alone) };
        let apart = cx.offer.transport == Transport::Stdio;
        let mut last = if apart { self.start(cx, queue, Stage::Last) } else { JoinSet::new() };
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
        if streams && self.serves_several(cx, queue).await {
            alone = self.start(cx, queue, Stage::Alone);
        }
        let others = async {
            self.wait(&mut alone, queue).await;
            end_flow(cx).await;
        };
        if apart {
            // Malformed input goes to a process of its own: it disturbs nobody.
            let generated = self.generated(cx, queue, Stage::Generated);
            tokio::join!(others, self.rough(cx, queue), generated);
            self.generated(cx, queue, Stage::Changing).await;
            self.turn_away(cx).await;
        } else {
            others.await;
        }
        // A server may take its time to end: meanwhile another session goes on.
        let main = cx.session.clone();
        let closing = spawn_local(async move { main.close(PATIENCE).await });
        if !apart {
            self.generated(cx, queue, Stage::Generated).await;
            self.generated(cx, queue, Stage::Changing).await;
            self.rough(cx, queue).await;
        }
        self.wait(&mut last, queue).await;
        if !apart {
            for scenario in queue.of(Stage::Last) {
                let mut one = JoinSet::new();
                one.spawn_local(named(scenario, cx.clone()));
                self.wait(&mut one, queue).await;
            }
        }
        closing
    }

    /// Over HTTP+SSE whether further sessions may be opened while the main one is open: some servers can serve one client
    /// only, and what several show of those is nonsense.
    async fn serves_several(&self, cx: &Cx, queue: &Queue) -> bool {
        if queue.of(Stage::Alone).next().is_none() || cx.session.is_down() {
            return false;
        }
        let several = clients::several(cx).await;
        if !several {
            let note = "the server serves one client at a time: what takes several sessions was left out";
            self.notes.borrow_mut().push((cx.offer.revision, note.to_owned()));
        }
        several
    }

    /// A session that was offered for malformed input when that had one already.
    async fn turn_away(&self, cx: &Cx) {
        let offered = cx.donated.take();
        if let Some(session) = offered {
            session.kill().await;
        }
    }

    fn start(&self, cx: &Cx, queue: &Queue, stage: Stage) -> JoinSet<&'static str> {
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
                    (self.tell)(Progress::Scenario { name, done, total: queue.chosen.len() });
                }
                Err(error) => {
                    let text = format!("a scenario broke, which is a fault of mcp-conform: {error}");
                    self.notes.borrow_mut().push((queue.revision, text));
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

    /// Tools with generated arguments.
    async fn generated(&self, cx: &Cx, queue: &Queue, stage: Stage) {
        if queue.of(stage).next().is_some() {
            (self.tell)(Progress::Phase("generated calls"));
            let mut set = self.start(cx, queue, stage);
            self.wait(&mut set, queue).await;
        }
    }

    async fn rough(&self, cx: &Cx, queue: &Queue) {
        if queue.of(Stage::Rough).next().is_none() {
            return;
        }
        (self.tell)(Progress::Phase("malformed input"));
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
        let bar = Bar { revision, transport: self.target().transport() };
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
        let own = Cx { session: session.clone(), flow: Rc::default(), confirming: true, ..cx.clone() };
        for stage in [Stage::Shared, Stage::Ordered, Stage::Alone, Stage::Rough] {
            let mut set = self.start(&own, &queue, stage);
            let any = !set.is_empty();
            self.wait(&mut set, &queue).await;
            if any && !session.is_down() {
                session.settle().await;
            }
        }
        end_flow(&own).await;
        session.kill().await;
    }
}

/// The session on which tools were watched, if there was one.
async fn end_flow(cx: &Cx) {
    if let Some(Some(flow)) = cx.flow.get() {
        flow.session.kill().await;
    }
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
