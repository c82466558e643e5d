//! What the tester itself did to its own requests: which of them it cancelled, and when it ended a session.

use std::collections::HashMap;

use wire::{Content, Id, IdKey, Message};

use super::{Exchange, Session};

/// Notes what was cancelled and what ended the session. Looked at once: rules ask it of every exchange.
pub(super) fn note(session: &mut Session<'_>) {
    let mut cancelled: HashMap<IdKey, Vec<u32>> = HashMap::new();
    for exchange in &session.exchanges {
        for key in exchange.parsed.messages().iter().filter_map(cancels) {
            cancelled.entry(key).or_default().push(exchange.seq);
        }
    }
    for exchange in session.exchanges.iter_mut().filter(|_| !cancelled.is_empty()) {
        let key = message(exchange).and_then(|message| message.id.as_ref()?.key());
        // One that was sent before the request called off another with the same id.
        let later = key.and_then(|key| cancelled.get(&key)?.iter().find(|at| **at > exchange.seq));
        exchange.cancelled = later.copied();
    }
    let ends = |exchange: &Exchange<'_>| exchange.send.http.as_deref() == Some("DELETE");
    session.deletes = (0..session.exchanges.len()).filter(|at| ends(&session.exchanges[*at])).collect();
}

fn message<'v>(exchange: &'v Exchange<'_>) -> Option<&'v Message> {
    match &exchange.parsed.content {
        Content::One(message) => Some(message),
        _ => None,
    }
}

/// The id of the request that a message cancels.
fn cancels(message: &Message) -> Option<IdKey> {
    if message.method() != Some("notifications/cancelled") {
        return None;
    }
    Id::from_raw(&message.params()?.get("requestId")?.to_string()).key()
}
