//! The HTTP headers that a client of each revision owes a server.

use serde_json::Value;
use verdict::transcript::{Headers, Kind};
use verdict::{Era, Revision, Transport};
use wire::Message;

use super::{Channel, Inner, Session};
use crate::transport::Parcel;

impl Inner {
    /// The headers of a POST, with what the scenario wants otherwise.
    pub(super) fn headers(&self, message: Option<&Message>, edits: Vec<(String, Option<String>)>) -> Headers {
        let mut headers = vec![
            ("Content-Type".to_owned(), "application/json".to_owned()),
            ("Accept".to_owned(), "application/json, text/event-stream".to_owned()),
        ];
        headers.extend(self.common(message.and_then(Message::method) == Some("initialize")));
        if self.era == Era::Stateless
            && let Some(message) = message
        {
            headers.extend(mirrored(message));
            headers.extend(self.mirrored_arguments(message));
        }
        for (name, value) in edits {
            headers.retain(|(known, _)| !known.eq_ignore_ascii_case(&name));
            headers.extend(value.map(|value| (name, value)));
        }
        headers
    }

    /// Session, revision, and what the user asked for.
    fn common(&self, opening: bool) -> Headers {
        let mut headers = self.extra_headers.clone();
        if opening {
            return headers;
        }
        if let Some(id) = self.http_session.borrow().as_ref() {
            headers.push(("Mcp-Session-Id".to_owned(), id.clone()));
        }
        if let Some(revision) = self.revision.get().filter(|revision| *revision >= Revision::V2025_06_18) {
            headers.push(("MCP-Protocol-Version".to_owned(), revision.as_str().to_owned()));
        }
        headers
    }
}

/// `Mcp-Method` and `Mcp-Name` of 2026-07-28.
fn mirrored(message: &Message) -> Headers {
    let Some(method) = message.method() else { return Vec::new() };
    let mut headers = vec![("Mcp-Method".to_owned(), field_value(method))];
    let params = message.params();
    let name = match method {
        "tools/call" | "prompts/get" => params.and_then(|params| params.get("name")),
        "resources/read" => params.and_then(|params| params.get("uri")),
        _ => None,
    };
    if let Some(name) = name.and_then(Value::as_str) {
        headers.push(("Mcp-Name".to_owned(), field_value(name)));
    }
    headers
}

/// A value as a header can carry it: visible ASCII as it is, everything else in the Base64 form of the transport page.
pub(crate) fn field_value(text: &str) -> String {
    use base64::Engine as _;
    let plain =
        text.bytes().all(|byte| (0x20..0x7f).contains(&byte)) && text.trim() == text && !text.starts_with("=?base64?");
    if plain && !text.is_empty() {
        return text.to_owned();
    }
    format!("=?base64?{}?=", base64::engine::general_purpose::STANDARD.encode(text))
}

impl Session {
    /// Opens the stream on which a server may send by itself; what comes is recorded and answered.
    pub fn listen(&self) -> u32 {
        let mut headers = vec![("Accept".to_owned(), "text/event-stream".to_owned())];
        headers.extend(self.0.common(false));
        self.bodiless("GET", headers)
    }

    /// Ends the HTTP session and waits for the answer.
    pub(super) async fn delete(&self) {
        let channel = self.bodiless("DELETE", self.0.common(false));
        let closed = async {
            while !self
                .0
                .channels
                .borrow()
                .get(&channel)
                .is_none_or(|channel| channel.closed || channel.status.is_some())
            {
                self.0.heard.notified().await;
            }
        };
        let _ = tokio::time::timeout(self.0.limit, closed).await;
    }

    fn bodiless(&self, method: &'static str, headers: Headers) -> u32 {
        debug_assert!(self.0.transport != Transport::Stdio, "pipes know no {method}");
        let channel = self.0.next_channel.replace(self.0.next_channel.get() + 1);
        self.0.record(channel, b"", None, Some(method), headers.clone());
        self.0.channels.borrow_mut().insert(channel, Channel::default());
        self.0.link.send(Parcel { channel, method, headers, bytes: Vec::new() });
        channel
    }

    /// The status of an exchange, once it is known.
    #[must_use]
    pub fn status(&self, channel: u32) -> Option<u16> {
        self.0.channels.borrow().get(&channel).and_then(|channel| channel.status)
    }

    /// Records an end that no transport tells.
    pub(super) fn add(&self, kind: Kind) -> u32 {
        self.0.recorder.add(self.0.id, kind)
    }
}
