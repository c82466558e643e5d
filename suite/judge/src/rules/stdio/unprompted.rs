//! In 2026-07-28 a server on stdio speaks only when it is asked; and an error about headers cannot occur there.

use verdict::{Intent, Transport};
use wire::mcp::code;

use super::finding;
use crate::{Collector, Incoming, Rule, Session, View};

pub(super) const RULE: Rule = Rule {
    name: "stdio/unprompted",
    judges: &["stdio.stdout.nothing-unprompted", "stdio.errors.no-header-mismatch"],
    judge,
};

const UNPROMPTED: &str = RULE.judges[0];
const MISMATCH: &str = RULE.judges[1];

fn judge(view: &View<'_>, collector: &mut Collector) {
    if view.transport != Transport::Stdio {
        return;
    }
    for session in view.judged() {
        if session.probes.iter().any(|(_, probe)| probe.intent == Intent::Idle) {
            collector.witness(UNPROMPTED);
        }
        for incoming in &session.incoming {
            if incoming.method().is_some() {
                check_unprompted(session, incoming, collector);
            }
            if let Some(code) = incoming.message().and_then(wire::Message::error_code) {
                check_mismatch(session, incoming, code, collector);
            }
        }
    }
}

/// By order on the stream: nothing that asks for an answer was open when it came.
fn check_unprompted(session: &Session<'_>, incoming: &Incoming<'_>, collector: &mut Collector) {
    let asked = session.exchanges.iter().filter(|exchange| exchange.seq < incoming.seq);
    let mut open = asked.filter(|exchange| {
        let answered = exchange.answers.iter().chain(&exchange.unmatched).filter_map(|at| session.incoming.get(*at));
        let by_then = answered.filter(|answer| answer.seq < incoming.seq).count();
        let asks = exchange.parsed.messages().iter().any(|message| message.kind == wire::Kind::Request);
        // What could not be read may be at work too.
        (asks || exchange.parsed.messages().is_empty()) && by_then == 0
    });
    collector.check(UNPROMPTED, open.next().is_some(), || {
        let method = incoming.method().unwrap_or_default().chars().take(80).collect::<String>();
        let message = "The server sends a message although no request is in flight and no subscription is open; clients of this revision cannot relate it to anything.";
        let expected = "only responses, and notifications for requests in flight";
        finding(session, message, expected, &method, vec![incoming.wire()])
    });
}

fn check_mismatch(session: &Session<'_>, incoming: &Incoming<'_>, code: i64, collector: &mut Collector) {
    collector.check(MISMATCH, code != code::HEADER_MISMATCH, || {
        let message = "An error reports a mismatch between headers and body, but stdio has no headers; the client looks for a fault that cannot exist.";
        finding(session, message, "a different error code on stdio", "error -32020", vec![incoming.wire()])
    });
}

#[cfg(test)]
mod tests {
    use serde_json::json;
    use verdict::{Revision, Status};

    use super::*;
    use crate::testing::Script;

    const LOG: &str = r#"{"jsonrpc":"2.0","method":"notifications/message","params":{"level":"info","data":"x"}}"#;

    fn script() -> Script {
        Script::new(Revision::V2026_07_28, json!({}))
    }

    #[test]
    fn a_notification_out_of_the_blue_fails_and_one_of_an_open_request_passes() {
        assert_eq!(script().says(LOG).fails_in("stdio"), [UNPROMPTED]);
        let open = script().unanswered_plainly("subscriptions/listen", json!({})).says(LOG);
        assert_eq!(open.status_of(UNPROMPTED), Status::Pass);
        assert_eq!(script().means(Intent::Idle, json!({})).status_of(UNPROMPTED), Status::Pass);
        assert_eq!(script().status_of(UNPROMPTED), Status::NotObserved);
    }

    #[test]
    fn before_2026_a_server_may_speak() {
        let script = Script::new(Revision::V2025_11_25, json!({"logging": {}})).says(LOG);
        assert!(script.fails_in("stdio").is_empty());
    }

    #[test]
    fn the_code_for_headers_fails() {
        let error = |code: i64| json!({"error": {"code": code, "message": "x"}});
        assert_eq!(script().plain("x/y", json!({}), error(-32020)).fails_in("stdio"), [MISMATCH]);
        assert_eq!(script().plain("x/y", json!({}), error(-32601)).status_of(MISMATCH), Status::Pass);
    }
}
