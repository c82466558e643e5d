//! Members that the result of server/discover need not have, or not in this place: advice.

use serde_json::Value;

use super::common::ordinary;
use crate::{Case, Collector, Rule, View};

pub(super) const RULE: Rule = Rule {
    name: "discover/words",
    judges: &["discover.result.no-body-server-info", "discover.result.instructions-no-duplicates"],
    judge,
};

/// Shorter descriptions may well occur in any text.
const LONG: usize = 80;

fn judge(view: &View<'_>, collector: &mut Collector) {
    for case in ordinary(view) {
        let Some(result) = case.result() else { continue };
        collector.check(RULE.judges[0], result.get("serverInfo").is_none(), || {
            let message = "The result of server/discover has a serverInfo member, as only drafts did.";
            let mut finding = case.finding(message, "serverInfo only in _meta");
            finding.actual = "the member serverInfo".to_owned();
            finding
        });
        if let Some(instructions) = result.get("instructions").and_then(Value::as_str) {
            check_repeated(view, &case, instructions, collector);
        }
    }
}

fn check_repeated(view: &View<'_>, case: &Case<'_>, instructions: &str, collector: &mut Collector) {
    let description = |tool: &crate::Tool| {
        let text = tool.definition.get("description")?.as_str()?.to_owned();
        Some(text).filter(|text| text.chars().count() > LONG)
    };
    for tool in view.tools() {
        let Some(text) = description(tool) else { continue };
        collector.check(RULE.judges[1], !instructions.contains(text.trim()), || {
            let message = "The instructions repeat the description of a tool, which models then read twice.";
            let mut finding = case.finding(message, "instructions that do not repeat descriptions");
            finding.tool = Some(tool.name.clone());
            finding.actual = "the description verbatim".to_owned();
            finding
        });
    }
}

#[cfg(test)]
mod tests {
    use serde_json::{Value, json};
    use verdict::{Level, Revision, Status};

    use super::{LONG, RULE};
    use crate::testing::Script;

    fn told(members: Value) -> Script {
        let mut result = json!({"resultType": "complete", "supportedVersions": ["2026-07-28"], "capabilities": {"tools": {}}, "ttlMs": 0, "cacheScope": "public"});
        for (name, value) in members.as_object().expect("members") {
            result[name] = value.clone();
        }
        let meta = json!({"_meta": {"io.modelcontextprotocol/protocolVersion": "2026-07-28", "io.modelcontextprotocol/clientCapabilities": {}}});
        let tool = json!({"name": "a", "description": "x".repeat(LONG + 1), "inputSchema": {"type": "object"}});
        Script::empty(Revision::V2026_07_28).bare().plain("server/discover", meta, json!({"result": result})).plain(
            "tools/list",
            json!({}),
            json!({"result": {"resultType": "complete", "tools": [tool], "ttlMs": 0, "cacheScope": "public"}}),
        )
    }

    #[test]
    fn server_info_in_the_body_is_a_remnant() {
        assert_eq!(told(json!({})).status_of(RULE.judges[0]), Status::Pass);
        let verdict = told(json!({"serverInfo": {"name": "s", "version": "1"}})).verdict(RULE.judges[0]);
        assert_eq!((verdict.status, verdict.level), (Status::Fail, Level::Advice));
    }

    #[test]
    fn instructions_that_repeat_a_description_are_told() {
        assert_eq!(told(json!({"instructions": "Use a."})).status_of(RULE.judges[1]), Status::Pass);
        let repeated = format!("a: {}", "x".repeat(LONG + 1));
        assert_eq!(told(json!({"instructions": repeated})).status_of(RULE.judges[1]), Status::Fail);
        assert_eq!(told(json!({})).status_of(RULE.judges[1]), Status::NotObserved);
    }
}
