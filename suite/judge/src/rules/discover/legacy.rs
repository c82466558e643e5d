//! Clients of the revisions before: a server serves them as those prescribe, or tells them in an error what it speaks.

use serde_json::Value;
use verdict::Intent;
use wire::mcp::code;

use super::common::{MISSING_CAPABILITY, UNSUPPORTED, is_legacy, supported};
use crate::rules::jsonrpc::common::is_client_error;
use crate::{Case, Collector, Rule, View};

pub(super) const RULE: Rule = Rule {
    name: "discover/legacy",
    judges: &[
        "discover.legacy.initialize-refusal-names-versions",
        "discover.legacy.initialize-error",
        "discover.legacy.dual-era-initialize",
        "discover.legacy.modern-after-initialize",
    ],
    judge,
};

const NAMES: &str = RULE.judges[0];
const ERROR: &str = RULE.judges[1];
const DUAL: &str = RULE.judges[2];
const BESIDE: &str = RULE.judges[3];

fn judge(view: &View<'_>, collector: &mut Collector) {
    let dual = view.shakes_hands() == Some(true);
    for case in view.greetings().filter(is_meant) {
        if case.result().is_some() {
            check_opened(&case, collector);
        } else if !dual {
            check_refused(&case, collector);
        }
    }
    if dual {
        collector.not_applicable(NAMES, "the server also opens sessions with initialize");
        collector.not_applicable(ERROR, "the server also opens sessions with initialize");
    } else if view.is_modern_only() {
        collector.not_applicable(DUAL, "the server does not open sessions with initialize");
        collector.not_applicable(BESIDE, "the server does not open sessions with initialize");
    }
    for case in view.probes(Intent::ModernBesideSession).filter(Case::is_decided) {
        collector.check(BESIDE, case.result().is_some(), || {
            let message = "A request of 2026-07-28 is not served while a session of an older revision is open.";
            case.finding(message, "a result")
        });
    }
}

/// The first request of a client that was to be an older one, also if that was said of the whole session afterwards.
fn is_meant(case: &Case<'_>) -> bool {
    const MEANT: Intent = Intent::LegacyInitialize;
    case.intent() == Some(MEANT) || case.session.probes.iter().any(|(_, probe)| probe.intent == MEANT)
}

fn check_refused(case: &Case<'_>, collector: &mut Collector) {
    if case.session.open.confirm {
        collector.repeated(ERROR);
    }
    if case.error().is_none() && !is_client_error(case) {
        let message = "initialize gets no error, so a client of an older revision waits instead of reporting that it cannot talk to this server.";
        return collector.suspect(ERROR, case, case.finding(message, "an error"));
    }
    collector.witness(ERROR);
    let names = case.error().map(ToString::to_string).unwrap_or_default();
    let known = supported(case.view).unwrap_or_else(|| vec![case.view.revision.as_str()]);
    collector.check(NAMES, known.iter().any(|version| names.contains(version)), || {
        let message = "The refusal of initialize does not name the versions that the server supports, so users of older clients do not know what to do.";
        let mut finding = case.finding(message, "the supported versions in the error's message or data");
        if case.error().is_some() {
            finding.actual = format!("{} that names no version", case.outcome());
        }
        finding
    });
}

/// Checks that a client of an older revision is served after its handshake.
fn check_opened(case: &Case<'_>, collector: &mut Collector) {
    let version = case.result().and_then(|result| result.get("protocolVersion")).and_then(Value::as_str);
    collector.check(DUAL, version.is_some_and(is_legacy), || {
        let message = "initialize is answered with a version that has no handshake, or without a version.";
        let mut finding = case.finding(message, "the latest of the older versions that the server supports");
        finding.actual = version.map_or("no version".to_owned(), crate::view::clip);
        finding
    });
    let Case { view, session, .. } = *case;
    let probes = session.exchanges.iter().map(|exchange| Case { view, session, exchange });
    for probe in probes.filter(|probe| matches!(probe.intent(), Some(Intent::AfterHandshake | Intent::LegacyPing))) {
        check_served(&probe, collector);
    }
}

fn check_served(case: &Case<'_>, collector: &mut Collector) {
    let message = match (case.reply(), case.error_code()) {
        (_, Some(UNSUPPORTED | MISSING_CAPABILITY | code::HEADER_MISMATCH)) => {
            "A session opened by initialize is handled by the rules of 2026-07-28, which its client does not know."
        }
        (Some(_), None) if case.result().is_some() => return collector.witness(DUAL),
        (Some(_), _) => "A session opened by initialize does not serve a request that every session serves.",
        _ => return,
    };
    let mut finding = case.finding(message, "a result, as in the older revision");
    finding.place = case.method().map(str::to_owned);
    collector.fail(DUAL, finding);
}

#[cfg(test)]
mod tests {
    use serde_json::{Value, json};
    use verdict::{Intent, Level, Revision, Status};

    use super::{BESIDE, DUAL, ERROR, NAMES};
    use crate::testing::Script;

    fn start() -> Script {
        Script::new(Revision::V2026_07_28, json!({"prompts": {}})).undecided()
    }

    fn greeted(answer: Value) -> Script {
        start().probe(Intent::LegacyInitialize, "initialize", json!({"protocolVersion": "2025-11-25"}), answer)
    }

    fn opened(version: &str) -> Value {
        json!({"result": {"protocolVersion": version, "capabilities": {}, "serverInfo": {"name": "s", "version": "1"}}})
    }

    fn error(code: i64, message: &str) -> Value {
        json!({"error": {"code": code, "message": message}})
    }

    #[test]
    fn a_refusal_names_the_versions() {
        let named = greeted(error(-32601, "speak 2026-07-28"));
        assert_eq!((named.status_of(NAMES), named.status_of(ERROR)), (Status::Pass, Status::Pass));
        assert_eq!(named.status_of(DUAL), Status::NotApplicable);
        let verdict = greeted(error(-32601, "Method not found")).verdict(NAMES);
        assert_eq!((verdict.status, verdict.level), (Status::Fail, Level::Should));
    }

    #[test]
    fn silence_is_no_refusal() {
        let silent = |script: Script| script.unanswered(Intent::LegacyInitialize, "initialize", json!({})).gave_up();
        assert_eq!(silent(start()).status_of(ERROR), Status::Inconclusive);
    }

    #[test]
    fn it_may_be_known_only_afterwards_that_an_older_client_was_meant() {
        let greeting = json!({"protocolVersion": "2025-11-25"});
        let served = |answer: Value| {
            start().plain("initialize", greeting.clone(), opened("2025-11-25")).probe(
                Intent::AfterHandshake,
                "prompts/list",
                json!({}),
                answer,
            )
        };
        let refusal = || error(-32022, "Unsupported protocol version");
        assert_ne!(served(refusal()).status_of(DUAL), Status::Fail, "nobody said so");
        assert_eq!(served(refusal()).means(Intent::LegacyInitialize, json!({})).status_of(DUAL), Status::Fail);
        let answer = json!({"result": {"prompts": []}});
        assert_eq!(served(answer).means(Intent::LegacyInitialize, json!({})).status_of(DUAL), Status::Pass);
    }

    #[test]
    fn a_server_of_both_eras_refuses_nothing() {
        let script = greeted(opened("2025-11-25"));
        for id in [NAMES, ERROR] {
            assert_eq!(script.status_of(id), Status::NotApplicable);
        }
        assert_eq!(script.status_of(DUAL), Status::Pass);
        assert_eq!(greeted(opened("2026-07-28")).status_of(DUAL), Status::Fail);
    }

    #[test]
    fn a_session_is_served_by_its_own_revision() {
        let listed = json!({"result": {"prompts": []}});
        let ask =
            |answer| greeted(opened("2025-11-25")).probe(Intent::AfterHandshake, "prompts/list", json!({}), answer);
        assert_eq!(ask(listed).status_of(DUAL), Status::Pass);
        for code in [-32020, -32022, -32602] {
            assert_eq!(ask(error(code, "no")).status_of(DUAL), Status::Fail, "{code}");
        }
    }

    #[test]
    fn both_eras_are_served_side_by_side() {
        use verdict::Transport::Http;
        let ask = |answer| {
            let script = Script::over(Http, Revision::V2026_07_28, json!({"prompts": {}}));
            script.probe(Intent::ModernBesideSession, "prompts/list", json!({}), answer).status_of(BESIDE)
        };
        let listed = json!({"result": {"resultType": "complete", "prompts": [], "ttlMs": 0, "cacheScope": "public"}});
        assert_eq!((ask(listed), ask(error(-32600, "no"))), (Status::Pass, Status::Fail));
    }
}
