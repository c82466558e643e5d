//! How messages become events: ids to come back with, a first event that tells one, comments that keep a line open.

use std::sync::Arc;

use super::replay::{Name, Position};
use super::wrong;
use crate::Revision;
use crate::core::Server;

/// How long a client is to wait before it comes back, in milliseconds.
const RETRY: u32 = 20;

/// Writes the events of one stream.
pub(super) struct Writer {
    server: Arc<Server>,
    /// What has been written, where events have ids.
    position: Option<Position>,
    revision: Option<Revision>,
    primes: bool,
    /// Ends the connection once the client can come back.
    polls: bool,
    done: bool,
}

impl Writer {
    /// Events without ids.
    pub(super) fn plain(server: &Arc<Server>) -> Self {
        Self { server: server.clone(), position: None, revision: None, primes: false, polls: false, done: false }
    }

    /// A stream that can be resumed, from its beginning.
    pub(super) fn new(server: &Arc<Server>, revision: Option<Revision>, stream: Name) -> Self {
        let mut writer = Self::resumed(server, revision, Position { stream, count: 0 });
        let (answers, polling) = (matches!(stream, Name::Answer(_)), revision >= Some(Revision::V2025_11_25));
        writer.primes = writer.position.is_some()
            && answers
            && (polling || server.faulty("http.sse.no-priming-for-older"))
            && !server.faulty("http.sse.priming-event");
        // The first payload is initialize, and the client has no session to come back to until it is answered.
        let later = answers && stream != Name::Answer(1);
        writer.polls =
            later && writer.primes && (server.quirk("polling") || server.faulty("http.sse.retry-before-close"));
        writer.done = later && server.faulty("http.sse.close-only-after-id");
        writer
    }

    /// Ends the connection after the first event; `false` where a client could not come back.
    pub(super) fn breaks_off(&mut self) -> bool {
        self.polls |= self.primes;
        self.polls
    }

    /// The rest of a stream.
    pub(super) fn resumed(server: &Arc<Server>, revision: Option<Revision>, from: Position) -> Self {
        let position = (!server.quirk("no-event-ids")).then_some(from);
        Self { server: server.clone(), position, revision, primes: false, polls: false, done: false }
    }

    /// The event that goes before all others.
    pub(super) fn opening(&mut self) -> Option<Vec<u8>> {
        let position = self.position.filter(|_| std::mem::take(&mut self.primes) && !self.done)?;
        self.done = self.polls;
        let id = self.id(position);
        let retry = match () {
            () if self.server.faulty("http.sse.retry-before-close") => String::new(),
            () if self.server.faulty("http.sse.retry-is-number") => format!("retry: {RETRY}ms\n"),
            () => format!("retry: {RETRY}\n"),
        };
        Some(format!("id: {id}\n{retry}data:\n\n").into_bytes())
    }

    fn id(&self, position: Position) -> String {
        if self.server.faulty("http.resume.event-id-unique") {
            return position.count.to_string();
        }
        if self.server.faulty("http.resume.event-id-header-safe") {
            return format!("é-{position}");
        }
        position.to_string()
    }

    /// A message as event; none for one that a fault keeps back.
    pub(super) fn event(&mut self, text: &str) -> Option<Vec<u8>> {
        let responds = is_response(text);
        // Only the answer to initialize, the first payload of a session, is left alone: without it nothing is to be seen.
        let answers = match self.position.map(|position| position.stream) {
            Some(Name::Answer(number)) => number > 1,
            Some(Name::Listening(_)) => false,
            None => !text.contains("supportedVersions") && !text.contains("protocolVersion"),
        };
        if responds && answers && self.server.faulty("http.sse.response-arrives") {
            self.done = true;
            return None;
        }
        let mut event = self.before(text, responds);
        if self.server.quirk("comments") {
            event.push_str(": still here\n\n");
        }
        if let Some(position) = &mut self.position {
            position.count += 1;
            let position = *position;
            event.push_str(&format!("id: {}\n", self.id(position)));
            event.push_str(&self.ending(position, responds));
        }
        if self.server.faulty("http.sse.event-type") {
            event.push_str("event: mcp\n");
        }
        let data = match self.server.settings.variant("http.sse.one-message-per-event") {
            Some("array") => format!("[{text}]"),
            Some("halves") if answers => format!("{text}\ndata: {text}"),
            _ => text.to_owned(),
        };
        event.push_str(&format!("data: {data}\n\n"));
        event.push_str(&self.late_priming());
        Some(if self.server.faulty("http.response.utf8") { wrong::latin_1(&event) } else { event.into_bytes() })
    }

    /// Closes the connection after this event, where that is wanted, and says when to come back.
    fn ending(&mut self, position: Position, responds: bool) -> String {
        let unasked = self.server.faulty("http.get.retry-before-close");
        if matches!(position.stream, Name::Listening(_)) {
            self.done = self.server.quirk("short-gets") || unasked;
        } else if self.server.faulty("http.sse.no-early-close") && !responds {
            self.done = position.stream != Name::Answer(1);
        }
        let tells = self.done && self.revision >= Some(Revision::V2025_11_25) && !unasked;
        if tells { format!("retry: {RETRY}\n") } else { String::new() }
    }

    /// What faults send before a message.
    fn before(&self, text: &str, responds: bool) -> String {
        let mut before = String::new();
        for fault in self.server.settings.faults() {
            let data = match (fault.id, fault.variant) {
                ("http.sse.one-message-per-event", "") => Some("still here".to_owned()),
                ("http.sse.related-messages", "") => {
                    Some(r#"{"jsonrpc":"2.0","method":"notifications/tools/list_changed"}"#.to_owned())
                }
                ("http.sse.related-messages", _) => {
                    let mut state = self.server.state();
                    let token = state.token.clone();
                    let own = text.contains("notifications/progress");
                    if own {
                        state.token = Some(text.to_owned());
                    }
                    token.filter(|_| !own && responds)
                }
                ("http.sse.only-own-response", _) if responds => {
                    self.server.state().recent.replace(text.to_owned()).filter(|recent| recent != text)
                }
                _ => None,
            };
            if let Some(data) = data {
                before.push_str(&format!("data: {data}\n\n"));
            }
        }
        before
    }

    fn late_priming(&self) -> String {
        let late = self.server.settings.faulty_as("http.sse.priming-event", "late");
        let first = self.position.filter(|position| late && position.count == 1);
        first.map_or(String::new(), |position| format!("id: {}-late\ndata:\n\n", self.id(position)))
    }

    /// Whether the responses to a batch are sent one by one, and not all of them.
    pub(super) fn cuts_batches(&self) -> bool {
        self.server.faulty("http.batch.stream-answers-all")
    }

    /// Whether the connection ends here.
    pub(super) fn is_done(&self) -> bool {
        self.done
    }

    /// Whether the stream stays open when there is nothing more to come.
    pub(super) fn lingers(&self) -> bool {
        self.server.faulty("http.sse.closes-after-response")
    }
}

/// A response, by its text: the core writes its members in this order.
fn is_response(text: &str) -> bool {
    !text.contains("\"method\":") && (text.contains("\"result\":") || text.contains("\"error\":"))
}
