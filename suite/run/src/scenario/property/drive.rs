//! Tries one subject with everything that was made for it: so many at a time, a sign of life after each batch, and no longer than
//! the time it is given.

use std::collections::{BTreeSet, VecDeque};
use std::rc::Rc;
use std::time::{Duration, Instant};
use wire::mcp::code;

use judge::Criteria;
use serde_json::{Map, Value, json};
use tokio::task::JoinSet;
use tokio::time::timeout;
use verdict::Intent;
use verdict::transcript::Event;

use super::open;
use super::scene::Scene;
use super::set::{Made, Set};
use super::subject::Subject;
use crate::scenario::Cx;
use crate::{RequestOutcome, Session};

/// Calls under way at the same time.
const AT_ONCE: usize = 16;
/// So many times as many calls of a tool that is told how long to wait: the server only waits as well.
const WAITING: usize = 3;
/// The first calls of a tool, by which it is told whether the server works on one after the other; then so many are enough.
const FIRST: usize = 4;
const IN_TURN: usize = 2;
/// Calls that take less are over soon, one after the other or not.
const SOON: Duration = Duration::from_millis(700);
/// Calls between two requests for a sign of life.
const BATCH: usize = 50;
/// How long a tool may work on after the last of its fellows has answered; ten times the slowest of them, if that is longer.
const QUIET: Duration = Duration::from_millis(300);
/// How many times shorter that is where answers are known to get lost.
const LOSSY: u32 = 6;
/// How many times as long as the slowest of its fellows a call has taken that is late although the time of its tool is up.
const FAR: u32 = 3;
/// Sessions that are opened because the server fell, for one subject.
const FALLS: usize = 3;
/// The code of an error inside the server.
const INTERNAL: i64 = code::INTERNAL_ERROR;

/// The requests about one subject.
pub(super) struct Drive<'c> {
    pub(super) cx: &'c Cx,
    pub(super) subject: &'c Subject,
    pub(super) set: Rc<Set>,
    pub(super) session: Session,
    pub(super) scene: Scene,
    time: Duration,
    started: Instant,
    /// The position in the transcript at which this subject's requests began.
    began: u32,
    slowest: Duration,
    fastest: Duration,
    answered: usize,
    /// Whether any request was answered, and be it with an error.
    heard: bool,
    in_turn: bool,
    quick: usize,
    falls: usize,
    /// Cases that got no answer in time, in order.
    pub(super) late: Vec<usize>,
    /// Valid cases that were served, and those that failed inside the server.
    pub(super) served: BTreeSet<usize>,
    pub(super) stumbled: BTreeSet<usize>,
    /// The first case that was served and its result, where others are compared with it.
    pub(super) shown: Option<(usize, Value)>,
}

impl<'c> Drive<'c> {
    pub(super) fn new(cx: &'c Cx, subject: &'c Subject, set: Rc<Set>, session: Session, time: Duration) -> Self {
        let recorder = cx.opener.recorder();
        let criteria = Criteria { revision: cx.profile.revision, transport: cx.profile.transport };
        let scene = Scene::new(opening(recorder, &session), subject, criteria);
        let began = recorder.next();
        Self {
            cx,
            subject,
            set,
            session,
            scene,
            time,
            started: Instant::now(),
            began,
            slowest: Duration::ZERO,
            fastest: Duration::MAX,
            answered: 0,
            heard: false,
            in_turn: false,
            quick: 0,
            falls: 0,
            late: Vec::new(),
            served: BTreeSet::new(),
            stumbled: BTreeSet::new(),
            shown: None,
        }
    }

    /// Every case; why it stopped early, if it did.
    pub(super) async fn all(&mut self) -> Option<String> {
        let began = Instant::now();
        let what = self.subject.sort().unwrap_or("tool");
        // Of what is wrong there is no more to learn where it never gets an answer.
        let hopeless = self.session.gives_no_errors();
        let mut queue: VecDeque<usize> =
            (0..self.set.cases.len()).filter(|case| !hopeless || self.set.cases[*case].broken.is_none()).collect();
        while !queue.is_empty() {
            if self.subject.as_tool().is_some_and(|tool| self.session.avoids_calls_of(&tool.name)) {
                return Some("a call of it silences the server".to_owned());
            }
            if began.elapsed() >= self.time {
                let done = self.set.cases.len() - queue.len();
                return Some(format!(
                    "{done} of {} cases were tried in the time the {what} was given",
                    self.set.cases.len()
                ));
            }
            let batch: Vec<usize> = queue.drain(..queue.len().min(BATCH * self.pace())).collect();
            let left = self.time.saturating_sub(began.elapsed());
            let (open, unsent) = self.together(&batch, left).await;
            unsent.into_iter().rev().for_each(|case| queue.push_front(case));
            let alive = !self.session.is_down() && self.session.is_alive().await;
            if !alive {
                self.falls += 1;
                if self.falls > FALLS {
                    return Some(format!("the server fell {} times", self.falls));
                }
                if !self.restart(&open).await {
                    return Some("the server fell and could not be started again".to_owned());
                }
            } else if !open.is_empty() {
                if self.is_quick() {
                    self.cx.opener.learned().crowd.note_unanswered(open.len());
                }
                self.late.extend(open);
                if self.late.len() > AT_ONCE {
                    return Some(format!("the {what} does not answer in time"));
                }
            }
        }
        None
    }

    /// Sends cases, so many at a time; those that have no answer, and those that were not sent.
    async fn together(&mut self, batch: &[usize], left: Duration) -> (Vec<usize>, Vec<usize>) {
        let began = Instant::now();
        let mut waiting: VecDeque<usize> = batch.iter().copied().collect();
        let mut flying: JoinSet<(usize, RequestOutcome, Duration)> = JoinSet::new();
        let mut open: Vec<(usize, i64, Instant)> = Vec::new();
        let mut hurried = false;
        loop {
            while flying.len() < self.at_once() && !self.session.is_down() && began.elapsed() < left {
                let Some(case) = waiting.pop_front() else { break };
                open.push((case, self.start(case, &mut flying), Instant::now()));
            }
            let patience = self.quiet().max(self.slowest * 10).min(self.session.limit());
            let patience = if self.quick == 0 { self.session.first_answer_limit() } else { patience };
            // The first call may take as long as a tool is given, and no longer.
            let cut = left.saturating_sub(began.elapsed()).max(QUIET);
            let waiting_since = Instant::now();
            match timeout(patience.min(cut), flying.join_next()).await {
                Ok(None) => break,
                Err(_) => {
                    hurried = cut < patience;
                    self.session.note_vain(waiting_since);
                    break;
                }
                Ok(Some(Err(_))) => {}
                Ok(Some(Ok((case, outcome, took)))) => {
                    if outcome.is_sign_of_life() {
                        self.heard = true;
                        open.retain(|(other, ..)| *other != case);
                        self.take(case, &outcome);
                        // A refusal says nothing about how long the work takes.
                        if self.set.cases[case].broken.is_none() {
                            self.slowest = self.slowest.max(took);
                            self.fastest = self.fastest.min(took);
                            self.answered += 1;
                            if self.answered == FIRST {
                                self.in_turn = self.slowest > SOON && self.slowest > self.fastest * 2;
                            }
                            self.quick += usize::from(took < self.session.limit() / 10);
                        }
                    }
                }
            }
        }
        let ended = Instant::now();
        flying.abort_all();
        if !self.session.is_down() {
            for (_, id, _) in &open {
                self.session.cancel(*id).await;
            }
            // Not the call is late: the tool's time is up. One that has taken far longer than all others is late all the same.
            if hurried {
                open.retain(|(.., sent)| is_far_behind(ended.duration_since(*sent), self.slowest));
            }
        }
        (open.into_iter().map(|(case, ..)| case).collect(), waiting.into())
    }

    fn start(&self, case: usize, flying: &mut JoinSet<(usize, RequestOutcome, Duration)>) -> i64 {
        let (session, id) = (self.session.clone(), self.session.fresh_id());
        let made = &self.set.cases[case];
        let (intent, about) = self.probe(case, &made.arguments, Map::new());
        let (method, params) = (self.subject.method(), self.subject.params(&made.arguments));
        let scenario = self.subject.scenario();
        flying.spawn_local(async move {
            let began = Instant::now();
            let ask = session.ask(method, params).id(id.to_string()).probe(scenario, intent, about);
            (case, ask.send().await, began.elapsed())
        });
        id
    }

    /// How many calls may be under way. What queues up in a server that works on one after the other holds up all that
    /// comes later.
    fn at_once(&self) -> usize {
        match self.answered {
            _ if self.subject.is_slow() => AT_ONCE * self.pace(),
            _ if self.cx.opener.learned().crowd.is_suspect() => 1,
            answered if answered < FIRST => FIRST,
            _ if self.in_turn => IN_TURN,
            _ => AT_ONCE,
        }
    }

    fn quiet(&self) -> Duration {
        if self.session.loses_answers() { QUIET / LOSSY } else { QUIET }
    }

    fn pace(&self) -> usize {
        if self.subject.is_slow() { WAITING } else { 1 }
    }

    /// Whether the tool answers at once as a rule: of a few valid calls each.
    pub(super) fn is_quick(&self) -> bool {
        let valid = self.set.cases.iter().filter(|made| made.broken.is_none()).count();
        self.quick >= valid.clamp(2, 4)
    }

    /// Whether any request was answered, and be it with an error.
    pub(super) fn is_answered(&self) -> bool {
        self.heard
    }

    /// Nothing more can be, or is to be, asked.
    pub(super) fn is_over(&self) -> bool {
        self.session.is_down() || self.started.elapsed() >= self.time
    }

    pub(super) fn slowest(&self) -> Duration {
        self.slowest
    }

    /// One call after which nothing else is sent until it is answered.
    pub(super) async fn lone(
        &self,
        session: &Session,
        case: usize,
        arguments: &Value,
        more: Map<String, Value>,
        limit: Duration,
    ) -> RequestOutcome {
        let (intent, about) = self.probe(case, arguments, more);
        let (method, params) = (self.subject.method(), self.subject.params(arguments));
        session.ask(method, params).probe(self.subject.scenario(), intent, about).limit(limit).send().await
    }

    /// The intent of a call, and what rules have to know.
    fn probe(&self, case: usize, arguments: &Value, more: Map<String, Value>) -> (Intent, Value) {
        let made = &self.set.cases[case];
        let mut about = self.subject.about();
        about.insert("case".to_owned(), json!(case));
        about.extend(made.boundary.as_ref().map(|keyword| ("boundary".to_owned(), json!(keyword))));
        if let Some(one) = made.broken.map(|at| &self.set.breaks[at]) {
            let at = one.place(arguments).unwrap_or_default();
            about.insert("keyword".to_owned(), json!(one.keyword));
            about.insert("firm".to_owned(), json!(self.is_firm(made, arguments, &at)));
            about.insert("at".to_owned(), json!(at));
            about.insert("schema".to_owned(), json!(one.at));
            about.extend(self.subject.lacks(arguments).map(|name| ("argument".to_owned(), json!(name))));
        }
        about.extend(more);
        (self.subject.intent(made.broken.is_none()), Value::Object(about))
    }

    /// Remembers what came of a case.
    fn take(&mut self, case: usize, outcome: &RequestOutcome) {
        if self.set.cases[case].broken.is_some() {
            return;
        }
        if let Some(result) = outcome.result().filter(|result| is_whole(result)) {
            self.served.insert(case);
            if self.subject.sort().is_some() && self.shown.as_ref().is_none_or(|(first, _)| case < *first) {
                self.shown = Some((case, result.clone()));
            }
        } else if outcome.error_code() == Some(INTERNAL) {
            self.stumbled.insert(case);
        }
    }

    /// Whether no lenient reading could make it right: a required property without a default is missing, or an object or
    /// array stands where a required scalar must.
    pub(super) fn is_firm(&self, made: &Made, arguments: &Value, at: &str) -> bool {
        let Some(one) = made.broken.map(|at| &self.set.breaks[at]) else { return false };
        let Some(schema) = self.subject.as_tool().and_then(crate::Tool::input_schema) else { return false };
        let properties = &schema["properties"];
        let required: Vec<&str> =
            schema["required"].as_array().into_iter().flatten().filter_map(Value::as_str).collect();
        let name = at.strip_prefix('/').unwrap_or_default();
        match one.keyword.as_str() {
            "required" if at.is_empty() && one.at.is_empty() => {
                let mut missing = required.iter().filter(|name| arguments.get(**name).is_none());
                missing.all(|name| properties[*name].is_object() && properties[*name].get("default").is_none())
            }
            "type" if required.contains(&name) => {
                let scalar = matches!(properties[name]["type"].as_str(), Some("string" | "number" | "integer"));
                scalar && (arguments[name].is_object() || arguments[name].is_array())
            }
            _ => false,
        }
    }

    /// Another session, because the server fell; what felled it is looked for first.
    async fn restart(&mut self, open: &[usize]) -> bool {
        self.session.kill().await;
        self.find(open).await;
        match open_again(self.cx).await {
            Some(session) => {
                self.session = session;
                true
            }
            None => false,
        }
    }

    /// The subject's requests so far on sessions that are judged together.
    pub(super) fn events(&self) -> Vec<Event> {
        let (id, began) = (self.session.id(), self.began);
        let own = |event: &&Event| event.session == id && event.seq >= began;
        self.cx.opener.recorder().with(|events| events.iter().skip(began as usize).filter(own).cloned().collect())
    }
}

/// A result that is no error, and for which nothing more is asked.
pub(super) fn is_whole(result: &Value) -> bool {
    let kind = result.get("resultType").and_then(Value::as_str);
    result.get("isError") != Some(&Value::Bool(true)) && kind.is_none_or(|kind| kind == "complete")
}

async fn open_again(cx: &Cx) -> Option<Session> {
    open(cx, false).await.ok()
}

/// The events of a session's opening, as if it had opened its connection itself.
fn opening(recorder: &crate::Recorder, session: &Session) -> Vec<Event> {
    let call = |event: &Event| matches!(&event.kind, verdict::transcript::Kind::Send(send) if send.probe.is_some());
    recorder.with(|events| {
        let own = session.first_id();
        let opening = events.iter().filter(|event| event.session == own).take_while(|event| !call(event));
        opening.map(|event| Event { session: session.id(), ..event.clone() }).collect()
    })
}

/// Whether a call has been under way so much longer than the slowest of its fellows that it is late, and not merely slow.
fn is_far_behind(waited: Duration, slowest: Duration) -> bool {
    waited > QUIET.max(slowest * FAR)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn late_is_what_takes_far_longer_than_its_fellows() {
        let ms = Duration::from_millis;
        assert!(is_far_behind(QUIET + ms(1), ms(3)));
        assert!(!is_far_behind(QUIET, ms(3)), "a quick tool may be slow once");
        assert!(!is_far_behind(QUIET * FAR, QUIET));
        assert!(is_far_behind(QUIET * FAR + ms(1), QUIET));
    }
}
