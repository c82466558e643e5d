//! The versions that server/discover lists can be used, each in the way of its era: 2026-07-28 by naming it in a request,
//! the ones before by `initialize`. Versions that this program does not know are left alone.

use serde_json::Value;

use super::common::{is_legacy, ordinary, supported, version};
use crate::{Case, Collector, Rule, View};

pub(super) const RULE: Rule =
    Rule { name: "discover/supported", judges: &["discover.result.supported-versions-work"], judge };

const ID: &str = RULE.judges[0];

fn judge(view: &View<'_>, collector: &mut Collector) {
    let Some(listed) = supported(view) else { return };
    for case in ordinary(view).filter(|case| version(case).is_some_and(|version| listed.contains(&version))) {
        if case.result().is_some() {
            collector.witness(ID);
        } else if case.error_code() == Some(super::common::UNSUPPORTED) {
            let message = "The server lists a version but refuses a request that names it.";
            collector.fail(ID, case.finding(message, "a result, because supportedVersions lists the version"));
        }
    }
    for case in view.greetings() {
        let asked = case.param("protocolVersion").and_then(Value::as_str);
        if let Some(asked) = asked.filter(|asked| is_legacy(asked) && listed.contains(asked)) {
            check_greeted(&case, asked, collector);
        }
    }
}

fn check_greeted(case: &Case<'_>, asked: &str, collector: &mut Collector) {
    let settled = case.result().and_then(|result| result.get("protocolVersion")).and_then(Value::as_str);
    if settled == Some(asked) {
        return collector.witness(ID);
    }
    let message = "supportedVersions lists a version that initialize does not agree to, so a client that chooses it cannot connect.";
    let mut finding = case.finding(message, format!("a session in {asked}"));
    finding.place = Some(asked.to_owned());
    if let Some(settled) = settled {
        finding.actual = format!("a session in {settled}");
    }
    if case.reply().is_some() || case.status().is_some() {
        collector.fail(ID, finding);
    } else {
        collector.suspect(ID, case, finding);
    }
}

#[cfg(test)]
mod tests {
    use serde_json::{Value, json};
    use verdict::{Revision, Status};

    use super::ID;
    use crate::testing::Script;

    fn listing(versions: Value) -> Script {
        let meta = json!({"_meta": {"io.modelcontextprotocol/protocolVersion": "2026-07-28", "io.modelcontextprotocol/clientCapabilities": {}}});
        let result = json!({"resultType": "complete", "supportedVersions": versions, "capabilities": {}, "ttlMs": 0, "cacheScope": "public"});
        Script::empty(Revision::V2026_07_28).bare().plain("server/discover", meta, json!({"result": result}))
    }

    fn greeted(script: Script, asked: &str, answer: Value) -> Script {
        script.undecided().plain("initialize", json!({"protocolVersion": asked, "capabilities": {}}), answer)
    }

    fn opened(version: &str) -> Value {
        json!({"result": {"protocolVersion": version, "capabilities": {}, "serverInfo": {"name": "s", "version": "1"}}})
    }

    #[test]
    fn modern_versions_alone_are_fine_and_so_are_those_that_open() {
        assert_eq!(listing(json!(["2026-07-28"])).status_of(ID), Status::Pass);
        let both = greeted(listing(json!(["2026-07-28", "2025-11-25"])), "2025-11-25", opened("2025-11-25"));
        assert_eq!(both.status_of(ID), Status::Pass);
    }

    #[test]
    fn a_listed_version_that_does_not_open_fails() {
        let refused = json!({"error": {"code": -32022, "message": "no"}});
        for answer in [refused, opened("2025-06-18")] {
            let script = greeted(listing(json!(["2026-07-28", "2025-11-25"])), "2025-11-25", answer);
            assert_eq!(script.fails_in("discover"), [ID]);
        }
    }

    #[test]
    fn what_is_not_listed_need_not_open() {
        let refused = json!({"error": {"code": -32022, "message": "no"}});
        let script = greeted(listing(json!(["2026-07-28", "2030-01-01"])), "2025-11-25", refused);
        assert_eq!(script.status_of(ID), Status::Pass);
    }
}
