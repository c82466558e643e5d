//! What the tester itself did to its own requests: which of them it cancelled, and when it ended a session.

use std::collections::HashMap;

use wire::{Content, Id, IdKey, Message};

use super::{Exchange, ExchangeEnd, Session};

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
    let deletes: Vec<(u32, &str)> = session
        .deletes
        .iter()
        .map(|at| &session.exchanges[*at])
        .filter_map(|delete| Some((delete.seq, delete.session_id()?)))
        .collect();
    for exchange in session.exchanges.iter_mut().filter(|exchange| is_overtaken(exchange, &deletes)) {
        exchange.end = ExchangeEnd::Gone { alone: false };
        exchange.failing = true;
    }
}

/// The session that it belongs to was unknown because the tester ended it before the response came.
fn is_overtaken(exchange: &Exchange<'_>, deletes: &[(u32, &str)]) -> bool {
    let over = exchange.closed.map_or(u32::MAX, |closed| closed.seq);
    let crossed = |(at, id): &(u32, &str)| (exchange.seq + 1..over).contains(at) && exchange.session_id() == Some(*id);
    exchange.status.is_some_and(|(status, _)| status == 404) && deletes.iter().any(crossed)
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

#[cfg(test)]
mod tests {
    use serde_json::{Value, json};
    use verdict::{Intent, Revision, Transport};

    use crate::testing::Script;

    const OWN: &[(&str, &str)] = &[("Mcp-Session-Id", "s")];

    /// Whether a request is decided that gets 404 although it was sent before the session with this id was ended.
    fn decided(other: &[(&str, &str)]) -> Vec<bool> {
        let script = Script::over(Transport::Http, Revision::V2025_11_25, json!({}));
        let text = r#"{"jsonrpc":"2.0","id":70,"method":"tools/list"}"#;
        let script = script.request("POST", Intent::Unknown, Value::Null, OWN, text);
        let first = script.last_channel();
        let script = script.head(404, &[]).request("DELETE", None, Value::Null, other, "").respond(204, &[], "");
        let script = script.ends_on(first, None);
        script.look(|view| view.calls("tools/list").map(|case| case.is_decided()).collect())
    }

    #[test]
    fn a_request_that_the_end_of_its_session_overtook_is_undecided() {
        assert_eq!(decided(OWN), [false]);
        assert_eq!(decided(&[("Mcp-Session-Id", "t")]), [true]);
    }
}
