//! Proving silence: a later request is answered, a short grace passes, so what has no answer by now gets none.

use std::time::{Duration, Instant};

use serde_json::json;
use verdict::transcript::{Event, Kind};
use verdict::{Era, Transport};

use super::{Ask, Channel, RequestOutcome, Session};

/// How long late messages are waited for when no answer is owed: servers drop most malformed input.
const GRACE: Duration = Duration::from_millis(10);
/// How long late messages are waited for over HTTP: every exchange has ended, so only those on another stream can be late.
const SHORT_GRACE: Duration = Duration::from_millis(2);
/// How long late messages are waited for when an answer may still be on its way.
const LONG_GRACE: Duration = Duration::from_millis(200);
/// Further signs of life that must be missing where answers get lost now and then.
const MORE_SIGNS: usize = 2;
/// How often a server is asked for a sign of life while it is watched.
const BEAT: Duration = Duration::from_millis(150);

impl Session {
    /// Asks for a sign of life: `ping`, or `server/discover` in 2026-07-28. Any answer is one.
    pub async fn is_alive(&self) -> bool {
        self.round_trip().await.is_some()
    }

    /// How long a sign of life took.
    async fn round_trip(&self) -> Option<Duration> {
        let (learned, limit) = (&self.0.settings.learned, self.limit() / self.doubt());
        // Where answers are lost now and then, that one is says nothing of the next.
        let again = learned.loses_answers();
        // Not `send`: a careful session holds its turn around this.
        let (mut outcome, mut began) = self.sign_of_life(if again { learned.brief(limit) } else { limit }).await;
        for _ in 0..MORE_SIGNS {
            if !matches!(outcome, RequestOutcome::Silent) || !learned.loses_answers() || self.is_down() {
                break;
            }
            began = Instant::now();
            outcome = self.liveness().uncounted().await;
        }
        if matches!(outcome, RequestOutcome::Silent) {
            self.fall_silent();
        }
        outcome.is_sign_of_life().then(|| began.elapsed())
    }

    /// Asks for a sign of life, and where it is late, as it was before, for another beside it: what never answers a ping may answer all
    /// else. With when that was asked for whose outcome it is.
    pub(super) async fn sign_of_life(&self, limit: Duration) -> (RequestOutcome, Instant) {
        let learned = &self.0.settings.learned;
        let began = Instant::now();
        let first = self.liveness().limit(limit).uncounted();
        let Some(method) = learned.second_sign(self.usual_sign()) else {
            let outcome = first.await;
            if matches!(outcome, RequestOutcome::Silent) {
                learned.note_no_sign();
            }
            return (outcome, began);
        };
        tokio::pin!(first);
        let early = limit * 2 / 5;
        match tokio::time::timeout(early, &mut first).await {
            Ok(RequestOutcome::Silent) if !self.is_down() => {
                learned.note_no_sign();
                let began = Instant::now();
                return (self.ask(&method, json!({})).limit(limit).uncounted().await, began);
            }
            Ok(outcome) => return (outcome, began),
            Err(_) => {}
        }
        let later = Instant::now();
        let other = self.ask(&method, json!({})).limit(limit - early).uncounted();
        tokio::select! {
            biased;
            outcome = &mut first => (outcome, began),
            outcome = other, if !self.is_down() => {
                learned.note_no_sign();
                if outcome.is_sign_of_life() { (outcome, later) } else { (first.await, began) }
            }
        }
    }

    /// Whether a sign of life is given within this time.
    pub(crate) async fn is_answering(&self, limit: Duration) -> bool {
        !self.is_down() && self.liveness().limit(limit).uncounted().await.is_sign_of_life()
    }

    /// Whether the server ends by itself, or is gone already, within this time.
    pub(crate) async fn ends_within(&self, limit: Duration) -> bool {
        let ended = async {
            while !self.is_down() {
                self.0.heard.notified().await;
            }
        };
        tokio::time::timeout(limit, ended).await.is_ok()
    }

    /// Whether the server falls within this time although it is not left in peace: a program may end when nothing comes for a while.
    pub(crate) async fn falls_within(&self, limit: Duration) -> bool {
        let over = Instant::now() + limit;
        loop {
            let left = over.saturating_duration_since(Instant::now());
            if left.is_zero() || self.ends_within(left.min(BEAT)).await {
                return self.is_down();
            }
            if !self.is_answering(self.limit()).await {
                return true;
            }
        }
    }

    /// The request for a sign of life.
    pub(super) fn liveness(&self) -> Ask<'_> {
        self.ask(&self.sign(), json!({}))
    }

    /// The method of that: what the server was seen to answer in time.
    pub(crate) fn sign(&self) -> String {
        self.0.settings.learned.better_sign().unwrap_or_else(|| self.usual_sign().to_owned())
    }

    /// The request that every server answers; of one that leaves that without an answer, another.
    pub(crate) fn usual_sign(&self) -> &'static str {
        match self.era() {
            Era::Handshake => "ping",
            Era::Stateless => self.0.settings.learned.undiscovered.get().unwrap_or("server/discover"),
        }
    }

    /// Waits until a message of this method has come since `from`, at most this long, or as long as the server took for its first
    /// word: on a slow machine everything is late.
    pub async fn hears(&self, from: usize, method: &str, limit: Duration) -> bool {
        let limit = limit.max(self.slowest_start());
        let own = |event: &Event| {
            event.session == self.0.id.get() && matches!(&event.kind, Kind::Receive(receive) if receive.says(method))
        };
        self.until(from, limit, |events| events.iter().any(own)).await
    }

    /// Proves that everything sent so far has the answers it is going to get. False when the server no longer answers.
    pub async fn settle(&self) -> bool {
        if self.0.in_flight.borrow().is_settled() && !self.is_down() {
            return true;
        }
        let sent = self.0.in_flight.borrow().sent();
        let upto = self.0.recorder.next().saturating_sub(1);
        self.exchanges_ended().await;
        let Some(round_trip) = self.round_trip().await else { return false };
        let owed = self.0.in_flight.borrow().is_owed();
        let grace = match self.transport() {
            _ if owed => self.0.settings.learned.grace(LONG_GRACE),
            Transport::Http => SHORT_GRACE,
            Transport::Stdio | Transport::Sse => GRACE,
        };
        // A slow server, or a busy machine, is given more.
        tokio::time::sleep(grace.max(round_trip)).await;
        if owed && !self.is_alive().await {
            return false;
        }
        // But for what was asked here.
        self.0.in_flight.borrow_mut().note_settled(sent + 1 + u64::from(owed));
        self.add(Kind::Settled { upto });
        // Nobody waits for these, and now it is known that nothing comes: they must not make the next grace long.
        self.0.in_flight.borrow_mut().drop_abandoned();
        true
    }

    /// Over HTTP every exchange ends by itself.
    async fn exchanges_ended(&self) {
        let next = self.0.in_flight.borrow().next_channel(self.transport());
        let ended = async {
            let streams = self.transport() == Transport::Sse;
            let open =
                |channel: &Channel| (channel.waiter.is_some() || streams) && !channel.has_begun() && !channel.overdue;
            while self.0.in_flight.borrow().any_channel(next, open) {
                self.0.heard.notified().await;
            }
        };
        let began = Instant::now();
        tokio::pin!(ended);
        loop {
            let left = self.open_limit().saturating_sub(began.elapsed());
            tokio::select! {
                biased;
                () = &mut ended => return,
                // Shorter from now on.
                () = self.0.settings.learned.hastened.notified() => {}
                () = tokio::time::sleep(left) => break,
            }
        }
        self.0.settings.learned.vain.note(began);
        self.0.in_flight.borrow_mut().note_overdue(next);
    }

    /// How long exchanges that are open are waited for.
    pub(super) fn open_limit(&self) -> Duration {
        self.patience(self.limit() / self.error_haste().max(self.loss_haste()), self.awaited(None))
    }
}
