//! How a posted request is answered: its status, the type of the body, and what is in it. Read from all traffic.

use verdict::Intent;
use verdict::transcript::Via;
use wire::Content;

use super::common::{Posted, STREAM, is_given_up, is_success, posted};
use crate::rules::own_doing::is_after_end;
use crate::{Case, Collector, Rule, View};

pub(super) const RULE: Rule = Rule {
    name: "http/post",
    judges: &[
        "http.post.reply-content-type",
        "http.post.reply-json-object",
        "http.post.reply-status-2xx",
        "http.post.never-202-for-request",
        "http.endpoint.post",
    ],
    judge,
};

const TYPE: &str = RULE.judges[0];
const OBJECT: &str = RULE.judges[1];
const STATUS: &str = RULE.judges[2];
const ACCEPTED: &str = RULE.judges[3];
const ROUTE: &str = RULE.judges[4];

fn judge(view: &View<'_>, collector: &mut Collector) {
    for case in view.cases().filter(Case::is_decided) {
        check_route(&case, collector);
        if posted(&case) == Posted::Request && !is_given_up(&case) {
            check_accepted(&case, collector);
            check_status(&case, collector);
            if is_success(&case) && case.status() != Some(202) {
                check_kind(&case, collector);
                check_object(&case, collector);
            }
        }
    }
}

/// A message is never told that there is no such place.
fn check_route(case: &Case<'_>, collector: &mut Collector) {
    let ordinary = matches!(case.intent(), None | Some(Intent::Walk | Intent::WalkAfter));
    // What is cheap to tell comes first: there are thousands of generated calls.
    if !ordinary || case.status().is_none() || posted(case) == Posted::Other {
        return;
    }
    if !super::common::is_own(case) || is_after_end(case) {
        return;
    }
    let lost = match case.status() {
        // In a session that has ended, or with an error of JSON-RPC, it says something else.
        Some(404) => {
            case.received().all(|incoming| incoming.message().is_none_or(|said| said.member("jsonrpc").is_none()))
        }
        Some(405) => true,
        _ => false,
    };
    // The server may end a session at any time; then nothing is served on it any more.
    let ended = case.status() == Some(404)
        && case
            .session
            .exchanges
            .iter()
            .filter(|later| later.seq > case.exchange.seq)
            .all(|later| later.answers.is_empty());
    if !ended {
        collector.check(ROUTE, !lost, || {
            case.finding(
                "A message posted to the endpoint is answered as if the route did not exist.",
                "every message accepted at the one URL, by POST",
            )
        });
    }
}

fn check_accepted(case: &Case<'_>, collector: &mut Collector) {
    if case.status().is_some() {
        collector.check(ACCEPTED, case.status() != Some(202), || {
            case.finding(
                "A request is answered with 202, as if it were a notification: no response will arrive.",
                "the response, as JSON or in a stream",
            )
        });
    }
}

fn check_status(case: &Case<'_>, collector: &mut Collector) {
    let came_with_it = case.answer().is_some_and(|answer| answer.receive.channel == case.exchange.send.channel);
    if case.result().is_some() && came_with_it && case.status().is_some() {
        collector.check(STATUS, is_success(case), || {
            case.finding("A result arrives with an HTTP status that means the request failed.", "status 200")
        });
    }
}

fn check_kind(case: &Case<'_>, collector: &mut Collector) {
    let media = case.media_type();
    let known = matches!(media.as_deref(), Some("application/json" | STREAM));
    collector.check(TYPE, known, || {
        let message = match media {
            None => "The response to a request has no Content-Type, so clients cannot tell JSON from a stream.",
            Some(_) => "The response to a request is neither application/json nor text/event-stream.",
        };
        case.finding(message, "Content-Type: application/json or text/event-stream")
    });
}

fn check_object(case: &Case<'_>, collector: &mut Collector) {
    if case.media_type().as_deref() != Some("application/json") || case.closed().is_none() {
        return;
    }
    let bodies: Vec<&str> = case
        .received()
        .filter(|incoming| incoming.receive.via == Via::Body && matches!(incoming.element, None | Some(0)))
        .map(|incoming| incoming.receive.text.as_str())
        .collect();
    let cut = case.received().any(|incoming| incoming.receive.dropped > 0);
    if cut || case.closed().is_some_and(|closed| closed.fault.is_some()) {
        return;
    }
    let parsed = wire::parse(bodies.concat().as_bytes(), &wire::Limits::default());
    let single = match &parsed.content {
        Content::One(message) => message.result().or(message.error()).is_some(),
        // Legal, and beyond what we can hold.
        Content::Unreadable(why) if why.is_limit_of_reader() => return,
        _ => false,
    };
    collector.check(OBJECT, single, || {
        let finding = case.finding(
            "The JSON body that answers a request is not a single object containing the response.",
            "one JSON-RPC response as the whole body",
        );
        let mut finding = finding;
        finding.wire.extend(
            bodies.first().filter(|_| case.answer().is_none()).map(|body| format!("< {}", crate::view::clip(body))),
        );
        finding
    });
}

#[cfg(test)]
mod tests {
    use serde_json::{Value, json};
    use verdict::{Revision, Status};

    use super::super::scripts::{JSON, OWN, SSE, ask, error, open, result};
    use super::*;

    fn answered(status: u16, headers: &[(&str, &str)], body: &str) -> crate::testing::Script {
        open(Revision::V2025_11_25)
            .request("POST", None, Value::Null, OWN, &ask(7, "tools/list"))
            .respond(status, headers, body)
    }

    #[test]
    fn json_and_streams_pass() {
        let script = answered(200, &[("Content-Type", "Application/JSON; charset=utf-8")], &result(7));
        let script =
            script.request("POST", None, Value::Null, OWN, &ask(8, "tools/list")).head(200, SSE).sse(&result(8)).ends();
        assert!(script.fails_in("http").is_empty(), "{:?}", script.fails_in("http"));
        assert!([TYPE, OBJECT, STATUS, ACCEPTED, ROUTE].iter().all(|id| script.status_of(id) == Status::Pass));
    }

    #[test]
    fn an_error_may_have_any_status_and_a_refusal_any_type() {
        for (status, body) in [(200, 7), (400, 7), (404, 7)] {
            let error = json!({"jsonrpc": "2.0", "id": body, "error": {"code": -32602, "message": "no"}}).to_string();
            assert!(answered(status, JSON, &error).fails_in("http").is_empty());
        }
        assert!(answered(401, &[("content-type", "text/html")], "<p>").fails_in("http").is_empty());
        assert!(answered(400, JSON, &error("session")).fails_in("http").is_empty());
    }

    #[test]
    fn another_type_or_none_fails() {
        assert_eq!(answered(200, &[("content-type", "text/plain")], &result(7)).fails_in("http"), [TYPE]);
        assert_eq!(answered(200, &[], &result(7)).fails_in("http"), [TYPE]);
    }

    #[test]
    fn an_array_or_two_objects_fail() {
        let one = result(7);
        assert_eq!(answered(200, JSON, &format!("[{one}]")).fails_in("http"), [OBJECT]);
        assert_eq!(answered(200, JSON, &format!("{one}\n{one}")).fails_in("http"), [OBJECT]);
    }

    #[test]
    fn a_result_with_status_400_fails() {
        assert_eq!(answered(400, JSON, &result(7)).fails_in("http"), [STATUS]);
    }

    #[test]
    fn a_request_answered_with_202_fails_unless_it_was_cancelled() {
        let script = answered(202, &[], "");
        assert_eq!(script.fails_in("http"), [ACCEPTED]);
        let cancelled = json!({"jsonrpc": "2.0", "method": "notifications/cancelled", "params": {"requestId": 7}});
        let script = script.request("POST", None, Value::Null, OWN, &cancelled.to_string()).respond(202, &[], "");
        assert!(script.fails_in("http").is_empty());
    }

    #[test]
    fn a_route_that_is_not_there_for_some_message_fails() {
        let script = answered(404, &[("content-type", "text/plain")], "Not Found");
        // It may be that the session has ended, until something else is served on it.
        assert!(script.fails_in("http").is_empty());
        assert_eq!(script.ping(8, None, Value::Null, (200, &result(8))).fails_in("http"), [ROUTE]);
        assert_eq!(answered(405, &[("allow", "GET")], "").fails_in("http"), [ROUTE]);
    }

    #[test]
    fn what_is_under_way_when_its_session_is_ended_may_be_told_that_there_is_none() {
        let script = open(Revision::V2025_11_25).request("POST", None, Value::Null, OWN, &ask(7, "ping"));
        let script = script.head(404, &[]);
        let channel = script.last_channel();
        let script = script.request("DELETE", None, Value::Null, OWN, "").respond(204, &[], "").ends_on(channel, None);
        assert!(script.ping(8, None, Value::Null, (200, &result(8))).fails_in("http").is_empty());
    }
}
