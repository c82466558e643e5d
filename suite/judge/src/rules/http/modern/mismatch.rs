//! The answer to a request with wrong headers is a JSON-RPC error for just this request.

use verdict::Intent;

use super::mirror::MISMATCH;
use crate::{Case, Collector, Rule, View};

pub(super) const RULE: Rule = Rule { name: "http/mismatch", judges: &["http.headers.mismatch-answers-id"], judge };

const ID: &str = RULE.judges[0];

fn judge(view: &View<'_>, collector: &mut Collector) {
    for case in view.cases().filter(|case| case.error_code() == Some(MISMATCH)) {
        examine(&case, collector);
    }
    // An id that is not the request's answers nothing: it is found on the channel alone.
    for case in view.probes(Intent::Mirror).filter(|case| case.reply().is_none()) {
        let error =
            case.received().find(|incoming| incoming.message().and_then(wire::Message::error_code) == Some(MISMATCH));
        if error.is_some() {
            check_told(&case, "an error with a different id", collector);
        }
    }
}

fn examine(case: &Case<'_>, collector: &mut Collector) {
    if case.exchange.answers.is_empty() {
        return check_told(case, "an error without the id", collector);
    }
    let kind = case.media_type().unwrap_or_default();
    if kind.is_empty() || kind == "application/json" || kind == "text/event-stream" {
        collector.witness(ID);
    } else {
        check_told(case, &format!("an error with Content-Type {}", crate::view::clip(&kind)), collector);
    }
}

fn check_told(case: &Case<'_>, actual: &str, collector: &mut Collector) {
    let message = "The error for wrong headers is not a response to this request, so clients cannot tell which request it is about.";
    let mut finding = case.finding(message, "a JSON-RPC error with the id of the request, as application/json");
    finding.actual = actual.to_owned();
    collector.fail(ID, finding);
}

#[cfg(test)]
mod tests {
    use serde_json::json;
    use verdict::{Intent, Revision, Status, Transport};

    use super::ID;
    use crate::testing::Script;

    fn refused(kind: &str, error: &str) -> Script {
        let script = Script::over(Transport::Http, Revision::V2026_07_28, json!({}));
        let about = json!({"claim": "http.headers.method-missing", "expect": "refused"});
        let body = r#"{"jsonrpc":"2.0","id":7,"method":"server/discover","params":{}}"#;
        script.request("POST", Intent::Mirror, about, &[], body).respond(400, &[("Content-Type", kind)], error)
    }

    #[test]
    fn the_error_is_for_the_request() {
        let good = r#"{"jsonrpc":"2.0","id":7,"error":{"code":-32020,"message":"no"}}"#;
        assert_eq!(refused("application/json; charset=utf-8", good).status_of(ID), Status::Pass);
        assert_eq!(refused("text/plain", good).status_of(ID), Status::Fail);
        for id in ["", r#""id":null,"#, r#""id":8,"#] {
            let error = format!(r#"{{"jsonrpc":"2.0",{id}"error":{{"code":-32020,"message":"no"}}}}"#);
            assert_eq!(refused("application/json", &error).status_of(ID), Status::Fail, "{id}");
        }
    }
}
