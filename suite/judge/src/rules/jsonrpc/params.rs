//! Known methods with missing or ill-typed parameters.

use verdict::{Intent, Key, Level};
use wire::mcp::code;

use super::common::{is_bare_refusal, is_codeless, is_mismatch, is_silent, milder, orphan, placed};
use crate::rules::common::is_unserved;
use crate::{Case, Collector, ExchangeEnd, Rule, View};

pub(super) const RULE: Rule = Rule {
    name: "jsonrpc/params",
    judges: &[
        "jsonrpc.invalid-params.code",
        "jsonrpc.invalid-params.no-result",
        "jsonrpc.invalid-params.missing-params",
    ],
    judge,
};

fn judge(view: &View<'_>, collector: &mut Collector) {
    for case in view.probes(Intent::InvalidParams).filter(Case::is_decided) {
        check_code(&case, collector);
        no_result(&case, collector);
    }
    for case in view.probes(Intent::MissingParams).filter(Case::is_decided) {
        check_missing(&case, collector);
    }
}

fn place<'v>(case: &Case<'v>) -> &'v str {
    case.about_str(Key::Kind).or(case.method()).unwrap_or_default()
}

fn check_code(case: &Case<'_>, collector: &mut Collector) {
    const ID: &str = "jsonrpc.invalid-params.code";
    let Some(code) = case.error_code() else { return };
    if is_unserved(case) {
        return collector.not_observed(ID, format!("the server does not serve {}", case.method().unwrap_or_default()));
    }
    if code == code::RESOURCE_NOT_FOUND && case.about_str(Key::Kind) == Some("uri") && case.view.revision.is_handshake()
    {
        collector.witness(ID);
        return collector.note(ID, "a numeric uri is converted to a string and then not found");
    }
    collector.check(ID, code == code::INVALID_PARAMS || is_mismatch(case), || {
        placed(
            case,
            place(case),
            "The error for missing or mistyped parameters has a code other than -32602, so it looks like a server failure.",
            "error -32602 (invalid params)",
        )
    });
}

fn no_result(case: &Case<'_>, collector: &mut Collector) {
    const ID: &str = "jsonrpc.invalid-params.no-result";
    if case.error().is_some() || case.is_tool_error() {
        collector.witness(ID);
    } else if case.result().is_some() {
        // Servers that convert types exist and harm few: told, but not held against them.
        let finding = placed(
            case,
            place(case),
            "A request with mistyped parameters succeeds: the server guesses what was meant.",
            "error -32602 (invalid params)",
        );
        collector.fail(ID, milder(finding, Level::Advice));
    }
}

fn check_missing(case: &Case<'_>, collector: &mut Collector) {
    const ID: &str = "jsonrpc.invalid-params.missing-params";
    if is_codeless(case) || orphan(case).is_some() {
        return;
    }
    if is_unserved(case) {
        return collector.not_observed(ID, format!("the server does not serve {}", case.method().unwrap_or_default()));
    }
    let malformed = case.sent().is_some_and(|message| message.params().is_none());
    if malformed && (case.error_code() == Some(code::INVALID_REQUEST) || is_bare_refusal(case)) {
        // A request without the params that its type requires is also no valid request.
        collector.witness(ID);
        return collector.note(ID, format!("a request without params is refused with {}", case.outcome()));
    }
    collector.check(ID, case.error_code() == Some(code::INVALID_PARAMS) || is_mismatch(case), || {
        let message = match case.exchange.end {
            ExchangeEnd::Gone { .. } => "A request without the params that its method requires makes the server exit.",
            _ if is_silent(case) => "A request without the params that its method requires is never answered.",
            _ => "A request without the params that its method requires is not refused as invalid.",
        };
        placed(case, case.method().unwrap_or_default(), message, "error -32602 (invalid params)")
    });
}

#[cfg(test)]
mod tests {
    use serde_json::{Value, json};
    use verdict::{Intent, Level, Revision, Status, Transport};

    use crate::testing::Script;

    const CODE: &str = "jsonrpc.invalid-params.code";
    const MISSING: &str = "jsonrpc.invalid-params.missing-params";

    fn uri(revision: Revision, answer: Value) -> Script {
        let script = Script::new(revision, json!({"resources": {}}));
        script.probe_about(Intent::InvalidParams, json!({"kind": "uri"}), "resources/read", json!({"uri": 5}), answer)
    }

    fn error(code: i64) -> Value {
        json!({"error": {"code": code, "message": "no"}})
    }

    #[test]
    fn the_code_is_judged_if_an_error_comes() {
        let right = uri(Revision::V2025_11_25, error(-32602));
        assert!(right.fails_in("jsonrpc").is_empty());
        assert_eq!(right.status_of(CODE), Status::Pass);
        assert_eq!(uri(Revision::V2025_11_25, error(-32603)).fails_in("jsonrpc"), [CODE]);
        assert!(uri(Revision::V2025_11_25, error(-32002)).fails_in("jsonrpc").is_empty());
        assert!(uri(Revision::V2026_07_28, error(-32002)).fails_in("jsonrpc").contains(&CODE));
    }

    #[test]
    fn a_method_that_is_not_there_at_all_says_nothing() {
        let absent = |script: Script| script.plain("resources/read", json!({"uri": "a://b"}), error(-32601));
        assert_eq!(absent(uri(Revision::V2025_11_25, error(-32601))).status_of(CODE), Status::NotObserved);
        let served = |script: Script| {
            script.plain("resources/read", json!({"uri": "a://b"}), json!({"result": {"contents": []}}))
        };
        assert_eq!(served(uri(Revision::V2025_11_25, error(-32601))).status_of(CODE), Status::Fail);
    }

    #[test]
    fn a_conversion_is_told_mildly() {
        let verdict =
            uri(Revision::V2025_11_25, json!({"result": {"contents": []}})).verdict("jsonrpc.invalid-params.no-result");
        assert_eq!((verdict.status, verdict.level), (Status::Fail, Level::Advice));
        let refused = uri(Revision::V2025_11_25, json!({"result": {"content": [], "isError": true}}));
        assert_eq!(refused.status_of("jsonrpc.invalid-params.no-result"), Status::Pass);
    }

    #[test]
    fn missing_params_are_refused_and_not_ignored() {
        let ask = |answer| {
            Script::new(Revision::V2025_11_25, json!({"tools": {}})).probe(
                Intent::MissingParams,
                "tools/call",
                json!({}),
                answer,
            )
        };
        assert!(ask(error(-32602)).fails_in("jsonrpc").is_empty());
        assert_eq!(ask(error(-32603)).fails_in("jsonrpc"), [MISSING]);
        let silent = Script::new(Revision::V2025_11_25, json!({"tools": {}})).unanswered(
            Intent::MissingParams,
            "tools/call",
            json!({}),
        );
        assert!(silent.settled().fails_in("jsonrpc").contains(&MISSING));
    }

    #[test]
    fn over_http_2026_the_header_has_no_counterpart() {
        let script = Script::over(Transport::Http, Revision::V2026_07_28, json!({"tools": {}}));
        let script = script.probe(Intent::MissingParams, "tools/call", json!({}), error(-32020));
        assert_eq!(script.status_of(MISSING), Status::Pass);
    }
}
