//! What is known of a server: what it answered to the first request of this session, and what other sessions found out.

use std::time::Duration;

use serde_json::Value;
use verdict::probes::values::Reading;
use verdict::{Intent, Revision};
use wire::Message;
use wire::mcp::code;

use super::{Session, state};

/// How many times shorter an answer is waited for in a repetition at most.
const REPEATED: u32 = 5;
/// How many times shorter the answer to a message is waited for that never reaches the server whole.
const UNREAD: u32 = 10;

impl Session {
    /// How many times shorter a request is waited for, since the server never answers what is wrong. A repetition waits as long as ever.
    pub(crate) fn error_haste(&self) -> u32 {
        if self.is_confirm() { 1 } else { self.0.settings.learned.error_haste() }
    }

    /// Whether the server is known to leave everything that is wrong without an answer. A repetition waits for it as long as ever.
    pub(crate) fn gives_no_errors(&self) -> bool {
        !self.is_confirm() && self.0.settings.learned.gives_no_errors()
    }

    /// Whether the server was seen to leave requests without an answer now and then.
    pub(crate) fn loses_answers(&self) -> bool {
        self.0.settings.learned.loses_answers()
    }

    /// How many times shorter an answer is waited for, since answers get lost now and then. What is seen there decides nothing, in a
    /// repetition either.
    pub(super) fn loss_haste(&self) -> u32 {
        let haste = self.0.settings.learned.haste();
        if self.is_confirm() { haste.min(REPEATED) } else { haste }
    }

    /// How many times shorter the answer to a message of this length is waited for, since such messages or answers get lost.
    pub(super) fn haste_for(&self, length: usize) -> u32 {
        let haste = self.loss_haste();
        if self.0.settings.learned.loses(length) { haste.max(UNREAD) } else { haste }
    }

    /// Notes that a message was lost because it came in pieces.
    pub(crate) fn note_piece_lost(&self) {
        self.0.settings.learned.note_piece_lost();
    }

    /// Whether a message of this length in bytes never reaches the server whole.
    pub(crate) fn loses(&self, length: usize) -> bool {
        self.0.settings.learned.loses(length)
    }

    /// Whether one message at a time is sent, each after what came of the last.
    pub(crate) fn takes_turns(&self) -> bool {
        self.0.settings.bisection.is_some()
    }

    /// How long what is quick as a rule is worth waiting for.
    pub(crate) fn paced(&self, limit: Duration) -> Duration {
        self.0.settings.learned.paced(limit)
    }

    /// Whether `server/discover` was answered as 2026-07-28 says, or at least other requests are.
    pub(crate) fn speaks_modern(&self) -> bool {
        self.0.server.borrow().speaks_modern() || self.0.settings.learned.modern.get()
    }

    /// Notes, for this session, that the server was taken to speak 2026-07-28.
    pub(crate) fn note_modern(&self) {
        if !self.0.server.borrow().speaks_modern() {
            self.0.record_reading(Reading::Modern);
        }
    }

    /// Whether the server is known to answer requests of 2026-07-28, and `server/discover` not at all.
    pub(crate) fn is_undiscovered(&self) -> bool {
        self.0.settings.learned.undiscovered.get().is_some()
    }

    /// Notes it if the result of a list is one of 2026-07-28, although `server/discover`, which was sent before, has no answer, and
    /// tells who waits for that.
    pub(crate) fn learn_undiscovered(&self, list: &'static str, result: Option<&Value>) -> bool {
        let modern = self.learn_modern(result);
        if modern {
            self.0.settings.learned.undiscovered.set(Some(list));
            self.0.settings.learned.overtaken.notify_waiters();
        }
        modern
    }

    /// Notes that a result is one of 2026-07-28, although `server/discover` is not answered so.
    pub(crate) fn learn_modern(&self, result: Option<&Value>) -> bool {
        let modern = result.is_some_and(state::is_modern);
        self.0.settings.learned.modern.set(self.0.settings.learned.modern.get() || modern);
        modern
    }

    /// Whether it answers `server/discover`, names other versions alone, and refuses a request of 2026-07-28 over its version:
    /// then it does not speak it.
    pub(crate) async fn disowns_modern(&self) -> bool {
        const UNSUPPORTED: i64 = code::UNSUPPORTED_PROTOCOL_VERSION;
        self.0.server.borrow().declares_only_others_than(self.0.client.get())
            && self.ask("tools/list", serde_json::json!({})).send().await.error_code() == Some(UNSUPPORTED)
    }

    /// Goes on in the revision that was asked for.
    pub(crate) fn assume(&self, version: &str) {
        if let Ok(revision) = version.parse::<Revision>()
            && revision.is_handshake()
        {
            self.0.server.borrow_mut().revision = Some(revision);
            self.record_probe("session", Intent::Negotiated, serde_json::json!({"revision": version, "assumed": true}));
        }
    }

    /// What an earlier session found that the server serves although it declares nothing.
    pub(crate) fn learned_capabilities(&self) -> Option<Value> {
        self.0.settings.learned.capabilities.borrow().clone()
    }

    /// Keeps what the server serves although it declares nothing.
    pub(crate) fn learn_capabilities(&self, found: Value) {
        self.0.settings.learned.capabilities.replace(Some(found));
    }

    /// Goes on as if the server had declared what it serves.
    pub(crate) fn assume_capabilities(&self) {
        let Some(declared) = self.learned_capabilities() else { return };
        self.0.server.borrow_mut().capabilities = declared.clone();
        let about = serde_json::json!({"reading": Reading::Capabilities, "declared": declared});
        self.record_probe("session", Intent::Assumed, about);
    }

    /// Notes what an answer to the opening request tells: capabilities, identity, revision.
    pub(crate) fn settle_opening(&self, message: &Message) -> Option<String> {
        let result = message.result()?;
        self.0.server.borrow_mut().learn(result);
        let version = result.get("protocolVersion").and_then(Value::as_str)?;
        if let Ok(revision) = version.parse::<Revision>()
            && revision.is_handshake()
        {
            self.0.server.borrow_mut().revision = Some(revision);
            self.record_probe("session", Intent::Negotiated, serde_json::json!({"revision": version}));
        }
        Some(version.to_owned())
    }
}
