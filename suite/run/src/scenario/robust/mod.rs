//! The area `robust`: what no client sends, one input after the other, each followed by a request for a sign of life. When
//! a server falls, the input is sent once more in a fresh session, alone, and the rest goes on in another.

mod gzip;
mod heads;
mod inputs;
mod nesting;
mod stream;
mod together;

use std::time::Duration;

use serde_json::{Value, json};
use verdict::probes::values::Expect;
use verdict::{Intent, Purpose, Transport};

use super::{Cx, Scenario, Stage};
use crate::{Http, Lease, Opening, Piece, ServerProfile, Session, Wear};

/// The scenarios of this area.
pub(super) static SCENARIOS: &[Scenario] = &[inputs::SCENARIO, together::SCENARIO, stream::SCENARIO, heads::SCENARIO];

/// The intent of every input; `about.of` is the requirement.
const INTENT: Intent = Intent::Robust;
/// How much a server's memory may grow: by so many kilobytes in any case, and by so many times the size of what was sent.
const BOUND: (u64, u64) = (64 << 10, 4);

/// Malformed input only goes to programs, loopback URLs, and where the user gave leave.
fn allowed(profile: &ServerProfile) -> bool {
    profile.may_disrupt
}

/// The heaviest inputs are sent when they are asked for by name.
fn thorough(cx: &Cx) -> bool {
    cx.options.only.iter().any(|glob| glob.starts_with("robust"))
}

/// What is said of an input whose answers carry no id of their own.
pub(super) fn about(of: &str, kind: &str, expect: Expect) -> Value {
    json!({"of": of, "kind": kind, "expect": expect, "ids": []})
}

/// One input.
struct Input {
    of: &'static str,
    kind: &'static str,
    /// The answers that are allowed; see the rule.
    expect: Expect,
    ids: Vec<String>,
    pieces: Vec<Piece>,
    /// Bytes, where memory is to be looked at.
    weighs: Option<usize>,
}

impl Input {
    fn new(of: &'static str, kind: &'static str, expect: Expect, bytes: impl Into<Vec<u8>>) -> Self {
        Self { of, kind, expect, ids: Vec::new(), pieces: vec![Piece::Bytes(bytes.into())], weighs: None }
    }

    /// The JSON texts of ids that answers may carry.
    fn ids(mut self, ids: &[&str]) -> Self {
        self.ids = ids.iter().map(|id| (*id).to_owned()).collect();
        self
    }

    fn about(&self) -> Value {
        json!({"of": self.of, "kind": self.kind, "expect": self.expect, "ids": self.ids})
    }
}

/// A session in which to send them.
async fn open_for_inputs(cx: &Cx, confirm: bool) -> Option<Lease> {
    let opening = Opening::new(Purpose::Robust, cx.profile.revision);
    cx.lease(if confirm { opening.confirm() } else { opening }, Wear::Malformed).await.ok()
}

/// Sends inputs one after the other; what fells the server is sent again alone, and the rest to a fresh one.
async fn pour(cx: &Cx, scenario: &'static str, inputs: &[Input]) {
    /// Falls after which it is known that a server is not robust.
    const FALLS: usize = 8;
    let mut session = None;
    let mut falls = 0;
    for input in inputs {
        let own = match session.take() {
            Some(own) => own,
            None => match open_for_inputs(cx, false).await {
                Some(own) => own,
                None => return,
            },
        };
        let alive = send(&own, scenario, input).await;
        if !own.is_down() {
            // A URL cannot be started again.
            if !alive && !own.is_alive().await {
                return own.kill().await;
            }
            session = Some(own);
            continue;
        }
        own.kill().await;
        provoke_alone(cx, scenario, input).await;
        falls += 1;
        if falls == FALLS {
            return;
        }
    }
    if let Some(session) = session {
        session.settle().await;
        session.give_back().await;
    }
}

/// In a session in which nothing was sent before.
async fn provoke_alone(cx: &Cx, scenario: &'static str, input: &Input) {
    if let Some(session) = open_for_inputs(cx, true).await {
        send(&session, scenario, input).await;
        if !session.is_down() {
            session.settle().await;
        }
        session.kill().await;
    }
}

async fn send(session: &Session, scenario: &'static str, input: &Input) -> bool {
    let before = input.weighs.and_then(|_| session.memory());
    let mut pieces = input.pieces.clone();
    if session.transport() == Transport::Stdio {
        pieces.push(Piece::Bytes(b"\n".to_vec()));
    }
    // Long enough for what is large, on a machine that is busy.
    let raw = session.raw("").pieces(pieces).probe(scenario, INTENT, input.about());
    if input.weighs.is_some() {
        raw.limit(session.limit() * 2).answered().await;
    } else if session.transport() == Transport::Stdio && input.expect == Expect::Any {
        raw.send().await;
    } else {
        raw.limit(patience(session, input)).answered().await;
    }
    let alive = session.is_alive().await;
    if let (Some(before), Some(bytes)) = (before, input.weighs) {
        weigh(session, scenario, input.of, before, bytes).await;
    }
    alive
}

/// Answers that need not come are not waited for: the sign of life behind them is. What is posted gets a response in any
/// case; over HTTP+SSE, where answers come on the stream, that is waited for if there is no id to wait for instead.
fn patience(session: &Session, input: &Input) -> Duration {
    let owed = match session.transport() {
        Transport::Http => true,
        Transport::Sse => input.expect == Expect::Once || input.ids.is_empty(),
        Transport::Stdio => input.expect == Expect::Once,
    };
    if owed { session.limit() } else { Duration::from_millis(20) }
}

/// Memory is looked at after the server was asked again: then it had the chance to give some back.
async fn weigh(session: &Session, scenario: &'static str, of: &'static str, before: u64, bytes: usize) {
    for _ in 0..3 {
        session.is_alive().await;
    }
    if let Some(after) = session.memory() {
        let bound = BOUND.0 + BOUND.1 * (bytes as u64 >> 10);
        session.record_probe(
            scenario,
            Intent::Memory,
            json!({"of": of, "grown": after.saturating_sub(before), "bound": bound}),
        );
    }
}

/// A POST of the request that every server answers, for what a client library would not send. In 2026-07-28 without its name in
/// the head a server need not look at the body.
fn post<'s>(cx: &Cx, session: &'s Session) -> Http<'s> {
    session.http("POST").header("Mcp-Method", (!cx.profile.is_handshake()).then_some(cx.profile.liveness()))
}

/// Params as an ordinary request has them, with the text of one more member.
fn params(cx: &Cx, member: &str) -> String {
    let meta = if cx.profile.is_handshake() { String::new() } else { format!(",\"_meta\":{}", cx.session.meta()) };
    format!("{{\"x-unknown\":{member}{meta}}}")
}

/// A request whose parts are given as JSON text.
fn request(id: &str, method: &str, params: &str) -> String {
    format!("{{\"jsonrpc\":\"2.0\",\"id\":{id},\"method\":{method},\"params\":{params}}}")
}
