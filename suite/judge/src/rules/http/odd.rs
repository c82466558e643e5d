//! Requirements of HTTP itself: other methods, 405 with Allow, empty and broken bodies, redirects, UTF-8.
//!
//! Most of it is read from all traffic.

use verdict::Intent;
use wire::mcp::code;

use super::common::STREAM;
use crate::{Case, Collector, Rule, View};

pub(super) const RULE: Rule = Rule {
    name: "http/odd",
    judges: &[
        "http.endpoint.other-methods-405",
        "http.method.allow-header",
        "http.post.empty-body",
        "http.endpoint.no-redirect",
        "http.status.no-5xx-for-client-faults",
        "http.response.utf8",
    ],
    judge,
};

const OTHER: &str = RULE.judges[0];
const ALLOW: &str = RULE.judges[1];
const EMPTY: &str = RULE.judges[2];
const REDIRECT: &str = RULE.judges[3];
const FAULTS: &str = RULE.judges[4];
const UTF8: &str = RULE.judges[5];

fn judge(view: &View<'_>, collector: &mut Collector) {
    for case in view.cases().filter(|case| case.path().is_none() && case.status().is_some()) {
        match case.intent() {
            Some(Intent::OtherMethod) => check_other(&case, collector),
            Some(Intent::EmptyBody) => {
                let refused = case.status().is_some_and(|status| (400..500).contains(&status));
                collector.check(EMPTY, refused, || case.finding("An empty body is not refused.", "a 4xx status"));
            }
            _ => {}
        }
        check_passive(&case, collector);
        check_utf8(&case, collector);
    }
}

fn check_other(case: &Case<'_>, collector: &mut Collector) {
    match case.status() {
        Some(405) => collector.witness(OTHER),
        Some(status @ (401 | 403 | 404 | 501)) => {
            collector.witness(OTHER);
            collector.note(
                OTHER,
                format!("HTTP methods that have no meaning here are refused with {status} instead of 405"),
            );
        }
        _ => {
            let mut finding =
                case.finding("An HTTP method that has no meaning here is not refused with 405.", "HTTP status 405");
            finding.place = case.http().map(str::to_owned);
            collector.fail(OTHER, finding);
        }
    }
}

fn check_passive(case: &Case<'_>, collector: &mut Collector) {
    let status = case.status().unwrap_or_default();
    if status == 405 {
        collector.check(ALLOW, case.header("allow").is_some(), || {
            case.finding(
                "A 405 response lacks the Allow header that HTTP requires.",
                "an Allow header with the supported methods",
            )
        });
    }
    if case.http() == Some("POST") {
        collector.check(REDIRECT, !(300..400).contains(&status), || {
            let message =
                "A POST is redirected: many clients lose the body or the headers when they follow the redirect.";
            case.finding(message, "a response from the endpoint itself")
        });
    }
    // An error of JSON-RPC about what went wrong inside is the server's own affair.
    let inside = case.error_code() == Some(code::INTERNAL_ERROR);
    if (400..600).contains(&status) && !inside && status != 503 {
        collector.check(FAULTS, status < 500 || status == 501, || {
            case.finding("Invalid input is reported as a server failure.", "a 4xx status")
        });
    }
}

fn check_utf8(case: &Case<'_>, collector: &mut Collector) {
    if !matches!(case.media_type().as_deref(), Some("application/json" | STREAM)) {
        return;
    }
    for incoming in case.received().filter(|incoming| matches!(incoming.element, None | Some(0))) {
        let odd = super::common::events(case).any(|event| {
            event.incoming.seq == incoming.seq && event.oddities.iter().any(|oddity| oddity == "InvalidUtf8")
        });
        collector.check(UTF8, !incoming.receive.not_utf8 && !odd, || {
            let mut finding = case.finding("The server sends data that is not UTF-8.", "well-formed UTF-8");
            finding.wire.push(incoming.wire());
            finding
        });
    }
}

#[cfg(test)]
mod tests {
    use serde_json::Value;
    use verdict::transcript::{Kind, Receive, Via};
    use verdict::{Revision, Status};

    use super::super::scripts::{JSON, OWN, SSE, ask, error, open, result};
    use super::*;
    use crate::testing::Script;

    const REV: Revision = Revision::V2025_11_25;

    fn sent(
        http: &str,
        intent: impl Into<Option<Intent>>,
        status: u16,
        headers: &[(&str, &str)],
        body: &str,
    ) -> Script {
        open(REV).request(http, intent, Value::Null, OWN, "").respond(status, headers, body)
    }

    #[test]
    fn other_methods_are_refused() {
        let allow = [("Allow", "GET, POST")];
        let script = sent("PUT", Intent::OtherMethod, 405, &allow, "");
        assert_eq!((script.status_of(OTHER), script.status_of(ALLOW)), (Status::Pass, Status::Pass));
        assert_eq!(sent("PUT", Intent::OtherMethod, 404, &[], "").verdict(OTHER).notes.len(), 1);
        assert!(sent("PUT", Intent::OtherMethod, 200, &[], "").fails().contains(&OTHER));
        assert!(sent("PUT", Intent::OtherMethod, 405, &[], "").fails().contains(&ALLOW));
    }

    #[test]
    fn an_empty_body_is_refused_without_a_server_error() {
        let script = sent("POST", Intent::EmptyBody, 400, JSON, &error("empty"));
        assert!([EMPTY, FAULTS, REDIRECT].iter().all(|id| script.status_of(id) == Status::Pass));
        assert!(sent("POST", Intent::EmptyBody, 200, &[], "").fails().contains(&EMPTY));
        assert!(sent("POST", None, 500, &[], "").fails().contains(&FAULTS));
        assert!(sent("POST", None, 307, &[("Location", "/mcp/")], "").fails().contains(&REDIRECT));
    }

    #[test]
    fn a_tool_that_fails_inside_may_come_with_500() {
        let inside = r#"{"jsonrpc":"2.0","id":7,"error":{"code":-32603,"message":"oops"}}"#;
        let script =
            open(REV).request("POST", None, Value::Null, OWN, &ask(7, "tools/call")).respond(500, JSON, inside);
        assert!(!script.fails().contains(&FAULTS));
    }

    #[test]
    fn other_encodings_fail_in_json_and_in_streams() {
        let answered = |headers, via, not_utf8| {
            let script = open(REV).request("POST", None, Value::Null, OWN, &ask(7, "tools/list")).head(200, headers);
            let channel = script.last_channel();
            script.add(Kind::Receive(Receive { channel, text: result(7), via, dropped: 0, not_utf8 })).ends()
        };
        let sse = |oddities: Vec<String>| Via::Sse { event: None, id: None, retry: None, oddities };
        assert_eq!(answered(JSON, Via::Body, false).status_of(UTF8), Status::Pass);
        assert!(answered(JSON, Via::Body, true).fails().contains(&UTF8));
        assert!(answered(SSE, sse(vec!["InvalidUtf8".into()]), false).fails().contains(&UTF8));
        assert!(!answered(&[("content-type", "text/html")], Via::Body, true).fails().contains(&UTF8));
    }
}
