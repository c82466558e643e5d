//! The stream itself: its status, its media type, its encoding.

use verdict::transcript::Via;

use super::common::{events, evidence_line, posted, streams};
use crate::{Case, Collector, Rule, View};

pub(super) const RULE: Rule = Rule {
    name: "sse/stream",
    judges: &["sse.stream.endpoint-exists", "sse.stream.content-type", "sse.stream.utf8"],
    judge,
};

fn judge(view: &View<'_>, collector: &mut Collector) {
    for stream in streams(view) {
        // A stream that is refused is judged where clients are counted; without any nothing is judged at all.
        if posted(&stream).is_some_and(|status| (200..300).contains(&status)) {
            check_head(&stream, collector);
            check_encoding(&stream, collector);
        }
    }
}

fn check_head(stream: &Case<'_>, collector: &mut Collector) {
    let status = posted(stream).unwrap_or_default();
    collector.check("sse.stream.endpoint-exists", status == 200, || {
        let mut finding = stream.finding(
            "The stream is opened with a status other than 200, which is the only one that clients of event streams accept.",
            "HTTP status 200 and an event stream",
        );
        finding.actual = format!("HTTP status {status}");
        finding
    });
    let kind = stream.media_type();
    collector.check("sse.stream.content-type", kind.as_deref() == Some("text/event-stream"), || {
        let mut finding = stream.finding(
            "The stream is not declared as an event stream, so clients that expect one close the connection.",
            "Content-Type text/event-stream",
        );
        finding.actual = kind.clone().map_or("no Content-Type".to_owned(), |kind| format!("Content-Type {kind}"));
        finding
    });
}

fn check_encoding(stream: &Case<'_>, collector: &mut Collector) {
    const ID: &str = "sse.stream.utf8";
    for (_, _, frame) in events(stream) {
        let odd = matches!(&frame.via, Via::Sse { oddities, .. } if oddities.iter().any(|odd| odd == "InvalidUtf8"));
        collector.check(ID, !odd && !frame.not_utf8, || {
            let mut finding = stream.finding(
                "The stream contains invalid UTF-8: clients show replacement characters or stop reading.",
                "well-formed UTF-8",
            );
            finding.actual = "invalid UTF-8".to_owned();
            finding.wire = vec![evidence_line(frame)];
            finding
        });
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;
    use verdict::transcript::{Kind, Receive, Via};
    use verdict::{Revision, Status, Transport};

    use crate::testing::Script;

    const V: Revision = Revision::V2024_11_05;

    fn opened(status: u16, kind: &str) -> Script {
        let script = Script::streaming(V).head(status, &[("Content-Type", kind)]);
        script.tells("endpoint", "/messages?s=1").greets(json!({}))
    }

    #[test]
    fn a_stream_of_events_with_status_200_passes() {
        for kind in ["text/event-stream", "Text/Event-Stream; charset=utf-8"] {
            let script = opened(200, kind);
            assert!(script.fails().is_empty(), "{:?}", script.fails());
            for id in ["sse.stream.endpoint-exists", "sse.stream.content-type", "sse.stream.utf8"] {
                assert_eq!(script.status_of(id), Status::Pass, "{id}");
            }
        }
    }

    #[test]
    fn another_status_or_media_type_fails() {
        assert_eq!(opened(201, "text/event-stream").fails(), ["sse.stream.endpoint-exists"]);
        assert_eq!(opened(200, "text/plain").fails(), ["sse.stream.content-type"]);
    }

    #[test]
    fn bytes_that_are_no_utf8_fail_and_a_byte_order_mark_does_not() {
        let odd = |oddity: &str| {
            let script = Script::over(Transport::Sse, V, json!({}));
            let via = Via::Sse { event: None, id: None, retry: None, oddities: vec![oddity.into()] };
            script.add(Kind::Receive(Receive { channel: 1, text: String::new(), via, dropped: 0, not_utf8: false }))
        };
        assert_eq!(odd("InvalidUtf8").fails(), ["sse.stream.utf8"]);
        assert!(odd("ByteOrderMark").fails().is_empty());
    }
}
