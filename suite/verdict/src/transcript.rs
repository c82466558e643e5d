//! The transcript: everything that crossed the wire, in order, and what the tester meant by what it sent.
//!
//! One event a line when stored (JSON Lines). Payloads are verbatim; secrets are redacted when recorded. Rules read
//! nothing else, so whatever a rule cannot see in the bytes must stand here as a [`Probe`].

use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::probes::KeyValue;
use crate::{Intent, Key, Revision, Transport};

/// Headers in the order and spelling of the wire.
pub type Headers = Vec<(String, String)>;

/// The replacement for a secret.
pub const REDACTED: &str = "[redacted]";

/// One thing that happened.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Event {
    /// Position in the transcript, from 0.
    pub seq: u32,
    /// Microseconds since the run began.
    pub at_us: u64,
    /// The session it belongs to.
    pub session: u32,
    /// The event itself.
    #[serde(flatten)]
    pub kind: Kind,
}

/// The event itself.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(tag = "event", rename_all = "kebab-case")]
pub enum Kind {
    /// A session begins: a process was started, or a client with connections of its own.
    Open(Open),
    /// The tester sent something.
    Send(Send),
    /// The server sent one frame: a line, a body, or an SSE event.
    Receive(Receive),
    /// The head of an HTTP response.
    Status {
        /// The exchange it answers.
        channel: u32,
        /// The status code.
        status: u16,
        /// Its headers.
        headers: Headers,
    },
    /// Nothing more can come on a channel: end of a body, of standard output, or a broken connection.
    Closed {
        /// The channel.
        channel: u32,
        /// Why, when it did not end properly.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        fault: Option<String>,
    },
    /// A line on standard error.
    Stderr {
        /// The line; invalid UTF-8 is replaced.
        text: String,
        /// It was not UTF-8.
        #[serde(default, skip_serializing_if = "std::ops::Not::not")]
        not_utf8: bool,
    },
    /// The process ended.
    Exit(Exit),
    /// The time limit of a request passed without an answer.
    GaveUp {
        /// `seq` of the request.
        request: u32,
    },
    /// A liveness request sent after everything up to `upto` was answered, and a grace passed: what has no answer by
    /// now is not going to get one.
    Settled {
        /// `seq` of the last event before the liveness request.
        upto: u32,
    },
    /// Intent that belongs to no single message.
    Probe(Probe),
}

/// The beginning of a session.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Open {
    /// The transport.
    pub transport: Transport,
    /// The purpose of the session: `main`, `rough`, or the name of the scenario that asked for it.
    pub purpose: String,
    /// The revision whose rules apply; for handshake revisions fixed once the handshake is done (see [`Kind::Probe`]
    /// with intent `negotiated`), for 2026-07-28 from the start.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub revision: Option<Revision>,
    /// A repetition in a fresh session because evidence was ambiguous.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub confirm: bool,
    /// Not of the conversation that is judged: the tester poses as somebody else, and only rules about strangers look at it.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub outside: bool,
    /// The session whose connection is used on, once that was settled: nothing is opened, and what was agreed there holds. What the
    /// server says from now on, and its end, belong to this session.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub continues: Option<u32>,
}

/// A message or raw bytes from the tester.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Send {
    /// Over HTTP the exchange (one POST, GET or DELETE), on stdio 0.
    pub channel: u32,
    /// The bytes, without the line feed that ends a line; invalid UTF-8 is replaced.
    pub text: String,
    /// The bytes in Base64 where they are not UTF-8.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub base64: Option<String>,
    /// The intent behind it; absent for ordinary traffic.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub probe: Option<Probe>,
    /// Over HTTP the method.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub http: Option<String>,
    /// Over HTTP the headers.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub headers: Headers,
    /// Over HTTP path and query, where it is not the endpoint's.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub path: Option<String>,
}

/// The tester's intent behind a message.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Probe {
    /// The scenario.
    pub scenario: String,
    /// The intent that rules look for.
    pub intent: Intent,
    /// Facts that a rule needs beside the bytes, under the keys that the intent declares.
    #[serde(default, skip_serializing_if = "Value::is_null")]
    pub about: Value,
}

/// One frame from the server.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Receive {
    /// The channel it came on; on stdio 0.
    pub channel: u32,
    /// The bytes of the frame; invalid UTF-8 is replaced.
    pub text: String,
    /// How it was framed.
    pub via: Via,
    /// Bytes beyond the limit that were not kept.
    #[serde(default, skip_serializing_if = "is_zero")]
    pub dropped: u64,
    /// The frame was not UTF-8.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub not_utf8: bool,
}

impl Receive {
    /// Whether these words stand in it, as a sign to wait for: also where the server escapes slashes, as PHP does.
    #[must_use]
    pub fn says(&self, words: &str) -> bool {
        self.text.contains(words) || self.text.contains("\\/") && self.text.replace("\\/", "/").contains(words)
    }
}

#[expect(clippy::trivially_copy_pass_by_ref, reason = "serde asks for a reference")]
fn is_zero(count: &u64) -> bool {
    *count == 0
}

/// How a frame was framed.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Via {
    /// A line on standard output; a carriage return before the line feed is kept.
    Line,
    /// The rest of standard output after its last line feed.
    Tail,
    /// A message found in the standard output of a server that was seen to write some that stand on no line of their own. The lines
    /// that it is in are recorded too, unless it is a whole line.
    Object,
    /// An HTTP body.
    Body,
    /// An SSE event; the text is its data.
    Sse {
        /// The event type, if one was given.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        event: Option<String>,
        /// The id set in this event.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        id: Option<String>,
        /// The retry field.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        retry: Option<u64>,
        /// Oddities that a lenient reader would have hidden.
        #[serde(default, skip_serializing_if = "Vec::is_empty")]
        oddities: Vec<String>,
    },
}

/// The end of a process.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Exit {
    /// The exit status, unless a signal ended it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub code: Option<i32>,
    /// The signal that ended it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub signal: Option<i32>,
    /// The tester's last step to end it.
    pub after: Ending,
}

/// The steps by which the tester ends a process, in order.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Ending {
    /// Nothing: the server ended by itself.
    Nothing,
    /// Standard input was closed.
    StdinClosed,
    /// SIGTERM was sent.
    Terminated,
    /// SIGKILL was sent.
    Killed,
}

impl Probe {
    /// Creates a probe of a scenario.
    ///
    /// # Panics
    /// In debug builds, if `about` is not as the intent declares.
    #[must_use]
    #[track_caller]
    pub fn new(scenario: &str, intent: Intent, about: Value) -> Self {
        debug_assert_eq!(intent.wrong_about(&about), None);
        Self { scenario: scenario.to_owned(), intent, about }
    }

    /// Returns the value of a key, if the intent declares it (a stored transcript may have an intent that is not known any more).
    #[must_use]
    pub fn get(&self, key: Key) -> Option<&Value> {
        let readable = self.intent == Intent::Unknown || self.intent.declares(key);
        self.about.get(key.name()).filter(|_| readable)
    }

    /// Returns the value of a key if it is one of those that rules compare.
    #[must_use]
    pub fn value<V: KeyValue>(&self) -> Option<V> {
        self.get(V::KEY).and_then(Value::as_str).and_then(V::from_name)
    }
}

impl std::fmt::Display for Exit {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match (self.code, self.signal) {
            (_, Some(signal)) => write!(f, "ended by signal {signal}"),
            (Some(code), None) => write!(f, "exited with status {code}"),
            (None, None) => f.write_str("ended"),
        }
    }
}

/// The sessions that had the connection of this one: itself first, and last the one that opened it.
#[must_use]
pub fn connection(events: &[Event], session: u32) -> Vec<u32> {
    let opened = |session: u32| {
        events.iter().find_map(|event| match &event.kind {
            Kind::Open(open) if event.session == session => Some(open),
            _ => None,
        })
    };
    let before = |session: &u32| opened(*session)?.continues.filter(|before| before < session);
    std::iter::successors(Some(session), before).collect()
}

/// Reads a stored transcript; the error names the line.
///
/// # Errors
/// When a line is no event.
pub fn read(text: &str) -> Result<Vec<Event>, String> {
    let lines = text.lines().enumerate().filter(|(_, line)| !line.trim().is_empty());
    lines.map(|(at, line)| serde_json::from_str(line).map_err(|error| format!("line {}: {error}", at + 1))).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn events_are_read_back_from_a_line() {
        let kind = Kind::Send(Send {
            channel: 0,
            text: "{}".into(),
            base64: None,
            probe: Some(Probe::new("tools/unknown-tool", Intent::UnknownTool, serde_json::json!({"kind": "random"}))),
            http: None,
            headers: vec![],
            path: None,
        });
        let event = Event { seq: 3, at_us: 12, session: 1, kind };
        let line = serde_json::to_string(&event).expect("plain data");
        assert_eq!(read(&line).expect("one event"), [event]);
        assert!(read("{}\nx").unwrap_err().starts_with("line 1"));
    }
}
