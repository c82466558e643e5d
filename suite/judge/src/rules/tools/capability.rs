//! Whether `tools` is declared by those who serve it, and by no others.

use super::lists::TOOLS;
use crate::rules::lists::{CapabilityIds, capability};
use crate::{Collector, Rule, View};

pub(super) const RULE: Rule = Rule {
    name: "tools/capability",
    judges: &[
        "tools.capability.declared",
        "tools.capability.undeclared-method-not-found",
        "tools.capability.list-answered",
    ],
    judge,
};

fn judge(view: &View<'_>, collector: &mut Collector) {
    let ids = CapabilityIds {
        declared: "tools.capability.declared",
        undeclared: "tools.capability.undeclared-method-not-found",
        answered: "tools.capability.list-answered",
    };
    capability(view, collector, &TOOLS, ids);
}

#[cfg(test)]
mod tests {
    use serde_json::{Value, json};
    use verdict::{Intent, Level, Revision, Status};

    use crate::testing::Script;

    const V: Revision = Revision::V2025_11_25;
    const CODE: &str = "tools.capability.undeclared-method-not-found";

    fn undeclared(answer: Value) -> Script {
        Script::new(V, json!({})).probe(Intent::ToolsUndeclared, "tools/list", json!({}), answer)
    }

    #[test]
    fn a_list_without_the_capability_fails() {
        let script = undeclared(json!({"result": {"tools": [{"name": "a", "inputSchema": {"type": "object"}}]}}));
        assert_eq!(script.fails(), ["tools.capability.declared", CODE]);
    }

    #[test]
    fn an_empty_list_is_weak_evidence() {
        let verdict = undeclared(json!({"result": {"tools": []}})).verdict("tools.capability.declared");
        assert_eq!((verdict.status, verdict.notes.len()), (Status::Pass, 1));
    }

    #[test]
    fn the_code_decides_and_is_a_should_before_2026() {
        let script = undeclared(json!({"error": {"code": -32601, "message": "no"}}));
        assert_eq!(script.status_of(CODE), Status::Pass);
        assert_eq!(script.status_of("tools.capability.declared"), Status::Pass);
        let verdict = undeclared(json!({"error": {"code": -32602, "message": "no"}})).verdict(CODE);
        assert_eq!((verdict.status, verdict.level), (Status::Fail, Level::Should));
    }

    #[test]
    fn declared_tools_must_be_listed() {
        let list = |answer| Script::new(V, json!({"tools": {}})).plain("tools/list", json!({}), answer);
        assert_eq!(
            list(json!({"error": {"code": -32603, "message": "x"}})).fails(),
            ["lifecycle.capabilities.declared-served", "tools.capability.list-answered"]
        );
        let good = list(json!({"result": {"tools": []}}));
        assert_eq!(good.status_of("tools.capability.list-answered"), Status::Pass);
        assert_eq!(good.status_of(CODE), Status::NotApplicable);
    }

    #[test]
    fn silence_counts_once_repeated() {
        let silent = |script: Script| script.unanswered(Intent::Walk, "tools/list", json!({})).gave_up();
        let once = silent(Script::new(V, json!({"tools": {}})));
        assert_eq!(once.status_of("tools.capability.list-answered"), Status::Inconclusive);
        let twice = silent(once.session(true, json!({"tools": {}})));
        assert_eq!(twice.status_of("tools.capability.list-answered"), Status::Fail);
    }

    #[test]
    fn a_demand_for_authorization_is_no_missing_list() {
        let script = Script::over(verdict::Transport::Http, V, json!({"tools": {}}));
        let script = script.unanswered(Intent::Walk, "tools/list", json!({})).status(401);
        assert_eq!(script.fails(), [""; 0]);
    }
}
