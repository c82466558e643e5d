//! Requests for methods that a server does not have, and the id of the errors they get.

use serde_json::Value;
use verdict::probes::values::Reading;
use verdict::{Intent, Key};
use wire::Message;
use wire::mcp::code;

use super::common::{answer_id, frame, is_bare_refusal, is_codeless, is_plain_request, is_stray_error, orphan, placed};
use crate::view::clip;
use crate::{Case, Collector, ExchangeEnd, Incoming, Rule, Session, View};

pub(super) const RULE: Rule = Rule {
    name: "jsonrpc/method",
    judges: &[
        "jsonrpc.method-not-found.code",
        "jsonrpc.method-not-found.wrong-direction",
        "jsonrpc.method-not-found.exact-name",
        "jsonrpc.method-not-found.notification-with-id",
        "jsonrpc.error.same-id",
        "jsonrpc.error.no-success-shape",
    ],
    judge,
};

/// Requests that fail for their method or params, so that the id could be read.
const FAILING: [Intent; 4] =
    [Intent::UnknownMethod, Intent::WrongDirection, Intent::InvalidParams, Intent::MissingParams];

fn judge(view: &View<'_>, collector: &mut Collector) {
    for session in view.judged().filter(|session| session.reading == Some(Reading::Errors)) {
        without_id(session, collector);
    }
    for case in view.probes(Intent::UnknownMethod).filter(Case::is_decided) {
        check_unknown("jsonrpc.method-not-found.code", &case, collector);
        check_shape(&case, collector);
    }
    for case in view.probes(Intent::WrongDirection).filter(Case::is_decided) {
        check_unknown("jsonrpc.method-not-found.wrong-direction", &case, collector);
        check_shape(&case, collector);
    }
    for case in view.probes(Intent::InexactMethod).filter(Case::is_decided) {
        // A server that ends over it took it for no method of its own: the requirement above says so.
        if !matches!(case.exchange.end, ExchangeEnd::Gone { .. }) {
            check_unknown("jsonrpc.method-not-found.exact-name", &case, collector);
        }
    }
    for case in view.probes(Intent::NotificationWithId).filter(Case::is_decided) {
        let refused = matches!(case.error_code(), Some(code::METHOD_NOT_FOUND | code::INVALID_REQUEST));
        collector.check("jsonrpc.method-not-found.notification-with-id", refused, || {
            place_finding(
                &case,
                "A request that uses the name of a notification is not refused.",
                "error -32601 or -32600",
            )
        });
    }
    for case in view.cases() {
        same_id(&case, collector);
    }
}

fn place_finding(case: &Case<'_>, message: &str, expected: &str) -> verdict::Finding {
    placed(case, case.about_str(Key::Kind).or(case.method()).unwrap_or_default(), message, expected)
}

fn check_unknown(id: &'static str, case: &Case<'_>, collector: &mut Collector) {
    if orphan(case).is_some() || is_codeless(case) {
        return;
    }
    collector.check(id, case.error_code() == Some(code::METHOD_NOT_FOUND), || {
        let message = match (case.exchange.end, case.error().is_some()) {
            (ExchangeEnd::Gone { .. }, _) => "A request for an unknown method makes the server exit.",
            (_, true) => "The error for an unknown method has a code other than -32601, so clients cannot tell it from a failure.",
            (_, false) if is_bare_refusal(case) => {
                "A request for an unknown method is refused by its HTTP status alone, so clients cannot tell it from a failure."
            }
            (_, false) => "A request for an unknown method is not refused.",
        };
        place_finding(case, message, "error -32601 (method not found)")
    });
}

/// A failure that only the text of a result tells.
fn check_shape(case: &Case<'_>, collector: &mut Collector) {
    const ID: &str = "jsonrpc.error.no-success-shape";
    if case.error().is_some() {
        collector.witness(ID);
    } else if case.result().is_some_and(speaks_of_error) {
        collector.fail(
            ID,
            place_finding(
                case,
                "A failed request is answered with a result that reports the failure only in its text.",
                "a JSON-RPC error",
            ),
        );
    }
}

fn speaks_of_error(result: &Value) -> bool {
    result.get("isError") == Some(&Value::Bool(true)) || result.to_string().to_lowercase().contains("error")
}

/// The tester knows that errors do not carry the ids of requests: one of them shows it.
fn without_id(session: &Session<'_>, collector: &mut Collector) {
    let about_request = |message: &Message| {
        let code = message.error_code();
        code.is_some_and(|code| !matches!(code, code::PARSE_ERROR | code::INVALID_REQUEST))
            && (answer_id(message).is_none() || is_stray_error(session, message))
    };
    let asked = |incoming: &Incoming<'_>| incoming.answers.and_then(|at| session.exchanges.get(at));
    let mut errors = session.incoming.iter().filter(|incoming| incoming.message().is_some_and(about_request));
    let Some(error) = errors.clone().find(|incoming| asked(incoming).is_some()).or_else(|| errors.next()) else {
        return;
    };
    let actual = "an error without the id of the request";
    let mut finding = frame(error, NO_ID, "an error with the id of the request", actual);
    finding.wire.splice(0..0, asked(error).map(|exchange| format!("> {}", clip(&exchange.send.text))));
    collector.fail("jsonrpc.error.same-id", finding);
}

const NO_ID: &str =
    "An error about a request does not carry its id, so the caller waits for a response that has already come.";

fn same_id(case: &Case<'_>, collector: &mut Collector) {
    const ID: &str = "jsonrpc.error.same-id";
    let failing = case.intent().is_some_and(|intent| FAILING.contains(&intent));
    if !failing || !is_plain_request(case) || !case.is_decided() {
        return;
    }
    if let Some(orphan) = orphan(case) {
        let mut finding = case.finding(NO_ID, "an error with the id of the request");
        finding.actual = "an error without the id of the request".to_owned();
        finding.wire.push(orphan.wire());
        collector.fail(ID, finding);
    } else if !case.exchange.answers.is_empty() && case.error().is_some() {
        collector.witness(ID);
    }
}

#[cfg(test)]
mod tests {
    use serde_json::{Value, json};
    use verdict::{Intent, Revision, Status, Transport};

    use crate::testing::Script;

    const CODE: &str = "jsonrpc.method-not-found.code";

    fn sent(intent: Intent, method: &str, answer: Value) -> Script {
        Script::new(Revision::V2025_11_25, json!({})).probe(intent, method, json!({}), answer)
    }

    fn error(code: i64) -> Value {
        json!({"error": {"code": code, "message": "no"}})
    }

    const TOPICS: [(Intent, &str, &str); 4] = [
        (Intent::UnknownMethod, "no/such-method", CODE),
        (Intent::WrongDirection, "roots/list", "jsonrpc.method-not-found.wrong-direction"),
        (Intent::InexactMethod, "Tools/List", "jsonrpc.method-not-found.exact-name"),
        (Intent::NotificationWithId, "notifications/cancelled", "jsonrpc.method-not-found.notification-with-id"),
    ];

    #[test]
    fn the_right_error_passes_and_others_fail() {
        for (intent, method, id) in TOPICS {
            let right = sent(intent, method, error(-32601));
            assert!(right.fails_in("jsonrpc").is_empty());
            assert_eq!(right.status_of(id), Status::Pass);
            assert_eq!(sent(intent, method, error(-32603)).fails_in("jsonrpc"), [id]);
            assert_eq!(sent(intent, method, json!({"result": {}})).fails_in("jsonrpc"), [id]);
        }
    }

    #[test]
    fn a_request_that_names_a_notification_may_also_be_invalid() {
        assert!(
            sent(Intent::NotificationWithId, "notifications/cancelled", error(-32600)).fails_in("jsonrpc").is_empty()
        );
    }

    #[test]
    fn a_server_that_falls_over_an_unknown_method_fails() {
        let script = Script::new(Revision::V2025_11_25, json!({})).settled();
        let script = script.unanswered(Intent::UnknownMethod, "no/such-method", json!({})).exits(1);
        assert_eq!(script.fails_in("jsonrpc"), [CODE]);
        let beside = Script::new(Revision::V2025_11_25, json!({})).unanswered(Intent::UnknownMethod, "x", json!({}));
        let beside = beside.unanswered(Intent::Unknown, "ping", json!({})).exits(1);
        assert_eq!(beside.status_of(CODE), Status::NotObserved);
    }

    #[test]
    fn an_error_without_the_id_fails_alone() {
        let orphan = r#"{"jsonrpc":"2.0","id":null,"error":{"code":-32601,"message":"no"}}"#;
        let script = Script::new(Revision::V2025_11_25, json!({})).unanswered(Intent::UnknownMethod, "x", json!({}));
        assert_eq!(script.says(orphan).settled().fails_in("jsonrpc"), ["jsonrpc.error.same-id"]);
        let script = Script::over(Transport::Http, Revision::V2025_11_25, json!({}));
        let script = script.unanswered(Intent::UnknownMethod, "x", json!({})).status(200).says(orphan);
        assert_eq!(script.fails_in("jsonrpc"), ["jsonrpc.error.same-id"]);
        assert_eq!(sent(Intent::UnknownMethod, "x", error(-32601)).status_of("jsonrpc.error.same-id"), Status::Pass);
        let invented = Script::new(Revision::V2025_11_25, json!({})).unanswered(Intent::UnknownMethod, "x", json!({}));
        let invented = invented.says(&orphan.replace("null", "\"error\"")).settled();
        assert_eq!(invented.status_of("jsonrpc.error.same-id"), Status::Fail);
    }

    #[test]
    fn a_result_that_speaks_of_an_error_is_the_wrong_channel() {
        let script = sent(Intent::UnknownMethod, "x", json!({"result": {"text": "Error: method not found"}}));
        assert_eq!(script.fails_in("jsonrpc"), ["jsonrpc.error.no-success-shape", CODE]);
    }
}
