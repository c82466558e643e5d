//! How the server's messages stand on the stream.

use verdict::Transport;
use wire::{Content, Kind};

use super::common::{events, evidence_line, streams};
use crate::view::is_jsonrpc;
use crate::{Case, Collector, Rule, Session, View};

pub(super) const RULE: Rule = Rule {
    name: "sse/messages",
    judges: &["sse.message.event-type", "sse.message.one-json-per-event", "sse.message.response-on-stream"],
    judge,
};

fn judge(view: &View<'_>, collector: &mut Collector) {
    for stream in streams(view) {
        check_kind(&stream, collector);
        check_single(&stream, collector);
        check_responses(&stream, collector);
    }
}

fn check_kind(stream: &Case<'_>, collector: &mut Collector) {
    const ID: &str = "sse.message.event-type";
    for (_, event, frame) in events(stream).filter(|(_, event, _)| *event != Some("endpoint")) {
        let is_message = matches!(event, None | Some("message"));
        if is_jsonrpc(&frame.text) {
            collector.check(ID, is_message, || {
                let mut finding = stream.finding(
                    "A JSON-RPC message arrives as an event of a type other than message, so clients ignore it.",
                    "event: message, or no event field",
                );
                finding.actual = format!("an event of type {}", event.unwrap_or_default());
                finding.wire = vec![evidence_line(frame)];
                finding
            });
        } else if !is_message && frame.text.trim_start().starts_with(['{', '[']) {
            let event = event.unwrap_or_default();
            collector.note(
                ID,
                format!("events of type {event} contain JSON that is not a JSON-RPC message: clients ignore them"),
            );
        }
    }
}

fn check_single(stream: &Case<'_>, collector: &mut Collector) {
    const ID: &str = "sse.message.one-json-per-event";
    let plain = events(stream).filter(|(_, event, _)| matches!(event, None | Some("message")));
    for (_, _, frame) in plain.filter(|(_, _, frame)| !frame.text.is_empty() && frame.dropped == 0) {
        let parsed = wire::parse(frame.text.as_bytes(), &wire::Limits::default());
        let actual = match &parsed.content {
            Content::One(_) => None,
            // Whoever serves arrays in this revision, which it may, answers them so.
            Content::Batch(_) if sends_arrays(stream.session) => None,
            Content::Batch(_) => Some("an array"),
            // Legal, and beyond what we can hold.
            Content::Unreadable(why) if why.is_limit_of_reader() => continue,
            Content::Unreadable(_) => Some("not a single JSON value"),
        };
        collector.check(ID, actual.is_none(), || {
            let mut finding = stream.finding(
                "A message event contains something other than one JSON-RPC message, so clients cannot read it.",
                "one JSON-RPC message in each message event",
            );
            finding.actual = actual.unwrap_or_default().to_owned();
            finding.wire = vec![evidence_line(frame)];
            finding
        });
    }
}

fn sends_arrays(session: &Session<'_>) -> bool {
    session.exchanges.iter().any(|exchange| matches!(exchange.parsed.content, Content::Batch(_)))
}

/// Answers that came, on the stream or in the response to the POST.
fn check_responses(stream: &Case<'_>, collector: &mut Collector) {
    const ID: &str = "sse.message.response-on-stream";
    let (view, session) = (stream.view, stream.session);
    debug_assert_eq!(session.open.transport, Transport::Sse, "only such sessions have streams");
    for exchange in &session.exchanges {
        let case = Case { view, session, exchange };
        // Something posted elsewhere is no message of this client, and a refusal belongs to the POST.
        if case.path().is_some() || case.status().is_some() {
            continue;
        }
        let answers = exchange.answers.iter().filter_map(|at| session.incoming.get(*at));
        let mut answers = answers.filter(|answer| {
            answer.message().is_some_and(|message| matches!(message.kind, Kind::Response | Kind::Error))
        });
        let Some(answer) = answers.next() else { continue };
        collector.check(ID, answer.receive.channel == stream.exchange.send.channel, || {
            let mut finding = case.finding(
                "A response arrives in the body of the POST response instead of on the stream, where clients wait for it.",
                "the response as an event on the client's stream",
            );
            finding.actual = "the response in the body of the POST".to_owned();
            finding
        });
    }
}

#[cfg(test)]
mod tests {
    use serde_json::{Value, json};
    use verdict::{Intent, Revision, Status, Transport};

    use crate::testing::Script;

    const V: Revision = Revision::V2024_11_05;
    const TYPE: &str = "sse.message.event-type";
    const SINGLE: &str = "sse.message.one-json-per-event";
    const STREAM: &str = "sse.message.response-on-stream";
    const NOTICE: &str = r#"{"jsonrpc":"2.0","method":"notifications/tools/list_changed"}"#;

    fn script() -> Script {
        Script::over(Transport::Sse, V, json!({"tools": {"listChanged": true}}))
    }

    #[test]
    fn responses_on_the_stream_pass() {
        let script = script().plain("ping", json!({}), json!({"result": {}}));
        for id in [TYPE, SINGLE, STREAM] {
            assert_eq!(script.status_of(id), Status::Pass, "{id}");
        }
        assert!(script.fails().is_empty(), "{:?}", script.fails());
    }

    #[test]
    fn an_event_without_a_type_is_a_message() {
        assert!(script().tells("", NOTICE).fails_in("sse").is_empty());
        assert_eq!(script().tells("response", NOTICE).fails_in("sse"), [TYPE]);
    }

    #[test]
    fn pings_of_another_type_are_noted_at_most() {
        let script = script().tells("ping", r#"{"time":1}"#).tells("heartbeat", "still here").tells("", "");
        assert!(script.fails().is_empty(), "{:?}", script.fails());
        assert_eq!(script.verdict(TYPE).notes.len(), 1);
    }

    #[test]
    fn arrays_and_several_messages_in_an_event_fail() {
        assert_eq!(script().tells("message", &format!("[{NOTICE}]")).fails_in("sse"), [SINGLE]);
        assert_eq!(script().tells("message", &format!("{NOTICE}\n{NOTICE}")).fails_in("sse"), [SINGLE]);
        assert_eq!(script().tells("message", "hello").fails_in("sse"), [SINGLE]);
        let across =
            script().tells("message", "{\"jsonrpc\":\"2.0\",\n\"method\":\"notifications/tools/list_changed\"}");
        assert!(across.fails_in("sse").is_empty());
    }

    #[test]
    fn an_array_that_answers_an_array_is_served_generously() {
        let batch = r#"[{"jsonrpc":"2.0","id":70,"method":"ping"}]"#;
        let script = script().raw(Intent::Batch, Value::Null, batch).says(r#"[{"jsonrpc":"2.0","id":70,"result":{}}]"#);
        assert!(script.fails_in("sse").is_empty());
    }

    #[test]
    fn a_response_in_the_body_of_the_post_fails() {
        let script =
            script().posting(200).raw(Intent::Unknown, Value::Null, r#"{"jsonrpc":"2.0","id":70,"method":"ping"}"#);
        let script = script.body(r#"{"jsonrpc":"2.0","id":70,"result":{}}"#);
        assert_eq!(script.fails_in("sse"), [STREAM]);
    }

    #[test]
    fn any_body_that_is_no_response_is_fine() {
        let script = script().plain("ping", json!({}), json!({"result": {}})).body("Accepted");
        assert!(script.fails().is_empty(), "{:?}", script.fails());
    }
}
