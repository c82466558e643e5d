//! What one session found out about how a server speaks, so that no other session has to find it out again.

use std::cell::{Cell, RefCell};
use std::collections::{BTreeSet, HashSet};
use std::time::Duration;

use serde_json::Value;
use tokio::sync::Notify;
use verdict::probes::values::Reading;

use crate::crowd::Crowd;
use crate::farewell::Farewells;
use crate::standstill::Standstill;
use crate::vain::Vain;
use crate::wedges::Wedges;

/// Shared by all sessions with a server.
#[derive(Debug, Default)]
pub(crate) struct Learned {
    /// How answers are told apart although their ids are wrong.
    pub(crate) reading: Cell<Option<Reading>>,
    /// Its messages do not stand on lines of their own.
    pub(crate) objects: Cell<bool>,
    /// Requests that are quickly answered as a rule, and were never answered although later ones were.
    pub(crate) lost: Cell<u32>,
    /// Requests that were given their time and not answered,
    silent: Cell<u32>,
    /// and their methods, of which those that MCP does not have are one.
    unanswered: RefCell<HashSet<&'static str>>,
    /// Some request was answered with an error, and not refused by the transport.
    pub(crate) errs: Cell<bool>,
    /// Methods of which a quick request was answered: of others nothing can be lost.
    pub(crate) answered: RefCell<HashSet<String>>,
    /// Requests that were answered, without what tells the same ones apart.
    usual: RefCell<HashSet<String>>,
    /// Lists that come in one page: asking for one begins no walk through pages.
    whole: RefCell<BTreeSet<String>>,
    /// Times that a request for a sign of life was answered late, or not, since it last was in time.
    late_signs: Cell<u32>,
    /// It leaves some opening requests without an answer, and answers others.
    pub(crate) unopened: Cell<bool>,
    /// It answers as 2026-07-28 says, all but `server/discover`.
    pub(crate) modern: Cell<bool>,
    /// What is answered as in 2026-07-28 although `server/discover`, which was sent before, is not.
    pub(crate) undiscovered: Cell<Option<&'static str>>,
    /// The capabilities of a server that declares none in the right place: those of the lists that it serves.
    pub(crate) capabilities: RefCell<Option<Value>>,
    /// Answered requests behind which there was no work of unknown length, and the slowest of them.
    pace: Cell<(u32, Duration)>,
    /// After which messages nothing was answered any more.
    wedges: RefCell<Wedges>,
    /// What was waited for in vain.
    pub(crate) vain: Vain,
    /// Whether it answers nobody any more, where nobody here can start it again.
    pub(crate) standstill: Standstill,
    /// It serves one client at a time: the next session waits until the one before is closed.
    pub(crate) one_client: Cell<bool>,
    /// Subjects of generated requests, one after the other, of which no request was answered.
    mute: Cell<u32>,
    /// Tools of which a generated call that got no answer was made simple and sent once more.
    pub(crate) examined: Cell<u32>,
    /// Over HTTP+SSE, streams that stayed open and never told where to post.
    unannounced: Cell<u32>,
    /// It takes what one read returns for a message: one that is large never reaches it whole.
    loses_pieces: Cell<bool>,
    /// Over HTTP+SSE, how many answers came in the body of a POST, and whether one came on the stream.
    places: Cell<(u32, bool)>,
    /// Told when requests are waited for less long, since answers get lost: those that are under way, too.
    pub(crate) hastened: Notify,
    /// Whether it loses calls because there are many at once.
    pub(crate) crowd: Crowd,
    /// Told when another way in came about, although it was tried later.
    pub(crate) overtaken: Notify,
    /// Processes that are about to end.
    pub(crate) farewells: Farewells,
}

/// Answers lost after which it is known that a server loses answers, and how many times shorter the time limit is from then on.
const LOSSES: [(u32, u32); 2] = [(3, 5), (12, 20)];

/// Subjects in a row without any answer after which no more of them are tried.
const MUTE: u32 = 4;

/// Streams after which it is known that a server does not tell each client where to post, and how many times less the next is waited for.
const UNANNOUNCED: [(u32, u32); 2] = [(2, 5), (4, 10)];

/// Requests that are remembered as answered, and their length in bytes.
const MOST: usize = 1_000;
const LONGEST: usize = 1_000;

/// Requests after which the pace of a server is known, the slowest answer of a quick one, and how many times as long it is waited for, at
/// least this long.
const PACED: u32 = 30;
const QUICK: Duration = Duration::from_millis(50);
const PACES: u32 = 10;
const SHORTEST: Duration = Duration::from_millis(500);

/// How much is waited for in vain if answers are lost rather than late.
const MUCH: Duration = Duration::from_secs(9);

/// Requests without an answer after which a server that never gave an error is known to swallow errors.
const SWALLOWED: u32 = 8;
/// How many kinds of them there are at least if it is one fault: unknown methods, and others.
const KINDS: usize = 3;
/// How many times shorter a request is waited for from then on.
const HASTE: u32 = 5;

/// Answers in the body of a POST after which it is known that this is where a server over HTTP+SSE answers.
const POSTED: u32 = 3;

/// How many times shorter a call is waited for if another of the same tool silenced the server.
const DOUBT: u32 = 8;

/// From when on a sign of life is late, and how many are until others are asked for.
const LATE: Duration = Duration::from_secs(1);
const LATE_SIGNS: u32 = 2;

impl Learned {
    /// Notes how long it took to answer what asks for a sign of life.
    pub(crate) fn note_sign(&self, took: Duration) {
        self.late_signs.set(if took > LATE { self.late_signs.get() + 1 } else { 0 });
    }

    /// Notes that it was not answered.
    pub(crate) fn note_no_sign(&self) {
        self.late_signs.set(self.late_signs.get() + 1);
    }

    /// Notes that a request was answered, unless more are known than need be.
    pub(crate) fn note_answered(&self, usual: &str) {
        let mut known = self.usual.borrow_mut();
        if known.len() < MOST && usual.len() < LONGEST && !known.contains(usual) {
            known.insert(usual.to_owned());
        }
    }

    /// Whether the same request was answered before.
    pub(crate) fn has_answered(&self, usual: &str) -> bool {
        self.usual.borrow().contains(usual)
    }

    /// Notes that a list came in one page.
    pub(crate) fn note_whole(&self, method: &str) {
        self.whole.borrow_mut().insert(method.to_owned());
    }

    /// What is asked for as a sign of life beside the usual one, since that was never answered, or late the last time.
    pub(crate) fn second_sign(&self, usual: &str) -> Option<String> {
        let late = self.late_signs.get();
        let doubtful = late > 0 || !self.answered.borrow().contains(usual);
        (doubtful && late < LATE_SIGNS).then(|| self.one_page()).flatten()
    }

    /// What is asked for in its place, since it is late.
    pub(crate) fn better_sign(&self) -> Option<String> {
        (self.late_signs.get() >= LATE_SIGNS).then(|| self.one_page()).flatten()
    }

    fn one_page(&self) -> Option<String> {
        self.whole.borrow().first().cloned()
    }

    /// Notes how long such a request took.
    pub(crate) fn note_pace(&self, took: Duration) {
        let (count, slowest) = self.pace.get();
        self.pace.set((count + 1, slowest.max(took)));
    }

    /// How long such a request is worth waiting for, given that a server that answers quickly is seen to; of one that leaves all that
    /// is wrong unanswered, or anything now and then, not again and again.
    pub(crate) fn paced(&self, limit: Duration) -> Duration {
        let (count, slowest) = self.pace.get();
        if self.gives_no_errors() && self.vain.is_quick() {
            limit.min(SHORTEST / HASTE)
        } else if self.loses_answers() && self.vain.is_quick() {
            limit.min((slowest * PACES).clamp(SHORTEST / HASTE, SHORTEST))
        } else if slowest <= QUICK && count >= PACED {
            limit.min((slowest * PACES).max(SHORTEST))
        } else {
            limit
        }
    }

    /// How long what is asked for once more, should it get lost, is worth waiting for.
    pub(crate) fn brief(&self, limit: Duration) -> Duration {
        if self.vain.is_quick() { limit.min(SHORTEST / HASTE) } else { limit }
    }

    /// How long late messages are waited for, given that what a quick server leaves unanswered again and again is lost, and not late.
    pub(crate) fn grace(&self, usual: Duration) -> Duration {
        let lost = self.loses_answers() || self.vain.spent() >= MUCH;
        if lost && self.vain.is_quick() { usual / 4 } else { usual }
    }

    /// Notes a request that was given its time and not answered.
    pub(crate) fn note_silence(&self, method: &str) {
        self.silent.set(self.silent.get() + 1);
        let known = judge::shapes::methods().find(|known| *known == method);
        self.unanswered.borrow_mut().insert(known.unwrap_or_default());
    }

    /// Whether it swallows errors whatever they are about: one fault behind all that gets no answer.
    pub(crate) fn gives_no_errors(&self) -> bool {
        let unanswered = self.unanswered.borrow();
        self.swallows_errors() && unanswered.contains("") && unanswered.len() >= KINDS
    }

    /// Whether the server was seen to answer what is right, and never what is wrong: it is not waited for again and again.
    fn swallows_errors(&self) -> bool {
        self.silent.get() >= SWALLOWED && !self.errs.get()
    }

    /// How many times shorter a request is waited for on that account.
    pub(crate) fn error_haste(&self) -> u32 {
        if self.swallows_errors() { HASTE } else { 1 }
    }

    /// Notes a message after which nothing was answered any more; `alone` if nothing else can have been the cause.
    pub(crate) fn suspect(&self, text: &[u8], alone: bool) {
        self.wedges.borrow_mut().add(text, alone);
    }

    /// Notes that a message was answered.
    pub(crate) fn answers(&self, text: &[u8]) {
        self.wedges.borrow_mut().clear(text);
    }

    /// Whether a message is not to be sent again, since nothing was answered after it; `alone` if nothing but the same message, sent
    /// alone, may show that.
    pub(crate) fn avoids(&self, text: &[u8], alone: bool) -> bool {
        self.wedges.borrow().avoid(text, alone)
    }

    /// How many times shorter such a message is waited for, since one like it silenced the server.
    pub(crate) fn doubt(&self, text: &[u8]) -> u32 {
        if self.wedges.borrow().doubt(text) { DOUBT } else { 1 }
    }

    /// Whether no call of this tool is to be made.
    pub(crate) fn avoids_tool(&self, name: &str) -> bool {
        self.wedges.borrow().avoid_tool(name)
    }

    /// Whether the server was seen to leave requests without an answer now and then.
    pub(crate) fn loses_answers(&self) -> bool {
        self.lost.get() >= LOSSES[0].0
    }

    /// Notes that a message was lost because it came in pieces.
    pub(crate) fn note_piece_lost(&self) {
        self.loses_pieces.set(true);
        self.hastened.notify_waiters();
    }

    /// Whether a message of this length in bytes never reaches it whole.
    pub(crate) fn loses(&self, length: usize) -> bool {
        self.loses_pieces.get() && length >= judge::LARGE
    }

    /// Notes whether any of the generated requests for one subject was answered.
    pub(crate) fn note_subject(&self, answered: bool) {
        self.mute.set(if answered { 0 } else { self.mute.get() + 1 });
    }

    /// Whether generated requests are not answered any more.
    pub(crate) fn is_mute(&self) -> bool {
        self.mute.get() >= MUTE
    }

    /// Notes over HTTP+SSE that a stream did not tell within its time where to post.
    pub(crate) fn note_unannounced(&self) {
        self.unannounced.set(self.unannounced.get() + 1);
    }

    /// How long the next stream is given to tell it. Streams are opened in pairs.
    pub(crate) fn until_announced(&self, limit: Duration) -> Duration {
        let haste = UNANNOUNCED.iter().rev().find(|(seen, _)| self.unannounced.get() >= *seen);
        haste.map_or(limit, |(_, haste)| limit / *haste)
    }

    /// Notes over HTTP+SSE where an answer came.
    pub(crate) fn note_place(&self, on_stream: bool) {
        let (posted, streamed) = self.places.get();
        self.places.set((posted + u32::from(!on_stream), streamed || on_stream));
    }

    /// Whether nothing comes on the stream once the answer to a POST is over.
    pub(crate) fn answers_posts(&self) -> bool {
        let (posted, streamed) = self.places.get();
        posted >= POSTED && !streamed
    }

    /// How many times shorter a request is waited for.
    pub(crate) fn haste(&self) -> u32 {
        LOSSES.iter().rev().find(|(lost, _)| self.lost.get() >= *lost).map_or(1, |(_, haste)| *haste)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_server_that_gave_an_error_once_swallows_none() {
        let learned = Learned::default();
        (1..SWALLOWED).for_each(|_| learned.note_silence("no/such"));
        assert!(!learned.swallows_errors());
        learned.note_silence("com.example/none");
        assert!(learned.swallows_errors() && !learned.gives_no_errors());
        learned.note_silence("tools/call");
        learned.note_silence("tools/list");
        assert!(learned.gives_no_errors());
        learned.errs.set(true);
        assert!(!learned.swallows_errors() && !learned.gives_no_errors());
    }

    #[test]
    fn a_server_that_is_quick_is_not_waited_for_long() {
        let (learned, limit) = (Learned::default(), Duration::from_secs(5));
        (1..PACED).for_each(|_| learned.note_pace(Duration::from_millis(3)));
        assert_eq!(learned.paced(limit), limit);
        learned.note_pace(Duration::from_millis(20));
        assert_eq!(learned.paced(limit), SHORTEST);
        assert_eq!(learned.paced(Duration::from_millis(100)), Duration::from_millis(100));
        learned.note_pace(Duration::from_millis(51));
        assert_eq!(learned.paced(limit), limit);
    }

    #[test]
    fn what_is_never_answered_is_not_waited_for_again_and_again() {
        let (learned, limit) = (Learned::default(), Duration::from_secs(5));
        for method in ["no/such", "tools/call", "tools/list"].iter().cycle().take(9) {
            learned.note_silence(method);
        }
        assert!(learned.gives_no_errors());
        assert_eq!(learned.paced(limit), limit, "it may be slow");
        (0..PACED).for_each(|_| learned.vain.note_answer(Duration::from_millis(60)));
        assert_eq!(learned.paced(limit), SHORTEST / HASTE);
        learned.errs.set(true);
        assert_eq!(learned.paced(limit), limit);
    }

    #[test]
    fn what_gets_lost_is_not_waited_for_as_if_it_were_late() {
        let (learned, usual) = (Learned::default(), Duration::from_millis(200));
        learned.lost.set(LOSSES[0].0);
        assert_eq!(learned.grace(usual), usual, "it may be slow");
        (0..PACED).for_each(|_| learned.vain.note_answer(Duration::from_millis(5)));
        assert_eq!(learned.grace(usual), usual / 4);
        learned.lost.set(0);
        assert_eq!(learned.grace(usual), usual);
    }

    #[test]
    fn where_pings_are_late_a_list_of_one_page_is_asked_for() {
        let learned = Learned::default();
        learned.note_no_sign();
        learned.note_sign(LATE * 2);
        assert_eq!(learned.better_sign(), None, "no list is known");
        learned.note_whole("tools/list");
        learned.note_whole("prompts/list");
        assert_eq!(learned.better_sign().as_deref(), Some("prompts/list"));
        learned.note_sign(LATE / 10);
        assert_eq!((learned.better_sign(), learned.second_sign("ping").as_deref()), (None, Some("prompts/list")));
        learned.answered.borrow_mut().insert("ping".to_owned());
        assert_eq!(learned.second_sign("ping"), None, "it is answered in time");
        learned.note_sign(LATE * 2);
        assert_eq!((learned.better_sign(), learned.second_sign("ping").as_deref()), (None, Some("prompts/list")));
    }

    #[test]
    fn the_more_is_lost_the_less_is_waited_for() {
        let learned = Learned::default();
        let after = |lost: u32| {
            learned.lost.set(lost);
            (learned.loses_answers(), learned.haste())
        };
        assert_eq!(
            [after(0), after(2), after(3), after(12), after(90)],
            [(false, 1), (false, 1), (true, 5), (true, 20), (true, 20)]
        );
    }
}
