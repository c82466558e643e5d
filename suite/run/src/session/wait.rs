//! Waiting for an answer: as long as that is worth it. Meanwhile it is seen whether the server answers anything at all.

use std::future::pending;
use std::rc::Rc;
use std::time::{Duration, Instant};

use serde_json::Value;
use tokio::sync::{Notify, oneshot};
use tokio::task::spawn_local;
use tokio::time::sleep;
use verdict::probes::values::Reading;
use verdict::transcript::{Event, Kind};
use verdict::{Purpose, Transport};
use wire::Limits;

use super::Session;
use super::ask::{Posted, Raw};
use super::draft::Patience;
use super::exchange::recorded;
use super::in_flight::RequestOutcome;
use super::state::Health;
use crate::transport::Departure;
use crate::vain::{Awaited, Waiter, tool_behind};

/// How much longer a handshake is waited for once another was answered that began later.
const OVERTAKEN: Duration = Duration::from_secs(1);

/// How long an answer was waited for at least if it counts as lost.
const LOST: Duration = Duration::from_millis(500);
/// Requests under way over HTTP that are many.
const MANY: usize = 5;

/// A request that was sent, and how long its answer is waited for.
struct Waiting<'s> {
    session: &'s Session,
    patience: Patience,
    /// The id that the next request had when it was sent.
    next: i64,
    began: Instant,
    limit: Duration,
    /// What tells that the work behind it is over, and how long the answer may take from then on.
    over: Option<(Rc<Notify>, Duration)>,
    /// It has all the time that a request has, is none for a sign of life itself, and no repetition, in which one waits to the end.
    looks: bool,
    /// Nothing takes time behind it, wrong as it may be: where one that was sent later is answered, it is lost.
    plain: bool,
    /// How many bytes it has.
    length: usize,
    /// How many times shorter it is waited for because it or its answer gets lost; none if it never is.
    haste: Option<u32>,
}

impl Raw<'_> {
    pub(super) async fn wait(self) -> RequestOutcome {
        let session = self.session;
        // Where answers are told apart by their order, one waits for the other. Over HTTP each comes on the channel of its request.
        let by_http = session.transport() == Transport::Http;
        let by_order = !by_http && session.0.in_flight.borrow().is_by_order();
        let _turn = if by_order { Some(session.0.turn.lock().await) } else { None };
        if session.is_down() || session.avoids(&self.bytes) {
            return RequestOutcome::Gone;
        }
        let learned = &session.0.settings.learned;
        let patience = self.draft.patience;
        let hasty = self.is_hasty();
        let parsed = wire::parse(&self.bytes, &Limits::default());
        let tool = tool_behind(&parsed);
        // Nothing that takes time is behind it, wrong as it may be.
        let prompt = tool.is_none() && patience != Patience::Start;
        let limit = self.time(self.draft.limit.unwrap_or(session.limit()), &parsed, tool);
        let rest = |time: Option<Duration>| time.unwrap_or_else(|| self.time(session.limit(), &parsed, None));
        let over = self.draft.over.clone().map(|(over, time)| (over, rest(time)));
        let quick = quick_method(&parsed);
        let next = session.0.in_flight.borrow().next_id();
        let pings = matches!(quick.as_deref(), Some("ping" | "server/discover"));
        let whole = self.draft.limit.is_none_or(|limit| limit >= session.limit());
        let looks = whole && !pings && !session.is_confirm();
        let haste = (patience != Patience::Start).then(|| session.haste_for(self.bytes.len()));
        let plain = pings_in(&parsed) || self.bytes.is_empty() && self.is_ping();
        let began = Instant::now();
        let length = self.bytes.len();
        let mut waiting = Waiting { session, patience, next, began, limit, over, looks, plain, length, haste };
        // One of many at once may be lost for that.
        let alone = by_http && session.0.in_flight.borrow().under_way() < MANY;
        let usual = by_http.then(|| self.usual(&parsed)).flatten();
        // What is unusual in form may be lost for that.
        let counts = !by_http && self.draft.is_usual();
        let text = self.bytes.clone();
        let Posted { seq, outcome, departure } = self.post();
        let outcome = waiting.outcome(outcome, &departure).await;
        waiting.note_service(&outcome);
        if let RequestOutcome::Answer(_) = &outcome {
            learned.answers(&text);
            session.note_heard_again();
            usual.as_deref().inspect(|usual| learned.note_answered(usual));
            waiting.note_answer(prompt, tool, quick.as_deref(), outcome.result());
        }
        if matches!(outcome, RequestOutcome::Silent) {
            // How long a server takes to start is not known before one did.
            if patience != Patience::Start || !session.slowest_start().is_zero() {
                learned.vain.note(waiting.began);
            }
            if !hasty {
                if alone && usual.is_some_and(|usual| learned.has_answered(&usual)) {
                    waiting.note_missed();
                }
                waiting.note_silence(seq, &parsed, quick.as_deref().filter(|_| counts));
            }
        }
        outcome
    }

    /// Whether it is waited for less long because answers get lost. The beginning of a session is waited for as long as ever.
    fn is_hasty(&self) -> bool {
        let session = self.session;
        let starts = self.draft.patience == Patience::Start;
        session.0.settings.learned.loses_answers() && !starts
    }

    /// Whether it is a `ping` although it is written in pieces.
    fn is_ping(&self) -> bool {
        pings_in(&wire::parse(&recorded(Vec::new(), &self.draft.form), &Limits::default()))
    }

    /// What this request has in common with others in which nothing is unusual, and behind which there is no work of unknown length.
    fn usual(&self, parsed: &wire::Parsed) -> Option<String> {
        let wire::Content::One(message) = &parsed.content else { return None };
        let plain = self.draft.is_usual() && self.draft.patience == Patience::Backlog && tool_behind(parsed).is_none();
        let mut params = message.params().filter(|_| plain)?.clone();
        if let Some(meta) = params.get_mut("_meta").and_then(Value::as_object_mut) {
            meta.shift_remove("progressToken");
        }
        Some(format!("{} {params}", message.method()?))
    }

    /// How long what would be given this limit is waited for, given the tool behind it and what is known of the server.
    fn time(&self, mut limit: Duration, parsed: &wire::Parsed, tool: Option<&str>) -> Duration {
        let session = self.session;
        let learned = &session.0.settings.learned;
        if self.draft.patience == Patience::Start {
            return limit / learned.doubt(&self.bytes);
        }
        limit /= session.haste_for(self.bytes.len());
        match tool {
            Some(tool) if session.gives_no_errors() || self.is_hasty() => {
                let least = session.limit() / session.error_haste().max(session.loss_haste());
                let slowest = learned.vain.slowest_call(tool);
                let known = !slowest.is_zero();
                limit = limit.min(if known { learned.paced(least).max(slowest * 2) } else { least });
            }
            Some(_) => {}
            None => limit /= session.error_haste(),
        }
        if tool.is_none() && self.is_in_the_middle(parsed) {
            limit = learned.paced(limit);
        }
        session.patience(limit / learned.doubt(&self.bytes), session.awaited(tool))
    }

    /// Whether it is a probe in a conversation that is under way: how quick a server is says nothing of how it starts, nor is it lost
    /// because one answer is.
    fn is_in_the_middle(&self, parsed: &wire::Parsed) -> bool {
        let opens =
            parsed.messages().iter().any(|message| matches!(message.method(), Some("initialize" | "server/discover")));
        let under_way = || self.session.0.in_flight.borrow().has_answers();
        let usual = self.draft.probe.is_some() && self.draft.patience == Patience::Backlog;
        usual && !opens && !self.session.is_confirm() && under_way()
    }
}

impl<'s> Waiting<'s> {
    /// What came of it.
    async fn outcome(
        &mut self,
        mut receiver: oneshot::Receiver<RequestOutcome>,
        departure: &Departure,
    ) -> RequestOutcome {
        tokio::select! {
            biased;
            outcome = &mut receiver => return outcome.unwrap_or(RequestOutcome::Gone),
            () = self.session.given_up() => return RequestOutcome::Silent,
            left = departure.left() => self.began = left,
        }
        let (mut limit, early) = (self.limit, self.limit * 2 / 5);
        let mut looks = self.may_look();
        let mut looked = None;
        let learned = &self.session.0.settings.learned;
        loop {
            let usual = self.session.limit();
            let until = if looks {
                early
            } else if let Some(looked) = looked.filter(|looked| *looked < limit) {
                looked
            } else if self.began.elapsed() < usual {
                limit.min(usual)
            } else {
                limit
            };
            let left = until.saturating_sub(self.began.elapsed());
            tokio::select! {
                biased;
                outcome = &mut receiver => return outcome.unwrap_or(RequestOutcome::Gone),
                () = self.session.given_up() => return RequestOutcome::Silent,
                () = learned.overtaken.notified(), if self.patience == Patience::Start => {
                    limit = limit.min(self.began.elapsed() + OVERTAKEN);
                }
                () = learned.hastened.notified(), if self.haste.is_some() => limit = self.hasten(limit),
                time = self.work_over() => {
                    self.limit = time;
                    limit = limit.min(self.began.elapsed() + time);
                }
                () = sleep(left) => {
                    if looked.take_if(|looked| *looked == until).is_some() {
                        if self.is_passed() {
                            return RequestOutcome::Silent;
                        }
                        continue;
                    }
                    if until < limit && !looks && self.is_worth_more() {
                        continue;
                    }
                    if looks {
                        looks = false;
                        looked = self.plain.then_some(early + LOST);
                        if !self.is_followed() {
                            self.session.take_pulse(self.began, self.limit);
                        }
                        continue;
                    }
                    let longer = self.longer();
                    if longer <= limit || self.is_overtaken() {
                        return RequestOutcome::Silent;
                    }
                    limit = longer;
                }
            }
        }
    }

    /// The limit now that more answers are known to get lost.
    fn hasten(&mut self, limit: Duration) -> Duration {
        let now = self.session.haste_for(self.length);
        let before = self.haste.replace(now).unwrap_or(now);
        self.limit = self.limit * before / now;
        (limit * before / now).max(self.began.elapsed().min(limit))
    }

    /// Ends when it is known that the work behind it is over; gives how long the answer may still take.
    async fn work_over(&self) -> Duration {
        match &self.over {
            Some((over, time)) => {
                over.notified().await;
                *time
            }
            None => pending().await,
        }
    }

    /// Whether silence may mean that the server answers nothing any more: over HTTP each request has its own connection.
    fn may_look(&self) -> bool {
        self.looks && self.patience == Patience::Backlog && self.session.transport() != Transport::Http
    }

    /// Whether more than the usual time makes sense: it is for what takes long, and not for a refusal that never comes.
    fn is_worth_more(&self) -> bool {
        let may_start = self.patience == Patience::Start && self.session.slowest_start().is_zero();
        may_start || !self.session.gives_no_errors()
    }

    /// Something was answered since.
    fn is_followed(&self) -> bool {
        self.session.0.in_flight.borrow().has_answered_after(self.began)
    }

    /// Whether what was asked later is answered.
    fn is_passed(&self) -> bool {
        self.session.0.in_flight.borrow().has_answered_since(self.next)
    }

    /// Whether it is lost rather than late: answers get lost now and then, and what was asked later is answered.
    fn is_overtaken(&self) -> bool {
        self.session.loses_answers() && self.is_passed()
    }

    /// How long it is to be waited for, since the server is seen to work.
    fn longer(&self) -> Duration {
        let in_flight = self.session.0.in_flight.borrow();
        let backlog = || in_flight.backlog(self.next, self.began, self.limit);
        match self.patience {
            Patience::Backlog => backlog(),
            Patience::Start => self.session.slowest_start() * 3,
            Patience::Work => backlog().max(in_flight.at_work(self.began, self.limit)),
        }
    }

    /// Keeps for all sessions whether the server does anything for this one.
    fn note_service(&self, outcome: &RequestOutcome) {
        let (standstill, in_flight) = (&self.session.0.settings.learned.standstill, &self.session.0.in_flight);
        match outcome {
            _ if self.session.0.settings.outside => {}
            // Anything may refuse a request before the server sees it.
            outcome if outcome.result().is_some() => standstill.note_answer(),
            RequestOutcome::Status(status) if !judge::is_failure(*status) => {}
            RequestOutcome::Status(_) | RequestOutcome::Silent if in_flight.borrow().has_answers() => {
                standstill.note_ignored(self.began);
            }
            _ => {}
        }
    }

    /// Keeps for all sessions how soon an answer came.
    fn note_answer(&self, prompt: bool, tool: Option<&str>, quick: Option<&str>, result: Option<&Value>) {
        let (learned, took) = (&self.session.0.settings.learned, self.began.elapsed());
        if let Some(tool) = tool {
            learned.vain.note_call(tool, took);
        }
        if prompt {
            learned.vain.note_answer(took);
            learned.note_pace(took);
        }
        let Some(method) = quick else { return };
        learned.answered.borrow_mut().insert(method.to_owned());
        if method == "server/discover" && result.is_some() {
            learned.undiscovered.set(None);
        }
        if matches!(method, "ping" | "server/discover") {
            learned.note_sign(took);
        } else if result.is_some_and(|result| result.get("nextCursor").is_none()) {
            learned.note_whole(method);
        }
    }

    /// Over HTTP no order proves that an answer is lost: the same request was answered before, and the server answers this session now.
    fn note_missed(&self) {
        let inner = &self.session.0;
        if self.began.elapsed() < LOST {
            return;
        }
        if inner.in_flight.borrow().has_answered_after(self.began) {
            inner.note_lost();
        } else {
            inner.missed.set(inner.missed.get() + 1);
        }
    }

    /// Keeps for this session, and for others, that no answer came.
    fn note_silence(&self, seq: u32, parsed: &wire::Parsed, quick: Option<&str>) {
        let session = self.session;
        let learned = &session.0.settings.learned;
        if self.patience == Patience::Start && !session.slowest_start().is_zero() {
            learned.unopened.set(true);
        }
        let known = learned.gives_no_errors();
        learned.note_silence(parsed.messages().iter().find_map(wire::Message::method).unwrap_or_default());
        if learned.gives_no_errors() && !known {
            session.0.record_reading(Reading::NoErrors);
        }
        session.0.recorder.add(session.0.id.get(), Kind::GaveUp { request: seq });
        let never = |method| method == "server/discover" && learned.undiscovered.get().is_some();
        let answered = quick.is_some_and(|method| learned.answered.borrow().contains(method) && !never(method));
        if answered && self.began.elapsed() >= LOST && session.0.in_flight.borrow().has_answered_since(self.next) {
            session.0.note_lost();
        }
        // The next answer may be this one's.
        if session.0.in_flight.borrow().tells_by_order() && session.transport() != Transport::Http {
            session.0.worsen(Health::Unresponsive);
        }
    }
}

impl Session {
    /// Asks the server for a sign of life because a request that was sent at `began` has no answer. If nothing was answered when the
    /// time of that request is up, the server answers nobody any more. Whoever waits for the request may be gone by then.
    fn take_pulse(&self, began: Instant, limit: Duration) {
        let session = self.clone();
        if self.0.pulse.replace(true) {
            return;
        }
        spawn_local(async move {
            let sign = session.sign_of_life(session.limit());
            tokio::pin!(sign);
            let silent = tokio::time::timeout(limit.saturating_sub(began.elapsed()), &mut sign).await.is_err();
            session.0.pulse.set(false);
            if silent {
                if !session.0.in_flight.borrow().has_answered_after(began) && !session.is_down() {
                    session.fall_silent();
                }
                // It may come late, from a server that works through one request after the other.
                sign.await;
            }
        });
    }

    /// Ends when it is known that the server answers nobody any more.
    async fn given_up(&self) {
        let unresponsive = async {
            loop {
                let heard = self.0.heard.notified();
                if self.0.health() == Health::Unresponsive {
                    return;
                }
                heard.await;
            }
        };
        tokio::select! {
            () = unresponsive => {}
            () = self.0.settings.learned.standstill.reached() => {}
        }
    }

    /// Notes that the server answers: what it left unanswered before is lost.
    fn note_heard_again(&self) {
        (0..self.0.missed.take()).for_each(|_| self.0.note_lost());
    }

    /// Notes that nothing is answered any more.
    pub(super) fn fall_silent(&self) {
        let first = self.0.in_flight.borrow().first_unanswered();
        if let Some(text) = first {
            self.0.settings.learned.suspect(&text, self.is_careful());
        }
        self.0.worsen(Health::Unresponsive);
    }

    /// How long it is waited for what would be given this limit, given what was waited for in vain.
    pub(super) fn patience(&self, limit: Duration, awaited: Awaited) -> Duration {
        if self.0.settings.outside {
            return limit;
        }
        let waiter = match (self.is_careful(), self.is_confirm()) {
            (true, _) => Waiter::Alone,
            (false, true) => Waiter::Repeats,
            (false, false) => Waiter::Ordinary,
        };
        self.0.settings.learned.vain.patience(limit, awaited, waiter)
    }

    /// As `until`, for what a tool may give late: it is waited for as in a repetition, given what was waited for in vain.
    pub(crate) async fn until_late(&self, from: usize, limit: Duration, wanted: impl FnMut(&[Event]) -> bool) -> bool {
        let vain = &self.0.settings.learned.vain;
        let limit = vain.patience(limit, Awaited::Call(Duration::ZERO), Waiter::Repeats);
        let began = Instant::now();
        let came = self.until(from, limit, wanted).await;
        if !came {
            vain.note(began);
        }
        came
    }

    /// What an answer waits for, given what is under way, and the tool that has to be run for it.
    pub(super) fn awaited(&self, tool: Option<&str>) -> Awaited {
        let until = self.0.in_flight.borrow().works_until();
        let others = until.map(|until| until.saturating_duration_since(Instant::now()));
        let own = tool.map(|tool| self.0.settings.learned.vain.work(tool));
        others.filter(|left| !left.is_zero()).max(own).map_or(Awaited::Quick, Awaited::Call)
    }

    /// How many times shorter a sign of life is waited for, given what is unanswered.
    pub(super) fn doubt(&self) -> u32 {
        let first = self.0.in_flight.borrow().first_unanswered();
        first.map_or(1, |text| self.0.settings.learned.doubt(&text))
    }

    /// Whether a message is not sent: other sessions were seen to be lost over it.
    pub(super) fn avoids(&self, bytes: &[u8]) -> bool {
        !self.is_confirm() && self.0.settings.learned.avoids(bytes, self.is_careful())
    }

    /// Whether no call of this tool is sent any more.
    pub(crate) fn avoids_calls_of(&self, tool: &str) -> bool {
        self.0.settings.learned.avoids_tool(tool)
    }

    /// One message at a time is sent, to find what fells the server.
    fn is_careful(&self) -> bool {
        self.is_for(Purpose::Careful)
    }
}

fn pings_in(parsed: &wire::Parsed) -> bool {
    parsed.messages().iter().any(|message| message.method() == Some("ping"))
}

/// The method of an ordinary request behind which there is no work of unknown length.
fn quick_method(parsed: &wire::Parsed) -> Option<String> {
    let wire::Content::One(message) = &parsed.content else { return None };
    let method = message.method().filter(|_| message.defects.is_empty())?;
    (matches!(method, "ping" | "server/discover") || method.ends_with("/list")).then(|| method.to_owned())
}
