//! Requests with one header varied, each beside the same request complete.
//!
//! The variation is to blame only if the complete request was served.

use serde_json::Value;
use verdict::probes::values::Expect;
use verdict::{Finding, Intent, Key};
use wire::mcp::code;

use super::claims::{CLAIMS, Claim};
use crate::rules::jsonrpc::common::{is_client_error, is_codeless};
use crate::{Case, Collector, Rule, View};

/// The header differs from the body, or is missing.
pub(super) const MISMATCH: i64 = code::HEADER_MISMATCH;

static JUDGES: [&str; CLAIMS.len()] = {
    let mut ids = [""; CLAIMS.len()];
    let mut at = 0;
    while at < CLAIMS.len() {
        ids[at] = CLAIMS[at].id;
        at += 1;
    }
    ids
};

pub(super) const RULE: Rule = Rule { name: "http/mirror", judges: &JUDGES, judge };

fn judge(view: &View<'_>, collector: &mut Collector) {
    for case in view.probes(Intent::Mirror).filter(Case::is_decided) {
        let Some(claim) = CLAIMS.iter().find(|claim| case.about_str(Key::Claim) == Some(claim.id)) else { continue };
        if case.session.open.confirm {
            collector.repeated(claim.id);
        }
        if claim.id == "http.version-header.required" && !must_name_version(view, collector) {
            continue;
        }
        if is_controlled(&case) {
            examine(claim, &case, collector);
        } else {
            collector.not_observed(claim.id, "the same request with all headers correct is not served either");
        }
    }
    check_excuses(view, collector);
}

/// Says why requirements were not judged whose headers no request could vary.
fn check_excuses(view: &View<'_>, collector: &mut Collector) {
    for (list, kind) in [("tools/list", "tool"), ("resources/list", "resource"), ("prompts/list", "prompt")] {
        let empty = view.calls(list).any(|case| case.result().is_some());
        for claim in CLAIMS.iter().filter(|claim| claim.id.ends_with(kind) && empty) {
            collector.not_observed(claim.id, format!("no {kind} that could be requested without risk is listed"));
        }
    }
    let marked =
        |tool: &crate::Tool| tool.input_schema().is_some_and(|schema| schema.to_string().contains("\"x-mcp-header\""));
    if !view.tools().is_empty() && !view.tools().iter().any(marked) {
        for claim in
            CLAIMS.iter().filter(|claim| claim.id.starts_with("http.param.") && !claim.id.ends_with("unknown-ignored"))
        {
            collector.not_applicable(claim.id, "no tool has a parameter with x-mcp-header");
        }
    }
}

/// A server for clients of revisions without the header may take the request for one of theirs.
fn must_name_version(view: &View<'_>, collector: &mut Collector) -> bool {
    const ID: &str = "http.version-header.required";
    let old = |version: &str| version < "2025-06-18";
    let settled = |case: &Case<'_>| {
        case.result().and_then(|result| result.get("protocolVersion")).and_then(Value::as_str).is_some_and(old)
    };
    if view.greetings().any(|case| settled(&case)) {
        collector.not_applicable(ID, "the server serves clients of revisions without this header");
        return false;
    }
    let asked = |case: &Case<'_>| case.param("protocolVersion").and_then(Value::as_str).is_some_and(old);
    if view.shakes_hands().is_none()
        || (view.shakes_hands() == Some(true) && !view.greetings().any(|case| asked(&case)))
    {
        collector.not_observed(ID, "it is unknown whether the server serves clients of revisions without this header");
        return false;
    }
    true
}

/// The complete request got a result in the same session.
fn is_controlled(case: &Case<'_>) -> bool {
    let Some(key) = case.about(Key::Control).filter(|key| !key.is_null()) else { return true };
    let Case { view, session, .. } = *case;
    let mut cases = session.exchanges.iter().map(|exchange| Case { view, session, exchange });
    cases.any(|other| {
        other.intent() == Some(Intent::MirrorControl)
            && other.about(Key::Control) == Some(key)
            && other.result().is_some()
    })
}

fn examine(claim: &Claim, case: &Case<'_>, collector: &mut Collector) {
    if is_codeless(case) {
        return;
    }
    let (good, message, expected) = match case.value() {
        Some(Expect::Served) => (case.result().is_some(), unserved(claim), "a result, as without the variation"),
        Some(Expect::NoMismatch) => {
            (case.status().is_some() && !is_mismatch(case), unserved(claim), "any response other than error -32020")
        }
        _ => (is_refused(case), admitted(claim, case), "status 400 and error -32020 (header mismatch)"),
    };
    if good {
        return collector.witness(claim.id);
    }
    let finding = Finding { place: placed(case), ..case.finding(message, expected) };
    let finding = Finding { actual: status_and_code(case), ..finding };
    // Silence, or a connection that breaks, may be load.
    if case.reply().is_none() && case.status().is_none() {
        if case.about(Key::Raw).is_some() {
            return collector.not_observed(claim.id, "the connection is closed without a response");
        }
        return collector.suspect(claim.id, case, finding);
    }
    collector.fail(claim.id, finding);
}

fn placed(case: &Case<'_>) -> Option<String> {
    case.about_str(Key::Place).or(case.method()).map(str::to_owned)
}

fn status_and_code(case: &Case<'_>) -> String {
    match (case.reply(), case.status()) {
        (Some(_), Some(status)) => format!("{} with status {status}", case.outcome()),
        _ => case.outcome(),
    }
}

fn is_mismatch(case: &Case<'_>) -> bool {
    case.error_code() == Some(MISMATCH) || (case.reply().is_none() && is_client_error(case))
}

fn is_refused(case: &Case<'_>) -> bool {
    let also = case.about(Key::Also).and_then(Value::as_array).cloned().unwrap_or_default();
    let code = case.error_code();
    let named = code == Some(MISMATCH) || code.is_some_and(|code| also.iter().any(|known| *known == code));
    let by_stack = case.about(Key::Raw).is_some() && case.reply().is_none();
    if by_stack { is_client_error(case) } else { case.status() == Some(400) && named }
}

fn admitted(claim: &Claim, case: &Case<'_>) -> String {
    if case.error().is_none() && !is_client_error(case) {
        return format!(
            "The server does not refuse {}, so the server can be made to act differently from intermediaries that rely on the headers.",
            claim.what
        );
    }
    format!(
        "The server refuses {}, but not with status 400 and error -32020, so clients cannot tell that their headers are wrong.",
        claim.what
    )
}

fn unserved(claim: &Claim) -> String {
    format!("The server does not serve {}, although nothing is wrong with it.", claim.what)
}

#[cfg(test)]
mod tests {
    use serde_json::{Value, json};
    use verdict::{Intent, Revision, Status, Transport};

    use super::super::claims::CLAIMS;
    use crate::testing::Script;

    fn listed() -> Value {
        json!({"result": {"resultType": "complete", "prompts": [], "ttlMs": 0, "cacheScope": "public"}})
    }

    fn error(code: i64) -> Value {
        json!({"error": {"code": code, "message": "no"}})
    }

    fn varied(about: Value, control: Value, status: u16, answer: Value) -> Script {
        let script = Script::over(Transport::Http, Revision::V2026_07_28, json!({"prompts": {}}));
        let script =
            script.probe_about(Intent::MirrorControl, json!({"control": "plain"}), "prompts/list", json!({}), control);
        let mut about = about;
        about["control"] = json!("plain");
        script.probe_about(Intent::Mirror, about, "prompts/list", json!({}), answer).status(status)
    }

    /// A server that has no older clients.
    fn strict(script: Script) -> Script {
        let refusal = r#"{"jsonrpc":"2.0","id":1,"error":{"code":-32022,"message":"no"}}"#;
        script.foreign(r#"{"jsonrpc":"2.0","id":1,"method":"initialize","params":{}}"#, refusal)
    }

    #[test]
    fn every_claim_can_pass_and_fail_either_way() {
        for claim in CLAIMS {
            let told = |expect: &str, status, answer| {
                let about = json!({"claim": claim.id, "expect": expect});
                strict(varied(about, listed(), status, answer)).status_of(claim.id)
            };
            assert_eq!(told("refused", 400, error(-32020)), Status::Pass, "{}", claim.id);
            assert_eq!(told("refused", 200, listed()), Status::Fail, "{}", claim.id);
            assert_eq!(told("refused", 400, error(-32600)), Status::Fail, "{}", claim.id);
            assert_eq!(told("refused", 200, error(-32020)), Status::Fail, "{}", claim.id);
            assert_eq!(told("served", 200, listed()), Status::Pass, "{}", claim.id);
            assert_eq!(told("served", 400, error(-32020)), Status::Fail, "{}", claim.id);
            assert_eq!(told("no-mismatch", 200, error(-32602)), Status::Pass, "{}", claim.id);
            assert_eq!(told("no-mismatch", 400, error(-32020)), Status::Fail, "{}", claim.id);
        }
    }

    const METHOD: &str = "http.headers.method-missing";

    #[test]
    fn without_a_control_that_was_served_nothing_is_said() {
        let about = json!({"claim": METHOD, "expect": "refused"});
        assert_eq!(varied(about, error(-32603), 200, listed()).status_of(METHOD), Status::NotObserved);
    }

    #[test]
    fn another_code_may_have_a_case() {
        const ID: &str = "http.version-header.mismatch";
        let about = json!({"claim": ID, "expect": "refused", "also": [-32022]});
        assert_eq!(varied(about, listed(), 400, error(-32022)).status_of(ID), Status::Pass);
    }

    #[test]
    fn odd_bytes_may_be_refused_before_the_server_sees_them() {
        const ID: &str = "http.headers.invalid-characters";
        let sent = |about| {
            let script = Script::over(Transport::Http, Revision::V2026_07_28, json!({"prompts": {}}));
            let script = script.probe_about(
                Intent::MirrorControl,
                json!({"control": "plain"}),
                "prompts/list",
                json!({}),
                listed(),
            );
            script.request("POST", Intent::Mirror, about, &[], r#"{"jsonrpc":"2.0","id":9,"method":"prompts/list"}"#)
        };
        let raw = json!({"claim": ID, "expect": "refused", "raw": true, "control": "plain"});
        assert_eq!(sent(raw.clone()).respond(400, &[], "").status_of(ID), Status::Pass);
        assert_eq!(sent(raw).respond(200, &[], "").status_of(ID), Status::Fail);
        let plain = json!({"claim": ID, "expect": "refused", "control": "plain"});
        assert_eq!(sent(plain).respond(400, &[], "").status_of(ID), Status::Fail);
    }

    #[test]
    fn a_server_of_older_clients_may_do_without_the_version() {
        const ID: &str = "http.version-header.required";
        let served = || varied(json!({"claim": ID, "expect": "refused"}), listed(), 200, listed());
        assert_eq!(served().status_of(ID), Status::NotObserved);
        let greeted = |settled: &str| {
            let greeting =
                r#"{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"2025-03-26"}}"#;
            let result = json!({"jsonrpc": "2.0", "id": 1, "result": {"protocolVersion": settled}});
            served().foreign(greeting, &result.to_string()).status_of(ID)
        };
        assert_eq!(greeted("2025-03-26"), Status::NotApplicable);
        assert_eq!(greeted("2025-11-25"), Status::Fail);
    }
}
