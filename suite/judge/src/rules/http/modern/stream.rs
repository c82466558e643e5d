//! Streams that answer requests: they deliver the response, as their last message, and proxies are told not to hold it back.

use verdict::transcript::Via;

use super::super::common::{events, is_stream};
use crate::{Case, Collector, ExchangeEnd, Rule, View};

pub(super) const RULE: Rule = Rule {
    name: "http/modern-stream",
    judges: &["http.sse.response-arrives-modern", "http.sse.accel-buffering-header", "http.resume.no-event-ids"],
    judge,
};

const ARRIVES: &str = RULE.judges[0];
const BUFFERING: &str = RULE.judges[1];
const IDS: &str = RULE.judges[2];

fn judge(view: &View<'_>, collector: &mut Collector) {
    for case in view.cases().filter(|case| case.http() == Some("POST") && is_stream(case)) {
        let unbuffered = case.header("X-Accel-Buffering").is_some_and(|value| value.trim().eq_ignore_ascii_case("no"));
        collector.check(BUFFERING, unbuffered, || {
            let message = "The stream does not forbid proxies from buffering it, so progress and logs may arrive all at once with the response.";
            let mut finding = case.finding(message, "the header X-Accel-Buffering: no");
            finding.actual = "a stream without the header".to_owned();
            finding
        });
        for event in events(&case) {
            collector.check(IDS, event.id.is_none(), || {
                let message = "An event has an id, although streams of this revision cannot be resumed.";
                let mut finding = case.finding(message, "events without ids");
                finding.actual = "an id".to_owned();
                finding
            });
        }
        check_arrives(&case, collector);
    }
}

fn check_arrives(case: &Case<'_>, collector: &mut Collector) {
    let request = case.sent().is_some_and(|message| message.kind == wire::Kind::Request);
    // A subscription ends when the client has had enough.
    if !request || case.method() == Some("subscriptions/listen") {
        return;
    }
    let mut messages = case.received().filter(|incoming| matches!(incoming.receive.via, Via::Sse { .. }));
    let Some(answer) = case.answer() else {
        let proper = case.closed().is_some_and(|closed| closed.fault.is_none());
        if proper || case.exchange.end == ExchangeEnd::GaveUp {
            let message = "The stream of a request ends, or continues indefinitely, without the response, so the request is lost: streams cannot be resumed.";
            let mut finding = case.finding(message, "the response as the last message of the stream");
            finding.actual = if proper { "the stream ends without the response".to_owned() } else { case.outcome() };
            collector.suspect(ARRIVES, case, finding);
        }
        return;
    };
    let late = messages.find(|incoming| incoming.seq > answer.seq && incoming.message().is_some());
    collector.check(ARRIVES, late.is_none(), || {
        let message = "A message arrives on a stream after the response, when clients no longer read it.";
        let mut finding = case.finding(message, "the response as the last message of the stream");
        finding.actual = "a message after the response".to_owned();
        finding
    });
}

#[cfg(test)]
mod tests {
    use serde_json::{Value, json};
    use verdict::{Revision, Status, Transport};

    use super::{ARRIVES, BUFFERING, IDS};
    use crate::testing::Script;

    const STREAM: &[(&str, &str)] = &[("Content-Type", "text/event-stream"), ("X-Accel-Buffering", "no")];
    const RESPONSE: &str = r#"{"jsonrpc":"2.0","id":7,"result":{"resultType":"complete"}}"#;
    const NOTE: &str = r#"{"jsonrpc":"2.0","method":"notifications/message","params":{"level":"info","data":"x"}}"#;

    fn asked(confirm: bool, headers: &[(&str, &str)]) -> Script {
        let script = Script::over(Transport::Http, Revision::V2026_07_28, json!({})).session(confirm, json!({}));
        let body = r#"{"jsonrpc":"2.0","id":7,"method":"tools/call","params":{"name":"a"}}"#;
        script.request("POST", None, Value::Null, &[], body).head(200, headers)
    }

    #[test]
    fn the_response_comes_last() {
        assert_eq!(asked(false, STREAM).sse(NOTE).sse(RESPONSE).ends().status_of(ARRIVES), Status::Pass);
        assert_eq!(asked(false, STREAM).sse(RESPONSE).sse(NOTE).ends().status_of(ARRIVES), Status::Fail);
        assert_eq!(asked(false, STREAM).sse(NOTE).ends().status_of(ARRIVES), Status::Inconclusive);
        assert_eq!(asked(true, STREAM).sse(NOTE).ends().status_of(ARRIVES), Status::Fail);
        // The tester went away first.
        assert_eq!(asked(false, STREAM).sse(NOTE).status_of(ARRIVES), Status::NotObserved);
    }

    #[test]
    fn proxies_are_told() {
        assert_eq!(asked(false, STREAM).sse(RESPONSE).ends().status_of(BUFFERING), Status::Pass);
        let plain = asked(false, &STREAM[..1]).sse(RESPONSE).ends();
        assert_eq!(plain.status_of(BUFFERING), Status::Fail);
    }

    #[test]
    fn events_have_no_ids() {
        let script = asked(false, STREAM);
        let channel = script.last_channel();
        assert_eq!(script.sse_on(channel, None, Some("1"), RESPONSE).ends().status_of(IDS), Status::Fail);
        assert_eq!(asked(false, STREAM).sse(RESPONSE).ends().status_of(IDS), Status::Pass);
    }
}
