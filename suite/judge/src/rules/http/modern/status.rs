//! HTTP statuses that 2026-07-28 prescribes for errors.

use serde_json::Value;
use verdict::{Intent, Key};
use wire::mcp::code;

use crate::rules::jsonrpc::common::is_codeless;
use crate::{Case, Collector, Rule, View};

pub(super) const RULE: Rule = Rule {
    name: "http/modern-status",
    judges: &[
        "http.status.unknown-method-404",
        "http.status.missing-meta-400",
        "http.status.missing-capability-400",
        "http.version-header.unsupported",
    ],
    judge,
};

const METHOD: &str = RULE.judges[0];
const META: &str = RULE.judges[1];
const CAPABILITY: &str = RULE.judges[2];
const VERSION: &str = RULE.judges[3];

fn judge(view: &View<'_>, collector: &mut Collector) {
    let decided = |case: &Case<'_>| case.is_decided() && case.status().is_some() && !is_codeless(case);
    for case in view.probes(Intent::UnknownMethod).filter(decided) {
        check_method(&case, collector);
    }
    let gone = |case: &Case<'_>| matches!(case.method(), Some("ping" | "logging/setLevel"));
    for case in view.probes(Intent::RemovedMethod).filter(decided).filter(gone) {
        check_method(&case, collector);
    }
    for case in view.probes(Intent::RequestMeta).filter(decided) {
        check_meta(&case, collector);
    }
    for case in view.cases().filter(|case| case.error_code() == Some(code::MISSING_CLIENT_CAPABILITY)) {
        check_told(CAPABILITY, &case, 400, case.status() == Some(400), "a missing client capability", collector);
    }
    for case in view.probes(Intent::VersionUnsupported).filter(decided) {
        if matches!(case.about_str(Key::Kind), Some("discover" | "list")) {
            check_version(&case, collector);
        }
    }
}

fn check_told(id: &'static str, case: &Case<'_>, status: u16, good: bool, what: &str, collector: &mut Collector) {
    collector.check(id, good, || {
        let code = match id {
            METHOD => code::METHOD_NOT_FOUND,
            META => code::INVALID_PARAMS,
            CAPABILITY => code::MISSING_CLIENT_CAPABILITY,
            _ => code::UNSUPPORTED_PROTOCOL_VERSION,
        };
        let message = format!(
            "The response to {what} does not have the status and the error by which clients and gateways recognize this case."
        );
        let mut finding = case.finding(message, format!("status {status} and error {code} with the id of the request"));
        finding.place = case.about_str(Key::Kind).filter(|_| id != METHOD).or(case.method()).map(str::to_owned);
        if let (Some(_), Some(status)) = (case.reply(), case.status()) {
            finding.actual = format!("{} with status {status}", case.outcome());
        }
        finding
    });
}

fn check_method(case: &Case<'_>, collector: &mut Collector) {
    if case.result().is_some() {
        return;
    }
    let answered = case.error_code() == Some(code::METHOD_NOT_FOUND) && !case.exchange.answers.is_empty();
    check_told(
        METHOD,
        case,
        404,
        answered && case.status() == Some(404),
        "a method that the server does not support",
        collector,
    );
}

fn check_meta(case: &Case<'_>, collector: &mut Collector) {
    let kind = case.about_str(Key::Kind).unwrap_or_default();
    let versionless = matches!(kind, "missing-version" | "missing-meta" | "no-params");
    if !(versionless || kind == "missing-capabilities") || case.result().is_some() {
        return;
    }
    let code = case.error_code();
    // A server of both eras may take it for an older request, and the header then has nothing to match.
    let named = match code {
        Some(code::INVALID_PARAMS) => true,
        Some(code::HEADER_MISMATCH) => versionless,
        Some(_) => versionless && !case.view.is_modern_only(),
        None => false,
    };
    check_told(
        META,
        case,
        400,
        named && case.status() == Some(400),
        "a request that lacks a required member of _meta",
        collector,
    );
}

fn check_version(case: &Case<'_>, collector: &mut Collector) {
    let data = case.error().and_then(|error| error.get("data"));
    let listed = data.and_then(|data| data.get("supported")).and_then(Value::as_array);
    let whole = listed.is_some_and(|versions| versions.iter().all(Value::is_string))
        && data.and_then(|data| data.get("requested")).is_some_and(Value::is_string);
    let good = case.status() == Some(400) && case.error_code() == Some(code::UNSUPPORTED_PROTOCOL_VERSION) && whole;
    check_told(VERSION, case, 400, good, "a version that the server does not support", collector);
}

#[cfg(test)]
mod tests {
    use serde_json::{Value, json};
    use verdict::{Intent, Revision, Status, Transport};

    use super::{CAPABILITY, META, METHOD, VERSION};
    use crate::testing::Script;

    fn asked(intent: Intent, about: Value, status: u16, answer: Value) -> Script {
        let script = Script::over(Transport::Http, Revision::V2026_07_28, json!({}));
        let params = json!({"_meta": {"io.modelcontextprotocol/protocolVersion": "1999-01-01"}});
        script.probe_about(intent, about, "no/such", params, answer).status(status)
    }

    fn error(code: i64) -> Value {
        let data =
            json!({"supported": ["2026-07-28"], "requested": "1999-01-01", "requiredCapabilities": {"sampling": {}}});
        json!({"error": {"code": code, "message": "no", "data": data}})
    }

    #[test]
    fn an_unknown_method_is_404_with_a_body() {
        let status = |status, code| asked(Intent::UnknownMethod, json!({}), status, error(code)).status_of(METHOD);
        assert_eq!(status(404, -32601), Status::Pass);
        assert_eq!((status(200, -32601), status(404, -32600)), (Status::Fail, Status::Fail));
        let script = Script::over(Transport::Http, Revision::V2026_07_28, json!({}));
        let bare = script.unanswered(Intent::UnknownMethod, "no/such", json!({})).status(404);
        assert_eq!(bare.status_of(METHOD), Status::Fail);
    }

    #[test]
    fn missing_metadata_is_400() {
        let status = |kind: &str, status, code| {
            asked(Intent::RequestMeta, json!({"kind": kind}), status, error(code)).status_of(META)
        };
        assert_eq!(status("missing-capabilities", 400, -32602), Status::Pass);
        assert_eq!(status("missing-capabilities", 200, -32602), Status::Fail);
        assert_eq!(status("missing-capabilities", 400, -32020), Status::Fail);
        assert_eq!(status("missing-version", 400, -32020), Status::Pass);
        // Perhaps it was taken for a request of an older revision.
        assert_eq!(status("missing-meta", 400, -32600), Status::Pass);
        assert_eq!(status("missing-meta", 200, -32602), Status::Fail);
    }

    #[test]
    fn a_missing_capability_is_400() {
        assert_eq!(asked(Intent::Unknown, json!({}), 400, error(-32021)).status_of(CAPABILITY), Status::Pass);
        assert_eq!(asked(Intent::Unknown, json!({}), 200, error(-32021)).status_of(CAPABILITY), Status::Fail);
    }

    #[test]
    fn an_unsupported_version_is_400_with_all_its_data() {
        let status = |status, answer| {
            asked(Intent::VersionUnsupported, json!({"kind": "list"}), status, answer).status_of(VERSION)
        };
        assert_eq!(status(400, error(-32022)), Status::Pass);
        assert_eq!((status(200, error(-32022)), status(400, error(-32600))), (Status::Fail, Status::Fail));
        assert_eq!(status(400, json!({"error": {"code": -32022, "message": "no"}})), Status::Fail);
    }
}
