//! One set of tools for every connection, whatever was asked before (2026-07-28).

use super::lists::TOOLS;
use crate::rules::lists::same;
use crate::{Collector, Rule, View};

pub(super) const RULE: Rule =
    Rule { name: "tools/same", judges: &["tools.list.not-per-connection", "tools.list.not-side-effect"], judge };

fn judge(view: &View<'_>, collector: &mut Collector) {
    same(view, collector, &TOOLS, RULE.judges[0], RULE.judges[1]);
}

#[cfg(test)]
mod tests {
    use serde_json::{Value, json};
    use verdict::{Revision, Status};

    use crate::testing::Script;

    const CONNECTION: &str = "tools.list.not-per-connection";
    const EFFECT: &str = "tools.list.not-side-effect";

    fn start() -> Script {
        Script::new(Revision::V2026_07_28, json!({"tools": {}}))
    }

    fn list(script: Script, names: &[&str]) -> Script {
        let tools: Vec<Value> =
            names.iter().map(|name| json!({"name": name, "inputSchema": {"type": "object"}})).collect();
        script.plain(
            "tools/list",
            json!({}),
            json!({"result": {"resultType": "complete", "tools": tools, "ttlMs": 0, "cacheScope": "public"}}),
        )
    }

    fn fresh(script: Script) -> Script {
        script.session(false, json!({"tools": {}}))
    }

    #[test]
    fn a_difference_seen_by_turns_fails() {
        let script = list(fresh(list(start(), &["a", "one"])), &["a", "two"]);
        let script = list(script.resume(0), &["a", "one"]);
        let script = list(script.resume(1), &["a", "two"]);
        assert_eq!(script.status_of(CONNECTION), Status::Fail);
        assert_eq!(script.status_of(EFFECT), Status::NotObserved);
    }

    #[test]
    fn a_change_over_time_is_no_difference() {
        let script = list(fresh(list(start(), &["a"])), &["a", "b"]);
        assert_eq!(script.status_of(CONNECTION), Status::NotObserved);
        let between = list(script.resume(0), &["a", "c"]);
        assert_eq!(between.status_of(CONNECTION), Status::Inconclusive);
        let script = list(fresh(list(start(), &["a"])), &["a", "b"]);
        let script = list(script.resume(0), &["a", "b"]);
        assert_eq!(script.status_of(CONNECTION), Status::Pass);
    }

    fn busy(after: &[&str]) -> Script {
        let script = list(start(), &["a"]).plain(
            "prompts/get",
            json!({"name": "p"}),
            json!({"error": {"code": -32602, "message": "no"}}),
        );
        list(script, after)
    }

    #[test]
    fn a_side_effect_that_a_fresh_connection_does_not_show_fails() {
        let script = list(fresh(busy(&["a", "b"])), &["a"]);
        assert_eq!(script.status_of(EFFECT), Status::Fail);
        assert_eq!(script.status_of(CONNECTION), Status::Pass);
    }

    #[test]
    fn a_fresh_connection_in_between_tells_as_well() {
        let script = list(fresh(busy(&["a", "b"])), &["a"]);
        assert_eq!(list(script.resume(0), &["a", "b"]).status_of(EFFECT), Status::Fail);
    }

    #[test]
    fn a_change_for_everybody_is_allowed() {
        assert_eq!(list(fresh(busy(&["a", "b"])), &["a", "b"]).status_of(EFFECT), Status::Pass);
        assert_eq!(busy(&["a"]).status_of(EFFECT), Status::Pass);
        assert_eq!(busy(&["a", "b"]).status_of(EFFECT), Status::Inconclusive);
    }

    #[test]
    fn a_connection_with_calls_behind_it_does_not_show_what_a_fresh_one_does() {
        let read = |script: Script| script.plain("prompts/get", json!({"name": "p"}), json!({"result": {}}));
        let used = read(fresh(busy(&["a", "b"])));
        assert_eq!(list(used.goes_on("lists there"), &["a", "b"]).status_of(EFFECT), Status::Inconclusive);
        assert_eq!(list(read(fresh(busy(&["a", "b"]))), &["a"]).status_of(EFFECT), Status::Fail);
    }
}
