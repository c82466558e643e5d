//! Rules about messages that are posted to the wrong place.

use verdict::Intent;

use super::common::posted;
use crate::{Case, Collector, Rule, View};

const UNKNOWN: &str = "sse.post.unknown-session-rejected";
const COMPAT: &str = "sse.compat.post-to-stream-url-4xx";

pub(super) const RULE: Rule = Rule { name: "sse/strangers", judges: &[UNKNOWN, COMPAT], judge };

fn judge(view: &View<'_>, collector: &mut Collector) {
    for case in view.probes(Intent::UnknownSession) {
        check_unknown(&case, collector);
    }
    for case in view.probes(Intent::AtStreamUrl) {
        check_compatible(&case, collector);
    }
}

fn check_unknown(case: &Case<'_>, collector: &mut Collector) {
    let refused = "a 4xx status, and nothing on any stream";
    if executed(case) {
        let told = "A message posted for a client that does not exist is executed for another one.";
        let mut finding = case.finding(told, refused);
        finding.actual = "it is answered".to_owned();
        return collector.fail(UNKNOWN, finding);
    }
    let told = "A message posted for a client that does not exist is not refused, so a client whose session is gone never finds out.";
    let Some(status) = posted(case) else {
        if is_silent(case, Intent::UnknownSessionSilent) {
            let mut finding = case.finding(told, refused);
            finding.actual = "no answer to the POST".to_owned();
            collector.fail(UNKNOWN, finding);
        }
        return;
    };
    collector.check(UNKNOWN, (400..500).contains(&status), || {
        let mut finding = case.finding(told, refused);
        finding.actual = format!("HTTP status {status}");
        finding
    });
}

/// The time limit passed, as an intent of the session says.
fn is_silent(case: &Case<'_>, intent: Intent) -> bool {
    case.session.probes.iter().any(|(seq, probe)| *seq > case.exchange.seq && probe.intent == intent)
}

/// Some client was sent the answer.
fn executed(case: &Case<'_>) -> bool {
    let key = case.sent().and_then(|message| message.id.as_ref()).and_then(wire::Id::key);
    let incoming = case.view.sessions.iter().flat_map(|session| session.incoming.iter());
    incoming.filter(|incoming| incoming.seq > case.exchange.seq).any(|incoming| {
        let Some(message) = incoming.message() else { return false };
        let same = key.is_some() && message.id.as_ref().and_then(wire::Id::key) == key;
        same && message.result().is_some()
    })
}

fn check_compatible(case: &Case<'_>, collector: &mut Collector) {
    let finding = |actual: String| {
        let told = "initialize posted to the stream URL is not refused as newer clients expect, so they do not fall back to HTTP+SSE.";
        let mut finding = case.finding(told, "HTTP status 400, 404 or 405");
        finding.actual = actual;
        finding
    };
    match posted(case) {
        Some(400 | 404 | 405) => collector.witness(COMPAT),
        // Then the same URL speaks Streamable HTTP, and nobody has to fall back.
        Some(200..300) if is_served(case) => collector.witness(COMPAT),
        // A credential, or patience, is asked for first.
        Some(401 | 403 | 429) => {}
        None if is_silent(case, Intent::AtStreamUrlSilent) => {
            collector.fail(COMPAT, finding("no answer within the time limit".to_owned()));
        }
        None => {}
        Some(status @ 400..500) => {
            collector.witness(COMPAT);
            collector.note(
                COMPAT,
                format!("clients of 2025-11-25 and later fall back only on 400, 404 and 405, not on {status}"),
            );
        }
        Some(status) => collector.fail(COMPAT, finding(format!("HTTP status {status}"))),
    }
}

/// A result came in the response.
fn is_served(case: &Case<'_>) -> bool {
    let own = case.session.frames.iter().filter(|(_, frame)| frame.channel == case.exchange.send.channel);
    own.into_iter().any(|(_, frame)| {
        let parsed = wire::parse(frame.text.as_bytes(), &wire::Limits::default());
        parsed.messages().iter().any(|message| message.result().is_some() || message.error().is_some())
    })
}

#[cfg(test)]
mod tests {
    use serde_json::json;
    use verdict::{Intent, Revision, Status, Transport};

    use super::{COMPAT, UNKNOWN};
    use crate::testing::Script;

    const INITIALIZE: &str = r#"{"jsonrpc":"2.0","id":"first","method":"initialize"}"#;

    fn script() -> Script {
        Script::over(Transport::Sse, Revision::V2024_11_05, json!({}))
    }

    fn stray(status: u16) -> Script {
        let text = r#"{"jsonrpc":"2.0","id":"stray","method":"ping"}"#;
        script().posting(status).raw(Intent::UnknownSession, json!({}), text).posting(202)
    }

    #[test]
    fn a_4xx_refuses_and_acceptance_does_not() {
        for status in [400, 404, 410] {
            assert_eq!(stray(status).settled().status_of(UNKNOWN), Status::Pass, "{status}");
        }
        assert_eq!(stray(202).settled().fails_in("sse"), [UNKNOWN]);
        assert_eq!(stray(500).settled().fails_in("sse"), [UNKNOWN]);
        let text = r#"{"jsonrpc":"2.0","id":"stray","method":"ping"}"#;
        let hangs = script().request("POST", Intent::UnknownSession, json!({}), &[], text);
        assert_eq!(hangs.means(Intent::UnknownSessionSilent, json!({})).fails_in("sse"), [UNKNOWN]);
    }

    #[test]
    fn an_answer_on_any_stream_fails() {
        let answered = stray(202).and_streaming("other").says(r#"{"jsonrpc":"2.0","id":"stray","result":{}}"#);
        assert_eq!(answered.fails_in("sse"), [UNKNOWN]);
    }

    fn posted(status: u16, body: &str) -> Script {
        let script = script().request("POST", Intent::AtStreamUrl, json!({}), &[], INITIALIZE);
        script.respond(status, &[], body)
    }

    #[test]
    fn what_makes_newer_clients_fall_back_passes() {
        for status in [400, 404, 405, 422] {
            assert_eq!(posted(status, "").status_of(COMPAT), Status::Pass, "{status}");
        }
        assert_eq!(posted(422, "").verdict(COMPAT).notes.len(), 1);
        let both = posted(200, r#"{"jsonrpc":"2.0","id":"first","result":{"protocolVersion":"2025-11-25"}}"#);
        assert_eq!(both.status_of(COMPAT), Status::Pass);
        assert_eq!(posted(401, "").status_of(COMPAT), Status::NotObserved);
    }

    #[test]
    fn what_strands_them_fails() {
        for status in [200, 202, 302, 500] {
            assert_eq!(posted(status, "").fails_in("sse"), [COMPAT], "{status}");
        }
        let silent = script().request("POST", Intent::AtStreamUrl, json!({}), &[], INITIALIZE);
        assert_eq!(silent.means(Intent::AtStreamUrlSilent, json!({})).fails_in("sse"), [COMPAT]);
    }
}
