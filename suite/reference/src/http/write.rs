//! How messages become events: ids to come back with, a first event that tells one, comments that keep a line open.

use std::sync::Arc;

use super::replay::{Name, Position};
use crate::Revision;
use crate::core::Server;
use crate::deviation::Deviation;

/// How long a client is to wait before it comes back, in milliseconds.
const RETRY: u32 = 20;

/// Writes the events of one stream.
pub(super) struct Writer {
    server: Arc<Server>,
    /// The position of the last event, where events have ids.
    position: Option<Position>,
    revision: Option<Revision>,
    primes: bool,
    /// Ends the connection once the client can come back.
    polls: bool,
    done: bool,
    /// An error was sent.
    failed: bool,
}

impl Writer {
    /// Events without ids.
    pub(super) fn plain(server: &Arc<Server>) -> Self {
        Self {
            server: server.clone(),
            position: None,
            revision: None,
            primes: false,
            polls: false,
            done: false,
            failed: false,
        }
    }

    /// A stream that can be resumed, from its beginning.
    pub(super) fn new(server: &Arc<Server>, revision: Option<Revision>, stream: Name) -> Self {
        let mut writer = Self::resumed(server, revision, Position { stream, count: 0 });
        let (answers, polling) = (matches!(stream, Name::Answer(_)), revision >= Some(Revision::V2025_11_25));
        writer.primes = writer.position.is_some()
            && answers
            && (polling || server.deviates(Deviation::PrimesOlderClients))
            && !server.deviates(Deviation::NeverPrimes);
        // The first payload is initialize, and the client has no session to come back to until it is answered.
        let later = answers && stream != Name::Answer(1);
        writer.polls =
            later && writer.primes && (server.quirk("polling") || server.deviates(Deviation::ClosesWithoutRetry));
        writer.done = later && server.deviates(Deviation::ClosesBeforeFirstId);
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
        Self { server: server.clone(), position, revision, primes: false, polls: false, done: false, failed: false }
    }

    /// The event that goes before all others.
    pub(super) fn opening(&mut self) -> Option<Vec<u8>> {
        let position = self.position.filter(|_| std::mem::take(&mut self.primes) && !self.done)?;
        self.done = self.polls;
        let id = self.id(position);
        let retry = match () {
            () if self.server.deviates(Deviation::ClosesWithoutRetry) => String::new(),
            () if self.server.deviates(Deviation::RetryHasUnit) => format!("retry: {RETRY}ms\n"),
            () => format!("retry: {RETRY}\n"),
        };
        Some(format!("id: {id}\n{retry}data:\n\n").into_bytes())
    }

    fn id(&self, position: Position) -> String {
        if self.server.deviates(Deviation::EventIdsRestart) {
            return position.count.to_string();
        }
        if self.server.deviates(Deviation::EventIdsBeyondAscii) {
            return format!("é-{position}");
        }
        position.to_string()
    }

    /// A message as event; none for one that a fault keeps back.
    pub(super) fn event(&mut self, text: &str) -> Option<Vec<u8>> {
        let responds = is_response(text);
        self.failed |= responds && text.contains("\"error\":");
        // Only the answer to initialize, the first payload of a session, is left alone: without it nothing is to be seen.
        let answers = match self.position.map(|position| position.stream) {
            Some(Name::Answer(number)) => number > 1,
            Some(Name::Listening(_)) => false,
            None => !text.contains("supportedVersions") && !text.contains("protocolVersion"),
        };
        if responds && answers && self.server.deviates(Deviation::StreamsLackResponse) {
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
        if self.server.deviates(Deviation::EventsHaveType) {
            event.push_str("event: mcp\n");
        }
        let data = match () {
            () if self.server.deviates(Deviation::EventsHoldArrays) => format!("[{text}]"),
            () if self.server.deviates(Deviation::EventsHoldTwoMessages) && answers => format!("{text}\ndata: {text}"),
            () => text.to_owned(),
        };
        event.push_str(&format!("data: {data}\n\n"));
        event.push_str(&self.late_priming());
        Some(if self.server.deviates(Deviation::WritesLatin1) { latin_1(&event) } else { event.into_bytes() })
    }

    /// Closes the connection after this event, where that is wanted, and says when to come back.
    fn ending(&mut self, position: Position, responds: bool) -> String {
        let unasked = self.server.deviates(Deviation::GetClosesWithoutRetry);
        if matches!(position.stream, Name::Listening(_)) {
            self.done = self.server.quirk("short-gets") || unasked;
        } else if self.server.deviates(Deviation::ClosesAfterFirstEvent) && !responds {
            self.done = position.stream != Name::Answer(1);
        }
        let tells = self.done && self.revision >= Some(Revision::V2025_11_25) && !unasked;
        if tells { format!("retry: {RETRY}\n") } else { String::new() }
    }

    /// Returns the events that deviations send before a message.
    fn before(&self, text: &str, responds: bool) -> String {
        let server = &self.server;
        let mut before: Vec<String> = Vec::new();
        if server.deviates(Deviation::SendsOtherText) {
            before.push("still here".to_owned());
        }
        if server.deviates(Deviation::SendsListChangesOnResponses) {
            before.push(r#"{"jsonrpc":"2.0","method":"notifications/tools/list_changed"}"#.to_owned());
        }
        if server.deviates(Deviation::SendsForeignProgress) {
            before.extend(self.foreign_progress(text, responds));
        }
        if server.deviates(Deviation::SendsForeignResponses) && responds {
            let recent = server.state().recent.replace(text.to_owned());
            before.extend(recent.filter(|recent| recent != text));
        }
        before.into_iter().map(|data| format!("data: {data}\n\n")).collect()
    }

    /// The progress of another request, to stand before a response.
    fn foreign_progress(&self, text: &str, responds: bool) -> Option<String> {
        let mut state = self.server.state();
        let token = state.token.clone();
        let own = text.contains("notifications/progress");
        if own {
            state.token = Some(text.to_owned());
        }
        token.filter(|_| !own && responds)
    }

    fn late_priming(&self) -> String {
        let late = self.server.settings.deviates(Deviation::PrimesLate);
        let first = self.position.filter(|position| late && position.count == 1);
        first.map_or(String::new(), |position| format!("id: {}-late\ndata:\n\n", self.id(position)))
    }

    /// Whether the responses to a batch are sent one by one, and not all of them.
    pub(super) fn cuts_batches(&self) -> bool {
        self.server.deviates(Deviation::BatchStreamsEndEarly)
    }

    /// Whether the connection ends here.
    pub(super) fn is_done(&self) -> bool {
        self.done
    }

    /// Whether the stream stays open when there is nothing more to come.
    pub(super) fn lingers(&self) -> bool {
        self.server.deviates(Deviation::StreamsStayOpen)
            || self.failed && self.server.deviates(Deviation::FailedStreamsStayOpen)
    }
}

/// Characters as Latin-1 has them, and a question mark for those that it has not.
pub(crate) fn latin_1(text: &str) -> Vec<u8> {
    text.chars().map(|character| u8::try_from(u32::from(character)).unwrap_or(0xbf)).collect()
}

/// A response, by its text: the core writes its members in this order.
fn is_response(text: &str) -> bool {
    !text.contains("\"method\":") && (text.contains("\"result\":") || text.contains("\"error\":"))
}
