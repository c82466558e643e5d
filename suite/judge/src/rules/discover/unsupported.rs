//! The error for a request with a version that the server does not implement.

use verdict::{Finding, Intent, Key};
use wire::mcp::meta;

use super::common::{UNSUPPORTED, data, is_legacy, strings, supported, version};
use crate::rules::jsonrpc::common::{is_client_error, is_codeless};
use crate::{Case, Collector, Rule, View};

pub(super) const RULE: Rule = Rule {
    name: "discover/unsupported",
    judges: &[
        "discover.version.unsupported-code",
        "discover.version.unsupported-requested-echo",
        "discover.version.lists-agree",
        "discover.version.refused-not-listed",
        "discover.version.any-method",
        "discover.version.legacy-name-per-request",
    ],
    judge,
};

fn judge(view: &View<'_>, collector: &mut Collector) {
    for case in view.probes(Intent::VersionUnsupported).filter(Case::is_decided) {
        match case.about_str(Key::Kind) {
            Some("unknown-method" | "other") => any_method(&case, collector),
            Some("older") => check_older(&case, collector),
            _ => check_code(&case, collector),
        }
    }
    for case in view.cases().filter(|case| case.error_code() == Some(UNSUPPORTED)) {
        data_of(&case, collector);
    }
}

fn check_code(case: &Case<'_>, collector: &mut Collector) {
    const ID: &str = "discover.version.unsupported-code";
    if is_codeless(case) {
        return;
    }
    let message = match case.error() {
        Some(_) => {
            "The error for an unsupported version has a code other than -32022, so clients do not try another version."
        }
        None if case.result().is_some() => {
            "A request in a nonexistent version is served, so clients rely on rules that the server does not know."
        }
        None => {
            "A request in an unsupported version gets no JSON-RPC error, so clients do not learn which versions are supported."
        }
    };
    let finding = || not_refused(case, message);
    if case.reply().is_none() && case.status().is_none() {
        collector.suspect(ID, case, finding());
    } else {
        collector.check(ID, case.error_code() == Some(UNSUPPORTED), finding);
    }
}

fn any_method(case: &Case<'_>, collector: &mut Collector) {
    const ID: &str = "discover.version.any-method";
    if case.result().is_some() {
        let message = "A method is served in a version that the server does not implement.";
        collector.fail(ID, not_refused(case, message));
    } else if case.error().is_some() || is_client_error(case) {
        collector.witness(ID);
    }
}

/// The finding that a version is not refused; its place is where the version stands, whatever the method is.
fn not_refused(case: &Case<'_>, message: &str) -> Finding {
    let mut finding = case.finding(message, "error -32022 (unsupported protocol version)");
    finding.place = Some(meta::PROTOCOL_VERSION.to_owned());
    finding
}

fn check_older(case: &Case<'_>, collector: &mut Collector) {
    const ID: &str = "discover.version.legacy-name-per-request";
    if case.result().is_some() {
        let message = "A stateless request is served in a version that requires a handshake.";
        collector.fail(ID, not_refused(case, message));
    } else if case.error().is_some() || is_client_error(case) {
        collector.witness(ID);
    }
}

fn data_of(case: &Case<'_>, collector: &mut Collector) {
    let sent = version(case);
    let told = case.error().and_then(|error| error.get("data")).filter(|data| data.is_object());
    if let (Some(sent), Some(told)) = (sent, told) {
        let requested = told.get("requested");
        collector.check("discover.version.unsupported-requested-echo", requested.is_some_and(|found| found == sent), || {
            let message = "data.requested in the error is not the version that the request names, so a client cannot tell which of its requests the error refers to.";
            let mut finding = case.finding(message, format!("{sent:?}"));
            finding.actual = requested.map_or("no requested".to_owned(), |found| crate::view::clip(&found.to_string()));
            finding
        });
    }
    let Some(listed) = data(case, "supported").and_then(strings) else { return };
    if let Some(sent) = sent {
        not_listed(case, sent, &listed, collector);
    }
    check_agree(case, &listed, collector);
}

fn not_listed(case: &Case<'_>, sent: &str, listed: &[&str], collector: &mut Collector) {
    collector.check("discover.version.refused-not-listed", !listed.contains(&sent), || {
        let message =
            "The error that refuses a version lists it as supported, so a client that trusts the list retries forever.";
        let mut finding = case.finding(message, format!("a list without {sent}"));
        finding.actual = format!("data.supported with {sent}");
        finding
    });
}

fn check_agree(case: &Case<'_>, listed: &[&str], collector: &mut Collector) {
    const ID: &str = "discover.version.lists-agree";
    let Some(supported) = supported(case.view) else { return };
    let mut apart = listed.iter().filter(|version| !supported.contains(version)).collect::<Vec<_>>();
    apart.extend(supported.iter().filter(|version| !listed.contains(version)));
    if apart.iter().all(|version| is_legacy(version)) {
        if !apart.is_empty() {
            collector.note(ID, "only one of the two lists contains versions that require a handshake");
        }
        return collector.witness(ID);
    }
    let message = "The error that refuses a version lists different versions from server/discover, so a client cannot know which to try.";
    let mut finding = case.finding(message, "the versions of supportedVersions");
    finding.actual = format!("{} instead of {}", version_list(listed), version_list(&supported));
    collector.fail(ID, finding);
}

fn version_list(versions: &[&str]) -> String {
    crate::view::clip(&versions.join(", "))
}

#[cfg(test)]
mod tests {
    use serde_json::{Value, json};
    use verdict::{Intent, Level, Revision, Status, Transport};

    use super::RULE;
    use crate::testing::Script;
    use crate::{Broken, causes};

    fn start() -> Script {
        let result = json!({"resultType": "complete", "supportedVersions": ["2026-07-28"], "capabilities": {}, "ttlMs": 0, "cacheScope": "public"});
        let script = Script::empty(Revision::V2026_07_28).bare();
        script.plain("server/discover", named("2026-07-28"), json!({"result": result}))
    }

    fn named(version: &str) -> Value {
        json!({"_meta": {"io.modelcontextprotocol/protocolVersion": version, "io.modelcontextprotocol/clientCapabilities": {}}})
    }

    fn asked(kind: &str, answer: Value) -> Script {
        let version = if kind == "older" { "2025-11-25" } else { "1999-01-01" };
        let method = if kind == "unknown-method" { "no/such" } else { "server/discover" };
        start().probe_about(Intent::VersionUnsupported, json!({"kind": kind}), method, named(version), answer)
    }

    fn refused(data: Value) -> Value {
        json!({"error": {"code": -32022, "message": "no", "data": data}})
    }

    fn good() -> Value {
        refused(json!({"supported": ["2026-07-28"], "requested": "1999-01-01"}))
    }

    fn served() -> Value {
        json!({"result": {"resultType": "complete", "supportedVersions": ["2026-07-28"], "capabilities": {}, "ttlMs": 0, "cacheScope": "public"}})
    }

    #[test]
    fn the_error_of_the_page_passes() {
        let script = asked("discover", good());
        assert!(script.fails_in("discover").is_empty(), "{:?}", script.fails());
        for id in &RULE.judges[..4] {
            assert_eq!(script.status_of(id), Status::Pass, "{id}");
        }
    }

    #[test]
    fn other_codes_results_and_bare_statuses_fail() {
        for code in [-32004, -32602, -32600] {
            let script = asked("list", json!({"error": {"code": code, "message": "no"}}));
            assert_eq!(script.fails_in("discover"), [RULE.judges[0]]);
        }
        assert_eq!(asked("discover", served()).status_of(RULE.judges[0]), Status::Fail);
        let script = Script::over(Transport::Http, Revision::V2026_07_28, json!({}));
        let script = script.unanswered(Intent::VersionUnsupported, "server/discover", named("1999-01-01"));
        assert_eq!(script.status(400).status_of(RULE.judges[0]), Status::Fail);
    }

    #[test]
    fn a_version_that_is_not_looked_at_is_one_cause() {
        let (kind, contents) =
            (json!({"kind": "other"}), json!({"result": {"resultType": "complete", "contents": []}}));
        let script = asked("discover", served());
        let script =
            script.probe_about(Intent::VersionUnsupported, kind, "resources/read", named("1999-01-01"), contents);
        let verdicts = [RULE.judges[0], RULE.judges[4]].map(|id| script.verdict(id));
        assert!(verdicts.iter().all(|verdict| verdict.status == Status::Fail));
        let broken = verdicts.each_ref().map(|one| Broken { id: one.id, level: one.level, findings: &one.findings });
        assert_eq!(causes(&broken).len(), 1);
    }

    #[test]
    fn requested_repeats_the_request() {
        let script = asked("discover", refused(json!({"supported": ["2026-07-28"], "requested": "2026-07-28"})));
        assert_eq!(script.fails_in("discover"), [RULE.judges[1]]);
        let script = asked("discover", refused(json!({"supported": ["2026-07-28"]})));
        assert_eq!(script.fails_in("discover"), [RULE.judges[1]]);
    }

    #[test]
    fn both_lists_name_the_same_versions() {
        let other =
            |versions: Value| asked("discover", refused(json!({"supported": versions, "requested": "1999-01-01"})));
        assert_eq!(other(json!(["2026-07-28", "2027-01-01"])).fails_in("discover"), [RULE.judges[2]]);
        let legacy = other(json!(["2026-07-28", "2025-11-25"])).verdict(RULE.judges[2]);
        assert_eq!((legacy.status, legacy.notes.len()), (Status::Pass, 1));
    }

    #[test]
    fn what_was_refused_is_not_offered() {
        let refusal = refused(json!({"supported": ["2026-07-28", "2025-11-25"], "requested": "2025-11-25"}));
        let verdict = asked("older", refusal).verdict(RULE.judges[3]);
        assert_eq!((verdict.status, verdict.level), (Status::Fail, Level::Should));
    }

    #[test]
    fn an_unknown_method_gets_either_error_but_no_result() {
        let not_found = json!({"error": {"code": -32601, "message": "no"}});
        for answer in [good(), not_found] {
            assert_eq!(asked("unknown-method", answer).status_of(RULE.judges[4]), Status::Pass);
        }
        assert_eq!(asked("other", served()).fails_in("discover"), [RULE.judges[4]]);
    }

    #[test]
    fn an_older_version_has_no_requests_that_stand_alone() {
        let missing = json!({"error": {"code": -32600, "message": "Missing session ID"}});
        assert_eq!(asked("older", missing).status_of(RULE.judges[5]), Status::Pass);
        let verdict = asked("older", served()).verdict(RULE.judges[5]);
        assert_eq!((verdict.status, verdict.level), (Status::Fail, Level::Advice));
    }
}
