//! Which revision a session is in: what the handshake settled on, or what the client writes into every request.

use serde_json::Value;
use verdict::Revision;
use wire::mcp::meta;
use wire::{Id, IdKey, Kind, Limits, Message};

/// Requests without an answer that are remembered.
const MOST: usize = 64;

/// The revision of one session, as far as its messages have told.
#[derive(Debug, Default)]
pub(super) struct Tracker {
    /// Requests whose answer tells the revision: for `initialize` none is known yet.
    asked: Vec<(IdKey, Option<Revision>)>,
    settled: Option<Revision>,
}

impl Tracker {
    /// The client said something.
    pub(super) fn said(&mut self, text: &str) {
        for message in wire::parse(text.as_bytes(), &Limits::default()).messages() {
            let key = message.id.as_ref().and_then(Id::key);
            let (Kind::Request, Some(key)) = (message.kind, key) else { continue };
            let opens = message.method() == Some("initialize");
            let named = named(message);
            if (opens || named.is_some()) && self.asked.len() < MOST {
                self.asked.push((key, named));
            }
        }
    }

    /// The server said something; the revision, where this settles it.
    pub(super) fn heard(&mut self, text: &str) -> Option<&'static str> {
        if self.asked.is_empty() {
            return None;
        }
        let parsed = wire::parse(text.trim_start_matches('\u{feff}').as_bytes(), &Limits::default());
        let mut settled = None;
        for message in parsed.messages() {
            let Some(key) = message.id.as_ref().and_then(Id::key).filter(|_| is_answer(message)) else { continue };
            let Some(at) = self.asked.iter().position(|(asked, _)| *asked == key) else { continue };
            let (_, named) = self.asked.swap_remove(at);
            let Some(result) = message.result() else { continue };
            let told = result.get("protocolVersion").and_then(Value::as_str).and_then(|told| told.parse().ok());
            let named = named.filter(|named| is_spoken(*named, result));
            settled = named.or(told.filter(|told: &Revision| told.is_handshake()));
        }
        // A session stays in its revision unless a handshake follows on an attempt without one.
        let news = settled.filter(|settled| self.settled != Some(*settled))?;
        if self.settled.is_some_and(Revision::is_handshake) {
            return None;
        }
        self.settled = Some(news);
        Some(news.as_str())
    }
}

/// The stateless revision that a request names.
fn named(message: &Message) -> Option<Revision> {
    let version = message.params()?.get("_meta")?.get(meta::PROTOCOL_VERSION)?.as_str()?;
    version.parse().ok().filter(|revision: &Revision| !revision.is_handshake())
}

/// Unless it is an answer to server/discover in which a server says that it speaks other revisions only.
fn is_spoken(named: Revision, result: &Value) -> bool {
    let spoken = result.get("supportedVersions").and_then(Value::as_array);
    spoken.is_none_or(|spoken| spoken.iter().any(|version| version == named.as_str()))
}

fn is_answer(message: &Message) -> bool {
    matches!(message.kind, Kind::Response | Kind::Error)
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn a_handshake_settles_the_revision() {
        let mut tracker = Tracker::default();
        tracker.said(&json!({"jsonrpc": "2.0", "id": 0, "method": "initialize", "params": {}}).to_string());
        let result = json!({"protocolVersion": "2025-06-18", "capabilities": {}});
        let answer = |id: i32| json!({"jsonrpc": "2.0", "id": id, "result": result}).to_string();
        assert_eq!(tracker.heard(&answer(1)), None);
        assert_eq!(tracker.heard(&answer(0)), Some("2025-06-18"));
        assert_eq!(tracker.heard(&answer(0)), None);
    }

    #[test]
    fn a_request_that_names_the_revision_and_gets_a_result_settles_it() {
        let mut tracker = Tracker::default();
        let params = json!({"_meta": {meta::PROTOCOL_VERSION: "2026-07-28"}});
        tracker.said(&json!({"jsonrpc": "2.0", "id": 0, "method": "server/discover", "params": params}).to_string());
        assert_eq!(tracker.heard(&json!({"jsonrpc": "2.0", "id": 0, "error": {"code": -32601}}).to_string()), None);
        tracker.said(&json!({"jsonrpc": "2.0", "id": 1, "method": "tools/list", "params": params}).to_string());
        let answer = json!({"jsonrpc": "2.0", "id": 1, "result": {}}).to_string();
        assert_eq!(tracker.heard(&answer), Some("2026-07-28"));
    }

    #[test]
    fn a_server_that_says_that_it_speaks_others_only_settles_nothing() {
        let heard = |versions: Value| {
            let mut tracker = Tracker::default();
            let params = json!({"_meta": {meta::PROTOCOL_VERSION: "2026-07-28"}});
            tracker
                .said(&json!({"jsonrpc": "2.0", "id": 0, "method": "server/discover", "params": params}).to_string());
            tracker.heard(&json!({"jsonrpc": "2.0", "id": 0, "result": {"supportedVersions": versions}}).to_string())
        };
        assert_eq!(heard(json!(["2025-11-25", "2024-11-05"])), None);
        assert_eq!(heard(json!(["2025-11-25", "2026-07-28"])), Some("2026-07-28"));
    }
}
