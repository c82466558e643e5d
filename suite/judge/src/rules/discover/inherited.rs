//! Nothing that one request says counts for the next: neither its version nor its `_meta`.

use verdict::probes::values::Step;
use verdict::{Intent, Key};

use super::common::UNSUPPORTED;
use crate::{Case, Collector, Rule, View};

pub(super) const RULE: Rule = Rule {
    name: "discover/inherited",
    judges: &["discover.version.per-request", "discover.stateless.meta-not-inherited"],
    judge,
};

const VERSION: &str = RULE.judges[0];
const META: &str = RULE.judges[1];

fn judge(view: &View<'_>, collector: &mut Collector) {
    for session in view.judged() {
        let turn = |step: Step| {
            let mut cases = session.exchanges.iter().map(|exchange| Case { view, session, exchange });
            cases.find(|case| case.intent() == Some(Intent::VersionTurn) && case.value() == Some(step))
        };
        if let (Some(good), Some(bad), Some(again)) = (turn(Step::Good), turn(Step::Bad), turn(Step::GoodAgain)) {
            check_turns(&good, &bad, &again, collector);
        }
    }
    let missing = |case: &Case<'_>| {
        matches!(
            case.about_str(Key::Kind),
            Some("missing-meta" | "no-params" | "missing-version" | "missing-capabilities")
        )
    };
    for case in view.probes(Intent::RequestMeta).filter(Case::is_decided).filter(missing) {
        if is_preceded(&case) {
            check_inherited(&case, collector);
        }
    }
}

fn check_turns(good: &Case<'_>, bad: &Case<'_>, again: &Case<'_>, collector: &mut Collector) {
    if good.result().is_none() || !bad.is_decided() || !again.is_decided() {
        return collector.not_observed(VERSION, "not even the first of the three requests is served");
    }
    if bad.result().is_some() && is_refused_otherwise(bad.view) {
        let message = "After a request in a supported version, a request in a nonexistent version is served on the same connection.";
        return collector.fail(VERSION, bad.finding(message, "error -32022 (unsupported protocol version)"));
    }
    if again.result().is_some() {
        if bad.result().is_none() {
            collector.witness(VERSION);
        }
        return collector.not_observed(VERSION, "the server does not check the version");
    }
    let message = "After a request in an unsupported version, the next one is not served either, though each is to be judged by its own version.";
    let finding = again.finding(message, "a result, as before");
    if again.error().is_some() { collector.fail(VERSION, finding) } else { collector.suspect(VERSION, again, finding) }
}

/// Elsewhere the server does refuse versions.
fn is_refused_otherwise(view: &View<'_>) -> bool {
    view.probes(Intent::VersionUnsupported).any(|case| case.error_code() == Some(UNSUPPORTED))
}

/// An earlier request on the connection, complete, got a result.
fn is_preceded(case: &Case<'_>) -> bool {
    let complete = |other: &Case<'_>| {
        super::common::version(other).is_some() && super::common::declared_capabilities(other).is_some()
    };
    let asked = case.view.connection(case.session).flat_map(|session| case.view.cases_of(session));
    let mut before = asked.filter(|other| other.exchange.seq < case.exchange.seq);
    before.any(|other| complete(&other) && other.result().is_some())
}

fn check_inherited(case: &Case<'_>, collector: &mut Collector) {
    let Some(result) = case.result() else {
        // Which error it is, is told by others.
        if case.error().is_some() || case.status().is_some() {
            collector.witness(META);
        }
        return;
    };
    let firm = case.about_str(Key::Kind) == Some("missing-capabilities") || case.view.is_modern_only();
    // A server of both eras may take it for an older request; then the result is one of the older form.
    if firm || result.get("resultType").is_some() {
        let message = "A request that lacks required members of _meta is served like the complete requests before it, as if theirs still applied.";
        let mut finding = case.finding(message, "error -32602 (invalid params)");
        finding.place = case.about_str(Key::Kind).map(str::to_owned);
        collector.fail(META, finding);
    } else {
        collector.note(META, "a request without _meta is served as a request of an older revision");
    }
}

#[cfg(test)]
mod tests {
    use serde_json::{Value, json};
    use verdict::{Intent, Revision, Status};

    use super::{META, VERSION};
    use crate::testing::Script;

    fn start() -> Script {
        Script::new(Revision::V2026_07_28, json!({"prompts": {}}))
    }

    fn meta() -> Value {
        json!({"_meta": {"io.modelcontextprotocol/protocolVersion": "2026-07-28", "io.modelcontextprotocol/clientCapabilities": {}}})
    }

    fn listed() -> Value {
        json!({"result": {"resultType": "complete", "prompts": [], "ttlMs": 0, "cacheScope": "public"}})
    }

    fn error(code: i64) -> Value {
        json!({"error": {"code": code, "message": "no", "data": {"supported": ["2026-07-28"], "requested": "1999-01-01"}}})
    }

    fn turns(bad: Value, again: Value) -> Script {
        let step = |script: Script, step: &str, answer| {
            script.probe_about(Intent::VersionTurn, json!({"step": step}), "prompts/list", json!({}), answer)
        };
        step(step(step(start(), "good", listed()), "bad", bad), "good-again", again)
    }

    #[test]
    fn each_request_is_judged_by_its_own_version() {
        assert_eq!(turns(error(-32022), listed()).status_of(VERSION), Status::Pass);
        assert_eq!(turns(error(-32022), error(-32022)).status_of(VERSION), Status::Fail);
    }

    #[test]
    fn a_server_that_never_looks_at_versions_is_told_elsewhere() {
        assert_eq!(turns(listed(), listed()).status_of(VERSION), Status::NotObserved);
        let script =
            turns(listed(), listed()).probe(Intent::VersionUnsupported, "prompts/list", json!({}), error(-32022));
        assert_eq!(script.status_of(VERSION), Status::Fail);
    }

    fn incomplete(kind: &str, answer: Value) -> Script {
        let script = start().plain("prompts/list", meta(), listed());
        script.probe_about(Intent::RequestMeta, json!({"kind": kind}), "prompts/list", json!({}), answer)
    }

    #[test]
    fn what_earlier_requests_said_is_forgotten() {
        assert_eq!(incomplete("missing-meta", error(-32602)).status_of(META), Status::Pass);
        assert_eq!(incomplete("missing-meta", error(-32600)).status_of(META), Status::Pass);
        assert_eq!(incomplete("missing-meta", listed()).status_of(META), Status::Fail);
        assert_eq!(incomplete("missing-capabilities", listed()).status_of(META), Status::Fail);
    }

    #[test]
    fn an_earlier_request_may_be_one_of_another_session_on_the_connection() {
        let script = start().plain("prompts/list", meta(), listed()).goes_on("jsonrpc/request-without-version");
        let about = json!({"kind": "missing-meta"});
        let script = script.probe_about(Intent::RequestMeta, about, "prompts/list", json!({}), listed());
        assert_eq!(script.status_of(META), Status::Fail);
    }

    #[test]
    fn a_result_of_the_older_form_may_be_one_of_an_older_revision() {
        let old = || json!({"result": {"prompts": []}});
        assert_eq!(incomplete("missing-meta", old()).status_of(META), Status::NotObserved);
        let greeting = r#"{"jsonrpc":"2.0","id":1,"method":"initialize","params":{}}"#;
        let refusal = r#"{"jsonrpc":"2.0","id":1,"error":{"code":-32022,"message":"no"}}"#;
        assert_eq!(incomplete("missing-meta", old()).foreign(greeting, refusal).status_of(META), Status::Fail);
    }

    #[test]
    fn without_a_request_before_it_there_is_nothing_to_inherit() {
        let script = Script::empty(Revision::V2026_07_28).bare();
        let script = script.probe_about(
            Intent::RequestMeta,
            json!({"kind": "missing-meta"}),
            "prompts/list",
            json!({}),
            listed(),
        );
        assert_eq!(script.status_of(META), Status::NotObserved);
    }
}
