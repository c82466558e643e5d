//! The stream that a GET opens for the server's own messages.

use serde_json::Value;
use verdict::{Intent, Key};

use super::common::{STREAM, VERSION, answers_odd_id, events, is_listening, is_own, is_stream};
use super::sse::{is_task, token_of, tokens};
use crate::rules::own_doing::{is_after_end, is_own_doing};
use crate::{Case, Collector, Rule, View};

pub(super) const RULE: Rule = Rule {
    name: "http/get",
    judges: &[
        "http.get.stream-or-405",
        "http.get.headers-at-once",
        "http.get.no-responses",
        "http.get.unrelated-messages",
        "http.get.retry-before-close",
    ],
    judge,
};

const EITHER: &str = RULE.judges[0];
const AT_ONCE: &str = RULE.judges[1];
const NO_RESPONSES: &str = RULE.judges[2];
const UNRELATED: &str = RULE.judges[3];
const RETRY: &str = RULE.judges[4];

fn judge(view: &View<'_>, collector: &mut Collector) {
    for case in view.cases().filter(|case| is_listening(case) && is_own(case) && !is_after_end(case)) {
        if matches!(case.intent(), None | Some(Intent::Reconnect)) {
            check_either(&case, collector);
            at_once(&case, collector);
        }
        if is_stream(&case) {
            check_carries(&case, collector);
            check_retry(&case, collector);
        }
    }
}

/// Nothing is wrong with the request itself.
fn is_complete(case: &Case<'_>) -> bool {
    let version = case.sent_header(VERSION);
    let named = !case.view.revision.traits().version_header || version == Some(case.view.revision.as_str());
    case.sent_header("accept") == Some(STREAM) && named && case.sent_header("origin").is_none()
}

fn check_either(case: &Case<'_>, collector: &mut Collector) {
    let Some(status) = case.status().filter(|_| is_complete(case)) else { return };
    // A GET may be overtaken by the end of its session, on another connection.
    let overtaken = is_own_doing(case);
    if matches!(status, 401 | 403 | 409 | 429 | 503) || status == 404 && (!case.is_followed() || overtaken) {
        return;
    }
    collector.check(EITHER, status == 405 || is_stream(case), || {
        let message =
            "A GET to the endpoint returns neither an event stream nor 405, so clients cannot tell whether the server offers a stream.";
        let mut finding = case.finding(message, "200 with Content-Type: text/event-stream, or 405");
        let kind = case.media_type().filter(|_| (200..300).contains(&status));
        finding.actual = kind.map_or(format!("HTTP status {status}"), |kind| format!("HTTP status {status}, {kind}"));
        finding
    });
}

fn at_once(case: &Case<'_>, collector: &mut Collector) {
    if case.status().is_some() {
        return collector.witness(AT_ONCE);
    }
    let channel = u64::from(case.exchange.send.channel);
    let awaited = case.session.probes.iter().any(|(_, probe)| {
        probe.intent == Intent::GetAwaited && probe.get(Key::Channel).and_then(Value::as_u64) == Some(channel)
    });
    if awaited && case.closed().is_none() {
        let message = "The status line and headers of the response to GET are held back until there is something to send: to clients, an idle stream looks like a server that hangs.";
        collector.fail(AT_ONCE, case.finding(message, "the status line immediately"));
    }
}

fn check_carries(case: &Case<'_>, collector: &mut Collector) {
    let mut clean = true;
    for incoming in case.received() {
        let Some(message) = incoming.message() else { continue };
        if message.is_answer() && !answers_odd_id(case.session, message) {
            clean = false;
            let text = "The stream opened by GET carries a response, where no client looks for one.";
            let mut finding = case.finding(text, "responses in the HTTP response to the POST");
            "a response on the GET stream".clone_into(&mut finding.actual);
            finding.wire.push(incoming.wire());
            collector.fail(NO_RESPONSES, finding);
        }
        let progress = message.method() == Some("notifications/progress");
        let token = token_of(message).filter(|_| progress);
        if token.is_some_and(|token| is_of_a_request(case, &token)) {
            let text = "Progress for a request arrives on the stream opened by GET, not on the stream of the request.";
            let mut finding = case.finding(text, "progress in the HTTP response to the POST");
            "progress for a request on the GET stream".clone_into(&mut finding.actual);
            finding.wire.push(incoming.wire());
            collector.fail(UNRELATED, finding);
        }
    }
    let asked_meanwhile = case.session.exchanges.iter().any(|later| {
        later.seq > case.exchange.seq
            && !later.answers.is_empty()
            && case.closed().is_none_or(|closed| later.seq < closed.seq)
    });
    if clean && asked_meanwhile {
        collector.witness(NO_RESPONSES);
    }
    if progress_elsewhere(case) {
        collector.witness(UNRELATED);
    }
}

/// Whether the token was given by a request. That of a call that was to be a task lives on when the call has its answer, and the
/// progress of a task may come on any stream.
fn is_of_a_request(case: &Case<'_>, token: &str) -> bool {
    case.session.exchanges.iter().any(|other| {
        let messages = other.parsed.messages();
        tokens(messages).contains(token) && !messages.iter().any(is_task)
    })
}

/// Progress came on the stream of a POST while this one was open.
fn progress_elsewhere(case: &Case<'_>) -> bool {
    case.session.incoming.iter().any(|incoming| {
        let channel = incoming.receive.channel;
        incoming.seq > case.exchange.seq
            && incoming.method() == Some("notifications/progress")
            && case
                .session
                .exchanges
                .iter()
                .any(|other| other.send.channel == channel && other.send.http.as_deref() == Some("POST"))
    })
}

/// A connection that the server closed though the stream goes on: the client came back and was sent more.
fn check_retry(case: &Case<'_>, collector: &mut Collector) {
    let Some(closed) = case.closed().filter(|closed| closed.fault.is_none()) else { return };
    let Some(last) = events(case).filter_map(|event| event.id).last() else { return };
    let goes_on = case.view.probes(Intent::Reconnect).any(|get| {
        get.session.id == case.session.id
            && get.exchange.seq > closed.seq
            && get.sent_header("last-event-id") == Some(last)
            && get.received().any(|incoming| incoming.message().is_some())
    });
    if goes_on {
        collector.check(RETRY, events(case).any(|event| event.retry.is_some()), || {
            case.finding(
                "A GET connection is closed although its stream continues, without telling the client when to reconnect.",
                "an event with a retry field before the connection is closed",
            )
        });
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;
    use verdict::{Level, Revision, Status};

    use super::super::scripts::{JSON, SSE, notice, open, result};
    use super::*;
    use crate::testing::Script;

    const HEADERS: &[(&str, &str)] =
        &[("Accept", "text/event-stream"), ("Mcp-Session-Id", "s1"), ("MCP-Protocol-Version", "2025-11-25")];

    fn got(status: u16, headers: &[(&str, &str)]) -> Script {
        let script = open(Revision::V2025_11_25).request("GET", None, Value::Null, HEADERS, "");
        script.head(status, headers)
    }

    fn then_ping(script: Script) -> Script {
        script.ping(8, None, Value::Null, (200, &result(8)))
    }

    #[test]
    fn a_stream_and_405_pass() {
        let script = then_ping(got(200, SSE));
        assert!([EITHER, AT_ONCE, NO_RESPONSES].iter().all(|id| script.status_of(id) == Status::Pass));
        assert_eq!(then_ping(got(405, &[])).status_of(EITHER), Status::Pass);
    }

    #[test]
    fn anything_else_fails_where_the_session_lives() {
        for (status, headers) in [(404, JSON), (400, JSON), (501, &[][..]), (200, JSON), (406, JSON)] {
            assert!(then_ping(got(status, headers)).fails().contains(&EITHER), "{status}");
        }
        for status in [401, 403, 409, 429, 503] {
            assert_eq!(then_ping(got(status, &[])).status_of(EITHER), Status::NotObserved, "{status}");
        }
        assert_eq!(got(404, JSON).status_of(EITHER), Status::NotObserved);
    }

    #[test]
    fn an_incomplete_get_is_not_judged() {
        let script =
            open(Revision::V2025_11_25).request("GET", None, Value::Null, &HEADERS[..2], "").respond(400, JSON, "");
        assert_eq!(then_ping(script).status_of(EITHER), Status::NotObserved);
    }

    #[test]
    fn a_head_that_does_not_come_is_reported_as_such() {
        let script = open(Revision::V2025_11_25).request("GET", None, Value::Null, HEADERS, "");
        let channel = script.last_channel();
        let script = then_ping(script);
        assert_eq!(script.status_of(AT_ONCE), Status::NotObserved);
        let script = script.means(Intent::GetAwaited, json!({"channel": channel}));
        assert_eq!((script.verdict(AT_ONCE).level, script.fails_in("http")), (Level::Advice, vec![AT_ONCE]));
    }

    #[test]
    fn a_response_on_it_fails_unless_it_resumes_another_stream() {
        assert!(then_ping(got(200, SSE).sse(&result(7))).fails().contains(&NO_RESPONSES));
        let headers = [HEADERS, &[("Last-Event-ID", "e1")]].concat();
        let script = open(Revision::V2025_11_25).request("GET", None, Value::Null, &headers, "").head(200, SSE);
        assert!(!then_ping(script.sse(&result(7))).fails().contains(&NO_RESPONSES));
        assert!(
            !then_ping(got(200, SSE).sse(&notice("notifications/tools/list_changed"))).fails().contains(&NO_RESPONSES)
        );
    }

    #[test]
    fn progress_of_a_request_on_it_fails() {
        let call =
            json!({"jsonrpc": "2.0", "id": 7, "method": "tools/call", "params": {"_meta": {"progressToken": "a"}}})
                .to_string();
        let progress = json!({"jsonrpc": "2.0", "method": "notifications/progress", "params": {"progressToken": "a", "progress": 1}}).to_string();
        let script = got(200, SSE);
        let get = script.last_channel();
        let script = script.request("POST", None, Value::Null, HEADERS, &call).head(200, SSE);
        let good = script.sse(&progress).sse(&result(7)).ends();
        assert_eq!(good.status_of(UNRELATED), Status::Pass);
        assert!(good.sse_on(get, None, None, &progress).fails().contains(&UNRELATED));
    }

    #[test]
    fn progress_of_a_task_on_it_passes() {
        let params = json!({"name": "t", "task": {}, "_meta": {"progressToken": "a"}});
        let call = json!({"jsonrpc": "2.0", "id": 7, "method": "tools/call", "params": params}).to_string();
        let progress = json!({"jsonrpc": "2.0", "method": "notifications/progress", "params": {"progressToken": "a", "progress": 1}}).to_string();
        let script = got(200, SSE);
        let get = script.last_channel();
        let script = script.request("POST", None, Value::Null, HEADERS, &call).respond(200, JSON, &result(7));
        assert!(!script.sse_on(get, None, None, &progress).fails().contains(&UNRELATED));
    }

    #[test]
    fn a_connection_closed_in_the_middle_of_its_stream_needs_a_retry() {
        let script = got(200, SSE);
        let get = script.last_channel();
        let script = script.sse_on(get, None, Some("e1"), &notice("a")).ends();
        let again = [HEADERS, &[("Last-Event-ID", "e1")]].concat();
        let script = script.request("GET", Intent::Reconnect, json!({"of": get}), &again, "").head(200, SSE);
        assert_eq!(script.status_of(RETRY), Status::NotObserved, "the stream may have ended");
    }

    #[test]
    fn a_stream_that_went_on_was_not_over() {
        let script = got(200, SSE);
        let get = script.last_channel();
        let script = script.sse_on(get, None, Some("e1"), &notice("a")).ends();
        let again = [HEADERS, &[("Last-Event-ID", "e1")]].concat();
        let script = script.request("GET", Intent::Reconnect, json!({"of": get}), &again, "").head(200, SSE);
        assert!(script.sse(&notice("b")).fails().contains(&RETRY));
    }
}
