//! The HTTP headers that a client of each revision owes a server.

use serde_json::Value;
use verdict::transcript::{Headers, Kind};
use wire::Message;

use super::draft::Draft;
use super::{Inner, Session};

impl Inner {
    /// The headers of a POST, with what the scenario wants otherwise.
    pub(super) fn headers(&self, message: Option<&Message>, draft: &Draft) -> Headers {
        let mut headers = vec![
            ("Content-Type".to_owned(), "application/json".to_owned()),
            ("Accept".to_owned(), "application/json, text/event-stream".to_owned()),
        ];
        let opening = message.and_then(Message::method) == Some("initialize");
        headers.extend(self.common(opening || draft.outsider));
        if draft.outsider && self.is_stateless() {
            headers.push(("MCP-Protocol-Version".to_owned(), self.client.get().as_str().to_owned()));
        }
        if self.is_stateless()
            && let Some(message) = message
        {
            headers.extend(mirrored(message));
            headers.extend(self.mirrored_arguments(message));
        }
        draft.apply(headers)
    }

    /// Returns the user's headers and, unless the request opens the session, the headers for its id and its revision.
    pub(super) fn common(&self, opening: bool) -> Headers {
        let mut headers = self.settings.headers.clone();
        if opening {
            return headers;
        }
        let server = self.server.borrow();
        if let Some(id) = &server.http_session {
            headers.push(("Mcp-Session-Id".to_owned(), id.clone()));
        }
        if let Some(revision) = server.revision.filter(|revision| revision.traits().version_header) {
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
        // The extension for tasks has it so.
        "tasks/get" | "tasks/update" | "tasks/cancel" => params.and_then(|params| params.get("taskId")),
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
    /// Ends the HTTP session, and those that outsiders were given, and waits for the answers.
    pub(super) async fn delete(&self) {
        let mut channels = Vec::new();
        if self.http_session().is_some() {
            channels.push(self.http("DELETE").start());
        }
        let guests = std::mem::take(&mut self.0.server.borrow_mut().guests);
        for guest in guests {
            channels.push(self.http("DELETE").bare_headers().header("Mcp-Session-Id", Some(&guest)).start());
        }
        let closed = async {
            while !channels.iter().all(|channel| self.0.in_flight.borrow().has_begun(*channel)) {
                self.0.heard.notified().await;
            }
        };
        let _ = tokio::time::timeout(self.limit(), closed).await;
    }

    /// The status of an exchange, once it is known.
    #[must_use]
    pub fn status(&self, channel: u32) -> Option<u16> {
        self.0.in_flight.borrow().channel(channel).and_then(|channel| channel.status)
    }

    /// Records an end that no transport tells.
    pub(crate) fn add(&self, kind: Kind) -> u32 {
        self.0.recorder.add(self.0.id.get(), kind)
    }
}
