//! The event that says where to post.

use super::common::{endpoints, events, evidence_line, refusal, streams};
use crate::{Case, Collector, Rule, View};

pub(super) const RULE: Rule = Rule {
    name: "sse/endpoint",
    judges: &[
        "sse.endpoint-event.sent",
        "sse.endpoint-event.first",
        "sse.endpoint-event.uri",
        "sse.endpoint-event.once",
        "sse.endpoint-event.same-origin",
    ],
    judge,
};

fn judge(view: &View<'_>, collector: &mut Collector) {
    for stream in streams(view) {
        check_sent(&stream, collector);
        if endpoints(&stream).next().is_some() {
            check_first(&stream, collector);
            check_uri(&stream, collector);
            check_once(&stream, collector);
        }
    }
}

fn check_sent(stream: &Case<'_>, collector: &mut Collector) {
    const ID: &str = "sse.endpoint-event.sent";
    if endpoints(stream).next().is_some() {
        return collector.witness(ID);
    }
    let finding = |actual: &str| {
        let mut finding = stream.finding(
            "The stream does not announce where to post messages, so clients cannot send anything to the server.",
            "an event of type endpoint as soon as the stream is open",
        );
        finding.actual = actual.to_owned();
        finding
    };
    match refusal(stream.session) {
        Some("no-stream") => collector.fail(ID, finding("the stream ended without one")),
        // A busy server may be late once.
        Some("no-event") => collector.suspect(ID, stream, finding("no endpoint event within the time limit")),
        _ => {}
    }
}

fn check_first(stream: &Case<'_>, collector: &mut Collector) {
    let before = events(stream).take_while(|(_, event, _)| *event != Some("endpoint"));
    // Comments and retry lines are no events.
    let earlier = before.map(|(_, _, frame)| frame).find(|frame| !frame.text.is_empty());
    collector.check("sse.endpoint-event.first", earlier.is_none(), || {
        let mut finding = stream.finding(
            "Another event precedes the endpoint event: clients that expect it first conclude that the server does not support HTTP+SSE.",
            "the endpoint event as the first event of the stream",
        );
        finding.actual = "a different event first".to_owned();
        finding.wire = earlier.map(evidence_line).into_iter().collect();
        finding
    });
}

fn check_uri(stream: &Case<'_>, collector: &mut Collector) {
    const ID: &str = "sse.endpoint-event.uri";
    const SAME: &str = "sse.endpoint-event.same-origin";
    let Some((_, frame)) = endpoints(stream).next() else { return };
    let data = frame.text.trim();
    let json = serde_json::from_str::<serde_json::Value>(data).is_ok();
    let why = refusal(stream.session);
    let blank = data.is_empty() || data.contains(char::is_whitespace);
    let good = !json && !blank && why != Some("no-uri");
    collector.check(ID, good, || {
        let message = if json {
            "The endpoint event contains JSON instead of a bare URI, so clients post to a URI that does not exist."
        } else {
            "The data of the endpoint event is not a URI that messages can be posted to."
        };
        let mut finding = stream.finding(message, "a URI such as /messages?session=.. and nothing else");
        finding.actual = if json { "JSON" } else { "no URI" }.to_owned();
        finding.wire = vec![evidence_line(frame)];
        finding
    });
    if good {
        collector.check(SAME, why != Some("foreign"), || {
            let mut finding = stream.finding(
                "The announced URI has a different origin than the stream, so clients refuse to post: their credentials would go there.",
                "a path, or a URI with the scheme, host and port of the stream",
            );
            finding.actual = "a different origin".to_owned();
            finding.wire = vec![evidence_line(frame)];
            finding
        });
    }
}

fn check_once(stream: &Case<'_>, collector: &mut Collector) {
    let all: Vec<_> = endpoints(stream).map(|(_, frame)| frame).collect();
    let changed = all.iter().any(|frame| frame.text != all[0].text);
    collector.check("sse.endpoint-event.once", all.len() < 2, || {
        let message = if changed {
            "The server announces a different URI while the stream is open; clients keep using the first one."
        } else {
            "The endpoint event is sent more than once on a stream."
        };
        let mut finding = stream.finding(message, "one endpoint event for each connection");
        finding.actual = format!("{} endpoint events", if all.len() == 2 { "two" } else { "several" });
        finding.wire = all.iter().take(4).map(|frame| evidence_line(frame)).collect();
        finding
    });
}

#[cfg(test)]
mod tests {
    use serde_json::json;
    use verdict::{Intent, Revision, Status};

    use crate::testing::Script;

    const V: Revision = Revision::V2024_11_05;
    const SENT: &str = "sse.endpoint-event.sent";

    fn announced(data: &str) -> Script {
        Script::streaming(V).streams().tells("endpoint", data).greets(json!({}))
    }

    #[test]
    fn any_form_of_reference_passes() {
        for data in ["/messages?session=1", "messages/?session_id=1", "?s=1", "http://127.0.0.1:1/m", "/m?a=%20b"] {
            let script = announced(data);
            assert!(script.fails().is_empty(), "{data}: {:?}", script.fails());
            for claim in ["sent", "first", "uri", "once", "same-origin"] {
                assert_eq!(script.status_of(&format!("sse.endpoint-event.{claim}")), Status::Pass, "{data} {claim}");
            }
        }
    }

    #[test]
    fn json_and_white_space_are_no_uri() {
        for data in ["\"/messages?session=1\"", "{\"uri\":\"/messages\"}", "", "post to /messages"] {
            assert_eq!(announced(data).fails(), ["sse.endpoint-event.uri"], "{data}");
        }
        let unusable = Script::streaming(V).streams().tells("endpoint", "mailto:me@x.example");
        let unusable = unusable.means(Intent::NotAnnounced, json!({"why": "no-uri"}));
        assert_eq!(unusable.fails(), ["sse.endpoint-event.uri"]);
    }

    #[test]
    fn comments_and_retry_lines_may_come_first_and_events_should_not() {
        let before = |event: &str, data: &str| {
            let script = Script::streaming(V).streams().tells(event, data);
            script.tells("endpoint", "/m?s=1").greets(json!({}))
        };
        assert!(before("", "").fails().is_empty());
        assert_eq!(before("connected", "welcome").fails(), ["sse.endpoint-event.first"]);
    }

    #[test]
    fn a_second_endpoint_event_is_one_too_many() {
        let again = |data: &str| announced("/m?s=1").tells("endpoint", data).fails();
        assert_eq!(again("/m?s=1"), ["sse.endpoint-event.once"]);
        assert_eq!(again("/m?s=2"), ["sse.endpoint-event.once"]);
    }

    #[test]
    fn another_origin_is_told() {
        let script = announced("/m?s=1").and_streaming("other").streams().tells("endpoint", "http://inner:1/m");
        let script = script.means(Intent::NotAnnounced, json!({"why": "foreign"}));
        assert_eq!(script.fails(), ["sse.endpoint-event.same-origin"]);
    }

    #[test]
    fn a_stream_without_the_event_fails_when_it_ends_or_stays_silent_twice() {
        let silent = |why: &str| {
            announced("/m?s=1").and_streaming("other").streams().means(Intent::NotAnnounced, json!({"why": why}))
        };
        assert_eq!(silent("no-stream").fails(), [SENT]);
        assert_eq!(silent("no-event").status_of(SENT), Status::Inconclusive);
        let twice = silent("no-event").and_streaming("confirm").streams();
        assert_eq!(twice.means(Intent::NotAnnounced, json!({"why": "no-event"})).fails(), [SENT]);
        assert_eq!(silent("status").status_of(SENT), Status::Pass);
    }
}
