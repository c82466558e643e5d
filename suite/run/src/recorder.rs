//! Writes the transcript of a run as it happens. Secrets are redacted here, before anything is stored.

use std::cell::{Cell, RefCell, RefMut};
use std::sync::Arc;
use std::time::{Duration, Instant};

use verdict::record::Timing;
use verdict::transcript::{Event, Kind};

use crate::secrets::Secrets;
use crate::timing::Timeline;

/// Bytes of payload kept for one run; beyond that payloads are cut, so that a hostile server cannot exhaust memory.
const KEPT: usize = 64 << 20;
/// Events kept for one run; a server that says more than this is no longer listened to.
const EVENTS: usize = 400_000;

/// The transcript of a run.
#[derive(Debug)]
pub struct Recorder {
    began: Instant,
    /// Shared while they are judged.
    events: RefCell<Arc<Vec<Event>>>,
    kept: Cell<usize>,
    /// Something was not kept.
    cut: Cell<bool>,
    sessions: Cell<u32>,
    requests: Cell<u64>,
    spawns: Cell<u64>,
    /// For each event, the processor time in microseconds that the tester had used.
    own: RefCell<Vec<u64>>,
    timeline: RefCell<Timeline>,
    secrets: Secrets,
}

impl Recorder {
    /// An empty transcript in which the values of secret headers never stand. `secrets` are values given by the user.
    #[must_use]
    pub fn new(secrets: Vec<String>) -> Self {
        Self::masking(Secrets::new(secrets))
    }

    pub(crate) fn masking(secrets: Secrets) -> Self {
        Self {
            began: Instant::now(),
            events: RefCell::default(),
            kept: Cell::default(),
            cut: Cell::default(),
            sessions: Cell::default(),
            requests: Cell::default(),
            spawns: Cell::default(),
            own: RefCell::default(),
            timeline: RefCell::default(),
            secrets,
        }
    }

    /// The number of the next session, which opens a connection.
    pub fn session(&self) -> u32 {
        self.spawns.set(self.spawns.get() + 1);
        self.further_session()
    }

    /// The number of the next session, which goes on with a connection.
    pub(crate) fn further_session(&self) -> u32 {
        self.sessions.replace(self.sessions.get() + 1)
    }

    /// Adds an event and says which.
    pub fn add(&self, session: u32, mut kind: Kind) -> u32 {
        self.redact(&mut kind);
        let mut events = self.events.borrow_mut();
        let events = Arc::make_mut(&mut events);
        let seq = u32::try_from(events.len()).unwrap_or(u32::MAX);
        let at_us = u64::try_from(self.began.elapsed().as_micros()).unwrap_or(u64::MAX);
        events.push(Event { seq, at_us, session, kind });
        self.own.borrow_mut().push(crate::process::used_us());
        seq
    }

    /// A message that asks for an answer was sent.
    pub fn asked(&self) {
        self.requests.set(self.requests.get() + 1);
    }

    /// The critical path so far, and its sums.
    pub(crate) fn timing(&self, timing: Timing) -> Timing {
        let (events, own, timeline) = (self.events.borrow(), self.own.borrow(), self.timeline());
        timing.along(timeline.critical_path(events.last(), &own, self.elapsed()))
    }

    /// What has been waited for longest, if that is longer than this.
    pub(crate) fn longest_wait(&self, long: Duration) -> Option<(String, String, Duration)> {
        self.timeline().longest_wait(self.elapsed(), long)
    }

    fn timeline(&self) -> RefMut<'_, Timeline> {
        let mut timeline = self.timeline.borrow_mut();
        timeline.catch_up(&self.events.borrow(), &self.own.borrow());
        timeline
    }

    /// Messages that asked for an answer.
    #[must_use]
    pub fn requests(&self) -> u64 {
        self.requests.get()
    }

    /// Sessions opened.
    #[must_use]
    pub fn spawns(&self) -> u64 {
        self.spawns.get()
    }

    /// Since the run began.
    #[must_use]
    pub fn elapsed(&self) -> std::time::Duration {
        self.began.elapsed()
    }

    /// The `seq` that the next event will have.
    #[must_use]
    pub fn next(&self) -> u32 {
        u32::try_from(self.events.borrow().len()).unwrap_or(u32::MAX)
    }

    /// More was said than is kept: nothing further is to be read.
    #[must_use]
    pub fn is_full(&self) -> bool {
        self.events.borrow().len() >= EVENTS
    }

    /// Looks at the events so far.
    pub fn with<T>(&self, look: impl FnOnce(&[Event]) -> T) -> T {
        look(&self.events.borrow())
    }

    /// The events so far, for another thread.
    pub(crate) fn shared(&self) -> Arc<Vec<Event>> {
        Arc::clone(&self.events.borrow())
    }

    /// All events, when nothing more is going to come.
    pub(crate) fn take(&self) -> Vec<Event> {
        Arc::unwrap_or_clone(self.events.take())
    }

    /// Puts something else in place of every secret.
    pub(crate) fn mask(&self, text: &mut String) {
        self.secrets.mask(text);
    }

    fn redact(&self, kind: &mut Kind) {
        self.secrets.redact(kind);
        // What the tester sends is bounded by itself, and without it nothing that follows can be understood.
        if let Kind::Receive(receive) = kind {
            receive.dropped += self.bound(&mut receive.text);
        }
    }

    fn bound(&self, text: &mut String) -> u64 {
        let kept = self.kept.get() + text.len();
        if kept <= KEPT {
            self.kept.set(kept);
            return 0;
        }
        let dropped = text.len() as u64;
        // Emptied it would keep its room, and nothing would be bounded.
        *text = String::new();
        self.cut.set(true);
        dropped
    }

    /// Whether the server has said more than is kept: how much that is, in words.
    pub(crate) fn cut(&self) -> Option<String> {
        self.cut.get().then(|| {
            format!(
                "the server sent more than {} MiB: what came later was not kept, and nothing is judged by it",
                KEPT >> 20
            )
        })
    }
}

#[cfg(test)]
mod tests {
    use verdict::transcript::{Receive, Via};

    use super::*;

    #[test]
    fn secrets_never_reach_the_transcript() {
        let recorder = Recorder::new(vec!["s3cret-token".into()]);
        let headers = vec![
            ("Authorization".to_owned(), "Bearer s3cret-token".to_owned()),
            ("X-Key".to_owned(), "s3cret-token".to_owned()),
        ];
        recorder.add(0, Kind::Status { channel: 1, status: 200, headers });
        recorder.add(0, Kind::Stderr { text: "token s3cret-token refused".into(), not_utf8: false });
        let text = recorder.with(|events| serde_json::to_string(events).expect("plain data"));
        assert!(!text.contains("s3cret"), "{text}");
        assert_eq!(text.matches("[redacted]").count(), 3);
    }

    #[test]
    fn what_is_not_kept_takes_no_room() {
        let recorder = Recorder::new(Vec::new());
        let text = "x".repeat(KEPT + 1);
        recorder.add(0, Kind::Receive(Receive { channel: 0, text, via: Via::Line, dropped: 0, not_utf8: false }));
        recorder.with(|events| {
            let Kind::Receive(receive) = &events[0].kind else { panic!("{events:?}") };
            assert_eq!((receive.text.capacity(), receive.dropped), (0, KEPT as u64 + 1));
        });
        assert!(recorder.cut().is_some());
    }
}
