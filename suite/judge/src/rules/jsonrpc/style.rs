//! How errors are worded and messages written. Passive, and quiet: one finding for each kind of fault.

use verdict::Finding;
use wire::{Kind, Message};

use super::common::{frame, is_page};
use crate::{Collector, Incoming, Rule, Session, View};

pub(super) const RULE: Rule =
    Rule { name: "jsonrpc/style", judges: &["jsonrpc.error.message-concise", "jsonrpc.message.unique-members"], judge };

/// Characters that a sentence may have.
const LONG: usize = 300;

/// Bytes that no message shares with a request by chance.
const ECHO: usize = 32;

fn judge(view: &View<'_>, collector: &mut Collector) {
    for (session, incoming) in view.incoming().filter(|(session, incoming)| !is_page(session, incoming)) {
        check_concise(session, incoming, collector);
        check_unique(incoming, collector);
    }
}

fn check_concise(session: &Session<'_>, incoming: &Incoming<'_>, collector: &mut Collector) {
    let error = incoming.message().filter(|message| message.kind == Kind::Error);
    let Some(text) = error.and_then(Message::error_message) else { return };
    let fault = if text.trim().is_empty() {
        Some(("The message of an error is empty.", "an empty message"))
    } else if text.trim_end().contains(['\n', '\r']) {
        Some(("The message of an error has several lines; details belong in data.", "a message of several lines"))
    } else if text.chars().count() > LONG && !is_echo(session, incoming, text) {
        Some(("The message of an error is long; details belong in data.", "a message of more than 300 characters"))
    } else {
        None
    };
    match fault {
        None => collector.witness("jsonrpc.error.message-concise"),
        Some((message, actual)) => {
            let finding = frame(incoming, message, "one concise sentence", actual);
            collector.fail("jsonrpc.error.message-concise", Finding { place: None, ..finding });
        }
    }
}

/// The length is the tester's own: the message repeats some of the request.
fn is_echo(session: &Session<'_>, incoming: &Incoming<'_>, text: &str) -> bool {
    let Some(exchange) = incoming.answers.and_then(|at| session.exchanges.get(at)) else { return false };
    let ends = text.char_indices().map(|(at, _)| at).step_by(8);
    ends.filter_map(|at| text.get(at..at + ECHO)).any(|part| exchange.send.text.contains(part))
}

fn check_unique(incoming: &Incoming<'_>, collector: &mut Collector) {
    if incoming.message().is_some() {
        collector.check("jsonrpc.message.unique-members", incoming.parsed.duplicates.is_empty(), || {
            let place = incoming.parsed.duplicates.first().map(String::as_str).unwrap_or_default();
            let finding = frame(
                incoming,
                "An object repeats a member name, and parsers differ in which value they take.",
                "each member name once per object",
                "a repeated member name",
            );
            Finding { place: Some(place.chars().take(120).collect()), ..finding }
        });
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;
    use verdict::{Intent, Revision, Status};

    use crate::testing::Script;

    const CONCISE: &str = "jsonrpc.error.message-concise";

    fn worded(text: &str) -> Script {
        let answer = json!({"error": {"code": -32602, "message": text}});
        Script::new(Revision::V2025_11_25, json!({})).plain("x/y", json!({}), answer)
    }

    #[test]
    fn a_sentence_passes() {
        assert!(worded("Unknown tool: é").fails_in("jsonrpc").is_empty());
        assert!(worded("ends with a line feed\n").fails_in("jsonrpc").is_empty());
        assert_eq!(worded("x").status_of(CONCISE), Status::Pass);
    }

    #[test]
    fn empty_long_and_many_lines_fail_once_each() {
        for text in [" ", "two\nlines", &"x".repeat(301)] {
            assert_eq!(worded(text).fails_in("jsonrpc"), [CONCISE]);
        }
        let again = worded("a\nb").plain("x/z", json!({}), json!({"error": {"code": 1, "message": "c\nd"}}));
        assert_eq!(again.verdict(CONCISE).findings.len(), 1);
    }

    #[test]
    fn a_long_message_that_repeats_the_request_passes() {
        let name = "x".repeat(400);
        let answer = json!({"error": {"code": -32602, "message": format!("Unknown tool: {name}")}});
        let script = Script::new(Revision::V2025_11_25, json!({})).plain("x/y", json!({"name": name}), answer);
        assert!(!script.fails_in("jsonrpc").contains(&CONCISE));
    }

    #[test]
    fn a_repeated_member_is_advice() {
        let script = Script::new(Revision::V2025_11_25, json!({})).unanswered(Intent::Unknown, "ping", json!({}));
        let script = script.says(r#"{"jsonrpc":"2.0","id":2,"result":{"a":1,"a":2}}"#);
        assert_eq!(script.fails_in("jsonrpc"), ["jsonrpc.message.unique-members"]);
        assert_eq!(worded("x").status_of("jsonrpc.message.unique-members"), Status::Pass);
    }
}
