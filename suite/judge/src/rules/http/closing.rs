//! When streams end: not before the response, unless the client can come back, and not long after it.

use std::collections::HashSet;

use serde_json::Value;
use verdict::{Intent, Key};
use wire::{Content, IdKey};

use super::common::{Posted, events, has_odd_id, is_given_up, is_stream, posted};
use crate::rules::own_doing::{is_after_end, is_session_ended};
use crate::{Case, Collector, Rule, View};

pub(super) const RULE: Rule = Rule {
    name: "http/closing",
    judges: &[
        "http.sse.response-arrives",
        "http.sse.no-early-close",
        "http.sse.closes-after-response",
        "http.sse.close-only-after-id",
        "http.sse.retry-before-close",
        "http.batch.stream-answers-all",
    ],
    judge,
};

const ARRIVES: &str = RULE.judges[0];
const EARLY: &str = RULE.judges[1];
const CLOSES: &str = RULE.judges[2];
const AFTER_ID: &str = RULE.judges[3];
const RETRY: &str = RULE.judges[4];
const BATCH: &str = RULE.judges[5];

fn judge(view: &View<'_>, collector: &mut Collector) {
    let streams = view.cases().filter(|case| case.http() == Some("POST") && is_stream(case));
    for case in streams.filter(|case| !is_given_up(case) && !is_after_end(case) && !has_odd_id(case)) {
        if matches!(case.exchange.parsed.content, Content::Batch(_)) {
            check_batch(&case, collector);
        } else if posted(&case) == Posted::Request {
            check_single(&case, collector);
        }
    }
}

fn check_single(case: &Case<'_>, collector: &mut Collector) {
    let own = case.answers().find(|answer| answer.receive.channel == case.exchange.send.channel);
    if own.is_some() {
        [ARRIVES, EARLY, AFTER_ID].into_iter().for_each(|id| collector.witness(id));
        check_end(case, collector);
    } else if let Some(closed) = case.closed().filter(|_| !is_session_ended(case)) {
        // What breaks is the network's affair, or that of whatever ended the server.
        if closed.fault.is_none() && case.session.exit.is_none() {
            check_early(case, collector);
        }
    }
}

fn check_early(case: &Case<'_>, collector: &mut Collector) {
    let named = events(case).any(|event| event.id.is_some_and(|id| !id.is_empty()));
    let answered = case.answer().is_some();
    collector.fail(
        EARLY,
        case.finding(
            "The stream is closed before the response was sent on it, so a client of this revision considers the request lost.",
            "the response before the stream ends",
        ),
    );
    collector.check(AFTER_ID, named, || {
        case.finding(
            "The stream is closed before the response and before any event id that the client could resume it with.",
            "an event with an id before the stream is closed",
        )
    });
    if answered {
        collector.witness(ARRIVES);
        if named {
            check_retry(case, collector);
        }
    } else if named && !is_come_back_to(case) {
        collector.inconclusive(ARRIVES, "a stream ended early, and the rest of it was not requested");
    } else {
        collector
            .fail(ARRIVES, case.finding("The stream opened for a request ends without the response.", "the response"));
    }
}

fn is_come_back_to(case: &Case<'_>) -> bool {
    let channel = u64::from(case.exchange.send.channel);
    case.view
        .probes(Intent::Reconnect)
        .any(|get| get.session.id == case.session.id && get.about(Key::Of).and_then(Value::as_u64) == Some(channel))
}

/// The stream went on elsewhere: this was the end of a connection, of which the client is to be warned.
fn check_retry(case: &Case<'_>, collector: &mut Collector) {
    collector.check(RETRY, events(case).any(|event| event.retry.is_some()), || {
        case.finding(
            "The connection is closed in the middle of its stream without telling the client when to reconnect.",
            "an event with a retry field before the connection is closed",
        )
    });
}

fn check_end(case: &Case<'_>, collector: &mut Collector) {
    if case.closed().is_some() {
        return collector.witness(CLOSES);
    }
    let channel = u64::from(case.exchange.send.channel);
    let awaited = case.session.probes.iter().any(|(_, probe)| {
        probe.intent == Intent::StreamAwaited && probe.get(Key::Channel).and_then(Value::as_u64) == Some(channel)
    });
    if awaited {
        let finding = case.finding(
            "The stream stays open after the response, which costs the client and the server one connection per request.",
            "the stream ends after the response",
        );
        collector.fail(CLOSES, finding);
    }
}

fn check_batch(case: &Case<'_>, collector: &mut Collector) {
    let asks = |message: &&wire::Message| message.kind == wire::Kind::Request && message.defects.is_empty();
    let key = |message: &wire::Message| message.id.as_ref().and_then(wire::Id::key);
    let asked: HashSet<IdKey> = case.exchange.parsed.messages().iter().filter(asks).filter_map(key).collect();
    if asked.is_empty() || case.closed().is_none_or(|closed| closed.fault.is_some()) {
        return;
    }
    let came: HashSet<IdKey> = case.answers().filter_map(|answer| answer.message().and_then(key)).collect();
    collector.check(BATCH, asked.is_subset(&came), || {
        let mut finding = case.finding(
            "The stream opened for a batch ends before every request in the batch is answered.",
            "a response to each request before the stream ends",
        );
        finding.actual = format!("{} of {} responses", asked.intersection(&came).count(), asked.len());
        finding
    });
}

#[cfg(test)]
mod tests {
    use serde_json::json;
    use verdict::transcript::{Kind, Receive, Via};
    use verdict::{Revision, Status};

    use super::super::scripts::{OWN, SSE, ask, notice, open, result};
    use super::*;
    use crate::testing::Script;

    const NEW: Revision = Revision::V2025_11_25;
    const OLD: Revision = Revision::V2025_06_18;

    /// A stream with one event, closed without the response; and the GET that comes back for it.
    fn cut(revision: Revision, id: Option<&str>, retry: Option<u64>, rest: Option<&str>) -> Script {
        let script = open(revision).request("POST", None, Value::Null, OWN, &ask(7, "tools/call")).head(200, SSE);
        let channel = script.last_channel();
        let via = Via::Sse { event: None, id: id.map(Into::into), retry, oddities: vec![] };
        let receive = Receive { channel, text: String::new(), via, dropped: 0, not_utf8: false };
        let script = script.add(Kind::Receive(receive)).ends();
        let Some(rest) = rest else { return script };
        let headers = [("Mcp-Session-Id", "s1"), ("Last-Event-ID", "e1")];
        let script = script.request("GET", Intent::Reconnect, json!({"of": channel}), &headers, "").head(200, SSE);
        if rest.is_empty() { script.ends() } else { script.sse(rest).ends() }
    }

    #[test]
    fn a_stream_that_ends_after_its_response_passes() {
        let script = open(OLD).streamed(7, &[&notice("notifications/message"), &result(7)]);
        assert!([ARRIVES, EARLY, CLOSES].iter().all(|id| script.status_of(id) == Status::Pass));
        assert!(script.fails_in("http").is_empty());
    }

    #[test]
    fn a_stream_without_the_response_fails() {
        assert_eq!(cut(OLD, None, None, None).fails_in("http"), [ARRIVES, EARLY]);
        assert_eq!(cut(NEW, None, None, None).fails_in("http"), [ARRIVES, AFTER_ID]);
        assert!(cut(NEW, Some("e1"), Some(10), Some("")).fails().contains(&ARRIVES));
    }

    #[test]
    fn from_2025_11_25_on_the_client_may_be_made_to_come_back() {
        let script = cut(NEW, Some("e1"), Some(10), Some(&result(7)));
        assert!(script.fails_in("http").is_empty(), "{:?}", script.fails_in("http"));
        assert!([ARRIVES, AFTER_ID, RETRY].iter().all(|id| script.status_of(id) == Status::Pass));
        assert_eq!(cut(NEW, Some("e1"), None, Some(&result(7))).fails_in("http"), [RETRY]);
        assert!(cut(OLD, Some("e1"), None, Some(&result(7))).fails().contains(&EARLY));
        assert_eq!(cut(NEW, Some("e1"), None, None).status_of(ARRIVES), Status::Inconclusive);
    }

    #[test]
    fn a_stream_that_stays_open_fails_once_its_end_was_waited_for() {
        let script =
            open(NEW).request("POST", None, Value::Null, OWN, &ask(7, "tools/list")).head(200, SSE).sse(&result(7));
        assert_eq!(script.status_of(CLOSES), Status::NotObserved);
        let channel = script.last_channel();
        assert_eq!(script.means(Intent::StreamAwaited, json!({"channel": channel})).fails_in("http"), [CLOSES]);
    }

    #[test]
    fn what_the_tester_dropped_or_cancelled_is_not_judged() {
        let script = cut(OLD, None, None, None);
        let channel = script.last_channel();
        assert!(script.means(Intent::Forsaken, json!({"channel": channel})).fails_in("http").is_empty());
    }

    #[test]
    fn a_session_that_is_ended_takes_its_streams_with_it() {
        let script = open(OLD).request("POST", None, Value::Null, OWN, &ask(7, "tools/call")).head(200, SSE);
        let channel = script.last_channel();
        let script = script.request("DELETE", None, Value::Null, OWN, "").respond(204, &[], "");
        assert!(script.ends_on(channel, None).fails_in("http").is_empty());
    }

    #[test]
    fn every_request_of_a_batch_is_answered_before_the_stream_ends() {
        let sent = format!("[{},{}]", ask(7, "ping"), ask(8, "ping"));
        let script = |answers: &[String]| {
            let script = open(Revision::V2025_03_26).request("POST", None, Value::Null, OWN, &sent).head(200, SSE);
            answers.iter().fold(script, |script, answer| script.sse(answer)).ends()
        };
        assert_eq!(script(&[result(8), result(7)]).status_of(BATCH), Status::Pass);
        assert_eq!(script(&[format!("[{},{}]", result(7), result(8))]).status_of(BATCH), Status::Pass);
        assert!(script(&[result(7)]).fails().contains(&BATCH));
    }
}
