//! Transcripts for the tests of this area.

use serde_json::{Value, json};
use verdict::transcript::Kind;
use verdict::{Intent, Revision, Transport};
use wire::mcp::code;

use crate::testing::Script;

pub(super) const JSON: &[(&str, &str)] = &[("content-type", "application/json")];
pub(super) const SSE: &[(&str, &str)] = &[("content-type", "text/event-stream")];
pub(super) const OWN: &[(&str, &str)] = &[("Mcp-Session-Id", "s1")];

/// An open session `s1`, whose handshake went well.
pub(super) fn open(revision: Revision) -> Script {
    opened(revision, Some("s1"))
}

/// An open session with this id, if any.
pub(super) fn opened(revision: Revision, id: Option<&str>) -> Script {
    let headers = JSON.iter().copied().chain(id.map(|id| ("mcp-session-id", id)));
    let headers = headers.map(|(name, value)| (name.to_owned(), value.to_owned())).collect();
    let script = Script::over(Transport::Http, revision, json!({"tools": {}}));
    let script = script.add(Kind::Status { channel: 1, status: 200, headers }).ends_on(1, None);
    script.add(Kind::Status { channel: 2, status: 202, headers: vec![] }).ends_on(2, None)
}

/// A request as text.
pub(super) fn ask(id: u32, method: &str) -> String {
    json!({"jsonrpc": "2.0", "id": id, "method": method}).to_string()
}

/// An empty result as text.
pub(super) fn result(id: u32) -> String {
    json!({"jsonrpc": "2.0", "id": id, "result": {}}).to_string()
}

/// A notification as text.
pub(super) fn notice(method: &str) -> String {
    json!({"jsonrpc": "2.0", "method": method}).to_string()
}

/// An error without id as text.
pub(super) fn error(why: &str) -> String {
    json!({"jsonrpc": "2.0", "error": {"code": code::INVALID_REQUEST, "message": why}}).to_string()
}

impl Script {
    /// A ping of this session with a probe, and the whole response.
    pub(super) fn ping(self, id: u32, intent: impl Into<Option<Intent>>, about: Value, response: (u16, &str)) -> Self {
        let script = self.request("POST", intent, about, OWN, &ask(id, "ping"));
        script.respond(response.0, if response.1.is_empty() { &[] } else { JSON }, response.1)
    }

    /// A request of this session that is answered with a stream of these messages, which ends.
    pub(super) fn streamed(self, id: u32, events: &[&str]) -> Self {
        let script = self.request("POST", None, Value::Null, OWN, &ask(id, "tools/list")).head(200, SSE);
        events.iter().fold(script, |script, data| script.sse(data)).ends()
    }
}
