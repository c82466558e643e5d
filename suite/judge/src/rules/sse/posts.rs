//! Rules about posted messages: ordinary ones, and input that is not JSON.

use verdict::Intent;
use wire::Kind;

use super::common::{posted, streams};
use crate::{Case, Collector, ExchangeEnd, Rule, View};

pub(super) const RULE: Rule = Rule {
    name: "sse/posts",
    judges: &["sse.post.endpoint-exists", "sse.post.notification-accepted", "sse.post.malformed-survived"],
    judge,
};

/// Statuses by which a server asks for a credential, or for patience.
const EXCUSED: [u16; 4] = [401, 403, 429, 503];

fn judge(view: &View<'_>, collector: &mut Collector) {
    for stream in streams(view) {
        let session = stream.session;
        let cases = session.exchanges.iter().map(|exchange| Case { view, session, exchange });
        for case in cases.filter(|case| case.http() == Some("POST") && case.path().is_none()) {
            match case.intent() {
                None => check_ordinary(&case, collector),
                Some(Intent::MalformedJson) => check_malformed(&case, collector),
                Some(_) => {}
            }
        }
    }
}

/// Messages with nothing unusual about them, while the stream was there.
fn check_ordinary(case: &Case<'_>, collector: &mut Collector) {
    let (Some(message), Some(status)) = (case.sent(), posted(case)) else { return };
    if !message.defects.is_empty() || is_past_end(case) || EXCUSED.contains(&status) {
        return;
    }
    let request = message.kind == Kind::Request;
    let id = if request { "sse.post.endpoint-exists" } else { "sse.post.notification-accepted" };
    collector.check(id, (200..300).contains(&status), || {
        let told = if request {
            "A valid request posted to the announced URI is not accepted."
        } else {
            "A message that needs no response is posted to the announced URI and not accepted: clients consider the connection broken."
        };
        let mut finding = case.finding(told, "a 2xx status");
        finding.actual = format!("HTTP status {status}");
        finding.place = case.method().map(str::to_owned);
        finding
    });
}

/// The stream has ended, about this time or before: no answer came to this or to anything after it.
fn is_past_end(case: &Case<'_>) -> bool {
    let session = case.session;
    let later = session.exchanges.iter().filter(|other| other.seq >= case.exchange.seq);
    session.closed.is_some() && later.into_iter().all(|other| other.answers.is_empty())
}

fn check_malformed(case: &Case<'_>, collector: &mut Collector) {
    const ID: &str = "sse.post.malformed-survived";
    if !case.is_decided() {
        return;
    }
    let mut finding = case.finding("", "a 4xx status or a parse error, and the stream stays open");
    if ends_stream(case) {
        finding.message =
            "A body that is not JSON ends the stream: one bad message takes the whole session down.".into();
        finding.actual = "the stream ends".into();
        return collector.fail(ID, finding);
    }
    let Some(status) = posted(case) else { return };
    let good = (400..500).contains(&status) || case.error().is_some();
    collector.check(ID, good, || {
        finding.message =
            "A body that is not JSON is not refused, so its sender waits for an answer that never comes.".into();
        finding.actual = format!("HTTP status {status}");
        finding
    });
}

/// The stream ended after this and nothing else was under way.
fn ends_stream(case: &Case<'_>) -> bool {
    let (session, seq) = (case.session, case.exchange.seq);
    let alone = matches!(case.exchange.end, ExchangeEnd::Gone { alone: true });
    let last = session.exchanges.iter().filter(|other| other.seq > seq).all(|other| other.answers.is_empty());
    session.closed.is_some_and(|closed| closed > seq) && alone && last
}

#[cfg(test)]
mod tests {
    use serde_json::{Value, json};
    use verdict::transcript::Kind;
    use verdict::{Intent, Revision, Status, Transport};

    use crate::testing::Script;

    const V: Revision = Revision::V2024_11_05;
    const POST: &str = "sse.post.endpoint-exists";
    const NOTIFIED: &str = "sse.post.notification-accepted";
    const MALFORMED: &str = "sse.post.malformed-survived";

    fn script() -> Script {
        Script::over(Transport::Sse, V, json!({}))
    }

    #[test]
    fn any_2xx_accepts() {
        for status in [200, 202, 204] {
            let script = script().posting(status).plain("ping", json!({}), json!({"result": {}}));
            assert!(script.fails().is_empty(), "{status}");
            assert_eq!(script.status_of(POST), Status::Pass);
            assert_eq!(script.status_of(NOTIFIED), Status::Pass);
        }
    }

    #[test]
    fn another_status_does_not() {
        for status in [302, 400, 404, 500] {
            let script = script().posting(status).plain("ping", json!({}), json!({"result": {}}));
            assert_eq!(script.fails_in("sse"), [POST], "{status}");
        }
        let notified = script().posting(500).raw_plain(r#"{"jsonrpc":"2.0","method":"notifications/initialized"}"#);
        assert_eq!(notified.fails_in("sse"), [NOTIFIED]);
        let responded = script().posting(400).raw_plain(r#"{"jsonrpc":"2.0","id":"s","result":{}}"#);
        assert_eq!(responded.fails_in("sse"), [NOTIFIED]);
    }

    #[test]
    fn rate_limits_probes_and_ended_streams_are_excused() {
        let limited = script().posting(429).plain("ping", json!({}), json!({"result": {}}));
        assert!(limited.fails_in("sse").is_empty());
        let probed = script().posting(400).probe(
            Intent::Unknown,
            "x",
            json!({}),
            json!({"error": {"code": -32601, "message": "x"}}),
        );
        assert!(probed.fails_in("sse").is_empty());
        let ended = script().ends_on(1, None).posting(404).unanswered_plainly("ping", json!({}));
        assert!(ended.fails_in("sse").is_empty());
    }

    #[test]
    fn an_error_without_id_is_not_about_a_notification_that_was_accepted() {
        let error = r#"{"jsonrpc":"2.0","id":null,"error":{"code":-32600,"message":"Invalid request"}}"#;
        let script =
            script().raw(Intent::Robust, Value::Null, r#"{"jsonrpc":"2.0","id":1e308,"method":"ping"}"#).says(error);
        assert!(script.fails_in("lifecycle").is_empty(), "{:?}", script.fails());
    }

    #[test]
    fn what_is_not_json_is_refused_by_status_or_by_an_error() {
        let malformed = |status| script().posting(status).raw(Intent::MalformedJson, json!({"kind": "bare word"}), "x");
        let error = r#"{"jsonrpc":"2.0","id":null,"error":{"code":-32700,"message":"Parse error"}}"#;
        for script in [malformed(400), malformed(202).says(error)] {
            let script = script.posting(202).plain("ping", json!({}), json!({"result": {}})).settled();
            assert_eq!(script.status_of(MALFORMED), Status::Pass);
        }
        assert_eq!(malformed(202).settled().fails_in("sse"), [MALFORMED]);
        assert_eq!(malformed(500).settled().fails_in("sse"), [MALFORMED]);
        let ends = malformed(202).add(Kind::Closed { channel: 1, fault: None });
        assert_eq!(ends.fails_in("sse"), [MALFORMED]);
        assert_eq!(script().raw(Intent::Unknown, Value::Null, "x").settled().status_of(MALFORMED), Status::NotObserved);
    }
}
