//! server/discover: that it is answered, and that the answer speaks of the version it was asked in.

use verdict::Revision;
use wire::mcp::meta;

use super::common::{ordinary, strings, version};
use crate::{Case, Collector, Rule, View};

pub(super) const RULE: Rule = Rule {
    name: "discover/answer",
    judges: &[
        "discover.implemented",
        "discover.result.supported-versions-non-empty",
        "discover.result.supported-versions-unique",
        "discover.result.server-info",
    ],
    judge,
};

fn judge(view: &View<'_>, collector: &mut Collector) {
    for case in ordinary(view).filter(Case::is_decided) {
        check_answered(&case, collector);
        if let Some(result) = case.result() {
            if let Some(versions) = result.get("supportedVersions").and_then(strings) {
                own_version(&case, &versions, collector);
                check_unique(&case, &versions, collector);
            }
            let info = result.get("_meta").and_then(|meta| meta.get(meta::SERVER_INFO));
            collector.check("discover.result.server-info", info.is_some(), || {
                let message = "server/discover does not identify the server, so logs and users see a nameless server.";
                let expected = "io.modelcontextprotocol/serverInfo with name and version in the result's _meta";
                case.finding(message, expected)
            });
        }
    }
}

fn check_answered(case: &Case<'_>, collector: &mut Collector) {
    const ID: &str = "discover.implemented";
    if case.result().is_some() {
        return collector.witness(ID);
    }
    if matches!(case.status(), Some(401 | 403)) {
        return;
    }
    let message = "server/discover returns no result, so clients cannot learn what the server offers, and take it for a server of an older revision.";
    let finding = case.finding(message, "a result with supportedVersions and capabilities");
    if case.error().is_some() || is_passed_over(case) {
        collector.fail(ID, finding)
    } else {
        collector.suspect(ID, case, finding)
    }
}

/// Whether it was the first message, which nothing follows until the time limit has passed, and a later request was answered.
fn is_passed_over(case: &Case<'_>) -> bool {
    let first = case.session.exchanges.first().is_some_and(|first| first.seq == case.exchange.seq);
    first && case.exchange.gave_up.is_some() && case.is_followed()
}

fn own_version(case: &Case<'_>, versions: &[&str], collector: &mut Collector) {
    const ID: &str = "discover.result.supported-versions-non-empty";
    let Some(asked) = version(case) else { return };
    collector.check(ID, versions.contains(&asked), || {
        let message = "supportedVersions omits the version in which the request was just served, so clients that read it give up.";
        let mut finding = case.finding(message, format!("a list with {asked}"));
        finding.actual = if versions.is_empty() { "an empty list".to_owned() } else { versions.join(", ") };
        finding
    });
}

fn check_unique(case: &Case<'_>, versions: &[&str], collector: &mut Collector) {
    const ID: &str = "discover.result.supported-versions-unique";
    let twice = (1..versions.len()).find(|at| versions[..*at].contains(&versions[*at])).map(|at| versions[at]);
    let odd =
        versions.iter().copied().find(|version| !is_released(version) && !version.to_lowercase().contains("draft"));
    collector.check(ID, twice.or(odd).is_none(), || {
        let message = "supportedVersions lists a version twice, or one that is neither released nor marked as a draft.";
        let mut finding = case.finding(message, "released versions, each once");
        finding.actual = format!("{:?}", twice.or(odd).unwrap_or_default());
        finding
    });
}

/// Released, or a date that this program is too old to know.
fn is_released(version: &str) -> bool {
    let dated = version.len() == 10 && version.bytes().all(|byte| byte.is_ascii_digit() || byte == b'-');
    version.parse::<Revision>().is_ok() || (dated && version > Revision::LATEST.as_str())
}

#[cfg(test)]
mod tests {
    use serde_json::{Value, json};
    use verdict::{Revision, Status, Transport};

    use super::RULE;
    use crate::testing::Script;

    fn answered(answer: Value) -> Script {
        Script::empty(Revision::V2026_07_28).bare().plain("server/discover", meta(), answer)
    }

    fn meta() -> Value {
        let version = Revision::V2026_07_28.as_str();
        json!({"_meta": {"io.modelcontextprotocol/protocolVersion": version, "io.modelcontextprotocol/clientCapabilities": {}}})
    }

    fn result(versions: Value) -> Value {
        json!({"result": {"resultType": "complete", "supportedVersions": versions, "capabilities": {}, "ttlMs": 0, "cacheScope": "public"}})
    }

    #[test]
    fn a_plain_answer_passes() {
        let script = answered(result(json!(["2026-07-28", "2025-11-25"])));
        for id in RULE.judges {
            assert_eq!(script.status_of(id), Status::Pass, "{id}");
        }
    }

    #[test]
    fn no_result_fails_and_silence_is_repeated_first() {
        let script = answered(json!({"error": {"code": -32601, "message": "no"}}));
        assert_eq!(script.fails_in("discover"), ["discover.implemented"]);
        let silent = Script::empty(Revision::V2026_07_28).bare();
        let silent = silent.unanswered_plainly("server/discover", meta()).gave_up();
        assert_eq!(silent.status_of("discover.implemented"), Status::Inconclusive);
        let then = silent.plain("tools/list", meta(), json!({"result": {"resultType": "complete", "tools": []}}));
        assert_eq!(then.fails_in("discover"), ["discover.implemented"]);
    }

    #[test]
    fn what_never_reached_the_server_says_nothing() {
        let ask = |fault: &str| {
            let script = Script::over(Transport::Http, Revision::V2026_07_28, json!({})).bare();
            let script = script.unanswered_plainly("server/discover", meta());
            let channel = script.last_channel();
            script.ends_on(channel, Some(fault)).status_of("discover.implemented")
        };
        assert_eq!(ask("no connection: refused"), Status::Pass);
        assert_eq!(ask("connection closed before message completed"), Status::Inconclusive);
    }

    #[test]
    fn the_version_asked_in_is_one_of_the_list() {
        for versions in [json!([]), json!(["2025-11-25"])] {
            assert_eq!(answered(result(versions)).fails_in("discover"), [RULE.judges[1]]);
        }
        // That it is an array of strings is another requirement.
        assert_eq!(answered(result(json!("2026-07-28"))).status_of(RULE.judges[1]), Status::NotObserved);
    }

    #[test]
    fn versions_are_named_once_and_drafts_as_drafts() {
        for good in [json!(["2026-07-28", "2027-01-01"]), json!(["2026-07-28", "DRAFT-2027-v1"])] {
            assert_eq!(answered(result(good)).status_of(RULE.judges[2]), Status::Pass);
        }
        for bad in
            [json!(["2026-07-28", "2026-07-28"]), json!(["2026-07-28", "1.0"]), json!(["2026-07-28", "2025-01-01"])]
        {
            assert_eq!(answered(result(bad)).fails_in("discover"), [RULE.judges[2]]);
        }
    }

    #[test]
    fn the_server_says_who_it_is() {
        let mut anonymous = result(json!(["2026-07-28"]));
        anonymous["result"]["_meta"] = json!({});
        assert_eq!(answered(anonymous).status_of("discover.result.server-info"), Status::Fail);
    }
}
