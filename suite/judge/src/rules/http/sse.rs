//! Rules about the events of streams: one message each, of the default type, and only messages that belong to the request.

use std::collections::HashSet;
use verdict::Batching;

use serde_json::Value;
use wire::{Content, IdKey, Message};

use super::common::{Event, Posted, events, has_odd_id, is_stream, posted};
use crate::{Case, Collector, Rule, View};

pub(super) const RULE: Rule = Rule {
    name: "http/sse",
    judges: &[
        "http.sse.one-message-per-event",
        "http.sse.event-type",
        "http.sse.retry-is-number",
        "http.sse.only-own-response",
        "http.sse.related-messages",
    ],
    judge,
};

const ONE: &str = RULE.judges[0];
const TYPE: &str = RULE.judges[1];
const RETRY: &str = RULE.judges[2];
const OWN: &str = RULE.judges[3];
const RELATED: &str = RULE.judges[4];

fn judge(view: &View<'_>, collector: &mut Collector) {
    for case in view.cases().filter(is_stream) {
        events(&case).filter(|event| is_whole(event)).for_each(|event| check_form(&case, &event, collector));
        let batch = matches!(case.exchange.parsed.content, Content::Batch(_));
        if (posted(&case) == Posted::Request || batch) && !has_odd_id(&case) {
            check_own(&case, collector);
            check_related(&case, collector);
        }
    }
}

fn is_whole(event: &Event<'_>) -> bool {
    let cut = event.oddities.iter().any(|oddity| oddity == "Unfinished" || oddity.starts_with("OverLimit"));
    !cut && event.incoming.receive.dropped == 0
}

fn check_form(case: &Case<'_>, event: &Event<'_>, collector: &mut Collector) {
    if event.oddities.iter().any(|oddity| oddity.starts_with("BadRetry")) {
        let message = "A retry field contains something other than digits, so clients ignore it.";
        collector.fail(RETRY, shown_finding(case, event, message, "a whole number of milliseconds"));
    } else if event.retry.is_some() {
        collector.witness(RETRY);
    }
    // Legal, and beyond what we can hold.
    let beyond_us = matches!(&event.incoming.parsed.content, Content::Unreadable(why) if why.is_limit_of_reader());
    if event.data().is_empty() || beyond_us {
        return;
    }
    let array = matches!(event.incoming.parsed.content, Content::Batch(_));
    let object = event.incoming.message().is_some_and(|message| message.is_object()) && !array;
    if event.is_message() {
        let batches =
            array && event.incoming.element.is_some() && collector.revision().traits().batching == Batching::Required;
        collector.check(ONE, object || batches, || {
            shown_finding(
                case,
                event,
                "An event of the type that carries messages does not contain a single JSON-RPC message.",
                "one message as the data of each event",
            )
        });
        collector.witness(TYPE);
    } else if object && event.incoming.message().is_some_and(|message| message.member("jsonrpc").is_some()) {
        let message = "Messages are sent in events of a custom type, which standard SSE parsers do not deliver.";
        collector.fail(TYPE, shown_finding(case, event, message, "events without a type or with the type message"));
    } else {
        collector.note(ONE, "there are events of a type other than message, which clients ignore");
    }
}

fn shown_finding(case: &Case<'_>, event: &Event<'_>, message: &str, expected: &str) -> verdict::Finding {
    let mut finding = case.finding(message, expected);
    finding.actual = match (event.oddities.iter().find(|oddity| oddity.starts_with("BadRetry")), event.kind) {
        (Some(_), _) => "a different retry value".to_owned(),
        (None, Some(kind)) if !event.is_message() => {
            format!("events with the type {}", kind.chars().take(40).collect::<String>())
        }
        _ if matches!(event.incoming.parsed.content, Content::Batch(_)) => "an array".to_owned(),
        _ => "an event with different data".to_owned(),
    };
    finding.tool = None;
    if !finding.wire.contains(&event.incoming.wire()) {
        finding.wire.push(event.incoming.wire());
    }
    finding
}

fn keys(messages: &[Message]) -> HashSet<IdKey> {
    let asks = |message: &&Message| message.method().is_some();
    messages.iter().filter(asks).filter_map(|message| message.id.as_ref().and_then(wire::Id::key)).collect()
}

/// Responses to other requests of the session. (One that answers nothing at all is another matter.)
fn check_own(case: &Case<'_>, collector: &mut Collector) {
    let posted = keys(case.exchange.parsed.messages());
    let elsewhere: HashSet<IdKey> =
        case.session.exchanges.iter().flat_map(|other| keys(other.parsed.messages())).collect();
    for incoming in case.received() {
        let Some(message) = incoming.message().filter(|message| message.is_answer()) else { continue };
        let Some(key) = message.id.as_ref().and_then(wire::Id::key) else { continue };
        if posted.contains(&key) {
            collector.witness(OWN);
        } else if elsewhere.contains(&key) {
            let message =
                "The stream that answers one request carries the response to another, where no client looks for it.";
            let mut finding = case.finding(message, "only the response to the request that opened the stream");
            "the response to another request".clone_into(&mut finding.actual);
            finding.wire.push(incoming.wire());
            collector.fail(OWN, finding);
        }
    }
}

/// Notifications that cannot be about the request.
fn check_related(case: &Case<'_>, collector: &mut Collector) {
    // What a subscription carries is what was subscribed to.
    if case.method() == Some("subscriptions/listen") {
        return;
    }
    let own = tokens(case.exchange.parsed.messages());
    let calls = case.exchange.parsed.messages().iter().any(|message| message.method() == Some("tools/call"));
    for incoming in case.received() {
        let Some(method) = incoming.method() else { continue };
        let foreign = match method {
            "notifications/progress" => {
                let token = incoming.message().and_then(token_of);
                token.as_ref().is_some_and(|token| !own.contains(token) && is_another(case, token))
            }
            "notifications/tools/list_changed"
            | "notifications/prompts/list_changed"
            | "notifications/resources/list_changed"
            | "notifications/resources/updated" => {
                if calls {
                    collector.note(
                        RELATED,
                        format!("{method} arrives on the stream of a tool call; the tool may have caused it"),
                    );
                    continue;
                }
                true
            }
            _ => false,
        };
        collector.check(RELATED, !foreign, || {
            let mut finding = case.finding(
                "The stream that answers a request carries a message unrelated to that request.",
                "unrelated messages on the GET stream",
            );
            finding.actual = format!("{method} on the stream of another request");
            finding.wire.push(incoming.wire());
            finding
        });
    }
}

/// The progress tokens that requests carry.
pub(super) fn tokens(messages: &[Message]) -> HashSet<String> {
    let token = |message: &Message| Some(message.params()?.get("_meta")?.get("progressToken")?.to_string());
    messages.iter().filter_map(token).collect()
}

/// A call that is to be a task: its progress may come on any stream, whenever.
pub(super) fn is_task(message: &Message) -> bool {
    message.params().is_some_and(|params| params.get("task").is_some())
}

/// The token of a progress notification.
pub(super) fn token_of(message: &Message) -> Option<String> {
    message.params().and_then(|params| params.get("progressToken")).map(Value::to_string)
}

fn is_another(case: &Case<'_>, token: &str) -> bool {
    case.session.exchanges.iter().any(|other| {
        let messages = other.parsed.messages();
        tokens(messages).contains(token) && !messages.iter().any(is_task)
    })
}

#[cfg(test)]
mod tests {
    use serde_json::json;
    use verdict::transcript::{Kind, Receive, Via};
    use verdict::{Level, Revision, Status};

    use super::super::scripts::{OWN as HEADERS, SSE, ask, notice, open, result};
    use super::*;
    use crate::testing::Script;

    const REV: Revision = Revision::V2025_11_25;

    fn with(kind: Option<&str>, oddities: &[&str], data: &str) -> Script {
        let script = open(REV).request("POST", None, Value::Null, HEADERS, &ask(7, "tools/list")).head(200, SSE);
        let channel = script.last_channel();
        let oddities = oddities.iter().map(|oddity| (*oddity).to_owned()).collect();
        let via = Via::Sse { event: kind.map(Into::into), id: None, retry: None, oddities };
        script.add(Kind::Receive(Receive { channel, text: data.into(), via, dropped: 0, not_utf8: false })).ends()
    }

    #[test]
    fn messages_comments_and_events_with_empty_data_pass() {
        let script = open(REV).streamed(7, &["", &notice("notifications/message"), &result(7)]);
        assert!([ONE, TYPE, OWN, RELATED].iter().all(|id| script.status_of(id) == Status::Pass));
        assert!(script.fails_in("http").is_empty(), "{:?}", script.fails_in("http"));
    }

    #[test]
    fn changes_are_what_a_subscription_carries() {
        let told = |method: &str| {
            let script = Script::over(verdict::Transport::Http, Revision::V2026_07_28, json!({"tools": {}}));
            let script =
                script.request("POST", None, serde_json::Value::Null, &[], &super::super::scripts::ask(7, method));
            let script = script.head(200, super::super::scripts::SSE);
            script.sse(&notice("notifications/tools/list_changed")).status_of("http.sse.related-messages")
        };
        assert_eq!(told("tools/list"), Status::Fail);
        assert_ne!(told("subscriptions/listen"), Status::Fail);
    }

    #[test]
    fn other_data_and_arrays_fail() {
        assert!(with(None, &[], "still here").fails().contains(&ONE));
        assert!(with(Some("message"), &[], &format!("[{}]", result(7))).fails().contains(&ONE));
        let old = open(Revision::V2025_03_26).streamed(7, &[&format!("[{}]", result(7))]);
        assert!(!old.fails().contains(&ONE));
        assert!(!with(None, &["Unfinished"], "{\"json").fails().contains(&ONE));
    }

    #[test]
    fn other_types_are_noted_unless_they_hold_messages() {
        assert_eq!(with(Some("ping"), &[], "1").verdict(ONE).notes.len(), 1);
        let script = with(Some("mcp"), &[], &result(7));
        assert_eq!((script.verdict(TYPE).status, script.verdict(TYPE).level), (Status::Fail, Level::Advice));
    }

    #[test]
    fn a_retry_with_a_unit_fails() {
        assert!(with(None, &["BadRetry(\"2s\")"], "").fails().contains(&RETRY));
    }

    #[test]
    fn the_response_to_another_request_fails() {
        let script = open(REV).ping(6, None, Value::Null, (200, &result(6)));
        assert!(script.streamed(7, &[&result(6), &result(7)]).fails().contains(&OWN));
        // An id that nobody used is judged elsewhere.
        assert!(!open(REV).streamed(7, &[&result(99), &result(7)]).fails().contains(&OWN));
    }

    #[test]
    fn list_changes_and_foreign_progress_fail_but_for_tool_calls() {
        let changed = notice("notifications/tools/list_changed");
        assert!(open(REV).streamed(7, &[&changed, &result(7)]).fails().contains(&RELATED));
        let script = open(REV).request("POST", None, Value::Null, HEADERS, &ask(7, "tools/call")).head(200, SSE);
        let script = script.sse(&changed).sse(&result(7)).ends();
        assert_eq!((script.fails_in("http"), script.verdict(RELATED).notes.len()), (vec![], 1));
        let call = |id: u32, token: &str| {
            json!({"jsonrpc": "2.0", "id": id, "method": "tools/call", "params": {"_meta": {"progressToken": token}}})
                .to_string()
        };
        let progress = json!({"jsonrpc": "2.0", "method": "notifications/progress", "params": {"progressToken": "a", "progress": 1}});
        let script = open(REV).request("POST", None, Value::Null, HEADERS, &call(7, "a")).head(200, SSE);
        let script = script.sse(&progress.to_string()).sse(&result(7)).ends();
        assert_eq!(script.status_of(RELATED), Status::Pass);
        let script = script.request("POST", None, Value::Null, HEADERS, &call(8, "b")).head(200, SSE);
        assert!(script.sse(&progress.to_string()).sse(&result(8)).ends().fails().contains(&RELATED));
    }
}
