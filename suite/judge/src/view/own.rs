//! What the tester itself did to its own requests: which of them it cancelled, and when it ended a session.

use std::collections::HashMap;

use serde_json::Value;
use wire::{Content, Id, IdKey, Message};

use super::{Exchange, Session};

/// Notes what was cancelled and what ended the session. Looked at once: rules ask it of every exchange.
pub(super) fn note(session: &mut Session<'_>) {
    let mut cancelled: HashMap<IdKey, u32> = HashMap::new();
    for exchange in &session.exchanges {
        if let Some(key) = message(exchange).and_then(cancels) {
            cancelled.entry(key).or_insert(exchange.seq);
        }
    }
    for exchange in session.exchanges.iter_mut().filter(|_| !cancelled.is_empty()) {
        let key = message(exchange).and_then(|message| message.id.as_ref()?.key());
        exchange.cancelled = key.and_then(|key| cancelled.get(&key).copied());
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
    match message.params()?.get("requestId")? {
        Value::String(text) => Id::String(text.clone()).key(),
        Value::Number(number) => Id::Integer(number.to_string()).key(),
        _ => None,
    }
}
