//! How what asks for no answer is answered over HTTP: notifications, and responses to requests of the server.

use serde_json::Value;
use verdict::Intent;

use super::common::{Posted, is_success, posted};
use crate::{Case, Collector, Rule, View};

pub(super) const RULE: Rule = Rule {
    name: "http/notify",
    judges: &[
        "http.post.notification-202",
        "http.post.notification-no-body",
        "http.post.notification-refused-status",
        "http.post.refusal-body-without-id",
        "http.post.response-202",
    ],
    judge,
};

const ACCEPTED: &str = RULE.judges[0];
const EMPTY: &str = RULE.judges[1];
const REFUSED: &str = RULE.judges[2];
const NO_ID: &str = RULE.judges[3];
const RESPONSE: &str = RULE.judges[4];

fn judge(view: &View<'_>, collector: &mut Collector) {
    for case in view.cases().filter(|case| case.is_decided() && case.status().is_some()) {
        match posted(&case) {
            Posted::Notification => check_notification(&case, collector),
            Posted::Response => check_response(&case, collector),
            _ => continue,
        }
        invented_id(&case, collector);
    }
}

fn check_notification(case: &Case<'_>, collector: &mut Collector) {
    if case.intent() == Some(Intent::StrangerNotification) {
        let good = case.status().is_some_and(|status| status == 202 || status >= 400);
        return collector.check(REFUSED, good, || {
            case.finding(
                "A notification that cannot be accepted is not answered with an HTTP error, so clients conclude that it was delivered.",
                "an HTTP error status (or 202 if the notification is accepted after all)",
            )
        });
    }
    if case.status().is_some_and(|status| status >= 400) {
        return collector.witness(REFUSED);
    }
    collector.check(ACCEPTED, case.status() == Some(202), || {
        case.finding("A notification is not answered with 202.", "HTTP status 202 without a body")
    });
    if case.status() == Some(202) && case.closed().is_some() {
        collector.check(EMPTY, case.received().next().is_none(), || {
            let mut finding = case
                .finding("The 202 response to a notification has a body, which some clients then parse.", "no body");
            finding.wire.extend(case.received().take(1).map(crate::Incoming::wire));
            finding
        });
    }
}

/// A response that was asked for, in a session that is open.
fn check_response(case: &Case<'_>, collector: &mut Collector) {
    let id = case.sent().and_then(|sent| sent.id.as_ref()).and_then(wire::Id::key);
    let asked = case.session.incoming.iter().any(|incoming| {
        let same = incoming.message().and_then(|message| message.id.as_ref()).and_then(wire::Id::key) == id;
        same && incoming.seq < case.exchange.seq
            && incoming.message().is_some_and(|said| said.kind == wire::Kind::Request)
    });
    if !asked || case.intent().is_some() || matches!(case.status(), Some(401 | 403 | 404 | 429 | 503)) {
        return;
    }
    // It may have come too late: the request is over then.
    if case.status().is_some_and(|status| (400..500).contains(&status)) {
        return collector.inconclusive(RESPONSE, "a response that the server requested was refused");
    }
    let empty = case.received().next().is_none();
    collector.check(RESPONSE, case.status() == Some(202) && empty, || {
        let message = if case.status() == Some(202) {
            "The 202 for a posted response has a body."
        } else {
            "A response that the server requested is not answered with 202."
        };
        case.finding(message, "HTTP status 202 without a body")
    });
}

fn invented_id(case: &Case<'_>, collector: &mut Collector) {
    if is_success(case) {
        return;
    }
    for message in case.received().filter_map(crate::Incoming::message) {
        if message.member("jsonrpc").is_some() && message.error().is_some() {
            let named = message.member("id").is_some_and(|id| *id != Value::Null);
            collector.check(NO_ID, !named, || {
                let mut finding = case.finding(
                    "The error for a message without an id has an id itself, which belongs to no request or to a different one.",
                    "an error response without an id",
                );
                "an error with an id".clone_into(&mut finding.actual);
                finding
            });
        }
    }
}

#[cfg(test)]
mod tests {
    use serde_json::{Value, json};
    use verdict::{Revision, Status};

    use super::super::scripts::{JSON, OWN, SSE, ask, error, notice, open, result};
    use super::*;
    use crate::testing::Script;

    fn noticed(intent: impl Into<Option<Intent>>, status: u16, body: &str) -> Script {
        let text = notice("notifications/roots/list_changed");
        open(Revision::V2025_11_25).request("POST", intent, Value::Null, OWN, &text).respond(status, JSON, body)
    }

    #[test]
    fn accepted_and_refused_notifications_pass() {
        let script = noticed(None, 202, "");
        assert!(script.fails_in("http").is_empty());
        assert!([ACCEPTED, EMPTY].iter().all(|id| script.status_of(id) == Status::Pass));
        let script = noticed(Intent::StrangerNotification, 404, &error("no such session"));
        assert!(script.fails_in("http").is_empty());
        assert!([REFUSED, NO_ID].iter().all(|id| script.status_of(id) == Status::Pass));
        assert!(noticed(Intent::StrangerNotification, 202, "").fails_in("http").is_empty());
    }

    #[test]
    fn another_status_than_202_or_a_body_fails() {
        assert_eq!(noticed(None, 200, "{}").fails_in("http"), [ACCEPTED]);
        assert_eq!(noticed(None, 204, "").fails_in("http"), [ACCEPTED]);
        assert_eq!(noticed(None, 202, "null").fails_in("http"), [EMPTY]);
    }

    #[test]
    fn a_refusal_that_looks_like_success_fails() {
        assert_eq!(noticed(Intent::StrangerNotification, 200, "").fails_in("http"), [REFUSED]);
        assert!(noticed(Intent::StrangerNotification, 302, "").fails().contains(&REFUSED));
    }

    #[test]
    fn an_invented_id_fails_and_a_null_one_passes() {
        let body =
            |id: Value| json!({"jsonrpc": "2.0", "id": id, "error": {"code": -32600, "message": "no"}}).to_string();
        assert_eq!(noticed(Intent::StrangerNotification, 404, &body(json!("server-error"))).fails_in("http"), [NO_ID]);
        assert!(noticed(Intent::StrangerNotification, 404, &body(Value::Null)).fails_in("http").is_empty());
    }

    fn responded(status: u16, body: &str) -> Script {
        let asked = json!({"jsonrpc": "2.0", "id": "q", "method": "roots/list"}).to_string();
        let script = open(Revision::V2025_11_25).request("POST", None, Value::Null, OWN, &ask(7, "tools/call"));
        let script = script.head(200, SSE).sse(&asked).sse(&result(7)).ends();
        let response = json!({"jsonrpc": "2.0", "id": "q", "result": {"roots": []}}).to_string();
        script.request("POST", None, Value::Null, OWN, &response).respond(status, JSON, body)
    }

    #[test]
    fn a_response_that_was_asked_for_gets_202() {
        assert_eq!(responded(202, "").status_of(RESPONSE), Status::Pass);
        assert!(responded(200, "{}").fails().contains(&RESPONSE));
        assert!(responded(202, "{}").fails().contains(&RESPONSE));
        assert_eq!(responded(400, "").status_of(RESPONSE), Status::Inconclusive);
        assert_eq!(noticed(None, 202, "").status_of(RESPONSE), Status::NotObserved);
    }
}
