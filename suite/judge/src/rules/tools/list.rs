//! `tools/list` asked in other ways: without params, and again.

use super::lists::{self, TOOLS, Walk};
use crate::rules::lists::bare;
use crate::{Collector, Rule, View};

pub(super) const RULE: Rule = Rule {
    name: "tools/list",
    judges: &["tools.list.accepts-missing-params", "tools.list.deterministic-order"],
    judge,
};

fn judge(view: &View<'_>, collector: &mut Collector) {
    bare(view, collector, &TOOLS, "tools.list.accepts-missing-params");
    check_order(&lists::complete(view), collector);
}

fn check_order(walks: &[Walk<'_>], collector: &mut Collector) {
    const ID: &str = "tools.list.deterministic-order";
    for (at, walk) in walks.iter().enumerate() {
        let Some(earlier) = walks[..at].iter().find(|earlier| earlier.set() == walk.set()) else { continue };
        if walk.set().len() < 2 {
            collector.not_observed(ID, "there are fewer than two tools");
            continue;
        }
        collector.check(ID, earlier.names() == walk.names(), || {
            let message = "tools/list returns the same tools in a different order each time, which defeats prompt and result caches.";
            let mut finding = walk.pages[0].finding(message, "the same order while the set of tools is unchanged");
            finding.actual = "a different order".into();
            finding.wire.splice(0..0, earlier.pages[0].wire());
            finding
        });
    }
}

#[cfg(test)]
mod tests {
    use serde_json::{Value, json};
    use verdict::{Intent, Revision, Status};

    use crate::testing::Script;

    fn page(names: &[&str]) -> Value {
        let tools: Vec<Value> =
            names.iter().map(|name| json!({"name": name, "inputSchema": {"type": "object"}})).collect();
        json!({"result": {"resultType": "complete", "tools": tools, "ttlMs": 0, "cacheScope": "public"}})
    }

    fn bare(answer: Value) -> Script {
        let script = Script::new(Revision::V2025_11_25, json!({"tools": {}}));
        let script = script.plain("tools/list", json!({}), page(&["a", "b"]));
        script.probe(Intent::ToolsListBare, "tools/list", json!({}), answer)
    }

    #[test]
    fn missing_params_are_answered_alike() {
        assert_eq!(bare(page(&["b", "a"])).status_of("tools.list.accepts-missing-params"), Status::Pass);
        assert_eq!(bare(page(&["a"])).fails(), ["tools.list.accepts-missing-params"]);
        let refused = bare(json!({"error": {"code": -32602, "message": "params required"}}));
        assert_eq!(refused.fails(), ["tools.list.accepts-missing-params"]);
    }

    fn twice(revision: Revision, second: Value) -> Script {
        let script = Script::new(revision, json!({"tools": {}}));
        script.plain("tools/list", json!({}), page(&["a", "b", "c"])).plain("tools/list", json!({}), second)
    }

    const ORDER: &str = "tools.list.deterministic-order";

    #[test]
    fn another_order_fails_in_2026() {
        assert_eq!(twice(Revision::V2026_07_28, page(&["b", "a", "c"])).status_of(ORDER), Status::Fail);
        assert_eq!(twice(Revision::V2026_07_28, page(&["a", "b", "c"])).status_of(ORDER), Status::Pass);
        assert!(!twice(Revision::V2025_11_25, page(&["b", "a", "c"])).fails().contains(&ORDER));
    }

    #[test]
    fn another_set_is_no_other_order() {
        assert_eq!(twice(Revision::V2026_07_28, page(&["c", "a"])).status_of(ORDER), Status::NotObserved);
    }

    #[test]
    fn pages_are_joined_before_they_are_compared() {
        let with_cursor = |names: &[&str], next: &str| {
            let mut answer = page(names);
            answer["result"]["nextCursor"] = json!(next);
            answer
        };
        let script = Script::new(Revision::V2026_07_28, json!({"tools": {}}))
            .plain("tools/list", json!({}), with_cursor(&["a"], "1"))
            .plain("tools/list", json!({"cursor": "1"}), page(&["b", "c"]))
            .plain("tools/list", json!({}), with_cursor(&["a", "b"], "2"))
            .plain("tools/list", json!({"cursor": "2"}), page(&["c"]));
        assert_eq!(script.status_of(ORDER), Status::Pass);
    }
}
